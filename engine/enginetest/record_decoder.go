package enginetest

import (
	"fmt"
	"math"
	"strings"

	"inglenook/engine"
)

// Context is the use of CausalAttention or CrossAttention in a case: x is q
// [Rows, Heads·size].
type Context struct {
	KVHeads   int
	Past      int          // rows that the caches hold beforehand
	Cache     engine.DType // of both caches
	Window    int
	SoftCap   float32
	Slopes    bool // linear position biases, a slope a head
	BiasScale float32
	RoundBias bool
	Sinks     float32 // the mean score of sinks, 0 for none
	Added     int     // CrossAttention: rows that it appends
}

func (x *Context) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "over %d past %d %s", x.KVHeads, x.Past, x.Cache)
	add := func(when bool, format string, args ...any) {
		if when {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	add(x.Window > 0, "window %d", x.Window)
	add(x.SoftCap > 0, "cap %g", x.SoftCap)
	add(x.Slopes, "slopes")
	add(x.BiasScale != 0, "scaled %g", x.BiasScale)
	add(x.RoundBias, "rounded")
	add(x.Sinks != 0, "sinks %g", x.Sinks)
	add(x.Added > 0, "adding %d", x.Added)
	return b.String()
}

// causalAttention fills the caches and records the case's operation.
func (c Case) causalAttention(g *engine.Graph) *engine.Tensor {
	cols := c.Context.KVHeads * (c.Cols / c.Heads)
	keys, values := c.caches(g, c.Context.Past+c.Rows+3, cols)
	k := g.Floats("k", c.Rows, Random(c.Seed+30, c.Rows*cols))
	v := g.Floats("v", c.Rows, Random(c.Seed+40, c.Rows*cols))
	past, p := g.Ints("past", []int32{int32(c.Context.Past)}), c.attentionParams()
	if c.Buckets > 0 {
		return g.RelativeAttention(c.x(g, "q"), k, v, keys, values, past, c.weight("relative bias", c.Buckets, c.Heads), p)
	}
	var sinks *engine.Tensor
	if c.Context.Sinks != 0 {
		scores := Random(c.Seed+60, c.Heads)
		for i := range scores {
			scores[i] += c.Context.Sinks
		}
		sinks = Weight("sinks", engine.F32, 1, c.Heads, scores)
	}
	return g.SinkAttention(c.x(g, "q"), k, v, keys, values, past, sinks, p)
}

// crossAttention does the same for CrossAttention.
func (c Case) crossAttention(g *engine.Graph) *engine.Tensor {
	added := c.Context.Added
	keys, values := c.caches(g, c.Context.Past+added+3, c.Cols)
	var k, v *engine.Tensor
	if added > 0 {
		k, v = g.Floats("k", added, Random(c.Seed+30, added*c.Cols)), g.Floats("v", added, Random(c.Seed+40, added*c.Cols))
	}
	return g.CrossAttention(c.x(g, "q"), k, v, keys, values, g.Ints("past", []int32{int32(c.Context.Past)}),
		engine.CrossAttentionParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(c.Cols/c.Heads)))})
}

// caches returns filled caches. Rows beyond the valid ones hold large stale values,
// as after a chat that was cut back, so that reading them would show.
func (c Case) caches(g *engine.Graph, capacity, cols int) (keys, values *engine.Tensor) {
	keys = engine.NewCache("keys", c.Context.Cache, capacity, cols)
	values = engine.NewCache("values", c.Context.Cache, capacity, cols)
	fill := func(rows int, deviation float32, seed uint64) {
		if rows == 0 {
			return
		}
		k, v := Random(seed, rows*cols), Random(seed+1, rows*cols)
		for i := range k {
			k[i] *= deviation
			v[i] *= deviation
		}
		// a window of one row is the cheapest way to fill a cache
		key := g.Floats("past k", rows, k)
		g.CausalAttention(key, key, g.Floats("past v", rows, v), keys, values, g.Ints("start", []int32{0}),
			engine.CausalAttentionParams{Heads: c.Context.KVHeads, KVHeads: c.Context.KVHeads, Scale: 1, Window: 1})
	}
	fill(capacity, 1000, c.Seed+10)
	fill(c.Context.Past, 1, c.Seed+20)
	return keys, values
}

func (c Case) attentionParams() engine.CausalAttentionParams {
	p := engine.CausalAttentionParams{
		Heads: c.Heads, KVHeads: c.Context.KVHeads, Scale: float32(1 / math.Sqrt(float64(c.Cols/c.Heads))),
		Window: c.Context.Window, SoftCap: c.Context.SoftCap, BiasScale: c.Context.BiasScale, RoundBias: c.Context.RoundBias, MaxDistance: c.Distance,
	}
	if c.Context.Slopes {
		p.Slopes = c.slopes()
	}
	return p
}

// slopes are ALiBi's for the heads.
func (c Case) slopes() (slopes []float32) {
	for head := range c.Heads {
		slopes = append(slopes, float32(math.Exp2(-8*float64(head+1)/float64(c.Heads))))
	}
	return slopes
}

// positions are First, First+1 …, with a very large last one.
func (c Case) positions(g *engine.Graph) *engine.Tensor {
	ids := make([]int32, c.Rows)
	for i := range ids {
		ids[i] = int32(c.First + i)
	}
	if c.Rows > 2 {
		ids[c.Rows-1] += 1000
	}
	return g.Ints("positions", ids)
}

// NewRotary returns the usual rotation: base^(−2i/columns) for the pairs of the
// leading columns of a head.
func NewRotary(head, columns int, base float64, interleaved bool, magnitude float32) *engine.Rotary {
	r := &engine.Rotary{HeadSize: head, Interleaved: interleaved, Magnitude: magnitude}
	for i := 0; i < columns; i += 2 {
		r.Frequencies = append(r.Frequencies, float32(math.Pow(base, -float64(i)/float64(columns))))
	}
	return r
}

func rotaryName(r *engine.Rotary) string {
	pairs := "halves"
	if r.Interleaved {
		pairs = "interleaved"
	}
	return fmt.Sprintf("%s %d of %d times %g", pairs, 2*len(r.Frequencies), r.HeadSize, r.Magnitude)
}
