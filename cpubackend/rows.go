package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"unsafe"

	"inglenook/engine"
)

// bindRows: x, and index with the row numbers.
func bindRows(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("rows")
	o.x, o.index = r.floats(t.Src[0]), r.ints(t.Src[1])
	r.byRows(o, t)
	return nil
}

// bindJoin has a record for each operand: x, and where its rows begin in out.
func bindJoin(r *run, o *C.struct_op, t *engine.Tensor) error {
	row := 0
	for i, x := range t.Src {
		if i > 0 {
			o = r.record(t)
		}
		o.kernel = r.b.kernel("join")
		o.x = r.floats(x)
		o.out = (*C.float)(unsafe.Add(unsafe.Pointer(o.out), 4*row*t.Cols))
		r.byRows(o, x)
		row += x.Rows
	}
	return nil
}
