package decoders

import (
	"errors"
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// Some checkpoints have a head that guesses the token after the next one (multi-token
// prediction: DeepSeek-AI 2024, arXiv:2412.19437, §2.2). For each token but the first it joins
// the token's word vector with the state of the token before, both normed, and passes them
// through a layer of its own. Table of words and output layer are the model's. Its guess is a
// token and a state, from which it guesses on.

// head is such a part of a network.
type head struct {
	words      nn.Embedding // [vocab, hidden], the model's
	wordNorm   nn.Norm      // [1, hidden]
	stateNorm  nn.Norm      // [1, hidden]
	word, past nn.Linear    // of the word and of the state before [hidden, hidden]
	layer      *preNormLayer
	number     int       // of the layer, behind the network's
	norm       nn.Norm   // [1, hidden]
	out        nn.Linear // [vocab, hidden], the model's
}

// join records what the layer reads of tokens and of the states before them [tokens, hidden].
func (h *head) join(g *engine.Graph, tokens, states *engine.Tensor) *engine.Tensor {
	x := h.word.Forward(g, h.wordNorm.Forward(g, h.words.Forward(g, tokens)))
	return g.Add(x, h.past.Forward(g, h.stateNorm.Forward(g, states)))
}

// remember records that the head reads the tokens of a pass, given their states
// [tokens, hidden] after the last norm.
func (h *head) remember(p nn.Pass, states *engine.Tensor) {
	g, a := p.Graph, p.Ahead
	tokens, position := p.Read()
	if tokens, position = tokens[a.Skip:], position+a.Skip; len(tokens) == 0 {
		return
	}
	q := nn.Beside(g, a.Cache, tokens, position)
	g.Layer(h.number)
	x := h.join(g, q.Tokens, h.shifted(g, a, states, len(tokens)))
	h.layer.attention.Forward(q, h.layer.attentionNorm.Forward(g, x))
	g.Layer(h.number - 1)
}

// shifted returns the states before the last n tokens of a pass [n, hidden].
func (h *head) shifted(g *engine.Graph, a *nn.Ahead, states *engine.Tensor, n int) *engine.Tensor {
	first := states.Rows - n - 1 // the state before the first of them
	var rows []int32
	for i := max(first, 0); i < states.Rows-1; i++ {
		rows = append(rows, int32(i))
	}
	var before *engine.Tensor
	if first < 0 {
		v := a.Before
		if v == nil {
			v = make([]float32, states.Cols)
		}
		before = g.Floats("the state before", 1, v)
	}
	switch {
	case len(rows) == 0:
		return before
	case before == nil:
		return g.Rows(states, g.Ints("rows before", rows))
	}
	return g.Join(before, g.Rows(states, g.Ints("rows before", rows)))
}

// guess records the scores of the token after a token at a position, given the state before
// it, and the state from which to guess on: [1, vocab] and [1, hidden].
func (h *head) guess(g *engine.Graph, c *nn.Cache, token int32, position int, state []float32) (scores, next *engine.Tensor) {
	p := nn.Beside(g, c, []int32{token}, position)
	g.Layer(h.number)
	x := h.join(g, p.Tokens, g.Floats("the state before", 1, state))
	x = h.layer.Forward(p, x)
	next = h.norm.Forward(g, x)
	return h.out.Forward(g, next), next
}

// guessing is a network with a head that guesses.
type guessing struct {
	*llama
	head *head
}

// Forward implements nn.Network.
func (m *guessing) Forward(p nn.Pass) *engine.Tensor {
	if p.Ahead == nil {
		return m.llama.Forward(p)
	}
	g := p.Graph
	x := m.words.Forward(g, p.Tokens)
	x = m.layers.Forward(p.Whole(), x)
	x = m.norm.Forward(g, x) // [tokens, hidden]
	m.head.remember(p, x)
	p.Ahead.States = p.Wanted(x)
	if p.Hidden {
		return p.Ahead.States
	}
	return m.llama.head.Forward(g, p.Ahead.States)
}

// Guesser is a decoder whose checkpoint has a head that guesses.
type Guesser interface {
	// NewAhead makes the cache of the head, for a pass's [nn.Ahead].
	NewAhead(d engine.DType, tokens int) (*Cache, error)
	// Guess records the scores of the token after a token at a position, given the state
	// before it [hidden], and the state from which to guess on: [1, vocab] and [1, hidden]. It
	// continues what the head's cache holds.
	Guess(g *engine.Graph, c *Cache, token int32, position int, state []float32) (scores, next *engine.Tensor)
}

// guesser is a decoder with a head.
type guesser struct {
	*decoder
	head  *head
	parts nn.Builder // knows what the head caches
}

// NewAhead implements Guesser.
func (m *guesser) NewAhead(d engine.DType, tokens int) (*Cache, error) {
	return m.parts.NewCache(d, tokens)
}

// Guess implements Guesser.
func (m *guesser) Guess(g *engine.Graph, c *Cache, token int32, position int, state []float32) (scores, next *engine.Tensor) {
	switch {
	case !m.parts.Fits(c):
		return g.Fail(errors.New("the cache was made for another model")), nil
	case len(state) != m.config.Hidden:
		return g.Fail(fmt.Errorf("a state of %d numbers is not one of this model, which has %d", len(state), m.config.Hidden)), nil
	case c.Len >= c.Capacity:
		return g.Fail(fmt.Errorf("a token after %d does not fit into a context of %d tokens", c.Len, c.Capacity)), nil
	}
	if err := m.checkIDs([]int32{token}, position); err != nil {
		return g.Fail(err), nil
	}
	return m.head.guess(g, c, token, position, state)
}

// guessed is a design whose checkpoints may have a head.
type guessed interface {
	// head builds it beside the network of build; nil: there is none.
	head(family.Config, nn.Builder, *llama) *head
}

// withHead returns the decoder with its head that guesses, nil if its checkpoint has none. Of
// a head that lacks tensors or has others, a sentence says so: here, or in the set's own where it
// lies in a file beside the model. There the next such file may hold a whole one.
func withHead(m *decoder, d Design, set *weights.Set) (g *guesser, why []string) {
	of, may := d.(guessed)
	body, is := m.network.(*llama)
	if !may || !is {
		return nil, nil
	}
	for {
		b := nn.NewBuilder(set.HeadScope(), m.config.GGUF)
		h := of.head(m.config, b, body)
		if h == nil {
			return nil, nil
		}
		err := b.Err()
		if err == nil {
			m.network = &guessing{body, h}
			return &guesser{m, h, b}, nil
		}
		if !set.Joined() {
			return nil, []string{fmt.Sprintf("the head that could guess what comes next is not used, and answers are as without it: %v", err)}
		}
		set.OtherHead(err)
	}
}
