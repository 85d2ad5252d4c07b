package metalbackend

import "inglenook/engine"

// layerNormArgs is LayerNormArgs of kernels/layer_norm.metal.
type layerNormArgs struct {
	length  int32
	columns float32
	epsilon float32
}

const (
	fcLayerNormResidual = 50
	fcLayerNormBias     = 51
)

// lowerLayerNorm binds x and w in the place of a residual and a bias that are
// not there: the kernel leaves them alone, but its arguments have to be set.
func lowerLayerNorm(l *lowering, t *engine.Tensor) error {
	w, err := l.floats(t.Src[2])
	if err != nil {
		return err
	}
	x := l.value(t.Src[0])
	residual, bias := x, w
	if t.Src[1] != nil {
		residual = l.value(t.Src[1])
	}
	if t.Src[3] != nil {
		if bias, err = l.floats(t.Src[3]); err != nil {
			return err
		}
	}
	v := vectorOf(t.Cols)
	launch(l, t, v.of("layer_norm_1", "layer_norm_4"), layerNormArgs{v.length(t.Cols), float32(t.Cols), t.Params.(engine.LayerNormParams).Epsilon}).
		constant(fcLayerNormResidual, flag(t.Src[1] != nil)).constant(fcLayerNormBias, flag(t.Src[3] != nil)).
		bind(1, x).bind(2, residual).bind(3, w).bind(4, bias).bind(5, l.value(t)).
		overRows(t.Rows, t.Cols, 2)
	return nil
}
