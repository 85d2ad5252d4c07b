package lower

import "inglenook/engine"

// softCapArgs is SoftCapArgs of soft_cap.metal.
type softCapArgs struct {
	n     uint32
	limit float32
}

func lowerSoftCap(l *Lowerer, t *engine.Tensor) {
	launch(l, t, "soft_cap", softCapArgs{uint32(t.Len()), t.Params.(engine.SoftCapParams).Cap}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t)).
		overQuads(t.Len())
}
