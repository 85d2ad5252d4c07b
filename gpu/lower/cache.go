package lower

import (
	"inglenook/engine"
	"inglenook/gpu"
)

// cacheArgs is CacheArgs of cache.metal.
type cacheArgs struct {
	n, past uint32
	columns int32
}

const fcCacheRoPE = 40

const cacheThreads = 64 // few: a token has few values

// store appends the dispatch that writes k and v of t, a CausalAttention, to the
// caches, after past rows. If there is a rotation, a RoPE whose result is k, the
// dispatch rotates as well.
func (l *Lowerer) store(t, rotation *engine.Tensor, keys, values gpu.Region, past int) {
	k, v := t.Src[1], t.Src[2]
	args := inlineArgs(l, ropeArgs{})
	positions, frequencies, interleaved := l.value(k), args, false
	if rotation != nil {
		r := rotation.Params.(*engine.Rotary)
		k, args = rotation.Src[0], inlineArgs(l, newRoPEArgs(rotation))
		positions, frequencies, interleaved = l.value(rotation.Src[1]), l.inline(engine.BytesOf(r.Frequencies)), r.Interleaved
	}
	launch(l, t, l.kernel("cache", 0, t.Src[3].DType), cacheArgs{uint32(k.Len()), uint32(past), int32(k.Cols)}).
		constant(fcCacheRoPE, flag(rotation != nil)).constant(fcRoPEInterleaved, flag(interleaved)).
		bind(1, l.value(k)).bind(2, l.value(v)).bind(3, keys).bind(4, values).
		bind(5, args).bind(6, positions).bind(7, frequencies).
		over(ceilDiv(k.Len(), cacheThreads), 2, 1, cacheThreads)
}
