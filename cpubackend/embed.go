package cpubackend

// #include "cpu.h"
import "C"

import "inglenook/engine"

// bindEmbed: weight is the table in its own type, index the ids.
func bindEmbed(r *run, o *C.struct_op, t *engine.Tensor) (err error) {
	o.kind = C.KIND_EMBED
	o.dtype = dtypes[t.Src[0].DType]
	if o.weight, err = r.b.prepared(r.ctx, t, 0); err != nil {
		return err
	}
	o.index = r.ints(t.Src[1])
	r.byRows(o, t)
	return nil
}
