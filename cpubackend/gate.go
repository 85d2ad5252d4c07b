package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// gateSome is GATE_SOME in gate.h.
const gateSome = 1024

// bindGate: x is the gate, y its factor or nil, activation, limit, shift.
func bindGate(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("gate")
	o.x, o.y = r.floats(t.Src[0]), r.floats(t.Src[1])
	p := t.Params.(engine.GateParams)
	o.activation, o.limit, o.shift = C.int32_t(p.Activation), C.float(p.Limit), C.float(p.Shift)
	r.scratch = max(r.scratch, 2*gateSome)
	r.byValues(o, t)
	return nil
}
