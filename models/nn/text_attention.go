package nn

import (
	"io"

	"inglenook/engine"
)

// TextAttention is self-attention within each text of a pass, in which a token sees all
// others unless the parameters say otherwise (Vaswani et al. 2017, arXiv:1706.03762).
type TextAttention struct {
	Query, Key, Value, Out Linear         // [heads·size, hidden] three times, [hidden, heads·size]
	QueryNorm, KeyNorm     *RMSNorm       // of each head [1, size], or nil
	Turn                   *engine.Rotary // rotates queries and keys by position, or nil
	Relative               *engine.Tensor // biases by distance [buckets, heads], or nil
	Far                    *Distances     // compares words with their distances, or nil
	Params                 engine.AttentionParams
}

// Forward records the attention of x: [tokens, hidden] to [wanted, hidden].
func (a TextAttention) Forward(p Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	q, k, v := a.Query.Forward(g, x), a.Key.Forward(g, x), a.Value.Forward(g, x) // [tokens, heads·size]
	if a.QueryNorm != nil {
		q, k = a.QueryNorm.Forward(g, q), a.KeyNorm.Forward(g, k)
	}
	if a.Turn != nil {
		q, k = g.RoPE(q, p.Positions, a.Turn), g.RoPE(k, p.Positions, a.Turn)
	}
	if a.Far != nil {
		return a.Out.Forward(g, p.Leaving(a.Far.forward(p, q, k, v, a.Params)))
	}
	h := g.Attention(q, k, v, p.starts, a.Relative, a.Params) // [tokens, heads·size]
	return a.Out.Forward(g, p.Leaving(h))
}

// Distances are vectors of the distances of two words, with which an attention compares queries,
// and keys as well if Queries is set.
type Distances struct {
	Table   *engine.Tensor // [2·positions-1, heads·size], the distance 0 in the middle
	Queries bool
}

func (d *Distances) forward(p Pass, q, k, v *engine.Tensor, a engine.AttentionParams) *engine.Tensor {
	g, reach, middle := p.Graph, p.length-1, d.Table.Rows/2
	occur, rows := make([]int32, 2*reach+1), make([]int32, 2*reach+1)
	for i := range occur {
		occur[i], rows[i] = int32(middle-reach+i), int32(i)
	}
	far := g.Embed(d.Table, g.Ints("distances that occur", occur))
	var queries *engine.Tensor
	if d.Queries {
		queries = far
	}
	return g.Disentangled(q, k, v, p.starts, g.Ints("rows of distances", rows), far, queries, engine.DisentangledParams{Heads: a.Heads, Scale: a.Scale})
}

// NewTiled takes a table [rows, size] as one whose rows hold the stored row so many times:
// [rows, times·size].
func NewTiled(b Builder, name string, rows, size, times int) *engine.Tensor {
	w := b.Matrix(name+".weight", rows, size)
	var src io.ReaderAt // nil: an outline has no data
	if w.Source() != nil {
		src = repeated{w.Source(), int64(w.DType.RowBytes(size)), int64(times)}
	}
	return engine.NewWeight(w.Name, w.DType, rows, times*size, src)
}

// NewRepeated takes the projection to kv heads of some size, each as often in a row as
// there are heads of queries for it: [heads·size, in]. So grouped heads (Ainslie et al.
// 2023, arXiv:2305.13245) need no attention of their own.
func NewRepeated(b Builder, name string, heads, kv, size, in int) Linear {
	w := b.Matrix(name+".weight", kv*size, in)
	if heads == kv || b.Err() != nil {
		return Linear{W: w}
	}
	var rows io.ReaderAt // nil: an outline has no data
	if src := w.Source(); src != nil {
		rows = repeated{src, int64(size * w.DType.RowBytes(in)), int64(heads / kv)}
	}
	return Linear{W: engine.NewWeight(w.Name, w.DType, heads*size, in, rows)}
}

// repeated reads each block of its source several times.
type repeated struct {
	src          io.ReaderAt
	block, times int64 // bytes of a block, and how often it comes
}

// ReadAt implements io.ReaderAt.
func (r repeated) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && err == nil {
		at := off + int64(n)
		within := at % r.block
		part := p[n:min(len(p), n+int(r.block-within))]
		var k int
		k, err = r.src.ReadAt(part, at/r.block/r.times*r.block+within)
		if n += k; k == len(part) {
			err = nil
		}
	}
	return n, err
}
