package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"encoding/binary"
	"math"
	"unsafe"

	"inglenook/engine"
)

// bindCausalAttention makes up to three records: one writes k and v to the
// caches, one attends (x is q, heads, scale), and if the keys are split into
// ranges a third one merges the results of the ranges (x is the parts).
func bindCausalAttention(r *run, o *C.struct_op, t *engine.Tensor) error {
	q, k, v, keys, values := t.Src[0], t.Src[1], t.Src[2], t.Src[3], t.Src[4]
	c, err := r.causal(t)
	if err != nil {
		return err
	}
	if c.keys, err = r.cache(keys); err != nil {
		return err
	}
	if c.values, err = r.cache(values); err != nil {
		return err
	}
	r.append(o, k, v, c)
	p := t.Params.(engine.CausalAttentionParams)
	a := r.record(t)
	a.x, a.heads, a.scale, a.causal = r.floats(q), C.int32_t(p.Heads), C.float(p.Scale), c
	return r.attend(a, t, c)
}

// attend completes a, the record that attends, and makes the one that merges.
func (r *run) attend(a *C.struct_op, t *engine.Tensor, c *C.struct_causal) error {
	heads, kvHeads := int(a.heads), int(c.kv_heads)
	cut := cutCausal(t.Rows, int(c.held-c.first_key), heads, kvHeads, int(c.size))
	c.queries, c._range, c.ranges = C.int64_t(cut.queries), C.int64_t(cut.keys), C.int64_t(cut.ranges)
	a.kernel = r.b.kernel("causal_attention")
	a.pieces = C.int64_t(ceilDiv(t.Rows, cut.queries) * kvHeads * cut.ranges)
	r.scratch = max(r.scratch, cut.scratch(heads/kvHeads, int(c.size)))
	if cut.ranges == 1 {
		return nil
	}

	part := int(c.size) + 2
	n := cut.ranges * t.Rows * heads * part
	parts, err := shared(r, tableKey{what: parts, sizes: [3]int{n}}, func() ([]C.float, error) { // operations run one after the other
		return table[C.float](r, n)
	})
	if err != nil {
		return err
	}
	c.parts = &parts[0]
	m := r.record(t)
	m.kernel = r.b.kernel("causal_merge")
	m.scale, m.causal = a.scale, c
	r.byRowsOf(m, t.Rows*heads, int(c.size))
	return nil
}

// bindCrossAttention makes the records of causal attention: one writes k and v, if
// there are any, and the others attend. Queries at the last row that the caches hold,
// and behind it, see all rows.
func bindCrossAttention(r *run, o *C.struct_op, t *engine.Tensor) error {
	p, k, keys := t.Params.(engine.CrossAttentionParams), t.Src[1], t.Src[3]
	both, err := table[C.struct_causal](r, 2)
	if err != nil {
		return err
	}
	held, _ := t.Held()
	c := &both[0]
	*c = C.struct_causal{
		dtype: C.int32_t(keys.DType), kv_heads: C.int64_t(p.Heads), size: C.int64_t(t.Cols / p.Heads),
		past: C.int64_t(held - 1), held: C.int64_t(held), window: math.MaxInt32, bias_scale: 1,
	}
	if c.keys, err = r.cache(keys); err != nil {
		return err
	}
	if c.values, err = r.cache(t.Src[4]); err != nil {
		return err
	}
	if k != nil {
		write := &both[1]
		*write = *c
		write.past = C.int64_t(held - k.Rows)
		r.append(o, k, t.Src[2], write)
		o = r.record(t)
	}
	o.x, o.heads, o.scale, o.causal = r.floats(t.Src[0]), C.int32_t(p.Heads), C.float(p.Scale), c
	return r.attend(o, t, c)
}

// causal returns the part of the record that does not depend on how the work is
// split.
func (r *run) causal(t *engine.Tensor) (*C.struct_causal, error) {
	one, err := table[C.struct_causal](r, 1)
	if err != nil {
		return nil, err
	}
	p, keys := t.Params.(engine.CausalAttentionParams), t.Src[3]
	past := int(int32(binary.NativeEndian.Uint32(t.Src[5].InputBytes())))
	c := &one[0]
	*c = C.struct_causal{
		dtype: C.int32_t(keys.DType), past: C.int64_t(past), held: C.int64_t(past + t.Rows),
		kv_heads: C.int64_t(p.KVHeads), size: C.int64_t(t.Cols / p.Heads),
		window: math.MaxInt32, cap: C.float(p.SoftCap), bias_scale: C.float(p.BiasScale),
	}
	if p.Window > 0 && p.Window < math.MaxInt32 {
		c.window = C.int64_t(p.Window)
		c.first_key = C.int64_t(max(0, past-p.Window+1) / cacheBlock * cacheBlock)
	}
	if p.BiasScale == 0 {
		c.bias_scale = 1
	}
	if p.RoundBias {
		c.round_bias = 1
	}
	if t.Src[6] != nil {
		sinks, err := r.b.prepared(r.ctx, t, 6)
		if err != nil {
			return nil, err
		}
		c.sinks = (*C.float)(sinks)
	}
	if t.Src[7] != nil {
		relative, err := r.b.prepared(r.ctx, t, 7)
		if err != nil {
			return nil, err
		}
		c.relative = (*C.float)(relative)
		rows, held := t.Src[7].Rows, past+t.Rows
		back, err := shared(r, tableKey{what: backward, sizes: [3]int{rows, p.MaxDistance, held}}, func() ([]C.int32_t, error) {
			return r.backward(rows, p.MaxDistance, held)
		})
		if err != nil {
			return nil, err
		}
		c.buckets = &back[0]
	}
	if p.Slopes != nil {
		slopes, err := table[float32](r, len(p.Slopes))
		if err != nil {
			return nil, err
		}
		copy(slopes, p.Slopes)
		c.slopes = (*C.float)(unsafe.Pointer(&slopes[0]))
	}
	return c, nil
}

// backward lists the bias table's row for each distance back, up to n of them.
func (r *run) backward(buckets, maxDistance, n int) ([]C.int32_t, error) {
	rows, err := table[C.int32_t](r, n)
	if err != nil {
		return nil, err
	}
	for back := range rows {
		rows[back] = C.int32_t(engine.BackwardBucket(back, buckets, maxDistance))
	}
	return rows, nil
}

// causalCut is how causal attention is split into pieces: the number of queries
// for the heads that share a key and value head, the number of keys of a range,
// and the number of ranges.
type causalCut struct{ queries, keys, ranges int }

// cutCausal depends only on sizes, not on the number of threads: with several
// ranges the split determines how sums are rounded. keys are those that some query
// sees.
func cutCausal(rows, keys, heads, kvHeads, size int) causalCut {
	const (
		together = 128     // rows of scores that share the cost of widening keys and values
		most     = 4 << 26 // multiply-adds of a piece: it ends soon after a cancellation
		wanted   = 64      // pieces
	)
	group := heads / kvHeads
	queries := max(1, min(together, most/(2*keys*size))/group)
	blocks := ceilDiv(rows, queries)
	queries = ceilDiv(rows, blocks)
	ranges := max(1, min(ceilDiv(wanted, blocks*kvHeads), keys/shortRange))
	each := ceilDiv(ceilDiv(keys, ranges), cacheBlock) * cacheBlock
	return causalCut{queries, each, ceilDiv(keys, each)}
}

// shortRange is how many keys are not worth another range.
const shortRange = 512

// Steady implements [engine.Steady]. All operations work row by row but attention. That
// rounds in another order where keys are split into ranges or hidden by the window, since
// the number of rows moves where they begin, and with caches of Q8_0, which several rows
// widen.
func (b *Backend) Steady(op *engine.Tensor, tokens int) bool {
	if op.Op == engine.OpCrossAttention {
		held, known := op.Held()
		return known && held < 2*shortRange && op.Src[3].DType != engine.Q8_0
	}
	if op.Op != engine.OpCausalAttention {
		return true
	}
	p := op.Params.(engine.CausalAttentionParams)
	return tokens < 2*shortRange && (p.Window == 0 || tokens <= p.Window) && op.Src[3].DType != engine.Q8_0
}

// causalStep is the number of keys that are scored at once, STEP in
// causal_attention.h.
const causalStep = 128

// scratch returns how many floats a piece needs: queries, results, two numbers a
// row, scores, keys and values.
func (c causalCut) scratch(group, size int) int {
	rows, across := c.queries*group, ceilDiv(size, cacheBlock)*cacheBlock
	return rows*(size+across+2+causalStep) + causalStep*(size+across) + 64
}
