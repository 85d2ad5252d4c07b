package lower

import (
	"fmt"

	"inglenook/engine"
	"inglenook/gpu"
)

// attentionArgs is AttentionArgs of attention.metal.
type attentionArgs struct {
	queries, heads, group  int32
	keys, first, rangeKeys int32
	past, window           int32
	texts, after, reach    int32
	scale, cap, biasScale  float32
}

// attentionMergeArgs is AttentionMergeArgs of attention_merge.metal.
type attentionMergeArgs struct{ size, places, ranges int32 }

// attentionSinksArgs is AttentionSinksArgs of attention_sinks.metal.
type attentionSinksArgs struct{ size, places, ranges, heads int32 }

// The function constants of attention.metal.
const (
	fcAttentionSize   = 30
	fcAttentionRows   = 31
	fcAttentionRagged = 32
	fcAttentionBias   = 33
	fcAttentionCap    = 34
	fcAttentionSplit  = 35
)

// The kinds of bias, numbered as in attention.metal.
const (
	noBias int32 = iota
	biasByDistance
	biasBySlope
	biasBySlopeBF16
	biasFading
)

// attention is what Attention and CausalAttention have in common.
type attention struct {
	t            *engine.Tensor
	args         attentionArgs // all but rangeKeys, which cut sets
	dtype        engine.DType  // of keys and values
	keys, values gpu.Region
	starts, bias gpu.Region // the region of q where there are none
	ragged       bool
	biasKind     int32
	span         int // keys that one query attends to, at most
	sinks        *engine.Tensor
}

// How the kernels are launched.
const (
	vectorRows    = 4        // of one threadgroup of attention_vector, at most
	vectorColumns = 128      // of its narrow variant; the wide one has twice as many
	vectorQueries = 8 << 10  // bytes of threadgroup memory for the queries of several rows
	vectorQuery   = 24 << 10 // bytes for the query of one row

	matrixRows    = 16  // of one threadgroup of attention_matrix
	matrixWide    = 256 // columns of a head up to which there is memory for so many; beyond it there is for half of them
	matrixSize    = 512 // of a head, at most
	matrixThreads = 128
)

// attentionSizes returns an error if heads are too large.
func attentionSizes(t *engine.Tensor, size int) error {
	if 4*paddedSize(size) > vectorQuery {
		return fmt.Errorf("%w for %s with heads of %d columns: a query has to fit into threadgroup memory", engine.ErrNoKernel, t.Op, size)
	}
	return nil
}

func paddedSize(size int) int { return ceilDiv(size, 16) * 16 }

func (a *attention) size() int    { return a.t.Cols / int(a.args.heads) }
func (a *attention) kvHeads() int { return int(a.args.heads / a.args.group) }

// rows returns the number of queries that share a key and value head.
func (a *attention) rows() int { return int(a.args.queries * a.args.group) }

// attend appends the dispatches of attention itself.
func (l *Lowerer) attend(a *attention) {
	if a.byMatrices() {
		a.matrix(l)
	} else {
		a.vector(l)
	}
}

// byMatrices reports whether attention_matrix is the better kernel: there are many
// rows, of a size that it has, and no narrow window, in which most of the keys
// that it reads would be masked.
func (a *attention) byMatrices() bool {
	size := a.size()
	return a.rows() >= matrixRows && size%8 == 0 && size <= matrixSize && a.args.window+a.args.after >= simdWidth
}

// matrix launches attention_matrix: 26 KB of threadgroup memory at most, 15 to
// 17 KB for heads of 128 columns.
func (a *attention) matrix(l *Lowerer) {
	size, widest := a.size(), 64
	for widest < size {
		widest *= 2
	}
	rows := matrixRows
	if widest > matrixWide {
		rows /= 2
	}
	groups := ceilDiv(a.rows(), rows)
	ranges := a.cut(l, groups)
	stage := 4
	if a.dtype == engine.F16 {
		stage = 2
	}
	queries, weights, factors := 4*rows*size, 2*4*rows*simdWidth, 2*4*8*rows+4*rows
	a.launch(l, l.kernel("attention_matrix", widest, a.dtype), ranges).
		threadgroup(queries+weights+factors+stage*8*matrixThreads).
		over(groups, a.kvHeads(), ranges, matrixThreads)
	a.merge(l, ranges)
}

// vector launches attention_vector: 29 KB of threadgroup memory at most, 12 KB
// for heads of 128 columns.
func (a *attention) vector(l *Lowerer) {
	size, vectors := a.size(), 1 // of four columns, for each lane
	if size > vectorColumns {
		vectors = 2
	}
	tile := max(1, min(vectorRows, vectorQueries/(4*paddedSize(size))))
	tile = ceilDiv(a.rows(), ceilDiv(a.rows(), tile)) // tiles of equal height
	groups := ceilDiv(a.rows(), tile) * ceilDiv(size, vectorColumns*vectors)
	ranges := a.cut(l, groups)
	simdgroups := vectorSimdgroups(min(a.span, int(a.args.rangeKeys)))
	queries, weights, sums := 4*tile*paddedSize(size), 4*simdgroups*tile*simdWidth, 16*simdgroups*tile*vectors*simdWidth
	a.launch(l, l.kernel("attention_vector", vectorColumns*vectors, a.dtype), ranges).
		constant(fcAttentionRows, int32(tile)).
		threadgroup(queries+weights+sums).
		over(groups, a.kvHeads(), ranges, simdgroups*simdWidth)
	a.merge(l, ranges)
}

// vectorSimdgroups returns how many simdgroups share the keys of a threadgroup. Each
// has a few times 32 of them.
func vectorSimdgroups(keys int) int {
	switch {
	case keys < 128:
		return 1
	case keys < 256:
		return 2
	}
	return 4
}

// cut splits the keys into ranges, for threadgroups of their own, where there would
// be too few threadgroups to fill a GPU. It depends on sizes alone, so that equal
// sizes give equal bits.
func (a *attention) cut(l *Lowerer, groups int) (ranges int) {
	wanted := 256 // threadgroups
	least := 128  // keys of a range
	short := 512  // fewer keys than this are not worth the dispatch that combines the results
	if l.Wide {
		wanted, short = 1024, 256
	}
	keys := int(a.args.keys - a.args.first)
	ranges = min(ceilDiv(wanted, groups*a.kvHeads()), keys/least)
	if a.ragged || keys < short || ranges <= 1 {
		a.args.rangeKeys = int32(keys)
		return 1
	}
	each := ceilDiv(ceilDiv(keys, ranges), simdWidth) * simdWidth
	a.args.rangeKeys = int32(each)
	return ceilDiv(keys, each)
}

// launch appends a dispatch with the bindings that both kernels take. The result of
// one range is the value; the results of several go to scratch memory.
func (a *attention) launch(l *Lowerer, kernel string, ranges int) builder {
	q, out := l.value(a.t.Src[0]), l.value(a.t)
	if a.split(ranges) {
		out = l.scratch(4 * ranges * int(a.args.queries*a.args.heads) * (a.size() + 2))
	}
	return launch(l, a.t, kernel, a.args).
		constant(fcAttentionSize, int32(a.size())).constant(fcAttentionRagged, flag(a.ragged)).constant(fcAttentionBias, a.biasKind).
		constant(fcAttentionCap, flag(a.args.cap > 0)).constant(fcAttentionSplit, flag(a.split(ranges))).
		bind(1, q).bind(2, a.keys).bind(3, a.values).bind(4, a.starts).bind(5, a.bias).bind(6, out)
}

// split reports whether the kernels write sums and totals apart, for merge.
func (a *attention) split(ranges int) bool { return ranges > 1 || a.sinks != nil }

// merge appends the dispatch that combines the results of several ranges, and the
// sinks.
func (a *attention) merge(l *Lowerer, ranges int) {
	if !a.split(ranges) {
		return
	}
	parts := l.list.Dispatches[len(l.list.Dispatches)-1].Bindings[6]
	size, places := a.size(), int(a.args.queries*a.args.heads)
	threads := min(ceilDiv(size, simdWidth)*simdWidth, maxThreads)
	if a.sinks != nil {
		launch(l, a.t, "attention_sinks", attentionSinksArgs{int32(size), int32(places), int32(ranges), a.args.heads}).
			bind(1, parts).bind(2, l.floats(a.sinks)).bind(3, l.value(a.t)).
			over(places, 1, 1, threads)
		return
	}
	launch(l, a.t, "attention_merge", attentionMergeArgs{int32(size), int32(places), int32(ranges)}).
		bind(1, parts).bind(2, l.value(a.t)).
		over(places, 1, 1, threads)
}
