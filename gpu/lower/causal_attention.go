package lower

import (
	"encoding/binary"
	"fmt"
	"math"

	"inglenook/engine"
)

// checkCausalAttention refuses more slopes or edges of distances than fit into a command.
func checkCausalAttention(t *engine.Tensor) error {
	p := t.Params.(engine.CausalAttentionParams)
	if 4*len(p.Slopes) > maxTable {
		return fmt.Errorf("%w for causal_attention with %d slopes: they do not fit into a command", engine.ErrNoKernel, len(p.Slopes))
	}
	if bias := t.Src[7]; bias != nil && 4*bias.Rows > maxTable {
		return fmt.Errorf("%w for causal_attention with %d buckets of distances: their edges do not fit into a command", engine.ErrNoKernel, bias.Rows)
	}
	return attentionSizes(t, t.Cols/p.Heads)
}

func lowerCausalAttention(l *Lowerer, t *engine.Tensor) { l.causalAttention(t, nil) }

// fusesRoPECache reports whether k, a RoPE, may be rotated on its way into the
// cache of t: nothing else reads it.
func fusesRoPECache(ops []*engine.Tensor) bool {
	k, t := ops[0], ops[1]
	return k.Op == engine.OpRoPE && t.Op == engine.OpCausalAttention && t.Src[1] == k && k.Passing()
}

// lowerRoPECache rotates keys on their way into the cache, then attends.
func lowerRoPECache(l *Lowerer, ops []*engine.Tensor) { l.causalAttention(ops[1], ops[0]) }

// causalAttention writes k and v to the caches, then attends to these. k is
// rotated on the way if rotation, a RoPE, is not nil.
func (l *Lowerer) causalAttention(t, rotation *engine.Tensor) {
	p, cols := t.Params.(engine.CausalAttentionParams), t.Src[3].Cols
	keys, values := l.cache(t.Src[3]), l.cache(t.Src[4])
	dtype, past := t.Src[3].DType, int(int32(binary.NativeEndian.Uint32(t.Src[5].InputBytes())))
	held := past + t.Rows
	keys.Size, values.Size = held*dtype.RowBytes(cols), held*dtype.RowBytes(cols)
	l.store(t, rotation, keys, values, past)

	a := &attention{
		t: t, dtype: dtype, keys: keys, values: values,
		args: attentionArgs{
			queries: int32(t.Rows), heads: int32(p.Heads), group: int32(p.Heads / p.KVHeads),
			keys: int32(held), past: int32(past), window: math.MaxInt32, scale: p.Scale, cap: p.SoftCap, biasScale: 1,
		},
		starts: l.value(t.Src[0]), bias: l.value(t.Src[0]), span: held, sinks: t.Src[6],
	}
	if p.Window > 0 && p.Window < held {
		a.args.window, a.args.first = int32(p.Window), int32(max(0, past+1-p.Window))
		a.span = p.Window
	}
	if p.BiasScale != 0 {
		a.args.biasScale = p.BiasScale
	}
	if t.Src[7] != nil {
		l.biasTable(a, t.Src[7], bucketEdges(2*t.Src[7].Rows, p.MaxDistance), held, 0)
	}
	if p.Slopes != nil {
		a.biasKind, a.bias = biasBySlope, l.inline(engine.BytesOf(p.Slopes))
		if p.RoundBias {
			a.biasKind = biasBySlopeBF16
		}
	}
	l.attend(a)
}
