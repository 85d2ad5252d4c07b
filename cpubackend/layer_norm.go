package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindLayerNorm: x, y the residual or nil, gain, bias or nil, epsilon.
func bindLayerNorm(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("layer_norm")
	gain, err := r.b.prepared(r.ctx, t, 2)
	if err != nil {
		return err
	}
	bias, err := r.b.prepared(r.ctx, t, 3)
	if err != nil {
		return err
	}
	o.x, o.y = r.floats(t.Src[0]), r.floats(t.Src[1])
	o.gain, o.bias = (*C.float)(gain), (*C.float)(bias)
	o.epsilon = C.float(t.Params.(engine.LayerNormParams).Epsilon)
	r.byRows(o, t)
	r.quantizeRows(o, t)
	return nil
}
