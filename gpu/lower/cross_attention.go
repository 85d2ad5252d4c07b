package lower

import (
	"math"

	"inglenook/engine"
)

func checkCrossAttention(t *engine.Tensor) error {
	return attentionSizes(t, t.Cols/t.Params.(engine.CrossAttentionParams).Heads)
}

// lowerCrossAttention writes k and v to the caches, if there are any, and attends with
// the kernels of causal attention: queries at the last row that the caches hold, and
// behind it, see all rows.
func lowerCrossAttention(l *Lowerer, t *engine.Tensor) {
	p, cols, dtype := t.Params.(engine.CrossAttentionParams), t.Cols, t.Src[3].DType
	keys, values := l.cache(t.Src[3]), l.cache(t.Src[4])
	held, _ := t.Held()
	keys.Size, values.Size = held*dtype.RowBytes(cols), held*dtype.RowBytes(cols)
	if k := t.Src[1]; k != nil {
		l.store(t, nil, keys, values, held-k.Rows)
	}
	l.attend(&attention{
		t: t, dtype: dtype, keys: keys, values: values,
		args: attentionArgs{
			queries: int32(t.Rows), heads: int32(p.Heads), group: 1,
			keys: int32(held), past: int32(held - 1), window: math.MaxInt32, scale: p.Scale, biasScale: 1,
		},
		starts: l.value(t.Src[0]), bias: l.value(t.Src[0]), span: held,
	})
}
