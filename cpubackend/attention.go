package cpubackend

// #include "cpu.h"
import "C"

import (
	"encoding/binary"

	"inglenook/engine"
)

// bindAttention: x, y, z are q, k, v; one span a piece; bias is the whole
// table [buckets, heads], and buckets says which row of it belongs to a distance.
func bindAttention(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kind = C.KIND_ATTENTION
	p := t.Params.(engine.AttentionParams)
	o.x, o.y, o.z = r.floats(t.Src[0]), r.floats(t.Src[1]), r.floats(t.Src[2])
	o.heads, o.scale = C.int32_t(p.Heads), C.float(p.Scale)

	starts := t.Src[3]
	cut, err := sharedTable(r, cutKey{starts, p.Heads, t.Cols}, func() (cutTexts, error) {
		return r.cutAttention(starts.InputBytes(), p.Heads, t.Cols/p.Heads)
	})
	if err != nil {
		return err
	}
	o.spans, o.pieces = &cut.spans[0], C.int64_t(len(cut.spans))

	if bias := t.Src[4]; bias != nil {
		table, err := r.b.prepared(r.ctx, t, 4)
		if err != nil {
			return err
		}
		o.bias = (*C.float)(table)
		buckets, err := sharedTable(r, bucketKey{bias.Rows, p.MaxDistance, cut.longest}, func() ([]C.int32_t, error) {
			return r.buckets(bias.Rows, p.MaxDistance, cut.longest-1)
		})
		if err != nil {
			return err
		}
		o.buckets, o.reach = &buckets[0], C.int64_t(cut.longest-1)
	}

	// keys and values in whole panels, the scores and results of one tile, the bias by distance
	size, panel, tile := t.Cols/p.Heads, r.b.panel, r.b.tile
	wide, across := ceilDiv(cut.longest, panel)*panel, ceilDiv(size, panel)*panel
	r.scratch = max(r.scratch, wide*size+cut.longest*across+tile*wide+tile*across+2*cut.longest)
	return nil
}

type (
	cutKey struct {
		starts      *engine.Tensor
		heads, cols int
	}
	cutTexts struct {
		spans   []C.struct_span
		longest int // rows of the longest text
	}
	bucketKey struct{ buckets, maxDistance, longest int }
)

// cutAttention cuts texts into spans of about the same work: several heads of
// a short text, one head of a longer one, some queries of one head where that
// makes too few spans for all threads or where the text is very long. Every span
// packs the keys and values of its heads for itself, so queries come many at a time.
func (r *run) cutAttention(starts []byte, heads, size int) (cutTexts, error) {
	const work = 1 << 18 // multiply-adds that a span should have
	texts := len(starts)/4 - 1
	queries := 256 // at least, where a text is cut
	if texts*heads < 4*r.b.device.Threads {
		queries = 96
	}
	at := func(i int) int { return int(int32(binary.NativeEndian.Uint32(starts[4*i:]))) }
	shape := func(n int) (headBlock, rowBlock int) {
		headBlock = max(1, min(heads, work/(2*n*n*size)))
		rowBlock = ceilDiv(max(queries, work/(2*n*size)), r.b.tile) * r.b.tile
		return headBlock, rowBlock
	}
	var cut cutTexts
	count := 0
	for i := range texts {
		n := at(i+1) - at(i)
		h, q := shape(n)
		count += ceilDiv(heads, h) * ceilDiv(n, q)
		cut.longest = max(cut.longest, n)
	}
	spans, err := table[C.struct_span](r, count)
	if err != nil {
		return cut, err
	}
	cut.spans = spans[:0]
	for i := range texts {
		start, end := at(i), at(i+1)
		headBlock, rowBlock := shape(end - start)
		for h := 0; h < heads; h += headBlock {
			for q := start; q < end; q += rowBlock {
				cut.spans = append(cut.spans, C.struct_span{
					first: C.int32_t(q), last: C.int32_t(min(q+rowBlock, end)),
					start: C.int32_t(start), end: C.int32_t(end),
					head: C.int32_t(h), head_end: C.int32_t(min(h+headBlock, heads)),
				})
			}
		}
	}
	return cut, nil
}

// buckets lists the bias table's row for each distance from -reach to reach.
func (r *run) buckets(buckets, maxDistance, reach int) ([]C.int32_t, error) {
	rows, err := table[C.int32_t](r, 2*reach+1)
	if err != nil {
		return nil, err
	}
	for d := -reach; d <= reach; d++ {
		rows[reach+d] = C.int32_t(engine.RelativeBucket(d, buckets, maxDistance))
	}
	return rows, nil
}
