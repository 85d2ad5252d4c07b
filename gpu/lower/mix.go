package lower

import "inglenook/engine"

// mixArgs is MixArgs of mix.metal.
type mixArgs struct {
	n           uint32
	cols, slots int32
}

func lowerMix(l *Lowerer, t *engine.Tensor) {
	y, routes := t.Src[0], t.Src[1]
	launch(l, t, "mix", mixArgs{uint32(t.Len()), int32(t.Cols), int32(routes.Cols / 2)}).
		bind(1, l.value(y)).bind(2, l.value(routes)).bind(3, l.value(t)).
		overQuads(t.Len())
}
