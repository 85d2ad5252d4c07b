package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindGate: x is the gate, y its factor, activation.
func bindGate(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("gate")
	o.x, o.y = r.floats(t.Src[0]), r.floats(t.Src[1])
	o.activation = C.int32_t(t.Params.(engine.GateParams).Activation)
	r.byValues(o, t)
	return nil
}
