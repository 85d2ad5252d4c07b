package lower

import (
	"fmt"

	"inglenook/engine"
)

// disentangledArgs is DisentangledArgs of disentangled.metal.
type disentangledArgs struct {
	texts, heads, size, reach int32
	forQueries, forKeys       int32 // whether there is such a table
	scale                     float32
}

// mostDisentangled are the columns of a head that the registers of a simdgroup hold.
const mostDisentangled = 256

// checkDisentangled refuses heads that do not fit into the registers of a simdgroup.
func checkDisentangled(t *engine.Tensor) error {
	if size := t.Cols / t.Params.(engine.DisentangledParams).Heads; size > mostDisentangled {
		return fmt.Errorf("%w for disentangled attention with heads of %d columns", engine.ErrNoKernel, size)
	}
	return nil
}

// lowerDisentangled gives each query and head a simdgroup. A missing table is bound to q.
func lowerDisentangled(l *Lowerer, t *engine.Tensor) {
	p, q, starts, distances := t.Params.(engine.DisentangledParams), t.Src[0], t.Src[3], t.Src[4]
	size := t.Cols / p.Heads
	args := disentangledArgs{
		texts: int32(starts.Rows - 1), heads: int32(p.Heads), size: int32(size), reach: int32(distances.Rows / 2), scale: p.Scale,
	}
	tables := [2]*engine.Tensor{q, q}
	for i, has := range []*int32{&args.forQueries, &args.forKeys} {
		if table := t.Src[5+i]; table != nil {
			tables[i], *has = table, 1
		}
	}
	kernel := "disentangled_128"
	if size > 128 {
		kernel = "disentangled_256"
	}
	launch(l, t, kernel, args).
		bind(1, l.value(q)).bind(2, l.value(t.Src[1])).bind(3, l.value(t.Src[2])).bind(4, l.value(starts)).bind(5, l.value(distances)).
		bind(6, l.value(tables[0])).bind(7, l.value(tables[1])).bind(8, l.value(t)).
		threadgroup(4*(simdWidth+size)).
		over(t.Rows, p.Heads, 1, simdWidth)
}
