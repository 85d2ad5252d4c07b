package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindRows: x, and index with the row numbers.
func bindRows(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("rows")
	o.x, o.index = r.floats(t.Src[0]), r.ints(t.Src[1])
	r.byRows(o, t)
	return nil
}
