package nn

import "inglenook/engine"

// Pass is one forward pass of a network as its layers see it: a decoder's, with
// a cache, or an encoder's, over several texts.
type Pass struct {
	Graph                    *engine.Graph
	Tokens, Types, Positions *engine.Tensor // of each token [tokens, 1]; Types is nil where there are none
	Growth                   *engine.Tensor // what a decoder's queries are multiplied by [tokens, count·size]; nil = nothing
	Hidden                   bool           // a decoder's states after the last norm are asked for, not the logits
	Ahead                    *Ahead         // what a head that guesses wants of the pass, or nil
	Source                   []int32        // tokens of the text that this pass of a text-to-text model reads whole; nil: the cache holds it

	cache  *Cache         // of a pass of several sequences: the first one's
	parts  []part         // of a pass of several sequences; nil: one
	past   *engine.Tensor // how many tokens the cache holds
	held   *engine.Tensor // how many tokens of a source the cache holds before the pass, or nil
	starts *engine.Tensor // where the texts of an encoder begin
	length int            // tokens of the longest of them
	bounds []int32        // starts as numbers
	wanted *engine.Tensor // the rows that the last layer returns; nil = all
	last   bool           // the current layer is the last
	states *engine.Tensor // the rows of the cache's states that are read and written

	ids, rows []int32     // of a decoder: the tokens, and which of their rows are wanted; nil = all
	at        []int32     // of a decoder: the position of each token
	added     []keyValues // one a slot: what this pass appended to it
}

// keyValues are keys and values as the cache holds them: [tokens, kv·size] each.
type keyValues struct{ keys, values *engine.Tensor }

// Texts is the input of an encoder: text i is Tokens[Starts[i]:Starts[i+1]].
type Texts struct {
	Tokens, Types, Positions []int32 // Types may be nil
	Starts                   []int32
	Wanted                   []int32 // rows of the result; nil = all
}

// NewTextsPass begins a pass of an encoder.
func NewTextsPass(g *engine.Graph, t Texts) Pass {
	p := Pass{Graph: g, bounds: t.Starts, Tokens: g.Ints("tokens", t.Tokens), Positions: g.Ints("positions", t.Positions), starts: g.Ints("starts", t.Starts)}
	for i := range len(t.Starts) - 1 {
		p.length = max(p.length, int(t.Starts[i+1]-t.Starts[i]))
	}
	if t.Types != nil {
		p.Types = g.Ints("types", t.Types)
	}
	if t.Wanted != nil {
		p.wanted = g.Ints("first tokens", t.Wanted)
	}
	return p
}

// Input is what a decoder reads in one pass.
type Input struct {
	Tokens []int32 // they continue those that the cache holds
	// Source is the text that a text-to-text model answers, whole. Tokens are what it
	// writes, from its start token on. nil: the cache holds the source from before.
	Source []int32
	Ahead  *Ahead // what a head that guesses wants of the pass; nil: there is none
}

// NewPass begins a pass of a decoder over an input that continues what c holds. Its
// result has a row for each of wanted (nil: all), which are indexes into the tokens.
func NewPass(g *engine.Graph, in Input, c *Cache, wanted []int32, hidden bool) Pass {
	tokens := in.Tokens
	c.at = c.positions(c.at[:0], len(tokens))
	p := newPass(g, tokens, c.at, c, wanted, hidden)
	p.Source, p.Ahead, p.past = in.Source, in.Ahead, g.Ints("past", []int32{int32(c.Len)})
	switch {
	case in.Source != nil:
		p.held, c.Source = g.Ints("held", []int32{0}), len(in.Source)
	case c.Source > 0:
		p.held = g.Ints("held", []int32{int32(c.Source)})
	}
	rows, err := c.states.record(c.Len, len(tokens))
	switch {
	case err != nil:
		g.Fail(err)
	case c.Recurrent():
		p.states = g.Ints("states", rows[:])
	}
	return p
}

// newPass begins a pass of a decoder. The cache is that of its first sequence.
func newPass(g *engine.Graph, tokens, at []int32, c *Cache, wanted []int32, hidden bool) Pass {
	if len(c.added) != len(c.Keys) {
		c.added = make([]keyValues, len(c.Keys))
	}
	clear(c.added)
	p := Pass{
		Graph: g, Hidden: hidden, cache: c, ids: tokens, at: at, rows: wanted, added: c.added,
		Tokens: g.Ints("tokens", tokens), Positions: g.Ints("positions", at),
	}
	if wanted != nil {
		p.wanted = g.Ints("wanted", wanted)
	}
	return p
}

// Starts returns where the texts of an encoder begin: [texts+1, 1].
func (p Pass) Starts() *engine.Tensor { return p.starts }

// Bounds returns the same as numbers, and where the last text ends.
func (p Pass) Bounds() []int32 { return p.bounds }

// Longest returns the tokens of the longest text of an encoder.
func (p Pass) Longest() int { return p.length }

// Leaving returns the rows of x that the current layer returns: the wanted ones
// in the last layer, since nothing reads the others, and all elsewhere.
func (p Pass) Leaving(x *engine.Tensor) *engine.Tensor {
	if !p.last || p.wanted == nil {
		return x
	}
	return p.Graph.Rows(x, p.wanted)
}

// Layer returns the pass as layer i of n sees it.
func (p Pass) Layer(i, n int) Pass {
	p.last = i == n-1
	p.Graph.Layer(i + 1)
	return p
}

// Parts returns the rows of layer i in a table that has one row a token and
// layer, layers of them for each token: [tokens, 1].
func (p Pass) Parts(i, layers int) *engine.Tensor {
	rows := make([]int32, len(p.ids))
	for n, id := range p.ids {
		rows[n] = id*int32(layers) + int32(i)
	}
	return p.Graph.Ints("tokens in a layer", rows)
}

// Narrow returns the pass for the layers from the first on that only read what
// layers before them appended to the cache: rows that nobody wants change nothing
// there. only selects the rows that go on, which are the wanted ones if these
// follow one another, and all otherwise.
func (p Pass) Narrow() (narrow Pass, only func(x *engine.Tensor) *engine.Tensor) {
	if !p.consecutive() {
		return p, func(x *engine.Tensor) *engine.Tensor { return x }
	}
	only = func(x *engine.Tensor) *engine.Tensor { return p.Graph.Rows(x, p.wanted) }
	first := int(p.rows[0])
	narrow = NewPass(p.Graph, Input{Tokens: p.ids[first : first+len(p.rows)]}, p.cache.from(first), nil, p.Hidden)
	for i, a := range p.added {
		if a.keys != nil {
			narrow.added[i] = keyValues{only(a.keys), only(a.values)}
		}
	}
	return narrow, only
}

// consecutive reports whether the wanted rows are a part of the pass without
// gaps.
func (p Pass) consecutive() bool {
	if p.parts != nil {
		return false
	}
	for i, row := range p.rows {
		if row != p.rows[0]+int32(i) || row < 0 || int(row) >= len(p.ids) {
			return false
		}
	}
	return len(p.rows) > 0 && len(p.rows) < len(p.ids)
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
		x = l.Forward(p.Layer(i, len(s)), x)
	}
	return x
}
