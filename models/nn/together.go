package nn

import (
	"slices"

	"inglenook/engine"
)

// Several sequences can be read in one pass: what works row by row works on the rows of all
// of them, and each attends to its own cache. Layers that keep states know of one sequence
// only.

// Part is what one sequence reads in a pass of several.
type Part struct {
	Tokens []int32 // they continue those that the cache holds
	Cache  *Cache
}

// part is one sequence of a pass.
type part struct {
	cache *Cache
	past  *engine.Tensor // how many tokens the cache holds
	rows  *engine.Tensor // its rows of the pass
}

// of returns the rows of x that belong to the sequence.
func (s part) of(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Rows(x, s.rows) }

// NewTogether begins a pass of a decoder over several sequences, whose tokens stand end to
// end. Its result has a row for each of wanted (nil: all), which are indexes into all tokens.
func NewTogether(g *engine.Graph, parts []Part, wanted []int32, hidden bool) Pass {
	var tokens, at []int32
	for _, s := range parts {
		tokens = append(tokens, s.Tokens...)
		at = s.Cache.positions(at, len(s.Tokens))
	}
	p := newPass(g, tokens, at, parts[0].Cache, wanted, hidden)
	first := int32(0)
	for _, s := range parts {
		rows := make([]int32, len(s.Tokens))
		for i := range rows {
			rows[i] = first + int32(i)
		}
		first += int32(len(rows))
		p.parts = append(p.parts, part{s.Cache, g.Ints("past", []int32{int32(s.Cache.Len)}), g.Ints("rows", rows)})
		if _, err := s.Cache.states.record(s.Cache.Len, len(rows)); err != nil {
			g.Fail(err)
		}
	}
	return p
}

// positions appends those of the next n tokens.
func (c *Cache) positions(to []int32, n int) []int32 {
	to = slices.Grow(to, n)
	for i := range n {
		to = append(to, int32(c.Len+i))
	}
	return to
}

// join puts the rows of tensors below one another.
func join(g *engine.Graph, xs []*engine.Tensor) *engine.Tensor {
	for len(xs) > 1 {
		var fewer []*engine.Tensor
		for some := range slices.Chunk(xs, engine.MostJoined) {
			fewer = append(fewer, g.Join(some...))
		}
		xs = fewer
	}
	return xs[0]
}
