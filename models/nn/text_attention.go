package nn

import "inglenook/engine"

// TextAttention is self-attention within each text of a pass, in which every
// token sees all others (Vaswani et al. 2017, arXiv:1706.03762).
type TextAttention struct {
	Query, Key, Value, Out Linear         // [hidden, hidden] each
	Relative               *engine.Tensor // biases by distance [buckets, heads], or nil
	Params                 engine.AttentionParams
}

// Forward records the attention of x: [tokens, hidden] to [wanted, hidden].
func (a TextAttention) Forward(p Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	q, k, v := a.Query.Forward(g, x), a.Key.Forward(g, x), a.Value.Forward(g, x)
	h := g.Attention(q, k, v, p.starts, a.Relative, a.Params) // [tokens, hidden]
	return a.Out.Forward(g, p.Leaving(h))
}
