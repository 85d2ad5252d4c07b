package models

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// decoder is a transformer in which every token sees those before it: what the
// families of language models share. Parts that a family lacks are nil.
type decoder struct {
	config     Config
	word       *engine.Tensor // [vocab, hidden]
	wordScale  float32        // factor of the word vectors; 0 = none
	pos        *engine.Tensor // [positions, hidden], learned
	layers     []decoderLayer
	finalNorm  preNorm
	head       linear // [vocab, hidden]
	activation engine.Activation
	err        error // what the weights say that the config did not
}

// decoderLayer is one layer: attention, then or beside it a feed-forward part.
type decoderLayer struct {
	attentionNorm, mlpNorm preNorm // with one norm a layer, mlpNorm is absent
	query, key, value, out linear
	queryNorm, keyNorm     preNorm // per head
	attentionEnd, mlpEnd   preNorm // of a part's result, before it joins x
	gate, up, down         linear  // without gate: down(act(up))
	attend                 engine.CausalAttentionParams
}

// preNorm is a norm whose input lives on: RMSNorm, or LayerNorm where layer is
// set. The zero value is absent.
type preNorm struct {
	w, b    *engine.Tensor // [1, n]
	epsilon float32
	offset  float32 // added to w
	layer   bool
}

func newRMSNorm(s *weights.Scope, name string, n int, epsilon float32) preNorm {
	return preNorm{w: s.Vector(name+".weight", n), epsilon: epsilon}
}

func newLayerNorm(s *weights.Scope, name string, n int, epsilon float32) preNorm {
	return preNorm{w: s.Vector(name+".weight", n), b: s.Vector(name+".bias", n), epsilon: epsilon, layer: true}
}

// forward normalizes x, or hands it on where the norm is absent.
func (n preNorm) forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	switch {
	case n.w == nil:
		return x
	case n.layer:
		return g.LayerNorm(x, nil, n.w, n.b, n.epsilon)
	}
	return g.RMSNorm(x, n.w, engine.RMSNormParams{Epsilon: n.epsilon, Offset: n.offset})
}

// newProjection is a linear layer with or without a bias; in a GGUF file, with
// one where there is one.
func newProjection(c Config, s *weights.Scope, name string, out, in int, bias bool) linear {
	l := linear{w: s.Matrix(name+".weight", out, in)}
	if c.GGUF {
		bias = s.Has(name + ".bias")
	}
	if bias {
		l.b = s.Vector(name+".bias", out)
	}
	return l
}

// Config implements Decoder.
func (m *decoder) Config() Config { return m.config }

// Forward implements Decoder.
func (m *decoder) Forward(g *engine.Graph, tokens []int32, c *Cache, wanted []int32, out Output) *engine.Tensor {
	if err := m.check(tokens, c, wanted, out); err != nil {
		return g.Fail(err)
	}
	at := make([]int32, len(tokens))
	for i := range at {
		at[i] = int32(c.Len + i)
	}
	p := pass{g: g, cache: c, positions: g.Ints("positions", at), past: g.Ints("past", []int32{int32(c.Len)})}
	x := m.embed(p, tokens) // [tokens, hidden]
	for i := range m.layers {
		if i == len(m.layers)-1 && wanted != nil {
			p.wanted = g.Ints("wanted", wanted) // nothing reads the other rows of the last layer
		}
		x = m.layer(p, i, x)
	}
	x = m.finalNorm.forward(g, x)
	if out == Hidden {
		return x
	}
	x = m.head.forward(g, x, engine.None) // [wanted, vocab]
	if m.config.LogitCap > 0 {
		x = g.SoftCap(x, m.config.LogitCap)
	}
	return x
}

// pass is what the layers of one forward pass share.
type pass struct {
	g               *engine.Graph
	cache           *Cache
	positions, past *engine.Tensor
	wanted          *engine.Tensor // the only rows that leave the layer; nil = all
}

// check refuses what a person may have typed wrong, and passes that the cache
// has no room for.
func (m *decoder) check(tokens []int32, c *Cache, wanted []int32, out Output) error {
	switch {
	case out != Logits && out != Hidden:
		return fmt.Errorf("%s gives logits or hidden states, not the output %q", m.config.Architecture, out)
	case len(tokens) == 0:
		return errors.New("there are no tokens to read")
	case wanted != nil && len(wanted) == 0:
		return errors.New("none of the rows is wanted")
	case c == nil || len(c.Keys) != len(m.layers) || len(c.Values) != len(m.layers) || len(c.rotary) != len(m.layers):
		return errors.New("the cache was made for another model")
	case c.Len < 0 || c.Len > c.Capacity || len(tokens) > c.Capacity-c.Len:
		return fmt.Errorf("%d tokens after %d do not fit into a context of %d tokens", len(tokens), c.Len, c.Capacity)
	}
	for i, id := range tokens {
		if id < 0 || int(id) >= m.config.Vocab {
			return fmt.Errorf("token id %d at position %d is outside the vocabulary of this model (0 to %d)", id, c.Len+i, m.config.Vocab-1)
		}
	}
	return nil
}

// embed looks up the word vectors and adds learned positions: [tokens, hidden].
func (m *decoder) embed(p pass, tokens []int32) *engine.Tensor {
	x := p.g.Embed(m.word, p.g.Ints("tokens", tokens))
	if m.wordScale != 0 {
		x = p.g.Scale(x, m.wordScale)
	}
	if m.pos != nil {
		x = p.g.Add(x, p.g.Embed(m.pos, p.positions))
	}
	return x
}

// layer records layer i.
func (m *decoder) layer(p pass, i int, x *engine.Tensor) *engine.Tensor {
	l, g := &m.layers[i], p.g
	h := l.attentionNorm.forward(g, x)
	a := l.attention(p, i, h)
	if p.wanted != nil {
		x = g.Rows(x, p.wanted)
	}
	if !m.config.Parallel {
		x = g.Add(x, l.attentionEnd.forward(g, a))
		h = l.mlpNorm.forward(g, x)
		return g.Add(x, l.mlpEnd.forward(g, l.mlp(g, h, m.activation)))
	}
	switch {
	case l.mlpNorm.w != nil:
		h = l.mlpNorm.forward(g, x)
	case p.wanted != nil:
		h = g.Rows(h, p.wanted)
	}
	return g.Add(x, g.Add(a, l.mlp(g, h, m.activation)))
}

// attention records the attention of layer i over the normed rows h, and leaves
// the wanted ones.
func (l *decoderLayer) attention(p pass, i int, h *engine.Tensor) *engine.Tensor {
	g := p.g
	q := l.queryNorm.forward(g, l.query.forward(g, h, engine.None)) // [tokens, heads·headSize]
	k := l.keyNorm.forward(g, l.key.forward(g, h, engine.None))     // [tokens, kvHeads·headSize]
	v := l.value.forward(g, h, engine.None)
	if r := p.cache.rotary[i]; r != nil {
		q, k = g.RoPE(q, p.positions, r), g.RoPE(k, p.positions, r)
	}
	a := g.CausalAttention(q, k, v, p.cache.Keys[i], p.cache.Values[i], p.past, l.attend)
	if p.wanted != nil {
		a = g.Rows(a, p.wanted)
	}
	return l.out.forward(g, a, engine.None)
}

// mlp records the feed-forward part, gated where the layer has a gate.
func (l *decoderLayer) mlp(g *engine.Graph, h *engine.Tensor, act engine.Activation) *engine.Tensor {
	if l.gate.w == nil {
		return l.down.forward(g, l.up.forward(g, h, act), engine.None)
	}
	gate, up := l.gate.forward(g, h, engine.None), l.up.forward(g, h, engine.None)
	return l.down.forward(g, g.Gate(gate, up, act), engine.None)
}

// newDecoder makes a decoder with empty layers that attend as the config says.
func newDecoder(c Config) *decoder {
	m := &decoder{config: c, activation: c.Activation, layers: make([]decoderLayer, c.Layers)}
	for i := range m.layers {
		m.layers[i].attend = engine.CausalAttentionParams{
			Heads: c.Heads, KVHeads: c.KVHeads, Scale: c.ScoreScale, Window: c.Span[i].Window, SoftCap: c.ScoreCap,
		}
	}
	return m
}

// wordsAndHead takes the table of word vectors and the head. Where config.json
// ties them, a head that the checkpoint stores nevertheless is not read, as in
// the reference library, unless it is all that is stored; a GGUF file ties them
// by storing none.
func (m *decoder) wordsAndHead(s, body *weights.Scope, words, head string) {
	c := m.config
	if c.Tied && !body.Has(words+".weight") && s.Has(head+".weight") {
		m.word = s.Matrix(head+".weight", c.Vocab, c.Hidden)
		m.head = linear{w: m.word}
		return
	}
	m.word = body.Matrix(words+".weight", c.Vocab, c.Hidden)
	if c.GGUF && !s.Has(head+".weight") || c.Tied && !c.GGUF {
		m.head = linear{w: m.word}
		return
	}
	m.head = newProjection(c, s, head, c.Vocab, c.Hidden, false)
}
