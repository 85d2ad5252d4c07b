package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"unsafe"

	"inglenook/engine"
)

// What the backend's memory for quantized activations holds besides the two forms of
// levels, which are x_form's: floats, gathered for experts, levels that one Linear
// wrote for the next, and sums of one and of three halves.
const (
	floatForm   = 2
	passed      = 3
	oneHalf     = 4
	threeHalves = 5
	forms       = 6
)

// formOf is the form as the kernel takes it.
func formOf(form int) C.int32_t {
	switch form {
	case oneHalf:
		return 1
	case threeHalves:
		return 3
	}
	return C.int32_t(form)
}

// quantizer is the kernel that writes x in a form.
func (b *Backend) quantizer(form int) C.kernel {
	if form >= oneHalf {
		return b.kernel("halve")
	}
	return b.kernel("quantize_x")
}

// quantized says what levels hold: the rows of x, sorted by the experts of routes if
// there are any.
type quantized struct{ x, routes *engine.Tensor }

// levels returns the memory for the levels of x in a product with w, and their
// form; nil if x stays as it is.
func (r *run) levels(x, w *engine.Tensor) (to unsafe.Pointer, form int) {
	if !w.DType.Quantized() || r.b.kernels.blocks.x_tile[0] == 0 {
		return nil, 0
	}
	form = int(C.kernels_x_form(r.b.kernels, C.int(w.DType)))
	return r.b.levels[form].start, form
}

// quantize makes o the record that quantizes x of the Linear t, and returns the
// next record. If the last product in this form had the same x, it reuses the
// levels and returns o.
func (r *run) quantize(o *C.struct_op, t *engine.Tensor, form int) *C.struct_op {
	x := t.Src[0]
	if r.quantized[form] == (quantized{x: x}) {
		return o
	}
	r.quantized[form] = quantized{x: x}
	o.kernel = r.b.quantizer(form)
	o.rows, o.inner, o.x, o.out = C.int64_t(x.Rows), C.int64_t(x.Cols), r.floats(x), nil
	o.levels, o.form = r.b.levels[form].start, formOf(form)
	r.byRows(o, x)
	return r.record(t)
}

// quantizeRows makes the record of t, whose pieces are whole rows, quantize each row
// that it wrote if the next operation is a Linear that needs that.
func (r *run) quantizeRows(o *C.struct_op, t *engine.Tensor) {
	n := r.next
	if n == nil || n.Op != engine.OpLinear || n.Src[0] != t {
		return
	}
	var to unsafe.Pointer
	var form int
	if r.b.byHalves(n, r.from) {
		form, _ = halvedBytes(n)
		to = r.b.levels[form].start
	} else {
		to, form = r.levels(t, n.Src[1])
	}
	if to != nil {
		o.then, o.levels, o.form = r.b.quantizer(form), to, formOf(form)
		r.quantized[form] = quantized{x: t}
	}
}

// passes reports whether the Linear t can write its result only quantized: the next
// operation is a Linear, which alone reads it, in the form of t's own x. Products of tiles do
// not.
func (b *Backend) passes(t, next *engine.Tensor, from int) bool {
	if b.kernels.blocks.passes == 0 || t.Op != engine.OpLinear || t.Rows == 1 || !t.Passing() ||
		next == nil || next.Op != engine.OpLinear || next.Src[0] != t || b.byHalves(t, from) {
		return false
	}
	w, n := t.Src[1].DType, next.Src[1].DType
	return w.Quantized() && n.Quantized() && C.kernels_x_form(b.kernels, C.int(w)) == C.kernels_x_form(b.kernels, C.int(n))
}

// fitLevels allocates memory for the largest x that the operations quantize.
func (b *Backend) fitLevels(ops []*engine.Tensor, from int) error {
	for form, n := range b.levelBytes(ops, from) {
		m := b.levels[form]
		if n == 0 || m != nil && n <= len(m.HostMemory) {
			continue
		}
		b.freeLevels(form)
		m, err := newMemory("quantized activations", n)
		if err != nil {
			return err
		}
		b.levels[form] = m
	}
	return nil
}

// levelBytes returns the size of that memory in each form, where from is fromRows of ops.
func (b *Backend) levelBytes(ops []*engine.Tensor, from int) (bytes [forms]int) {
	for i, t := range ops {
		if t.Op == engine.OpLinear && b.byHalves(t, from) {
			form, n := halvedBytes(t)
			bytes[form] = max(bytes[form], n)
			continue
		}
		if b.passes(t, following(ops, i), from) {
			form := C.kernels_x_form(b.kernels, C.int(t.Src[1].DType))
			bytes[passed] = max(bytes[passed], t.Len()/runLength*int(b.kernels.blocks.x_bytes[form]))
		}
		if t.Op == engine.OpExperts {
			form, n := b.gatheredBytes(t)
			bytes[form] = max(bytes[form], n)
			continue
		}
		if b.kernels.blocks.x_tile[0] == 0 || t.Op != engine.OpLinear || !t.Src[1].DType.Quantized() {
			continue
		}
		form := C.kernels_x_form(b.kernels, C.int(t.Src[1].DType))
		bytes[form] = max(bytes[form], t.Src[0].Len()/runLength*int(b.kernels.blocks.x_bytes[form]))
	}
	return bytes
}

// following returns the operation after number i, or nil.
func following(ops []*engine.Tensor, i int) *engine.Tensor {
	if i+1 < len(ops) {
		return ops[i+1]
	}
	return nil
}

func (b *Backend) freeLevels(form int) {
	if b.levels[form] != nil {
		b.levels[form].Close()
	}
	b.levels[form] = nil
}

// runLength is how many values of x share a scale.
const runLength = 32
