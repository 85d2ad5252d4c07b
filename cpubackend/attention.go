package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"encoding/binary"

	"inglenook/engine"
)

// bindAttention: x, y, z are q, k, v; one span a piece; bias is the whole table
// [buckets, heads], and buckets maps a distance to its row. gain are the slopes, for which a record
// before finds how far each row sees.
func bindAttention(r *run, o *C.struct_op, t *engine.Tensor) error {
	if t.Params.(engine.AttentionParams).Slopes != nil {
		sight, err := r.sight(o, t)
		if err != nil {
			return err
		}
		gain := o.gain
		o = r.record(t)
		o.sight, o.gain = sight, gain
	}
	o.kernel = r.b.kernel("attention")
	p := t.Params.(engine.AttentionParams)
	o.x, o.y, o.z = r.floats(t.Src[0]), r.floats(t.Src[1]), r.floats(t.Src[2])
	o.heads, o.scale = C.int32_t(p.Heads), C.float(p.Scale)

	starts := t.Src[3]
	longest := longestText(starts.InputBytes())
	before, after := p.Sees(longest)
	o.before, o.after = C.int64_t(before), C.int64_t(after)
	spans, err := shared(r, tableKey{what: cuts, of: starts, sizes: [3]int{p.Heads, t.Cols, before + after + 1}}, func() ([]C.struct_span, error) {
		return r.cutAttention(starts.InputBytes(), p.Heads, t.Cols/p.Heads, before+after+1)
	})
	if err != nil {
		return err
	}
	o.spans, o.pieces = &spans[0], C.int64_t(len(spans))

	if bias := t.Src[4]; bias != nil {
		table, err := r.b.prepared(r.ctx, t, 4)
		if err != nil {
			return err
		}
		o.bias = (*C.float)(table)
		buckets, err := shared(r, tableKey{what: buckets, sizes: [3]int{bias.Rows, p.MaxDistance, longest}}, func() ([]C.int32_t, error) {
			return r.buckets(bias.Rows, p.MaxDistance, longest-1)
		})
		if err != nil {
			return err
		}
		o.buckets, o.reach = &buckets[0], C.int64_t(longest-1)
	}

	// keys and values in use, in whole panels, the scores of a tile; sums, four numbers and what it sees
	// of each query, and the bias by distance
	seen, queries := 0, 0
	for _, s := range spans {
		seen = max(seen, min(int(s.end-s.start), int(s.last-s.first)+before+after))
		queries = max(queries, int(s.last-s.first))
	}
	size, panel := t.Cols/p.Heads, r.b.panel
	up := func(n int) int { return ceilDiv(n, panel) * panel }
	together := min(keysTogether, up(longest))
	if p.Slopes == nil && before+after < together {
		together = up(seen)
	}
	o.col_block = C.int64_t(together)
	across := up(size)
	r.scratch = max(r.scratch, together*(size+across+r.b.tile)+queries*(across+4)+2*longest)
	return nil
}

// keysTogether is how many keys of a head attention goes through at a time: in F32 they and their
// values take 256 KiB, with heads of 64.
const keysTogether = 512

// sight makes o the record that finds how far each row of attention with slopes sees: x is q, y is k,
// gain the slopes, index the starts of texts; a head of a text is a piece. It returns the result
// [heads, rows].
func (r *run) sight(o *C.struct_op, t *engine.Tensor) (*C.float, error) {
	p, starts := t.Params.(engine.AttentionParams), t.Src[3]
	slopes, err := table[C.float](r, len(p.Slopes))
	if err != nil {
		return nil, err
	}
	for i, slope := range p.Slopes {
		slopes[i] = C.float(slope)
	}
	n := p.Heads * t.Rows
	far, err := shared(r, tableKey{what: sights, sizes: [3]int{n}}, func() ([]C.float, error) { // operations run one after the other
		return table[C.float](r, n)
	})
	if err != nil {
		return nil, err
	}
	o.kernel = r.b.kernel("sight")
	o.x, o.y, o.index, o.gain, o.out = r.floats(t.Src[0]), r.floats(t.Src[1]), r.ints(starts), &slopes[0], &far[0]
	o.heads, o.scale = C.int32_t(p.Heads), C.float(p.Scale)
	o.pieces = C.int64_t(p.Heads * (len(starts.InputBytes())/4 - 1))
	return &far[0], nil
}

// bindDisentangled: x, y, z are q, k, v; one span a piece, as in attention; gain and bias
// are the tables for queries and keys, and index their rows by distance.
func bindDisentangled(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("disentangled")
	p, starts, distances := t.Params.(engine.DisentangledParams), t.Src[3], t.Src[4]
	o.x, o.y, o.z = r.floats(t.Src[0]), r.floats(t.Src[1]), r.floats(t.Src[2])
	o.gain, o.bias = r.floats(t.Src[5]), r.floats(t.Src[6])
	o.index, o.reach = r.ints(distances), C.int64_t(distances.Rows/2)
	o.heads, o.scale = C.int32_t(p.Heads), C.float(p.Scale)
	rows := 0 // of the tables
	for _, table := range t.Src[5:7] {
		if table != nil {
			rows = table.Rows
		}
	}
	o.inner = C.int64_t(rows)

	spans, err := shared(r, tableKey{what: cuts, of: starts, sizes: [3]int{p.Heads, t.Cols, t.Rows}}, func() ([]C.struct_span, error) {
		return r.cutAttention(starts.InputBytes(), p.Heads, t.Cols/p.Heads, t.Rows)
	})
	if err != nil {
		return err
	}
	o.spans, o.pieces = &spans[0], C.int64_t(len(spans))

	// as in attention, and both tables in whole panels, the products of some rows with one of
	// them, and what the keys of a span have for each of its queries
	longest, size, panel, tile := longestText(starts.InputBytes()), t.Cols/p.Heads, r.b.panel, r.b.tile
	up := func(n int) int { return ceilDiv(n, panel) * panel }
	asked := 0
	for _, s := range spans {
		asked = max(asked, int(s.last-s.first)*up(int(s.end-s.start)))
	}
	r.scratch = max(r.scratch, up(longest)*size+longest*up(size)+tile*(up(longest)+up(size))+max(tile, turned)*up(rows)+2*up(rows)*size+asked)
	return nil
}

// turned is TURNED in disentangled.h.
const turned = 8

// textStart returns where text i starts, or the end of the previous one.
func textStart(starts []byte, i int) int { return int(int32(binary.NativeEndian.Uint32(starts[4*i:]))) }

// longestText returns the number of rows of the longest text.
func longestText(starts []byte) (rows int) {
	for i := range len(starts)/4 - 1 {
		rows = max(rows, textStart(starts, i+1)-textStart(starts, i))
	}
	return rows
}

// cutAttention splits texts into spans of about equal work: several heads of a
// short text, one head of a longer one, or some queries of one head if there
// would otherwise be too few spans for all threads or the text is very long.
// Every span packs the keys and values of its heads itself, so it should have
// many queries. A query sees up to so many keys.
func (r *run) cutAttention(starts []byte, heads, size, sees int) ([]C.struct_span, error) {
	const work = 1 << 18 // multiply-adds that a span should have
	texts := len(starts)/4 - 1
	queries := 256 // at least, if a text is split
	if texts*heads < 4*r.b.device.Threads {
		queries = 96
	}
	at := func(i int) int { return textStart(starts, i) }
	shape := func(n int) (headBlock, rowBlock int) {
		keys := min(n, sees)
		headBlock = max(1, min(heads, work/(2*n*keys*size)))
		rowBlock = ceilDiv(max(queries, work/(2*keys*size)), r.b.tile) * r.b.tile
		return headBlock, rowBlock
	}
	count := 0
	for i := range texts {
		n := at(i+1) - at(i)
		h, q := shape(n)
		count += ceilDiv(heads, h) * ceilDiv(n, q)
	}
	spans, err := table[C.struct_span](r, count)
	if err != nil {
		return nil, err
	}
	spans = spans[:0]
	for i := range texts {
		start, end := at(i), at(i+1)
		headBlock, rowBlock := shape(end - start)
		for h := 0; h < heads; h += headBlock {
			for q := start; q < end; q += rowBlock {
				spans = append(spans, C.struct_span{
					first: C.int32_t(q), last: C.int32_t(min(q+rowBlock, end)),
					start: C.int32_t(start), end: C.int32_t(end),
					head: C.int32_t(h), head_end: C.int32_t(min(h+headBlock, heads)),
				})
			}
		}
	}
	return spans, nil
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
