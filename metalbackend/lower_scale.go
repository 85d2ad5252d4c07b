package metalbackend

import "inglenook/engine"

// scaleArgs is ScaleArgs of kernels/scale.metal.
type scaleArgs struct {
	n      uint32
	factor float32
}

func lowerScale(l *lowering, t *engine.Tensor) error {
	launch(l, t, "scale", scaleArgs{uint32(t.Len()), t.Params.(engine.ScaleParams).Factor}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t)).
		overQuads(t.Len())
	return nil
}
