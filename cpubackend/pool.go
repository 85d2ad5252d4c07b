package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindPool: x, index with the starts of the texts, modes.
func bindPool(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("pool")
	x, starts := t.Src[0], t.Src[1]
	modes, err := table[C.int32_t](r, len(t.Params.(engine.PoolParams).Modes))
	if err != nil {
		return err
	}
	for i, m := range t.Params.(engine.PoolParams).Modes {
		modes[i] = C.int32_t(m)
	}
	o.x, o.index = r.floats(x), r.ints(starts)
	o.modes, o.mode_count = &modes[0], C.int64_t(len(modes))

	// whole texts if they are short, stripes of columns if they are long
	texts := max(1, pieceWork*t.Rows/x.Len())
	stripe := max(64, pieceWork*t.Rows/x.Rows/64*64)
	o.row_block = C.int64_t(min(texts, t.Rows))
	o.col_block = C.int64_t(min(stripe, x.Cols))
	o.pieces = C.int64_t(ceilDiv(t.Rows, int(o.row_block)) * ceilDiv(x.Cols, int(o.col_block)))
	return nil
}
