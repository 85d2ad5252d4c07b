package own

import (
	"encoding/binary"
	"fmt"

	"inglenook/gpu"
)

const (
	normThreads    = 256
	layerNormBytes = 12 // of LayerNormArgs
)

// normAt makes a layer norm, whose rows the products after it take as halves, one launch
// that also makes the halves. It reports whether dispatch i of a list is such a norm.
func (s *Shaper) normAt(list *gpu.List, i int) bool {
	d := &list.Dispatches[i]
	if s.Apart || d.Kernel.Name != "layer_norm_4" || i+1 == len(list.Dispatches) {
		return false
	}
	tiles, args := tilesAt(list, i+1), arguments(list, d)[:layerNormBytes]
	columns := 4 * number(args, 0)
	if len(tiles) == 0 || columns > packShort || list.Dispatches[i+1].Bindings[1] != d.Bindings[5] {
		return false
	}
	t := tiles[0]
	n := s.launch(d, fmt.Sprintf("%snorm_%d_%d", prefix, t.parts, ceilDiv(columns, 4*warp)))
	s.list.Inline = append(s.list.Inline, args...)
	for _, v := range []int{t.rows * t.in, t.rows} {
		s.list.Inline = binary.NativeEndian.AppendUint32(s.list.Inline, uint32(v))
	}
	n.Bindings[0].Size = layerNormBytes + 2*4
	n.Kernel.Constants, n.Work = d.Kernel.Constants, d.Work
	copy(n.Bindings[1:6], d.Bindings[1:6])
	n.Bindings[6], n.Bindings[7] = t.halves(s.scratch)
	n.Groups, n.Threads = [3]uint32{uint32(ceilDiv(t.rows, normThreads/warp)), 1, 1}, normThreads
	s.packed = packed{d.Bindings[5], t.parts}
	return true
}
