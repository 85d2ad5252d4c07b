package lower

import "inglenook/engine"

// addArgs is AddArgs of add.metal.
type addArgs struct{ n uint32 }

func lowerAdd(l *Lowerer, t *engine.Tensor) {
	launch(l, t, "add", addArgs{uint32(t.Len())}).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t.Src[1])).bind(3, l.value(t)).
		overQuads(t.Len())
}
