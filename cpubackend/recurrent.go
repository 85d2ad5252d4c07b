package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"encoding/binary"
	"unsafe"

	"inglenook/engine"
)

// convBlock is the number of columns in a piece of causal_conv.
const convBlock = 256

// bindCausalConv: x, weight (as floats), activation, inner the width. A piece is
// col_block columns.
func bindCausalConv(r *run, o *C.struct_op, t *engine.Tensor) error {
	w, err := r.b.prepared(r.ctx, t, 1)
	if err != nil {
		return err
	}
	width := t.Src[1].Cols
	c, err := r.recurrent(t.Src[2], t.Src[3])
	if err != nil {
		return err
	}
	o.kernel = r.b.kernel("causal_conv")
	o.x, o.weight, o.recurrent = r.floats(t.Src[0]), w, c
	o.activation, o.inner = C.int32_t(t.Params.(engine.CausalConvParams).Activation), C.int64_t(width)
	o.col_block, o.pieces = convBlock, C.int64_t(ceilDiv(t.Cols, convBlock))
	r.scratch = max(r.scratch, width*convBlock)
	return nil
}

// bindDeltaRule: x is qkv, y is a, z is b, gain the rates, bias the shifts,
// epsilon. A piece is a few columns of a head's state.
func bindDeltaRule(r *run, o *C.struct_op, t *engine.Tensor) error {
	rates, err := r.b.prepared(r.ctx, t, 3)
	if err != nil {
		return err
	}
	shifts, err := r.b.prepared(r.ctx, t, 4)
	if err != nil {
		return err
	}
	c, err := r.recurrent(t.Src[5], t.Src[6])
	if err != nil {
		return err
	}
	p := t.Params.(engine.DeltaRuleParams)
	c.key_heads, c.size = C.int64_t(p.KeyHeads), C.int64_t(p.Size)
	if p.Tiled {
		c.tiled = 1
	}
	if p.LogRates {
		c.log_rates = 1
	}
	o.kernel = r.b.kernel("delta_rule")
	o.x, o.y, o.z, o.recurrent = r.floats(t.Src[0]), r.floats(t.Src[1]), r.floats(t.Src[2]), c
	o.gain, o.bias = (*C.float)(rates), (*C.float)(shifts)
	o.heads, o.epsilon = C.int32_t(p.Heads), C.float(p.Epsilon)
	across := 4 * int(r.b.kernels.vector) // ABREAST in delta_rule.h
	o.pieces = C.int64_t(p.Heads * ceilDiv(t.Cols/p.Heads, across))
	r.scratch = max(r.scratch, p.Size*(across+2))
	return nil
}

// recurrent returns the states that an operation reads and writes.
func (r *run) recurrent(states, at *engine.Tensor) (*C.struct_recurrent, error) {
	one, err := table[C.struct_recurrent](r, 1)
	if err != nil {
		return nil, err
	}
	memory, err := r.cache(states)
	if err != nil {
		return nil, err
	}
	row := func(i int) *C.float {
		n := int(int32(binary.NativeEndian.Uint32(at.InputBytes()[4*i:])))
		if n == states.Rows {
			return nil // zeros
		}
		return (*C.float)(unsafe.Add(unsafe.Pointer(memory), n*states.DType.RowBytes(states.Cols)))
	}
	one[0] = C.struct_recurrent{from: row(0), to: row(1)}
	return &one[0], nil
}
