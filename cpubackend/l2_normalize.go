package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindL2Normalize: x.
func bindL2Normalize(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kind = C.KIND_L2_NORMALIZE
	o.x = r.floats(t.Src[0])
	r.byRows(o, t)
	return nil
}
