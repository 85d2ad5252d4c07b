package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindRMSNorm: x, gain, epsilon, and in scale the offset added to each gain. A
// row of the record is one stretch to normalize, not a row of the matrix.
func bindRMSNorm(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("rms_norm")
	gain, err := r.b.prepared(r.ctx, t, 1)
	if err != nil {
		return err
	}
	p := t.Params.(engine.RMSNormParams)
	o.x, o.gain = r.floats(t.Src[0]), (*C.float)(gain)
	o.epsilon, o.scale = C.float(p.Epsilon), C.float(p.Offset)
	stretch := t.Src[1].Cols
	r.byRowsOf(o, t.Len()/stretch, stretch)
	if stretch == t.Cols {
		r.quantizeRows(o, t)
	}
	return nil
}
