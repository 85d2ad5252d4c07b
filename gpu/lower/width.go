package lower

import "inglenook/gpu"

// How wide the kernels over values and rows are launched.

const (
	simdWidth   = gpu.SIMDWidth
	maxThreads  = 256  // of a threadgroup
	maxTable    = 4096 // bytes of a table among the inline bytes
	quad        = 4    // values that a lane loads at once, where it can
	quadsOfLane = 4    // how many of these a lane takes in kernels over rows, about

	fewRowsOfWide    = 64   // too few threadgroups for a wide GPU
	longRowOfWide    = 1024 // columns, worth a barrier
	maxThreadsOfWide = 1024 // of one of them
)

// vector is the number of values that a kernel over rows loads at once: 4 if all
// rows begin at multiples of 16 bytes, else 1.
type vector int

func vectorOf(columns int) vector {
	if columns%quad == 0 {
		return quad
	}
	return 1
}

// of returns the name of one of the two variants of a kernel.
func (v vector) of(one, four string) string {
	if v == quad {
		return four
	}
	return one
}

// length returns how many vectors a row has.
func (v vector) length(columns int) int32 { return int32(columns / int(v)) }

// overQuads launches a lane for every four of n contiguous values.
func (d builder) overQuads(n int) {
	lanes := ceilDiv(n, quad)
	threads := min(ceilDiv(lanes, simdWidth)*simdWidth, maxThreads)
	d.over(ceilDiv(lanes, threads), 1, 1, threads)
}

// overRows launches a threadgroup for every row: a single simdgroup where rows are
// short, since that needs no barrier. reductions is how often the kernel reduces a
// row; each takes a float of threadgroup memory for every simdgroup. Where few rows
// leave most of a wide GPU idle, a lane takes one quad.
func (d builder) overRows(rows, columns, reductions int) {
	quads, most := quadsOfLane, maxThreads
	if d.l.Wide && rows < fewRowsOfWide && columns >= longRowOfWide {
		quads, most = 1, maxThreadsOfWide
	}
	threads := min(ceilDiv(columns, quad*quads*simdWidth)*simdWidth, most)
	d.threadgroup(reductions*threads/simdWidth*4).over(rows, 1, 1, threads)
}

// flag returns the value of a function constant that is a boolean.
func flag(set bool) int32 {
	if set {
		return 1
	}
	return 0
}
