package own

import (
	"fmt"

	"inglenook/gpu"
)

// The two products of a layer's rows that follow each other, as of many encoders, are one
// launch of feed.cu.

const (
	feedSize    = 384  // values of a row: FED of pieces.cu
	feedPart    = 64   // of the values between at a time
	feedMost    = 1536 // of them, for whose biases there is room
	feedColumns = 64   // of a block of rows.cu
	feedPiece   = feedSize / 2 * hopperLine
	rowsShared  = feedSize/64*TileRows*hopperLine + 5*feedPiece + 2*hopperAlign // of rows.cu
	feedShared  = rowsShared + 4*(feedMost+feedSize)
	feedLeast   = 0.7 // of the multiprocessors must have work to the end
)

// keepsRows reports whether blocks that keep their rows of x have enough to do for the card.
func (s *Shaper) keepsRows(t tile) bool {
	blocks, processors := ceilDiv(t.rows, TileRows), max(s.Processors, 1)
	return s.Hopper && t.in == feedSize && t.parts == 1 && t.packed == 0 && float64(blocks) >= feedLeast*float64(ceilDiv(blocks, processors)*processors)
}

// feedAt returns the two products, if one launch can do what dispatch i of a list and the next
// do: what lies between them has no other reader.
func (s *Shaper) feedAt(list *gpu.List, i int) (tiles []tile) {
	if s.Apart || i+1 >= len(list.Dispatches) {
		return nil
	}
	one, two := &list.Dispatches[i], &list.Dispatches[i+1]
	if one.Op == nil || two.Op.Src[0] != one.Op || !one.Op.Passing() ||
		constant(&one.Kernel, linearBias) != constant(&two.Kernel, linearBias) || constant(&two.Kernel, linearActivation) != 0 {
		return nil
	}
	if tiles = feedTiles(list, i); tiles == nil || !s.keepsRows(tiles[0]) {
		return nil
	}
	return tiles
}

// feedTiles returns what dispatch i of a list and the next multiply, if their sizes and types are
// those of feed.cu.
func feedTiles(list *gpu.List, i int) []tile {
	if i+1 >= len(list.Dispatches) {
		return nil
	}
	a, ok := tileOf(list, &list.Dispatches[i])
	b, also := tileOf(list, &list.Dispatches[i+1])
	if !ok || !also || a.in != feedSize || b.out != feedSize || a.out != b.in || b.in%feedPart != 0 || b.in > feedMost || a.rows != b.rows ||
		a.parts != 1 || b.parts != 1 || a.packed != 0 || b.packed != 0 || a.slab < a.out || b.slab < b.out {
		return nil
	}
	return []tile{a, b}
}

// feed appends the launch.
func (s *Shaper) feed(ds []gpu.Dispatch, tiles []tile) {
	t := tiles[0]
	begin := len(s.list.Dispatches)
	x, units := s.halvesOf(&ds[0], t)
	at := t.xBytes() + t.unitBytes()
	var w [2]gpu.Region
	for i, t := range tiles {
		w[i] = s.weightOf(&ds[i], t, t.out, ds[i].Bindings[2], at)
		at += t.wBytes()
	}
	f := s.launch(&ds[1], fmt.Sprintf("%sfeed_%d_%d", prefix, feedSize, t.out), t.rows)
	f.Kernel.Constants = productConstants(&ds[0].Kernel)
	f.Bindings[1], f.Bindings[2], f.Bindings[3], f.Bindings[4] = x, units, w[0], w[1]
	f.Bindings[5], f.Bindings[6], f.Bindings[7] = ds[0].Bindings[3], ds[1].Bindings[3], ds[1].Bindings[4]
	f.Groups, f.Threads = [3]uint32{uint32(ceilDiv(t.rows, TileRows)), 1, 1}, packThreads
	f.Shared[0] = feedShared
	s.list.Dispatches[begin].Work = ds[0].Work + ds[1].Work
	s.packed = packed{} // y may lie where x did
}
