package metalbackend

import "inglenook/engine"

// softCapArgs is SoftCapArgs of kernels/soft_cap.metal.
type softCapArgs struct {
	n     uint32
	limit float32
}

func lowerSoftCap(l *lowering, t *engine.Tensor) error {
	launch(l, t, "soft_cap", softCapArgs{uint32(t.Len()), t.Params.(engine.SoftCapParams).Cap}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t)).
		overQuads(t.Len())
	return nil
}
