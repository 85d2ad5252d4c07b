package metalbackend

import "inglenook/engine"

// rmsNormArgs is RMSNormArgs of kernels/rms_norm.metal.
type rmsNormArgs struct {
	length  int32
	columns float32
	epsilon float32
	offset  float32
}

func newRMSNormArgs(v vector, t *engine.Tensor) rmsNormArgs {
	p, columns := t.Params.(engine.RMSNormParams), t.Src[1].Cols
	return rmsNormArgs{v.length(columns), float32(columns), p.Epsilon, p.Offset}
}

func lowerRMSNorm(l *lowering, t *engine.Tensor) error {
	w, err := l.floats(t.Src[1])
	if err != nil {
		return err
	}
	columns := t.Src[1].Cols
	v := vectorOf(columns)
	launch(l, t, v.of("rms_norm_1", "rms_norm_4"), newRMSNormArgs(v, t)).
		bind(1, l.value(t.Src[0])).bind(2, w).bind(3, l.value(t)).
		overRows(t.Len()/columns, columns, 1)
	return nil
}

// fusesAddRMSNorm says whether lowerAddRMSNorm can do these neighbours.
func fusesAddRMSNorm(sum, norm *engine.Tensor) bool {
	return sum.Op == engine.OpAdd && norm.Op == engine.OpRMSNorm &&
		norm.Src[0] == sum && norm.Src[1].Cols == norm.Cols &&
		sameOrApart(sum.Src[0], norm) && sameOrApart(sum.Src[1], norm)
}

// lowerAddRMSNorm computes sum, an Add, and norm, the RMSNorm of whole rows of
// it, in one dispatch, to the same bits as in two.
func lowerAddRMSNorm(l *lowering, sum, norm *engine.Tensor) error {
	w, err := l.floats(norm.Src[1])
	if err != nil {
		return err
	}
	v := vectorOf(norm.Cols)
	launch(l, norm, v.of("add_rms_norm_1", "add_rms_norm_4"), newRMSNormArgs(v, norm)).
		bind(1, l.value(sum.Src[0])).bind(2, l.value(sum.Src[1])).bind(3, w).bind(4, l.value(sum)).bind(5, l.value(norm)).
		overRows(norm.Rows, norm.Cols, 1)
	return nil
}
