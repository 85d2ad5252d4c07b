package nn

import "inglenook/engine"

// CrossAttention lets what a text-to-text model writes attend to all of the text that it
// answers (Vaswani et al. 2017, arXiv:1706.03762, §3.2.3). That text's keys and values are
// computed once and lie in the cache.
type CrossAttention struct {
	Query, Key, Value Linear // [count·size, hidden] three times
	Out               Linear // [hidden, count·size]
	Params            engine.CrossAttentionParams
	slot              int // index of the keys and values in the cache
}

// NewCrossAttention makes one with its own keys and values in the cache. The caller sets
// its linear layers.
func NewCrossAttention(b Builder, h Heads) CrossAttention {
	return CrossAttention{
		Params: engine.CrossAttentionParams{Heads: h.Count, Scale: h.Scale},
		slot:   b.keep(slot{cols: h.Count * h.Size, headSize: h.Size}),
	}
}

// Forward records the attention of the normed rows h: [tokens, hidden] to the same. source
// is the text that was read in this pass [source, hidden], or nil: the cache holds it.
func (a CrossAttention) Forward(p Pass, h, source *engine.Tensor) *engine.Tensor {
	g, c := p.Graph, p.cache
	var k, v *engine.Tensor // [source, count·size]
	if source != nil {
		k, v = a.Key.Forward(g, source), a.Value.Forward(g, source)
	}
	x := g.CrossAttention(a.Query.Forward(g, h), k, v, c.Keys[a.slot], c.Values[a.slot], p.held, a.Params) // [tokens, count·size]
	return a.Out.Forward(g, x)
}
