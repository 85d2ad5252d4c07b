package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindEmbed: weight is the table in its own type, index the ids.
func bindEmbed(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	table := t.Src[0]
	switch {
	case r.b.layoutOf(t, 0) == asRows:
		o.kernel = r.b.kernel("embed")
	case table.DType.Quantized():
		o.kernel = r.b.kernel("embed_blocks")
	default:
		o.kernel = r.b.kernel("embed_panels")
		r.scratch = max(r.scratch, t.Cols)
	}
	o.dtype = C.int32_t(table.DType)
	if o.weight, err = r.b.prepared(r.ctx, t, 0); err != nil {
		return err
	}
	o.index = r.ints(t.Src[1])
	r.byRows(o, t)
	return nil
}
