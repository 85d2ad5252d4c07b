package own

import (
	"encoding/binary"
	"strings"

	"inglenook/gpu"
)

// Queries, keys and values that nothing but an attention within texts reads stay halves from
// their products to attention_halves.cu.

const attentionSplit = 35 // function constant of attention.metal

// halvedAt returns the attention after three products that begin with dispatch i of a list, if
// it takes what they leave as halves; else nil. block is how many columns of theirs share a unit.
func (s *Shaper) halvedAt(list *gpu.List, i int, tiles []tile) (attention *gpu.Dispatch, block int) {
	if s.Apart || !s.Hopper || len(tiles) != 3 || i+3 >= len(list.Dispatches) {
		return nil, 0
	}
	a := &list.Dispatches[i+3]
	variant, ok := strings.CutPrefix(a.Kernel.Name, "attention_matrix_")
	if !ok || !ofFloats(variant) || !fitsAttentionMatrix(&a.Kernel, variant) || constant(&a.Kernel, attentionRagged) == 0 || constant(&a.Kernel, attentionSplit) != 0 {
		return nil, 0
	}
	const queries, heads, group, keys = 0, 1, 2, 3 // of AttentionArgs
	args, size := arguments(list, a), int(constant(&a.Kernel, attentionSize))
	outs := make([]int, 0, severalMost)
	for n, t := range tiles {
		columns := number(args, heads) * size
		if n > 0 {
			columns /= number(args, group)
		}
		d := &list.Dispatches[i+n]
		if t.parts != 1 || t.out != columns || d.Op == nil || a.Op.Src[n] != d.Op || !d.Op.Passing() {
			return nil, 0
		}
		outs = append(outs, t.out)
	}
	block = s.plan(tiles[0], outs).columns
	if number(args, queries) != tiles[0].rows || number(args, keys) != tiles[0].rows || block%size != 0 {
		return nil, 0
	}
	return a, block
}

// attentionHalves appends the launch of an attention over halves.
func (s *Shaper) attentionHalves(list *gpu.List, a *gpu.Dispatch, block int) {
	d := *a
	attentionTiles(&d, arguments(list, a), 1, 1)
	d.Kernel.Name = prefix + "halves_" + strings.TrimPrefix(a.Kernel.Name, "attention_matrix_")
	d.Bindings[0] = gpu.Region{Offset: len(s.list.Inline), Size: 4 * (attentionNumbers + 1)}
	s.list.Inline = append(s.list.Inline, arguments(list, a)...)
	s.list.Inline = binary.NativeEndian.AppendUint32(s.list.Inline, uint32(block))
	s.list.Dispatches = append(s.list.Dispatches, d)
}
