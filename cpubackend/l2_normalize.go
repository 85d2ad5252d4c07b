package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindL2Normalize: x.
func bindL2Normalize(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("l2_normalize")
	o.x = r.floats(t.Src[0])
	r.byRows(o, t)
	return nil
}
