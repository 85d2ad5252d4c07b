package nn

import "inglenook/engine"

// Pass is one forward pass of a network as its layers see it: a decoder's, with
// a cache, or an encoder's, over several texts.
type Pass struct {
	Graph                    *engine.Graph
	Tokens, Types, Positions *engine.Tensor // of each token [tokens, 1]; Types is nil where there are none
	Hidden                   bool           // a decoder's states after the last norm are asked for, not the logits

	cache  *Cache
	past   *engine.Tensor // how many tokens the cache holds
	starts *engine.Tensor // where the texts of an encoder begin
	wanted *engine.Tensor // the rows that the last layer returns; nil = all
	last   bool           // the current layer is the last
}

// Texts is the input of an encoder: text i is Tokens[Starts[i]:Starts[i+1]].
type Texts struct {
	Tokens, Types, Positions []int32 // Types may be nil
	Starts                   []int32
	Wanted                   []int32 // rows of the result; nil = all
}

// NewTextsPass begins a pass of an encoder.
func NewTextsPass(g *engine.Graph, t Texts) Pass {
	p := Pass{Graph: g, Tokens: g.Ints("tokens", t.Tokens), Positions: g.Ints("positions", t.Positions), starts: g.Ints("starts", t.Starts)}
	if t.Types != nil {
		p.Types = g.Ints("types", t.Types)
	}
	if t.Wanted != nil {
		p.wanted = g.Ints("first tokens", t.Wanted)
	}
	return p
}

// NewPass begins a pass of a decoder over tokens that continue those in c. Its
// result has a row for each of wanted (nil: all).
func NewPass(g *engine.Graph, tokens []int32, c *Cache, wanted []int32, hidden bool) Pass {
	at := make([]int32, len(tokens))
	for i := range at {
		at[i] = int32(c.Len + i)
	}
	p := Pass{
		Graph: g, Hidden: hidden, cache: c,
		Tokens:    g.Ints("tokens", tokens),
		Positions: g.Ints("positions", at),
		past:      g.Ints("past", []int32{int32(c.Len)}),
	}
	if wanted != nil {
		p.wanted = g.Ints("wanted", wanted)
	}
	return p
}

// Leaving returns the rows of x that the current layer returns: the wanted ones
// in the last layer, since nothing reads the others, and all elsewhere.
func (p Pass) Leaving(x *engine.Tensor) *engine.Tensor {
	if !p.last || p.wanted == nil {
		return x
	}
	return p.Graph.Rows(x, p.wanted)
}

// Layer is one layer of a network: [tokens, hidden] to the same, or to the rows
// that leave it.
type Layer interface {
	Forward(p Pass, x *engine.Tensor) *engine.Tensor
}

// Stack is the layers of a network, from the first to the last.
type Stack []Layer

// Forward records the layers in order: [tokens, hidden] to [wanted, hidden].
func (s Stack) Forward(p Pass, x *engine.Tensor) *engine.Tensor {
	for i, l := range s {
		p.last = i == len(s)-1
		x = l.Forward(p, x)
	}
	return x
}
