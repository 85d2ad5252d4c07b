package probe

import (
	"math"

	"inglenook/engine"
)

// Task is one operation of a pass with the properties that its time depends on.
type Task struct {
	Op           engine.Op
	DType        engine.DType // of its weight or cache
	Device       string
	Rows, Values int // of its result
	Cost         engine.Cost
	Activation   engine.Activation // of a linear layer
}

// Rate returns the rate that predicts a task's time, and the task's work in that
// rate's unit. It depends on the operation's class. weights is the size of the
// model's weights in bytes, which determines whether they stay in caches.
func (t Task) Rate(weights int64) (r Rate, work float64) {
	r, work = t.rate(weights)
	if r.Counts == Flops || r.Counts == Values {
		r.Rows = rowsOn(t.Device)
	}
	return r, work
}

func (t Task) rate(weights int64) (r Rate, work float64) {
	switch t.Op.Class() {
	case engine.ClassProduct:
		r = Rate{Counts: Flops, Op: engine.OpLinear, DType: t.DType, Size: t.size(), Activation: t.Activation} // also of products with experts
		if t.Rows > 1 {
			return r, float64(t.Cost.Flops)
		}
		r.Counts, r.Span = Memory, spanOf(weights)
		return r, float64(t.Cost.WeightBytes)
	case engine.ClassCausalAttention:
		r = Rate{Counts: Flops, Op: t.Op, DType: t.DType}
		if t.Op == engine.OpCrossAttention { // which has the same kernels
			r.Op = engine.OpCausalAttention
		}
		if t.Rows == 1 {
			r.Counts = Memory
		}
		return r, float64(t.Cost.Flops)
	case engine.ClassAttention:
		return Rate{Counts: Flops, Op: t.Op, DType: engine.F32}, float64(t.Cost.Flops)
	case engine.ClassNorm:
		return Rate{Counts: Values, Op: engine.OpLayerNorm, DType: engine.F32}, float64(t.Values)
	case engine.ClassGate:
		return Rate{Counts: Values, Op: engine.OpGate, DType: engine.F32}, float64(t.Values)
	}
	return Rate{Counts: Values, Op: engine.OpAdd, DType: engine.F32}, float64(t.Values)
}

// Launch is the rate of operations with almost no work.
var Launch = Rate{Counts: Ops, Op: engine.OpAdd, DType: engine.F32}

// ReadMemory is the rate at which a device reads memory: products of one row with
// weights that need no unpacking.
var ReadMemory = Rate{Counts: Limit, Op: engine.OpLinear, DType: engine.F32, Size: Hidden, Span: spans[len(spans)-1]}

// WeightRate is the rate at which a device reads the weights of a large language model, in
// bytes a second, while it writes one token. d is the type of the weights.
func WeightRate(device string, d engine.DType) Rate {
	sizes := sizesOn(device)
	return Rate{Counts: Memory, Op: engine.OpLinear, DType: d, Size: sizes[len(sizes)-1], Span: spans[len(spans)-1]}
}

// Seconds predicts how long an operation takes whose work takes so long at its rate, from how
// many operations with almost no work the device does in a second. A processor has to begin
// each one besides; a GPU begins one while it still computes another.
func (t Task) Seconds(work, ops float64) float64 {
	if t.Device == processor {
		return work + 1/ops
	}
	return max(work, 1/ops)
}

const processor = "cpu" // its device

// sizes are the columns of the linear layers that are measured: weights of all
// types have whole blocks in them.
var sizes = []int{256, 512, 1024, 2048, 4096}

// sizesOn returns those for a device. The processor is as fast with the largest as with the one
// before, and would need longest for it; a GPU is not.
func sizesOn(device string) []int {
	if device == processor {
		return sizes[:len(sizes)-1]
	}
	return sizes
}

// rowsOn returns how many rows the operations have that are measured for a prompt: a GPU does
// not reach its speed with few. 0 stands for the usual number.
func rowsOn(device string) int {
	if device == processor {
		return 0
	}
	return 512
}

// size returns the one nearest to a task's by the number of values in the
// weight.
func (t Task) size() int {
	numbers, sizes := float64(t.Cost.Flops)/2/float64(max(1, t.Rows)), sizesOn(t.Device)
	for _, size := range sizes {
		if numbers < 2*float64(size*size) {
			return size
		}
	}
	return sizes[len(sizes)-1]
}

// spans are sizes of the weights that a measurement reads in turn, in MiB: from
// one that fits into any cache to one that fits into none. Caches have from 4
// MB to hundreds.
var spans = []int{2, 16, 96, 512}

// spanOf returns the one nearest to the size of a model's weights, in bytes.
func spanOf(weights int64) int {
	for i, span := range spans[:len(spans)-1] {
		if middle := math.Sqrt(float64(span) * float64(spans[i+1])); float64(weights) < middle*(1<<20) {
			return span
		}
	}
	return spans[len(spans)-1]
}
