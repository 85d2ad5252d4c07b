package metalbackend

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"inglenook/engine"
)

// checkCausalAttention: slopes travel inside the command.
func checkCausalAttention(_ *Features, t *engine.Tensor) error {
	p := t.Params.(engine.CausalAttentionParams)
	if 4*len(p.Slopes) > maxTable {
		return fmt.Errorf("%w for causal_attention with %d slopes: they do not fit into a command", engine.ErrNoKernel, len(p.Slopes))
	}
	return attentionSizes(t, t.Cols/p.Heads)
}

func lowerCausalAttention(l *lowering, t *engine.Tensor) error { return l.causalAttention(t, nil) }

// lowerRoPECausalAttention rotates k on its way into the cache.
func lowerRoPECausalAttention(l *lowering, k, t *engine.Tensor) error { return l.causalAttention(t, k) }

// causalAttention writes k, rotated or as it is, and v to the caches, then
// attends to those.
func (l *lowering) causalAttention(t, rotation *engine.Tensor) error {
	p, cols := t.Params.(engine.CausalAttentionParams), t.Src[3].Cols
	keys, err := l.cache(t.Src[3])
	if err != nil {
		return err
	}
	values, err := l.cache(t.Src[4])
	if err != nil {
		return err
	}
	dtype, past := t.Src[3].DType, int(int32(binary.NativeEndian.Uint32(t.Src[5].InputBytes())))
	held := past + t.Rows
	keys.bytes, values.bytes = held*dtype.RowBytes(cols), held*dtype.RowBytes(cols)
	l.store(t, rotation, keys, values, past)

	a := &attention{
		t: t, dtype: dtype, keys: keys, values: values,
		args: attentionArgs{
			queries: int32(t.Rows), heads: int32(p.Heads), group: int32(p.Heads / p.KVHeads),
			keys: int32(held), past: int32(past), window: math.MaxInt32, scale: p.Scale, cap: p.SoftCap, biasScale: 1,
		},
		starts: l.value(t.Src[0]), bias: l.value(t.Src[0]), span: held,
	}
	if p.Window > 0 && p.Window < held {
		a.args.window, a.args.first = int32(p.Window), int32(max(0, past+1-p.Window))
		a.span = p.Window
	}
	if p.BiasScale != 0 {
		a.args.biasScale = p.BiasScale
	}
	if p.Slopes != nil {
		a.biasKind, a.bias = biasBySlope, l.table(bytesOf(p.Slopes))
		if p.RoundBias {
			a.biasKind = biasBySlopeBF16
		}
	}
	l.attend(a)
	return nil
}

// bytesOf is the memory of 32-bit numbers.
func bytesOf[T int32 | float32](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}
