package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindAdd: x and y.
func bindAdd(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("add")
	o.x, o.y = r.floats(t.Src[0]), r.floats(t.Src[1])
	r.byRows(o, t)
	return nil
}
