package nn

import (
	"bytes"
	"encoding/binary"
	"io"

	"inglenook/engine"
)

// TextAttention is self-attention within each text of a pass, in which every
// token sees all others (Vaswani et al. 2017, arXiv:1706.03762).
type TextAttention struct {
	Query, Key, Value, Out Linear         // [heads·size, hidden] three times, [hidden, heads·size]
	QueryNorm, KeyNorm     *RMSNorm       // of each head [1, size], or nil
	Turn                   *engine.Rotary // rotates queries and keys by position, or nil
	Relative               *engine.Tensor // biases by distance [buckets, heads], or nil
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
	h := g.Attention(q, k, v, p.starts, a.Relative, a.Params) // [tokens, heads·size]
	return a.Out.Forward(g, p.Leaving(h))
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

// NewNear returns the biases of an attention in which tokens see those up to a distance
// of reach in both directions, and the distance from which all share the last bucket. They
// add 0 to these, which have a bucket each (engine.RelativeBucket), and so little to the
// others that their weights round to 0.
func NewNear(heads, reach int) (relative *engine.Tensor, maxDistance int) {
	return newBiases("the window in both directions", heads, reach+1, func(distance, _ int) float32 {
		if max(distance, -distance) > reach {
			return hidden
		}
		return 0
	})
}

// hidden is the bias of a token that is not seen: exp of it is 0 in float32, and it is within
// the range of float16.
const hidden = -30000

// NewBefore returns the biases of an attention in which a token sees itself and those before
// it, for texts of up to so many tokens.
func NewBefore(heads, tokens int) (relative *engine.Tensor, maxDistance int) {
	return newBiases("what comes before", heads, tokens, func(distance, _ int) float32 {
		if distance > 0 {
			return hidden
		}
		return 0
	})
}

// NewFading returns the biases of an attention in which tokens see others the less the
// farther away they are, in both directions (ALiBi, Press et al. 2021, arXiv:2108.12409),
// for texts of up to so many tokens. Each head has a slope.
func NewFading(slopes []float32, tokens int) (relative *engine.Tensor, maxDistance int) {
	return newBiases("the slopes of the heads", len(slopes), tokens, func(distance, head int) float32 {
		return -slopes[head] * float32(max(distance, -distance))
	})
}

// newBiases returns a table of biases by distance, which is above 0 for tokens that come
// later. Distances below exact have a bucket each, and the others share those behind, in
// either direction.
func newBiases(name string, heads, exact int, bias func(distance, head int) float32) (relative *engine.Tensor, maxDistance int) {
	table := make([]float32, 4*exact*heads)
	for row := range 4 * exact {
		for head := range heads {
			distance := row - 2*exact
			if distance < 0 {
				distance = -row
			}
			table[row*heads+head] = bias(distance, head)
		}
	}
	var data bytes.Buffer
	_ = binary.Write(&data, binary.NativeEndian, table) // a buffer takes all
	return engine.NewWeight(name, engine.F32, 4*exact, heads, bytes.NewReader(data.Bytes())), exact + 1
}
