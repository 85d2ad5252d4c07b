package app

import (
	"math"

	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/pipeline"
)

// readsMemory is the probe of how fast a device reads memory: products of one row
// with weights that need no unpacking.
var readsMemory = probe.Rate{Counts: probe.Limit, Op: engine.OpLinear, DType: engine.F32, Size: probe.Hidden, Span: probeSpans[len(probeSpans)-1]}

// nothing is the probe of an operation that has next to nothing to do.
var nothing = probe.Rate{Counts: probe.Ops, Op: engine.OpAdd, DType: engine.F32}

// rateOf says which rates tell a task's time, and how much of each it needs. span is
// that of the model's weights.
func rateOf(t pipeline.Task, span int) (r probe.Rate, work float64) {
	switch t.Op {
	case engine.OpLinear:
		r := probe.Rate{Counts: probe.Flops, Op: t.Op, DType: t.DType, Size: probeSize(t), Activation: t.Activation}
		if t.Rows > 1 {
			return r, float64(t.Cost.Flops)
		}
		r.Counts, r.Span = probe.Memory, span
		return r, float64(t.Cost.WeightBytes)
	case engine.OpCausalAttention:
		if t.Rows == 1 {
			return probe.Rate{Counts: probe.Memory, Op: t.Op, DType: t.DType}, float64(t.Cost.Flops)
		}
		return probe.Rate{Counts: probe.Flops, Op: t.Op, DType: t.DType}, float64(t.Cost.Flops)
	case engine.OpAttention:
		return probe.Rate{Counts: probe.Flops, Op: t.Op, DType: engine.F32}, float64(t.Cost.Flops)
	case engine.OpLayerNorm, engine.OpRMSNorm, engine.OpL2Normalize:
		return probe.Rate{Counts: probe.Values, Op: engine.OpLayerNorm, DType: engine.F32}, float64(t.Values)
	case engine.OpGate:
		return probe.Rate{Counts: probe.Values, Op: t.Op, DType: engine.F32}, float64(t.Values)
	}
	return probe.Rate{Counts: probe.Values, Op: engine.OpAdd, DType: engine.F32}, float64(t.Values)
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
