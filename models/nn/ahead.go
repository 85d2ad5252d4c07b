package nn

import "inglenook/engine"

// Ahead is what a head that guesses wants of a pass of the network that it belongs to. Such a
// head reads a token together with the state before it, which is the network's after the last
// norm, and keeps keys and values of both in a cache of its own.
type Ahead struct {
	Cache  *Cache         // of the head
	Before []float32      // the state of the token before the first one [hidden]; nil: zeros
	Skip   int            // the head does not read so many of the first tokens
	States *engine.Tensor // set by the pass: those of the wanted rows [wanted, hidden]
}

// Whole returns the pass as layers see it of which all rows are wanted.
func (p Pass) Whole() Pass {
	p.wanted, p.rows = nil, nil
	return p
}

// Wanted returns the rows of x that the pass returns; x has a row for each token.
func (p Pass) Wanted(x *engine.Tensor) *engine.Tensor {
	if p.wanted == nil {
		return x
	}
	return p.Graph.Rows(x, p.wanted)
}

// Beside returns the pass of a head over tokens of which the first has a position. They
// continue what the head's cache holds. All rows are wanted.
func Beside(g *engine.Graph, c *Cache, tokens []int32, position int) Pass {
	at := make([]int32, len(tokens))
	for i := range at {
		at[i] = int32(position + i)
	}
	p := newPass(g, tokens, at, c, nil, false)
	p.past = g.Ints("past", []int32{int32(c.Len)})
	return p
}

// Read returns the tokens of the pass, and the position of the first one.
func (p Pass) Read() (tokens []int32, position int) {
	return p.ids, int(p.at[0])
}
