package lower

import "inglenook/engine"

// rmsNormArgs is RMSNormArgs of rms_norm.metal.
type rmsNormArgs struct {
	length  int32
	columns float32
	epsilon float32
	offset  float32
}

const fcRMSNormResidual = 50

func lowerRMSNorm(l *Lowerer, t *engine.Tensor) { l.rmsNorm(t, t.Src[0], nil, t) }

// lowerAddRMSNorm computes sum, an Add, and norm, the RMSNorm of its rows, in one
// dispatch, to the same bits as in two.
func lowerAddRMSNorm(l *Lowerer, ops []*engine.Tensor) {
	sum, norm := ops[0], ops[1]
	l.rmsNorm(norm, sum.Src[0], sum.Src[1], sum)
}

// fusesAddRMSNorm reports whether lowerAddRMSNorm can do these neighbours.
func fusesAddRMSNorm(ops []*engine.Tensor) bool {
	sum, norm := ops[0], ops[1]
	return norm.Op == engine.OpRMSNorm && norm.Src[1].Cols == norm.Cols && sumsFor(sum, norm)
}

// rmsNorm computes t from x or, with a residual, from sum = x + residual.
func (l *Lowerer) rmsNorm(t, x, residual, sum *engine.Tensor) {
	other := x
	if residual != nil {
		other = residual
	}
	p, columns := t.Params.(engine.RMSNormParams), t.Src[1].Cols
	v := vectorOf(columns)
	launch(l, t, v.of("rms_norm_1", "rms_norm_4"), rmsNormArgs{v.length(columns), float32(columns), p.Epsilon, p.Offset}).
		constant(fcRMSNormResidual, flag(residual != nil)).
		bind(1, l.value(x)).bind(2, l.value(other)).bind(3, l.floats(t.Src[1])).bind(4, l.value(sum)).bind(5, l.value(t)).
		overRows(t.Len()/columns, columns, 1)
}
