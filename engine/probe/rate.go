package probe

import (
	"context"
	"fmt"
	"time"

	"inglenook/engine"
)

// Rate is a short measurement of how fast a device does one kind of operation.
type Rate struct {
	Counts Counts // what the rate counts
	Op     engine.Op
	DType  engine.DType
	// For linear layers, whose speed depends on these: columns of the square
	// weight, and the activation.
	Size       int
	Activation engine.Activation
	Span       int // of Memory and Limit: MiB of weights that are read in turn
	Rows       int // of Flops and Values; 0: the usual number
}

// Counts is the unit that a rate counts per second.
type Counts string

// What rates count.
const (
	Flops  Counts = "flops"  // of matrix products over many rows
	Memory Counts = "memory" // bytes of weights, or flops of attention, for one row
	Values Counts = "values" // results of operations that pass over them once
	Ops    Counts = "ops"    // operations with almost no work
	Limit  Counts = "limit"  // the best Memory rate: no operation that reads weights is faster
)

// Sizes of the graphs: those of a layer of a small language model.
const (
	Hidden = 2048

	rateRows    = 128
	rateHeads   = 32
	rateSpan    = 1024 // tokens that attention looks back on
	rateLeast   = 5    // repetitions
	rateTime    = 200 * time.Millisecond
	rateOps     = 64
	rateWeights = 256 // at most: small weights are a small part of a model
)

// Key names the rate in files.
func (r Rate) Key() string {
	key := fmt.Sprintf("%s %s %s", r.Counts, r.Op, r.DType)
	if r.Op == engine.OpLinear {
		key += fmt.Sprintf(" %d %s", r.Size, r.Activation)
	}
	if r.Span > 0 {
		key += fmt.Sprintf(" %d MiB", r.Span)
	}
	if r.Rows > 0 {
		key += fmt.Sprintf(" %d rows", r.Rows)
	}
	return key
}

// Run measures the rate on a device: the median of some repetitions, because a
// measurement of a model also reports its median. A limit is the best of them.
//
// A GPU may do the work in less time than it takes to submit it and to copy the result.
// There a graph of many more operations is measured too, and the rate is that of the
// difference.
func (r Rate) Run(ctx context.Context, b engine.Backend) (float64, error) {
	few, err := r.once(ctx, b, 1)
	if err != nil {
		return 0, err
	}
	if r.Counts == Ops || b.Device().Kind == "cpu" || few.seconds > quick {
		return few.rate(), nil
	}
	many, err := r.once(ctx, b, manyTimes)
	if err != nil {
		return 0, err
	}
	return many.beyond(few), nil
}

const (
	quick     = 5e-3 // seconds in which submitting a graph and copying what it needs and gives count
	manyTimes = 16
)

// ran is the work of a graph in the unit of its rate, and how long it took.
type ran struct{ work, seconds float64 }

func (r ran) rate() float64 { return r.work / r.seconds }

// beyond is the rate of what r did more than another graph of the same operations. It is that of
// r where the times cannot be told apart.
func (r ran) beyond(other ran) float64 {
	if r.seconds < 1.2*other.seconds {
		return r.rate()
	}
	return (r.work - other.work) / (r.seconds - other.seconds)
}

// once measures a graph with so many times the usual number of operations.
func (r Rate) once(ctx context.Context, b engine.Backend, times int) (ran, error) {
	g := rateGraph{Rate: r, Graph: engine.NewGraph(), times: times}
	defer g.close()
	work := g.record()
	if err := g.Prepare(ctx, nil, b); err != nil {
		return ran{}, err
	}
	seconds, err := Times(ctx, g.Graph, b, rateLeast, rateTime)
	if err != nil {
		return ran{}, err
	}
	if r.Counts == Limit {
		return ran{work, seconds[0]}, nil
	}
	return ran{work, seconds.Median()}, nil
}

// rateGraph is the graph of a rate with its weights and caches.
type rateGraph struct {
	Rate
	*engine.Graph
	times int              // so often all operations are repeated, on the same weights and caches
	kept  []*engine.Tensor // weights and caches
	used  int              // of those, in this round
}

func (g *rateGraph) close() {
	for _, t := range g.kept {
		_ = t.Release()
	}
	g.Close()
}

// rows is how many rows the operations have.
func (g *rateGraph) rows() int {
	switch {
	case g.Counts != Flops && g.Counts != Values:
		return 1
	case g.Rate.Rows > 0:
		return g.Rate.Rows
	}
	return rateRows
}

func (g *rateGraph) weight(d engine.DType, rows, cols int) *engine.Tensor {
	return g.next(func() *engine.Tensor { return engine.NewWeight("probe", d, rows, cols, zeros{}) })
}

func (g *rateGraph) cache() *engine.Tensor {
	return g.next(func() *engine.Tensor { return engine.NewCache("probe", g.DType, rateSpan+g.rows(), Hidden/4) })
}

// next returns the next tensor of a round, which the first round makes.
func (g *rateGraph) next(make func() *engine.Tensor) *engine.Tensor {
	if g.used == len(g.kept) {
		g.kept = append(g.kept, make())
	}
	g.used++
	return g.kept[g.used-1]
}

// record records the operations and returns their work in the unit of the rate.
func (g *rateGraph) record() (work float64) {
	rows := g.rows()
	hidden := Hidden
	if g.Op == engine.OpLinear {
		hidden = g.Size
	}
	y := g.Floats("x", rows, make([]float32, rows*hidden))
	one, count := g.operation(rows, hidden)
	for range g.times {
		g.used = 0
		for range count {
			y = one(y)
			work += g.counted(y)
		}
	}
	g.Want(y)
	return work
}

// operation returns a function that records one operation, and how many of them
// follow each other.
func (g *rateGraph) operation(rows, hidden int) (one func(x *engine.Tensor) *engine.Tensor, count int) {
	switch g.Op {
	case engine.OpLinear:
		count = 4
		if g.Span > 0 {
			count = min(rateWeights, max(1, g.Span<<20/(hidden*g.DType.RowBytes(hidden))))
		}
		return func(x *engine.Tensor) *engine.Tensor {
			return g.Linear(x, g.weight(g.DType, hidden, hidden), nil, g.Activation)
		}, count
	case engine.OpCausalAttention:
		past := g.Ints("past", []int32{rateSpan})
		k := g.Floats("k", rows, make([]float32, rows*Hidden/4))
		return func(x *engine.Tensor) *engine.Tensor {
			return g.CausalAttention(x, k, k, g.cache(), g.cache(), past, engine.CausalAttentionParams{Heads: rateHeads, KVHeads: rateHeads / 4, Scale: 0.1})
		}, 4
	case engine.OpAttention:
		starts := g.Ints("starts", []int32{0, int32(rows / 2), int32(rows)})
		return func(x *engine.Tensor) *engine.Tensor {
			return g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: rateHeads, Scale: 0.1})
		}, 4
	case engine.OpLayerNorm:
		w := g.weight(engine.F32, 1, Hidden)
		return func(x *engine.Tensor) *engine.Tensor { return g.LayerNorm(x, nil, w, w, 1e-5) }, 8
	case engine.OpGate:
		return func(x *engine.Tensor) *engine.Tensor { return g.Gate(x, x, engine.SiLU) }, 8
	}
	count = 8
	if g.Counts == Ops {
		count = rateOps
	}
	return func(x *engine.Tensor) *engine.Tensor { return g.Add(x, x) }, count
}

// counted returns the work of one operation in the unit of the rate.
func (g *rateGraph) counted(t *engine.Tensor) float64 {
	c := t.Cost()
	switch {
	case g.Counts == Values:
		return float64(t.Len())
	case g.Counts == Ops:
		return 1
	case g.Op == engine.OpLinear && g.Counts != Flops:
		return float64(c.WeightBytes)
	}
	return float64(c.Flops)
}
