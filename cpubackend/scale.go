package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindScale: x, and the factor in scale.
func bindScale(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("scale")
	o.x, o.scale = r.floats(t.Src[0]), C.float(t.Params.(engine.ScaleParams).Factor)
	r.byValues(o, t)
	return nil
}
