package lower

import "inglenook/engine"

// rowsArgs is RowsArgs of rows.metal.
type rowsArgs struct{ length int32 }

func lowerRows(l *Lowerer, t *engine.Tensor) {
	v := vectorOf(t.Cols)
	launch(l, t, v.of("rows_1", "rows_4"), rowsArgs{v.length(t.Cols)}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t.Src[1])).bind(3, l.value(t)).
		over(t.Rows, ceilDiv(t.Cols/int(v), simdWidth), 1, simdWidth)
}
