package enginetest

import "inglenook/engine"

// relativeAttentionCases have a bias by distance: with caches shorter and longer than
// the largest distance, few and many rows, ranges of keys, a window, grouped heads.
func relativeAttentionCases() (cs []Case) {
	add := func(c Case, buckets, distance int, d engine.DType) {
		c.Buckets, c.Distance, c.Weights = buckets, distance, d
		cs = append(cs, c)
	}
	for i, cache := range cacheTypes {
		for _, n := range []int{1, 3, 17, 40} {
			for _, past := range []int{0, 1, 64, 200} {
				add(causal(n, past, 4, 4, 32, cache), 32, 128, weightTypes[(i+n)%len(weightTypes)])
			}
		}
		add(causal(1, 2048, 8, 8, 64, cache), 32, 128, engine.F32)
		add(causal(130, 0, 2, 2, 64, cache), 32, 128, engine.F32)
		add(causal(130, 300, 6, 2, 64, cache), 8, 20, engine.F16)
		add(causal(5, 300, 4, 2, 32, cache).with(func(x *Context) { x.Window = 24 }), 32, 128, engine.F32)
		add(causal(19, 40, 4, 4, 32, cache).with(func(x *Context) { x.SoftCap = 2 }), 2, 3, engine.F32)
	}
	for _, size := range []int{1, 7, 20, 33} {
		add(causal(5, 9, 3, 3, size, engine.F16), 32, 128, engine.F32)
	}
	return cs
}

// crossAttentionCases read caches of one row and of many, with rows appended in the same
// operation and without.
func crossAttentionCases() (cs []Case) {
	add := func(n, past, added, heads, size int, cache engine.DType) {
		c := causal(n, past, heads, heads, size, cache).with(func(x *Context) { x.Added = added })
		c.Op = engine.OpCrossAttention
		cs = append(cs, c)
	}
	for _, cache := range cacheTypes {
		for _, n := range []int{1, 2, 5, 16, 33, 130} {
			for _, held := range []int{1, 2, 31, 64, 129, 700} {
				add(n, 0, held, 2, 32, cache)
				add(n, held, 0, 4, 64, cache)
			}
		}
		add(1, 2048, 0, 8, 64, cache)
		add(3, 0, 2048, 2, 32, cache)
		add(4, 40, 9, 2, 16, cache) // behind rows that it held before
	}
	for i, size := range []int{1, 2, 7, 20, 33, 65, 80, 128, 256, 512} {
		add(1, 50, 0, 3, size, cacheTypes[i%2])
		add(19, 0, 50, 2, size, cacheTypes[i%2])
	}
	return cs
}
