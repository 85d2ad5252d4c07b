package cpubackend

// #include "kernels/cpu.h"
import "C"

import "inglenook/engine"

// bindEmbed: weight is the table in its own type, index the ids.
func bindEmbed(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	table := t.Src[0]
	switch {
	case r.b.layoutOf(t, 0) == asRows:
		o.kind = C.KIND_EMBED
	case table.DType.Quantized():
		o.kind = C.KIND_EMBED_BLOCKS
	default:
		o.kind = C.KIND_EMBED_PANELS
		r.scratch = max(r.scratch, t.Cols)
	}
	o.dtype = dtypes[table.DType]
	if o.weight, err = r.b.prepared(r.ctx, t, 0); err != nil {
		return err
	}
	o.index = r.ints(t.Src[1])
	r.byRows(o, t)
	return nil
}
