package lower

import "inglenook/engine"

// rmsNormArgs is RMSNormArgs of rms_norm.metal.
type rmsNormArgs struct {
	length  int32
	columns float32
	epsilon float32
	offset  float32
}

func lowerRMSNorm(l *Lowerer, t *engine.Tensor) {
	l.rmsNorm(t, "rms_norm_1", "rms_norm_4").
		bind(1, l.value(t.Src[0])).bind(2, l.floats(t.Src[1])).bind(3, l.value(t))
}

// lowerAddRMSNorm computes sum, an Add, and norm, the RMSNorm of its rows, in one
// dispatch, to the same bits as in two.
func lowerAddRMSNorm(l *Lowerer, ops []*engine.Tensor) {
	sum, norm := ops[0], ops[1]
	l.rmsNorm(norm, "rms_norm_add_1", "rms_norm_add_4").
		bind(1, l.value(sum.Src[0])).bind(2, l.value(sum.Src[1])).bind(3, l.floats(norm.Src[1])).bind(4, l.value(sum)).bind(5, l.value(norm))
}

// fusesAddRMSNorm reports whether lowerAddRMSNorm can do these neighbours.
func fusesAddRMSNorm(ops []*engine.Tensor) bool {
	sum, norm := ops[0], ops[1]
	return norm.Op == engine.OpRMSNorm && norm.Src[1].Cols == norm.Cols && sumsFor(sum, norm)
}

// rmsNorm appends the dispatch of t with the variant of a kernel for its rows.
func (l *Lowerer) rmsNorm(t *engine.Tensor, one, four string) builder {
	p, columns := t.Params.(engine.RMSNormParams), t.Src[1].Cols
	v := vectorOf(columns)
	d := launch(l, t, v.of(one, four), rmsNormArgs{v.length(columns), float32(columns), p.Epsilon, p.Offset})
	d.overRows(t.Len()/columns, columns, 1)
	return d
}
