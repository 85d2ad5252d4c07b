package lower

import "inglenook/engine"

// scaleArgs is ScaleArgs of scale.metal.
type scaleArgs struct {
	n      uint32
	factor float32
}

func lowerScale(l *Lowerer, t *engine.Tensor) {
	launch(l, t, "scale", scaleArgs{uint32(t.Len()), t.Params.(engine.ScaleParams).Factor}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t)).
		overQuads(t.Len())
}
