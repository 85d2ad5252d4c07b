package lower

import "inglenook/engine"

// layerNormArgs is LayerNormArgs of layer_norm.metal.
type layerNormArgs struct {
	length  int32
	columns float32
	epsilon float32
}

const (
	fcLayerNormResidual = 51
	fcLayerNormBias     = 52
)

// lowerLayerNorm keeps the sum with a residual, which is no result of its own, where
// the norm goes.
func lowerLayerNorm(l *Lowerer, t *engine.Tensor) {
	l.layerNorm(t, t.Src[0], t.Src[1], nil)
}

// lowerAddLayerNorm computes sum, an Add, and norm, the LayerNorm of its rows, in
// one dispatch, to the same bits as in two.
func lowerAddLayerNorm(l *Lowerer, ops []*engine.Tensor) {
	sum, norm := ops[0], ops[1]
	l.layerNorm(norm, sum.Src[0], sum.Src[1], sum)
}

// fusesAddLayerNorm reports whether lowerAddLayerNorm can do these neighbours.
func fusesAddLayerNorm(ops []*engine.Tensor) bool {
	sum, norm := ops[0], ops[1]
	return norm.Op == engine.OpLayerNorm && norm.Src[1] == nil && sumsFor(sum, norm)
}

// layerNorm computes t from x or, with a residual, from x + residual, which it writes
// to sum unless that is nil.
func (l *Lowerer) layerNorm(t, x, residual, sum *engine.Tensor) {
	w := l.floats(t.Src[2])
	other, bias := x, w
	if residual != nil {
		other = residual
	}
	if t.Src[3] != nil {
		bias = l.floats(t.Src[3])
	}
	v := vectorOf(t.Cols)
	name := v.of("layer_norm_1", "layer_norm_4")
	if sum != nil {
		name = v.of("layer_norm_add_1", "layer_norm_add_4")
	}
	d := launch(l, t, name, layerNormArgs{v.length(t.Cols), float32(t.Cols), t.Params.(engine.LayerNormParams).Epsilon}).
		constant(fcLayerNormBias, flag(t.Src[3] != nil)).
		bind(1, l.value(x)).bind(2, l.value(other)).bind(3, w).bind(4, bias).bind(5, l.value(t))
	if sum != nil {
		d.bind(6, l.value(sum))
	} else {
		d.constant(fcLayerNormResidual, flag(residual != nil))
	}
	d.overRows(t.Rows, t.Cols, 2)
}
