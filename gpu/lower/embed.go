package lower

import "inglenook/engine"

// embedArgs is EmbedArgs of embed.metal.
type embedArgs struct {
	columns  int32
	rowBytes uint32
}

func lowerEmbed(l *Lowerer, t *engine.Tensor) {
	table := t.Src[0]
	const columns = 16 // that a lane decodes
	launch(l, t, l.kernel("embed", 0, table.DType), embedArgs{int32(t.Cols), uint32(table.DType.RowBytes(t.Cols))}).
		bind(1, l.weight(table)).bind(2, l.value(t.Src[1])).bind(3, l.value(t)).
		over(t.Rows, ceilDiv(t.Cols, simdWidth*columns), 1, simdWidth)
}
