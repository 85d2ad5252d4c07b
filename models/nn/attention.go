package nn

import "inglenook/engine"

// Heads is how one layer divides its queries, keys and values into heads, and
// what a query sees.
type Heads struct {
	Count  int     // of queries
	KV     int     // of keys and values, each for Count/KV heads of queries
	Size   int     // columns of a head
	Rope   *Rope   // rotates queries and keys by position; nil leaves them unchanged
	Scale  float32 // factor of the scores
	Window int     // a query sees this many last positions; 0 = all
}

// Attention is causal self-attention (Vaswani et al. 2017, arXiv:1706.03762)
// over grouped heads.
type Attention struct {
	Query, Key, Value Linear // [count·size, hidden], [kv·size, hidden] twice
	Out               Linear // [hidden, count·size]
	Params            engine.CausalAttentionParams
	Sinks             *engine.Tensor // scores for attending to nothing [1, count], or nil
	Relative          *engine.Tensor // biases by distance [buckets, count], or nil
	slot              int            // index of its keys and values in the cache
}

// NewAttention makes an attention with its own keys and values in the cache. The
// caller sets its linear layers.
func NewAttention(b Builder, h Heads) Attention {
	return Attention{
		Params: engine.CausalAttentionParams{Heads: h.Count, KVHeads: h.KV, Scale: h.Scale, Window: h.Window},
		slot:   b.keep(slot{cols: h.KV * h.Size, headSize: h.Size, rope: h.Rope}),
	}
}

// Forward records the attention of the normed rows h: [tokens, hidden] to
// [wanted, hidden].
func (a Attention) Forward(p Pass, h *engine.Tensor) *engine.Tensor {
	g := p.Graph
	q := a.Query.Forward(g, h) // [tokens, count·size]
	k := a.Key.Forward(g, h)   // [tokens, kv·size]
	v := a.Value.Forward(g, h)
	return a.Attend(p, q, k, v)
}

// Attend rotates queries and keys, appends keys and values to the cache, attends
// to all positions up to each query's own, and projects the wanted rows.
func (a Attention) Attend(p Pass, q, k, v *engine.Tensor) *engine.Tensor {
	return a.Out.Forward(p.Graph, a.read(p, q, k, v))
}

// read is Attend without the projection: the wanted rows of what the heads
// return.
func (a Attention) read(p Pass, q, k, v *engine.Tensor) *engine.Tensor {
	return a.readTurned(p, a.turn(p, q), a.turn(p, k), v)
}

// readTurned is read for queries and keys that are rotated already.
func (a Attention) readTurned(p Pass, q, k, v *engine.Tensor) *engine.Tensor {
	if p.Growth != nil {
		q = p.Graph.Gate(p.Growth, q, engine.None)
	}
	p.added[a.slot] = keyValues{k, v}
	return a.attend(p, q)
}

// Sharing returns an attention that reads the keys and values of a. It has no
// linear layers yet.
func (a Attention) Sharing() Attention { return Attention{Params: a.Params, slot: a.slot} }

// AttendShared rotates queries, attends to what an earlier layer of the pass
// appended to the cache, and projects the wanted rows. Every use of a slot
// appends the same rows in the same place.
func (a Attention) AttendShared(p Pass, q *engine.Tensor) *engine.Tensor {
	return a.Out.Forward(p.Graph, a.attend(p, a.turn(p, q)))
}

func (a Attention) attend(p Pass, q *engine.Tensor) *engine.Tensor {
	new := p.added[a.slot]
	if p.parts == nil {
		return p.Leaving(a.over(p.Graph, q, new, p.cache, p.past))
	}
	xs := make([]*engine.Tensor, len(p.parts))
	for i, s := range p.parts {
		own := keyValues{s.of(p.Graph, new.keys), s.of(p.Graph, new.values)}
		xs[i] = a.over(p.Graph, s.of(p.Graph, q), own, s.cache, s.past)
	}
	return p.Leaving(join(p.Graph, xs))
}

// over records the attention of one sequence: [its tokens, count·size].
func (a Attention) over(g *engine.Graph, q *engine.Tensor, new keyValues, c *Cache, past *engine.Tensor) *engine.Tensor {
	if a.Relative != nil {
		return g.RelativeAttention(q, new.keys, new.values, c.Keys[a.slot], c.Values[a.slot], past, a.Relative, a.Params)
	}
	return g.SinkAttention(q, new.keys, new.values, c.Keys[a.slot], c.Values[a.slot], past, a.Sinks, a.Params)
}

// turn rotates the heads of x by position.
func (a Attention) turn(p Pass, x *engine.Tensor) *engine.Tensor {
	if turn := p.cache.rotary[a.slot]; turn != nil {
		return p.Graph.RoPE(x, p.Positions, turn)
	}
	return x
}

// NormedAttention is Attention that normalizes each head's query and key, or those of
// all heads together, before rotating them (Henry et al. 2020, arXiv:2010.04245).
type NormedAttention struct {
	Attention
	QueryNorm, KeyNorm RMSNorm // [1, size], or [1, count·size] and [1, kv·size]
	TurnFirst          bool    // they are rotated before that
	Gate               *Linear // of what each head returns [count·size, hidden], or nil
}

// Forward records the attention of the normed rows h: [tokens, hidden] to
// [wanted, hidden].
func (a NormedAttention) Forward(p Pass, h *engine.Tensor) *engine.Tensor {
	g := p.Graph
	q, k, v := a.Query.Forward(g, h), a.Key.Forward(g, h), a.Value.Forward(g, h) // [tokens, count·size], [tokens, kv·size] twice
	if a.TurnFirst {
		q, k = a.turn(p, q), a.turn(p, k)
	}
	q, k = a.QueryNorm.Forward(g, q), a.KeyNorm.Forward(g, k)
	if !a.TurnFirst {
		q, k = a.turn(p, q), a.turn(p, k)
	}
	x := a.readTurned(p, q, k, v) // [wanted, count·size]
	if a.Gate != nil {
		x = g.Gate(a.Gate.Forward(g, p.Leaving(h)), x, engine.Sigmoid)
	}
	return a.Out.Forward(g, x)
}
