package enginetest

import (
	"fmt"

	"inglenook/engine"
)

// Recurrence is the use of CausalConv or DeltaRule in a case: x is x
// [Rows, Cols], or qkv.
type Recurrence struct {
	Past    int // rows that were read before
	Taps    int // CausalConv: its width
	Heads   int // DeltaRule, and so below
	Keys    int // heads of queries and keys
	Size    int // their columns
	Value   int // columns of a head of values
	Tiled   bool
	Decayed float32 // added to a: how fast states decay
}

func (x *Recurrence) String() string {
	text := fmt.Sprintf("taps %d past %d", x.Taps, x.Past)
	if x.Heads > 0 {
		text = fmt.Sprintf("%d of %d over %d of %d past %d shift %g", x.Heads, x.Value, x.Keys, x.Size, x.Past, x.Decayed)
	}
	if x.Tiled {
		text += " tiled"
	}
	return text
}

// passes records the case's operation, after a pass over what was read before
// and one that leaves large stale values in another row of the states.
func (c Case) passes(g *engine.Graph, record func(rows int, deviation float32, seed uint64, at *engine.Tensor) *engine.Tensor) *engine.Tensor {
	const zeros = 3 // the rows of the states
	from := int32(zeros)
	if c.Recurrence.Past > 0 {
		record(c.Recurrence.Past, 1, c.Seed+10, g.Ints("first", []int32{zeros, 1}))
		from = 1
	}
	record(2, 1000, c.Seed+20, g.Ints("stale", []int32{zeros, 2}))
	record(c.Rows, 1, c.Seed+30, g.Ints("at", []int32{from, 0}))
	// the state counts as well as the result: the next row reads it
	return record(max(1, c.Rows/2), c.scale(), c.Seed+40, g.Ints("then", []int32{0, 2}))
}

func (c Case) scale() float32 {
	if c.Deviation == 0 {
		return 1
	}
	return c.Deviation
}

func spread(seed uint64, n int, deviation float32) []float32 {
	v := Random(seed, n)
	for i := range v {
		v[i] *= deviation
	}
	return v
}

func (c Case) causalConv(g *engine.Graph) *engine.Tensor {
	r := c.Recurrence
	w := c.weight("w", c.Cols, r.Taps)
	states := engine.NewState("rows before", 3, (r.Taps-1)*c.Cols)
	return c.passes(g, func(rows int, deviation float32, seed uint64, at *engine.Tensor) *engine.Tensor {
		return g.CausalConv(g.Floats("x", rows, spread(seed, rows*c.Cols, deviation)), w, states, at, c.Activation)
	})
}

func (c Case) deltaRule(g *engine.Graph) *engine.Tensor {
	r := c.Recurrence
	cols := 2*r.Keys*r.Size + r.Heads*r.Value
	rates, shifts := RandomWeight("rates", c.Weights, 1, r.Heads, 0.5, c.Seed+1), RandomWeight("shifts", c.Weights, 1, r.Heads, 0.5, c.Seed+2)
	states := engine.NewState("states", 3, r.Heads*r.Size*r.Value)
	p := engine.DeltaRuleParams{Heads: r.Heads, KeyHeads: r.Keys, Size: r.Size, Tiled: r.Tiled, LogRates: true, Epsilon: 1e-6}
	return c.passes(g, func(rows int, deviation float32, seed uint64, at *engine.Tensor) *engine.Tensor {
		a := spread(seed+2, rows*r.Heads, 1)
		for i := range a {
			a[i] += r.Decayed
		}
		return g.DeltaRule(g.Floats("qkv", rows, spread(seed, rows*cols, deviation)), g.Floats("a", rows, a),
			g.Floats("b", rows, spread(seed+4, rows*r.Heads, 1)), rates, shifts, states, at, p)
	})
}
