package lower

import "inglenook/engine"

// l2NormalizeArgs is L2NormalizeArgs of l2_normalize.metal.
type l2NormalizeArgs struct{ length int32 }

func lowerL2Normalize(l *Lowerer, t *engine.Tensor) {
	v := vectorOf(t.Cols)
	launch(l, t, v.of("l2_normalize_1", "l2_normalize_4"), l2NormalizeArgs{v.length(t.Cols)}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t)).
		overRows(t.Rows, t.Cols, 1)
}
