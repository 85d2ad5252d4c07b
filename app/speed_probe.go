package app

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"inglenook/engine"
	"inglenook/pipeline"
)

// probe is one short measurement of a device.
type probe struct {
	what  string // what its rate counts
	op    engine.Op
	dtype engine.DType
	// Of linear layers, whose speed depends on these: columns of the square
	// weight, one of probeSizes, and the activation.
	size       int
	activation engine.Activation
	span       int // of rateMemory and rateLimit: MiB of weights that are read in turn, one of probeSpans
}

// What the rates of probes count, each a second.
const (
	rateFlops  = "flops"  // of matrix products over many rows
	rateMemory = "memory" // bytes of weights, or flops of attention, for one row
	rateValues = "values" // results of operations that pass over them once
	rateOps    = "ops"    // operations that have next to nothing to do
	rateLimit  = "limit"  // as memory, at its best: what nothing that reads weights can exceed
)

func (p probe) key() string {
	key := fmt.Sprintf("%s %s %s", p.what, p.op, p.dtype)
	if p.op == engine.OpLinear {
		key += fmt.Sprintf(" %d %s", p.size, p.activation)
	}
	if p.span > 0 {
		key += fmt.Sprintf(" %d MiB", p.span)
	}
	return key
}

// Sizes of the probes: those of a layer of a small language model.
const (
	probeHidden  = 2048
	probeRows    = 128
	probeHeads   = 32
	probeSpan    = 1024 // tokens that attention looks back on
	probeLeast   = 5    // repetitions
	probeTime    = 200 * time.Millisecond
	probeOpCount = 64
	probeWeights = 256 // at most: small ones are a small part of a model
)

// zeros are the bytes of weights: what they are makes no difference to the time.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

var _ io.ReaderAt = zeros{}

// run measures the rate: the median of some repetitions, as a measurement of a
// model has the median of its own.
func (p probe) run(ctx context.Context, b engine.Backend) (float64, error) {
	g := engine.NewGraph()
	defer g.Close()
	var kept []*engine.Tensor
	defer func() {
		for _, t := range kept {
			_ = t.Release()
		}
	}()
	weight := func(d engine.DType, rows, cols int) *engine.Tensor {
		t := engine.NewWeight("probe", d, rows, cols, zeros{})
		kept = append(kept, t)
		return t
	}
	cache := func() *engine.Tensor {
		t := engine.NewCache("probe", p.dtype, probeSpan+probeRows, probeHidden/4)
		kept = append(kept, t)
		return t
	}
	work := p.record(g, weight, cache)
	if err := g.Prepare(ctx, nil, b); err != nil {
		return 0, err
	}
	seconds, err := runTimes(ctx, g, b, probeLeast, probeTime)
	if err != nil {
		return 0, err
	}
	if p.what == rateLimit {
		return work / seconds[0], nil
	}
	return work / quantile(seconds, 0.5), nil
}

// readsMemory is the probe of how fast a device reads memory: products of one row
// with weights that need no unpacking.
var readsMemory = probe{what: rateLimit, op: engine.OpLinear, dtype: engine.F32, size: probeHidden, span: probeSpans[len(probeSpans)-1]}

// memoryBound is the size in bytes from which the weights of a model are read
// from memory for each token: those of smaller models stay in caches.
const memoryBound = 128 << 20

// memoryLimit measures how fast a row's device reads memory where that is what
// limits the model: a language model reads all its weights for each token. It is
// measured each time, since others may be using the memory, too. 0: it is not the limit, or
// there is no room to measure it.
func (a *App) memoryLimit(ctx context.Context, e entry, row *PerformanceRow, b engine.Backend) (float64, error) {
	if row.Emulated {
		return 0, nil
	}
	if e.Bytes < memoryBound {
		row.Notes = append(row.Notes, "The weights stay in caches, so that memory does not limit how fast it writes.")
		return 0, nil
	}
	if free := availableMemory(); free > 0 && free < 4*int64(readsMemory.span)<<20 {
		return 0, nil
	}
	limit, err := readsMemory.run(ctx, b)
	row.MemoryBytesPerS = limit
	return limit, err
}

// record records the probe's operations and says how much they are in what its
// rate counts.
func (p probe) record(g *engine.Graph, weight func(engine.DType, int, int) *engine.Tensor, cache func() *engine.Tensor) (work float64) {
	rows := probeRows
	if p.what != rateFlops && p.what != rateValues {
		rows = 1
	}
	hidden := probeHidden
	if p.op == engine.OpLinear {
		hidden = p.size
	}
	x := g.Floats("x", rows, make([]float32, rows*hidden))
	var y *engine.Tensor
	repeat := func(n int, one func(x *engine.Tensor) *engine.Tensor) {
		y = x
		for range n {
			y = one(y)
			work += p.counted(y)
		}
	}
	switch p.op {
	case engine.OpLinear:
		n := 4
		if p.span > 0 {
			n = min(probeWeights, max(1, p.span<<20/(hidden*p.dtype.RowBytes(hidden))))
		}
		repeat(n, func(x *engine.Tensor) *engine.Tensor {
			return g.Linear(x, weight(p.dtype, hidden, hidden), nil, p.activation)
		})
	case engine.OpCausalAttention:
		past := g.Ints("past", []int32{probeSpan})
		k := g.Floats("k", rows, make([]float32, rows*probeHidden/4))
		repeat(4, func(x *engine.Tensor) *engine.Tensor {
			return g.CausalAttention(x, k, k, cache(), cache(), past, engine.CausalAttentionParams{Heads: probeHeads, KVHeads: probeHeads / 4, Scale: 0.1})
		})
	case engine.OpAttention:
		starts := g.Ints("starts", []int32{0, probeRows / 2, probeRows})
		repeat(4, func(x *engine.Tensor) *engine.Tensor {
			return g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: probeHeads, Scale: 0.1})
		})
	case engine.OpLayerNorm:
		w := weight(engine.F32, 1, probeHidden)
		repeat(8, func(x *engine.Tensor) *engine.Tensor { return g.LayerNorm(x, nil, w, w, 1e-5) })
	case engine.OpGate:
		repeat(8, func(x *engine.Tensor) *engine.Tensor { return g.Gate(x, x, engine.SiLU) })
	default:
		n := 8
		if p.what == rateOps {
			n = probeOpCount
		}
		repeat(n, func(x *engine.Tensor) *engine.Tensor { return g.Add(x, x) })
	}
	g.Want(y)
	return work
}

// counted is what one operation is in what the rate counts.
func (p probe) counted(t *engine.Tensor) float64 {
	c := t.Cost()
	switch {
	case p.what == rateValues:
		return float64(t.Len())
	case p.what == rateOps:
		return 1
	case p.op == engine.OpLinear && p.what != rateFlops:
		return float64(c.WeightBytes)
	}
	return float64(c.Flops)
}

// rateOf says which rates tell a task's time, and how much of each it needs. span is
// that of the model's weights.
func rateOf(t pipeline.Task, span int) (p probe, work float64) {
	switch t.Op {
	case engine.OpLinear:
		p := probe{what: rateFlops, op: t.Op, dtype: t.DType, size: probeSize(t), activation: t.Activation}
		if t.Rows > 1 {
			return p, float64(t.Cost.Flops)
		}
		p.what, p.span = rateMemory, span
		return p, float64(t.Cost.WeightBytes)
	case engine.OpCausalAttention:
		if t.Rows == 1 {
			return probe{what: rateMemory, op: t.Op, dtype: t.DType}, float64(t.Cost.Flops)
		}
		return probe{what: rateFlops, op: t.Op, dtype: t.DType}, float64(t.Cost.Flops)
	case engine.OpAttention:
		return probe{what: rateFlops, op: t.Op, dtype: engine.F32}, float64(t.Cost.Flops)
	case engine.OpLayerNorm, engine.OpRMSNorm, engine.OpL2Normalize:
		return probe{what: rateValues, op: engine.OpLayerNorm, dtype: engine.F32}, float64(t.Values)
	case engine.OpGate:
		return probe{what: rateValues, op: t.Op, dtype: engine.F32}, float64(t.Values)
	}
	return probe{what: rateValues, op: engine.OpAdd, dtype: engine.F32}, float64(t.Values)
}

// probeSizes are the columns of linear layers that are measured: all types of
// weights have whole blocks in them.
var probeSizes = []int{256, 512, 1024, 2048}

// probeSize is the one that is nearest to a task's: as many numbers in the weight.
func probeSize(t pipeline.Task) int {
	numbers := float64(t.Cost.Flops) / 2 / float64(max(1, t.Rows))
	for _, size := range probeSizes {
		if numbers < 2*float64(size*size) {
			return size
		}
	}
	return probeSizes[len(probeSizes)-1]
}

// probeSpans are how many MiB of weights are read in turn: from what any cache holds to
// what none does. Caches differ by far, from 4 MB to hundreds.
var probeSpans = []int{2, 16, 96, 512}

// spanOf is the one that is nearest to a model's weights, in bytes.
func spanOf(weights int64) int {
	for i, span := range probeSpans[:len(probeSpans)-1] {
		if middle := math.Sqrt(float64(span) * float64(probeSpans[i+1])); float64(weights) < middle*(1<<20) {
			return span
		}
	}
	return probeSpans[len(probeSpans)-1]
}

// nothing is the probe of an operation that has next to nothing to do.
var nothing = probe{what: rateOps, op: engine.OpAdd, dtype: engine.F32}
