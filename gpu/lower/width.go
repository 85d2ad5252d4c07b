package lower

import "inglenook/gpu"

// How wide the kernels over values and rows are launched.

const (
	simdWidth   = gpu.SIMDWidth
	maxThreads  = 256  // in a threadgroup
	maxTable    = 4096 // bytes of a table inside a command
	quad        = 4    // values that a lane takes at once where it can
	quadsOfLane = 4    // that a lane of a row's threadgroup takes, about
)

// vector is the number of values that a kernel over rows loads at once: 4 where
// all rows begin at multiples of 16 bytes, else 1.
type vector int

func vectorOf(columns int) vector {
	if columns%quad == 0 {
		return quad
	}
	return 1
}

// of picks one of the two forms of a kernel.
func (v vector) of(one, four string) string {
	if v == quad {
		return four
	}
	return one
}

// length is that of a row in vectors.
func (v vector) length(columns int) int32 { return int32(columns / int(v)) }

// overQuads launches a lane for every four of n values that lie end to end.
func (d builder) overQuads(n int) {
	lanes := ceilDiv(n, quad)
	threads := min(ceilDiv(lanes, simdWidth)*simdWidth, maxThreads)
	d.over(ceilDiv(lanes, threads), 1, 1, threads)
}

// overRows launches a threadgroup for every row: a single simdgroup where rows
// are short, since that needs no barrier. The kernel reduces a row so many
// times, with a float of threadgroup memory for every simdgroup.
func (d builder) overRows(rows, columns, reductions int) {
	threads := min(ceilDiv(columns, quad*quadsOfLane*simdWidth)*simdWidth, maxThreads)
	d.threadgroup(0, reductions*threads/simdWidth*4).over(rows, 1, 1, threads)
}

// flag is a function constant that says yes or no.
func flag(set bool) int32 {
	if set {
		return 1
	}
	return 0
}
