package lower

import (
	"inglenook/engine"
	"inglenook/gpu"
)

// linearArgs is LinearArgs of linear.metal.
type linearArgs struct {
	rows, in, out int32
	stride        int32 // bytes of a row of the weight
}

// The function constants of linear.metal.
const (
	fcLinearBias    = 10
	fcLinearGate    = 11
	fcLinearRows    = 12
	fcLinearAligned = 13
	fcLinearOwn     = 14
)

// linearVec is for linear_vec of each type how many columns of y a simdgroup
// computes, and how many values of x it takes in a step.
var linearVec = [...]struct{ columns, step int }{
	engine.F32: {4, 128}, engine.F16: {4, 128}, engine.BF16: {4, 128},
	engine.Q4_0: {4, 512}, engine.Q4_1: {4, 512}, engine.Q5_0: {4, 512}, engine.Q5_1: {4, 512}, engine.Q8_0: {4, 256},
	engine.Q2_K: {2, 1024}, engine.Q3_K: {2, 1024}, engine.Q4_K: {2, 1024}, engine.Q5_K: {2, 1024}, engine.Q6_K: {2, 1024},
	engine.IQ4_NL: {4, 512}, engine.IQ4_XS: {4, 512}, engine.MXFP4: {4, 512},
	engine.IQ2_XXS: {4, 512}, engine.IQ2_XS: {4, 512}, engine.IQ2_S: {4, 512}, engine.IQ3_XXS: {4, 512}, engine.IQ3_S: {4, 512},
}

// The same for linear_few, which takes up to fewRows rows of x.
const (
	fewRows    = 8
	fewColumns = 8
	fewStep    = 128
)

// The tile of y that a threadgroup of linear_tile computes, and how many values of
// the sums it takes at a time.
const (
	tileRows    = 32
	tileColumns = 64
	tileDepth   = 32
	tileThreads = 128
)

// lowerLinear computes y = act(x·wᵀ + bias).
func lowerLinear(l *Lowerer, t *engine.Tensor) {
	l.linear(product{t, t.Src[0], t.Src[1], nil, t.Src[2], t.Params.(engine.LinearParams).Activation})
}

// fusesGatedLinear reports whether one dispatch can do the three operations of a
// gated layer: two products of the same few rows of x, with weights of one type and
// shape, which only the gate reads. y must not overlap x, which other threadgroups
// still read.
func fusesGatedLinear(ops []*engine.Tensor) bool {
	gate, up, y := ops[0], ops[1], ops[2]
	if gate.Op != engine.OpLinear || up.Op != engine.OpLinear || y.Op != engine.OpGate || y.Src[0] != gate || y.Src[1] != up {
		return false
	}
	if p := y.Params.(engine.GateParams); p.Limit != 0 || p.Shift != 0 {
		return false
	}
	x, w, v := gate.Src[0], gate.Src[1], up.Src[1]
	return x == up.Src[0] && x.Rows <= fewRows && w.DType == v.DType && w.Rows == v.Rows && justProduct(gate) && justProduct(up) && apart(x, y)
}

// justProduct reports whether t is x·wᵀ without bias or activation, for one reader.
func justProduct(t *engine.Tensor) bool {
	return t.Src[2] == nil && t.Params.(engine.LinearParams).Activation == engine.None && t.Passing()
}

// lowerGatedLinear computes y = act(x·wᵀ) ⊙ (x·upᵀ) in one dispatch.
func lowerGatedLinear(l *Lowerer, ops []*engine.Tensor) {
	gate, up, y := ops[0], ops[1], ops[2]
	l.linear(product{y, gate.Src[0], gate.Src[1], up.Src[1], nil, y.Params.(engine.GateParams).Activation})
}

// product is y = act(x·wᵀ + bias), or with up y = act(x·wᵀ) ⊙ (x·upᵀ). up and
// bias may be nil.
type product struct {
	y, x, w, up, bias *engine.Tensor
	act               engine.Activation
}

func (l *Lowerer) linear(p product) {
	w := l.weight(p.w)
	bias, up := l.value(p.x), w // stand-ins where there are none
	if p.bias != nil {
		bias = l.floats(p.bias)
	}
	if p.up != nil {
		up = l.weight(p.up)
	}
	begin := func(family string) builder {
		d := launch(l, p.y, l.kernel(family, 0, p.w.DType),
			linearArgs{int32(p.x.Rows), int32(p.x.Cols), int32(p.w.Rows), int32(p.w.DType.RowBytes(p.w.Cols))})
		d.constant(fcActivation, int32(p.act)).constant(fcLinearBias, flag(p.bias != nil))
		return d.bind(1, l.value(p.x)).bind(2, w).bind(3, bias).bind(4, l.value(p.y))
	}
	aligned := vectorOf(p.x.Cols) == quad // weights always are: see WeightAlign
	switch {
	case p.x.Rows == 1 && aligned:
		vec := linearVec[p.w.DType]
		p.across(l, begin("linear_vec"), up, vec.columns, 1, vec.step, 4)
	case p.x.Rows <= fewRows:
		d := begin("linear_few").constant(fcLinearRows, int32(p.x.Rows)).constant(fcLinearAligned, flag(aligned))
		p.across(l, d, up, fewColumns, fewRows, fewStep, 8)
	default:
		d := begin("linear_tile").constant(fcLinearAligned, flag(aligned)).threadgroup(tileBytes(p.w.DType))
		d.over(ceilDiv(p.x.Rows, tileRows), ceilDiv(p.w.Rows, tileColumns), 1, tileThreads)
	}
}

// across completes a dispatch of linear_vec or linear_few, whose simdgroups compute
// some columns of y each. Two of them make a threadgroup, since the number of
// threadgroups that a GPU holds is limited. Where there are too few to fill the
// largest GPU, up to most simdgroups of a threadgroup share the sums of the columns of
// one; but sharing takes a barrier, so each of them has to have some steps to do.
func (p product) across(l *Lowerer, d builder, up gpu.Region, columns, rows, step, most int) {
	const usual = 2          // simdgroups of a threadgroup
	enough, least := 4096, 2 // simdgroups, to fill a GPU; steps of one that shares its sums
	if l.Wide {
		enough, least, most = 16384, 1, max(most, 8) // measured on an H200: 1.09 to 1.17 times as many tokens a second
	}
	groups, simdgroups := ceilDiv(p.w.Rows, columns), 1
	for simdgroups < most && groups*simdgroups < enough && 2*simdgroups*step*least <= p.x.Cols {
		simdgroups *= 2
	}
	own, sums := simdgroups == 1, simdgroups*columns*rows
	if p.up != nil {
		sums *= 2
	}
	if own {
		groups, simdgroups, sums = ceilDiv(groups, usual), min(groups, usual), 1
	}
	d.constant(fcLinearGate, flag(p.up != nil)).constant(fcLinearOwn, flag(own)).
		bind(5, up).threadgroup(4*sums).over(groups, 1, 1, simdWidth*simdgroups)
}

// tileBytes returns the threadgroup memory of linear_tile: tiles of x and w in floats
// or halves, or at the end the tile of y in floats.
func tileBytes(d engine.DType) int {
	x, w := 2, 2 // bytes of a value
	switch d {
	case engine.F32, engine.BF16, engine.MXFP4:
		x, w = 4, 4
	case engine.F16:
		x = 4
	}
	return max(tileDepth*(x*tileRows+w*tileColumns), 4*tileRows*tileColumns)
}
