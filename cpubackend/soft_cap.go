package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindSoftCap: x, and the bound in scale.
func bindSoftCap(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("soft_cap")
	o.x, o.scale = r.floats(t.Src[0]), C.float(t.Params.(engine.SoftCapParams).Cap)
	r.byValues(o, t)
	return nil
}
