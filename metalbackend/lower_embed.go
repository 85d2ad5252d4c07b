package metalbackend

import "inglenook/engine"

// embedArgs is EmbedArgs of kernels/embed.metal.
type embedArgs struct {
	columns  int32
	rowBytes uint32
}

func lowerEmbed(l *lowering, t *engine.Tensor) error {
	table := t.Src[0]
	rows, err := l.weight(table)
	if err != nil {
		return err
	}
	const columns = 16 // that a lane decodes
	launch(l, t, l.kernel("embed", 0, table.DType), embedArgs{int32(t.Cols), uint32(table.DType.RowBytes(t.Cols))}).
		bind(1, rows).bind(2, l.value(t.Src[1])).bind(3, l.value(t)).
		over(t.Rows, ceilDiv(t.Cols, simdWidth*columns), 1, simdWidth)
	return nil
}
