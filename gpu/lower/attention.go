package lower

import (
	"encoding/binary"
	"fmt"
	"sort"

	"inglenook/engine"
)

// attentionBiasArgs is AttentionBiasArgs of attention_bias.metal.
type attentionBiasArgs struct{ heads, reach, halfBuckets, later int32 }

// checkAttention refuses tables of biases whose edges do not fit into a command.
func checkAttention(t *engine.Tensor) error {
	p := t.Params.(engine.AttentionParams)
	if 4*len(p.Slopes) > maxTable {
		return fmt.Errorf("%w for attention with %d slopes: they do not fit into a command", engine.ErrNoKernel, len(p.Slopes))
	}
	if bias := t.Src[4]; bias != nil && 2*bias.Rows > maxTable {
		return fmt.Errorf("%w for attention with %d buckets of distances: their edges do not fit into a command", engine.ErrNoKernel, bias.Rows)
	}
	return attentionSizes(t, t.Cols/p.Heads)
}

// lowerAttention lets every row attend to the rows of its own text. Where biases
// depend on the distance, a first dispatch makes a table of them by distance.
func lowerAttention(l *Lowerer, t *engine.Tensor) {
	p, starts, bias := t.Params.(engine.AttentionParams), t.Src[3], t.Src[4]
	longest := longestText(starts.InputBytes())
	before, after := p.Sees(t.Rows)
	a := &attention{
		t: t, dtype: engine.F32, keys: l.value(t.Src[1]), values: l.value(t.Src[2]),
		args: attentionArgs{
			queries: int32(t.Rows), heads: int32(p.Heads), group: 1,
			keys: int32(t.Rows), texts: int32(starts.Rows - 1), scale: p.Scale, window: int32(before), after: int32(after),
		},
		starts: l.value(starts), bias: l.value(t.Src[0]), ragged: true, span: min(longest, before+after+1),
	}
	if bias != nil {
		l.biasTable(a, bias, bucketEdges(bias.Rows, p.MaxDistance), longest, bias.Rows/2)
	}
	if p.Slopes != nil {
		a.biasKind, a.bias = biasFading, l.inline(engine.BytesOf(p.Slopes))
	}
	l.attend(a)
}

// biasTable appends the dispatch that makes the table of biases by distance, for that
// many keys that one query sees, and lets a use it. later is the first bucket of keys
// behind the query.
func (l *Lowerer) biasTable(a *attention, bias *engine.Tensor, edges []int32, keys, later int) {
	heads, reach := int(a.args.heads), min(keys-1, int(edges[len(edges)-1])) // all distances beyond the last edge share a bucket
	a.biasKind, a.bias, a.args.reach = biasByDistance, l.scratch(4*heads*(2*reach+1)), int32(reach)
	launch(l, a.t, "attention_bias", attentionBiasArgs{int32(heads), int32(reach), int32(len(edges) + 1), int32(later)}).
		bind(1, l.floats(bias)).bind(2, l.inline(engine.BytesOf(edges))).bind(3, a.bias).
		over(ceilDiv(2*reach+1, simdWidth), heads, 1, simdWidth)
}

// bucketEdges returns the smallest distance in each bucket but the first, for one
// direction. An empty bucket has that of the next one.
func bucketEdges(buckets, maxDistance int) []int32 {
	edges := make([]int32, buckets/2-1)
	for i := range edges {
		edges[i] = int32(sort.Search(maxDistance, func(d int) bool { return engine.RelativeBucket(-d, buckets, maxDistance) > i }))
	}
	return edges
}

// longestText returns the number of rows of the longest text.
func longestText(starts []byte) (rows int) {
	at := func(i int) int { return int(int32(binary.NativeEndian.Uint32(starts[4*i:]))) }
	for i := range len(starts)/4 - 1 {
		rows = max(rows, at(i+1)-at(i))
	}
	return rows
}
