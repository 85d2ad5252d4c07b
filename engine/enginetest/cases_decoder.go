package enginetest

import "inglenook/engine"

func rmsNormCases() (cs []Case) {
	n := 0
	for _, cols := range append([]int{2048, 4097}, sizes...) {
		for _, rows := range []int{1, 5, 33} {
			cs = append(cs, Case{
				Op: engine.OpRMSNorm, Rows: rows, Cols: cols, Weights: weightTypes[n%len(weightTypes)],
				Offset: float32(n % 2), Epsilon: 1e-6, Tolerance: close32,
			})
			n++
		}
	}
	for _, head := range []int{1, 7, 16, 64, 80, 128} {
		c := Case{Op: engine.OpRMSNorm, Rows: 9, Cols: 5 * head, Head: head, Epsilon: 1e-5, Tolerance: close32}
		cs = append(cs, c)
		c.Offset, c.Rows = 1, 1
		cs = append(cs, c)
	}
	for _, deviation := range []float32{1e-12, 1e-4, 1e4, 1e12} {
		c := Case{Op: engine.OpRMSNorm, Rows: 3, Cols: 384, Deviation: deviation, Epsilon: 1e-6, Tolerance: close32}
		cs = append(cs, c)
		c.Head = 96
		cs = append(cs, c)
	}
	return append(cs,
		Case{Op: engine.OpRMSNorm, Rows: 3, Cols: 65, ZeroRow: true, Epsilon: 1e-6, Tolerance: close32},
		Case{Op: engine.OpRMSNorm, Rows: 3, Cols: 64, Mean: 1e4, Epsilon: 1e-6, Tolerance: close32},
		Case{Op: engine.OpRMSNorm, Rows: 1, Cols: 1024, Outlier: 3000, Epsilon: 1e-6, Tolerance: close32},
	)
}

func ropeCases() (cs []Case) {
	for _, interleaved := range []bool{false, true} {
		for _, s := range []struct{ head, columns int }{
			{2, 2}, {4, 2}, {6, 6}, {7, 6}, {16, 16}, {20, 10}, {32, 32}, {64, 64}, {64, 16}, {80, 32}, {96, 96}, {128, 128}, {130, 34}, {256, 256}, {256, 64},
		} {
			for _, rows := range []int{1, 19} {
				cs = append(cs, Case{
					Op: engine.OpRoPE, Rows: rows, Cols: 3 * s.head, Rotary: NewRotary(s.head, s.columns, 10000, interleaved, 0), Tolerance: close32,
				})
			}
		}
		for _, first := range []int{2047, 99_000} {
			cs = append(cs, Case{
				Op: engine.OpRoPE, Rows: 130, Cols: 2 * 64, First: first, Rotary: NewRotary(64, 64, 500000, interleaved, 0), Tolerance: close32,
			})
		}
		cs = append(cs, Case{Op: engine.OpRoPE, Rows: 5, Cols: 192, First: 77, Rotary: NewRotary(96, 48, 10000, interleaved, 1.19), Tolerance: close32})
	}
	return cs
}

func gateCases() (cs []Case) {
	for i, act := range engine.Activations() {
		for _, cols := range sizes {
			cs = append(cs, Case{Op: engine.OpGate, Rows: 1 + i, Cols: cols, Activation: act, Tolerance: close32})
		}
		cs = append(cs, Case{Op: engine.OpGate, Rows: 3, Cols: 129, Activation: act, Deviation: 60, Tolerance: close32})
	}
	for _, limit := range []float32{0.5, 7} {
		for _, cols := range []int{1, 33, 2880} {
			cs = append(cs, Case{Op: engine.OpGate, Rows: 3, Cols: cols, Activation: engine.QuickGELU, Limit: limit, Deviation: 4, Tolerance: close32})
		}
	}
	return append(cs, Case{Op: engine.OpGate, Rows: 3, Cols: 5632, Activation: engine.SiLU, Tolerance: close32})
}

// activationCases are gates without a factor.
func activationCases() (cs []Case) {
	for i, act := range engine.Activations() {
		for _, cols := range []int{1, 33, 64, 1000} {
			cs = append(cs, Case{Op: engine.OpGate, Rows: 1 + i, Cols: cols, Activation: act, Alone: true, Tolerance: close32})
		}
	}
	return cs
}

func scaleCases() (cs []Case) {
	for _, cols := range sizes {
		cs = append(cs, Case{Op: engine.OpScale, Rows: 5, Cols: cols, Factor: 12.5, Tolerance: 1e-6})
	}
	return append(cs,
		Case{Op: engine.OpScale, Rows: 2, Cols: 37, Factor: -1e-3, Tolerance: 1e-6},
		Case{Op: engine.OpScale, Rows: 130, Cols: 2048, Factor: 1.0 / 3, Tolerance: 1e-6},
	)
}

func softCapCases() (cs []Case) {
	for _, cols := range sizes {
		cs = append(cs, Case{Op: engine.OpSoftCap, Rows: 3, Cols: cols, Factor: 30, Deviation: 40, Tolerance: close32})
	}
	return append(cs,
		Case{Op: engine.OpSoftCap, Rows: 2, Cols: 100, Factor: 50, Deviation: 1e-3, Tolerance: close32}, // x itself, nearly
		Case{Op: engine.OpSoftCap, Rows: 2, Cols: 100, Factor: 0.5, Deviation: 1e6, Tolerance: close32}, // ±the bound
	)
}

var cacheTypes = []engine.DType{engine.F32, engine.F16, engine.Q8_0}

// causal is one pass of n rows after past ones with heads of the given size.
func causal(n, past, heads, kvHeads, size int, cache engine.DType) Case {
	c := Case{
		Op: engine.OpCausalAttention, Rows: n, Cols: heads * size, Heads: heads,
		Context: &Context{KVHeads: kvHeads, Past: past, Cache: cache}, Tolerance: close32,
	}
	if cache == engine.Q8_0 {
		c.Tolerance = roundedCache
	}
	return c
}

// with returns the case with its context changed.
func (c Case) with(change func(x *Context)) Case {
	x := *c.Context
	change(&x)
	c.Context = &x
	return c
}

// hardRangesCases have scores whose exp overflows, over keys in so many ranges that
// their sums are merged.
func hardRangesCases() (cs []Case) {
	for _, cache := range cacheTypes {
		for _, deviation := range []float32{10, 30} {
			c := causal(1, 2048, 8, 2, 64, cache)
			c.Deviation, c.Tolerance = deviation, hardScores
			cs = append(cs, c)
		}
	}
	return cs
}

func causalAttentionCases() (cs []Case) {
	for i, size := range []int{1, 2, 7, 16, 20, 32, 33, 64, 65, 80, 96, 128, 160, 256} {
		for _, groups := range []struct{ heads, kv int }{{1, 1}, {4, 2}, {3, 3}, {32, 32}} {
			for j, n := range []int{1, 5, 17} {
				cache := cacheTypes[(i+j)%3]
				if groups.kv*size%32 != 0 {
					cache = cacheTypes[(i+j)%2]
				}
				if groups.kv == 32 && size > 33 {
					continue
				}
				cs = append(cs, causal(n, []int{0, 7, 64}[(i+j+groups.kv)%3], groups.heads, groups.kv, size, cache))
			}
		}
	}
	for _, cache := range cacheTypes {
		for _, groups := range []struct{ heads, kv int }{{2, 1}, {8, 1}, {8, 2}, {14, 2}, {16, 2}, {12, 4}} { // 2, 8, 4, 7, 8 and 3 queries to a key
			cs = append(cs, causal(1, 64, groups.heads, groups.kv, 32, cache), causal(9, 1, groups.heads, groups.kv, 64, cache))
		}
		for _, past := range []int{0, 1, 7, 64, 300, 2048} {
			cs = append(cs, causal(1, past, 4, 1, 64, cache), causal(2, past, 4, 2, 16, cache), causal(33, past, 2, 2, 32, cache))
		}
		for _, n := range []int{2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 130} {
			cs = append(cs, causal(n, 0, 2, 1, 32, cache))
		}
		cs = append(cs, causal(130, 300, 4, 2, 64, cache))
		cs = append(cs, causal(4, 2048, 8, 2, 64, cache))
		for _, window := range []int{1, 2, 24, 100, 1000} {
			window := func(x *Context) { x.Window = window }
			cs = append(cs, causal(1, 64, 4, 2, 32, cache).with(window), causal(50, 0, 2, 1, 32, cache).with(window),
				causal(7, 300, 4, 2, 64, cache).with(window), causal(130, 64, 2, 2, 16, cache).with(window))
		}
		for _, n := range []int{1, 19} {
			cs = append(cs,
				causal(n, 7, 4, 2, 32, cache).with(func(x *Context) { x.SoftCap = 0.5 }),
				causal(n, 64, 4, 2, 64, cache).with(func(x *Context) { x.SoftCap, x.Window = 50, 24 }),
				causal(n, 7, 4, 4, 32, cache).with(func(x *Context) { x.Slopes = true }),
				causal(n, 64, 6, 1, 32, cache).with(func(x *Context) { x.Slopes, x.BiasScale, x.RoundBias = true, 0.125, true }),
				causal(n, 64, 4, 2, 16, cache).with(func(x *Context) { x.Slopes, x.SoftCap, x.Window = true, 2, 30 }),
				causal(n, 300, 4, 2, 32, cache).with(func(x *Context) { x.Slopes, x.RoundBias, x.Window = true, true, 100 }),
			)
			far := causal(n, 2048, 4, 1, 32, cache).with(func(x *Context) { x.Slopes = true })
			far.Tolerance = hardScores // a bias of 1000 leaves a float32 score an error of 6e-5
			cs = append(cs, far)
			far = far.with(func(x *Context) { x.RoundBias = true })
			cs = append(cs, far)
		}
		for _, sinks := range []float32{-20, 0.5, 20} { // hardly any weight for nothing, some, nearly all
			sinks := func(x *Context) { x.Sinks = sinks }
			cs = append(cs, causal(1, 64, 4, 2, 32, cache).with(sinks), causal(19, 0, 2, 1, 64, cache).with(sinks),
				causal(130, 300, 4, 2, 32, cache).with(sinks), causal(1, 2048, 8, 2, 64, cache).with(sinks), causal(3, 2048, 8, 1, 64, cache).with(sinks),
				causal(7, 300, 4, 2, 64, cache).with(sinks).with(func(x *Context) { x.Window = 24 }),
				causal(5, 64, 4, 2, 64, cache).with(sinks).with(func(x *Context) { x.SoftCap = 30 }))
		}
		for _, deviation := range []float32{10, 30} { // scores whose exp overflows unless the largest is subtracted
			c := causal(9, 64, 4, 2, 64, cache)
			c.Deviation, c.Tolerance = deviation, hardScores
			cs = append(cs, c)
		}
		c := causal(5, 7, 4, 2, 32, cache)
		c.ZeroRow = true // a query that weighs all keys equally
		cs = append(cs, c)
	}
	for i, cache := range cacheTypes { // wide heads, with rows past a multiple of 8 and 16
		cs = append(cs, causal(1, 40, 4, 2, 512, cache), causal(19+i, 30, 2, 1, 512, cache), causal(35, 300+i, 2, 1, 256, cache))
	}
	return cs
}
