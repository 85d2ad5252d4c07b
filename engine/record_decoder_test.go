package engine_test

import (
	"math"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// decoderMistakes are invalid recordings of a decoder's operations.
var decoderMistakes = []mistake{
	{"rms norm of nothing", func(m material) *engine.Tensor { return m.rmsNorm(nil, m.norm, 1e-6, 0) }, []string{"rms_norm", "norm.w", "missing"}},
	{"rms norm of ids", func(m material) *engine.Tensor { return m.rmsNorm(m.ids, m.norm, 1e-6, 0) }, []string{"rms_norm", "ids", "i32"}},
	{"rms norm of a cache", func(m material) *engine.Tensor {
		return m.rmsNorm(engine.NewCache("keys", engine.F32, 4, 6), m.norm, 1e-6, 0)
	}, []string{"rms_norm", "cache", "keys"}},
	{"rms norm without a weight", func(m material) *engine.Tensor { return m.rmsNorm(m.x, nil, 1e-6, 0) }, []string{"rms_norm", "weight is missing"}},
	{"rms norm by an activation", func(m material) *engine.Tensor { return m.rmsNorm(m.x, m.x, 1e-6, 0) }, []string{"rms_norm", "weight is missing"}},
	{"rms norm by a table", func(m material) *engine.Tensor { return m.rmsNorm(m.x, m.table, 1e-6, 0) }, []string{"rms_norm", "words", "[4 6]", "[1 any]"}},
	{"rms norm of other width", func(m material) *engine.Tensor { return m.rmsNorm(m.wide, m.norm, 1e-6, 0) }, []string{"rms_norm", "norm.w", "8 columns", "6"}},
	{"rms norm by no columns", func(m material) *engine.Tensor {
		return m.rmsNorm(m.x, engine.NewWeight("void", engine.F32, 1, 0, nil), 1e-6, 0)
	}, []string{"rms_norm", "void", "6 columns"}},
	{"rms norm with a negative epsilon", func(m material) *engine.Tensor { return m.rmsNorm(m.x, m.norm, -1, 0) }, []string{"rms_norm", "norm.w", "-1"}},
	{"rms norm with epsilon NaN", func(m material) *engine.Tensor { return m.rmsNorm(m.x, m.norm, nan, 0) }, []string{"rms_norm", "NaN"}},
	{"rms norm with an infinite offset", func(m material) *engine.Tensor { return m.rmsNorm(m.x, m.norm, 0, inf) }, []string{"rms_norm", "Inf"}},

	{"rope of nothing", func(m material) *engine.Tensor { return m.RoPE(nil, m.ids, rotary(6, 3)) }, []string{"rope", "missing"}},
	{"rope of a weight", func(m material) *engine.Tensor { return m.RoPE(m.table, m.ids, rotary(6, 3)) }, []string{"rope", "words"}},
	{"rope without positions", func(m material) *engine.Tensor { return m.RoPE(m.x, nil, rotary(6, 3)) }, []string{"rope", "x", "i32"}},
	{"rope by floats", func(m material) *engine.Tensor { return m.RoPE(m.x, m.x, rotary(6, 3)) }, []string{"rope", "i32"}},
	{"rope at few positions", func(m material) *engine.Tensor { return m.RoPE(m.long, m.ids, rotary(6, 3)) }, []string{"rope", "long", "4 positions", "5 rows"}},
	{"rope at a negative position", func(m material) *engine.Tensor {
		return m.RoPE(m.x, m.Ints("p", []int32{0, 1, -2, 3}), rotary(6, 3))
	}, []string{"rope", "index -2", "position 2"}},
	{"rope too far out", func(m material) *engine.Tensor {
		return m.RoPE(m.x, m.Ints("p", []int32{0, 1, 2, 1 << 24}), rotary(6, 3))
	}, []string{"rope", "index 16777216"}},
	{"rope without a rotation", func(m material) *engine.Tensor { return m.RoPE(m.x, m.ids, nil) }, []string{"rope", "x", "[4 6]"}},
	{"rope of uneven heads", func(m material) *engine.Tensor { return m.RoPE(m.x, m.ids, rotary(4, 2)) }, []string{"rope", "[4 6]"}},
	{"rope of heads without columns", func(m material) *engine.Tensor { return m.RoPE(m.x, m.ids, rotary(0, 1)) }, []string{"rope", "[4 6]"}},
	{"rope of no pairs", func(m material) *engine.Tensor { return m.RoPE(m.x, m.ids, rotary(6, 0)) }, []string{"rope", "do not fit"}},
	{"rope of more pairs than columns", func(m material) *engine.Tensor { return m.RoPE(m.x, m.ids, rotary(6, 4)) }, []string{"rope", "do not fit"}},
	{"rope by a frequency that is no number", func(m material) *engine.Tensor {
		return m.RoPE(m.x, m.ids, &engine.Rotary{HeadSize: 6, Frequencies: []float32{1, nan}})
	}, []string{"rope", "x", "not finite"}},
	{"rope to an infinite magnitude", func(m material) *engine.Tensor {
		return m.RoPE(m.x, m.ids, &engine.Rotary{HeadSize: 6, Frequencies: []float32{1}, Magnitude: inf})
	}, []string{"rope", "x", "not finite"}},

	{"gate of nothing", func(m material) *engine.Tensor { return m.Gate(nil, m.x, engine.SiLU) }, []string{"gate", "missing"}},
	{"a bounded gate for nothing", func(m material) *engine.Tensor {
		return m.ShapedGate(m.x, nil, engine.GateParams{Activation: engine.SiLU, Limit: 1})
	}, []string{"gate", "missing"}},
	{"gate of other width", func(m material) *engine.Tensor { return m.Gate(m.x, m.wide, engine.SiLU) }, []string{"gate", "[4 6]", "wide", "[4 8]"}},
	{"gate of other height", func(m material) *engine.Tensor { return m.Gate(m.long, m.x, engine.SiLU) }, []string{"gate", "[5 6]", "[4 6]"}},
	{"gate with an unknown activation", func(m material) *engine.Tensor { return m.Gate(m.x, m.x, 99) }, []string{"gate", "activation(99)"}},

	{"scale of nothing", func(m material) *engine.Tensor { return m.Scale(nil, 2) }, []string{"scale", "missing"}},
	{"scale by NaN", func(m material) *engine.Tensor { return m.Scale(m.x, nan) }, []string{"scale", "x", "NaN"}},
	{"scale by infinity", func(m material) *engine.Tensor { return m.Scale(m.x, -inf) }, []string{"scale", "x", "-Inf"}},

	{"soft cap of ids", func(m material) *engine.Tensor { return m.SoftCap(m.ids, 30) }, []string{"soft_cap", "ids", "i32"}},
	{"soft cap of zero", func(m material) *engine.Tensor { return m.SoftCap(m.x, 0) }, []string{"soft_cap", "x", "0"}},
	{"soft cap below zero", func(m material) *engine.Tensor { return m.SoftCap(m.x, -3) }, []string{"soft_cap", "x", "-3"}},
	{"soft cap of NaN", func(m material) *engine.Tensor { return m.SoftCap(m.x, nan) }, []string{"soft_cap", "x", "NaN"}},
	{"soft cap without a bound", func(m material) *engine.Tensor { return m.SoftCap(m.x, inf) }, []string{"soft_cap", "x", "Inf"}},

	{"causal attention of nothing", causal(func(a *causalCall) { a.q = nil }), []string{"causal_attention", "missing"}},
	{"causal attention without keys", causal(func(a *causalCall) { a.k = nil }), []string{"causal_attention", "missing"}},
	{"causal attention without values", causal(func(a *causalCall) { a.v = nil }), []string{"causal_attention", "missing"}},
	{"causal attention with no heads", causal(func(a *causalCall) { a.p.Heads = 0 }), []string{"causal_attention", "q", "6 columns", "0 heads"}},
	{"causal attention with no groups", causal(func(a *causalCall) { a.p.KVHeads = 0 }), []string{"causal_attention", "0 groups"}},
	{"causal attention with uneven groups", causal(func(a *causalCall) { a.p.KVHeads = 2 }), []string{"causal_attention", "3 heads", "2 groups"}},
	{"causal attention with uneven heads", causal(func(a *causalCall) { a.p.Heads, a.p.KVHeads = 4, 1 }), []string{"causal_attention", "6 columns", "4 heads"}},
	{"causal attention to wide keys", causal(func(a *causalCall) { a.k = a.m.x }), []string{"causal_attention", "x", "[4 6]", "[4 2]"}},
	{"causal attention to long values", causal(func(a *causalCall) { a.v = a.m.Floats("tall", 5, make([]float32, 10)) }), []string{"causal_attention", "tall", "[5 2]", "[4 2]"}},
	{"causal attention without a cache of keys", causal(func(a *causalCall) { a.keys = nil }), []string{"causal_attention", "cache is missing"}},
	{"causal attention without a cache of values", causal(func(a *causalCall) { a.values = nil }), []string{"causal_attention", "cache is missing"}},
	{"causal attention to a weight for a cache", causal(func(a *causalCall) { a.keys = weight("w", 9, 2) }), []string{"causal_attention", "cache is missing"}},
	{"causal attention to one cache twice", causal(func(a *causalCall) { a.values = a.keys }), []string{"causal_attention", "a cache each"}},
	{"causal attention to a wide cache", causal(func(a *causalCall) { a.keys = engine.NewCache("c", engine.F32, 9, 3) }), []string{"causal_attention", "c", "[9 3]", "2 columns"}},
	{"causal attention to caches of two lengths", causal(func(a *causalCall) { a.values = engine.NewCache("c", engine.F32, 8, 2) }), []string{"causal_attention", "c", "[8 2]"}},
	{"causal attention to caches of two types", causal(func(a *causalCall) { a.values = engine.NewCache("c", engine.F16, 9, 2) }), []string{"causal_attention", "c", "does not fit"}},
	{"causal attention to caches of ids", causal(func(a *causalCall) { a.cached(engine.I32, 9) }), []string{"causal_attention", "i32"}},
	{"causal attention to bf16 caches", causal(func(a *causalCall) { a.cached(engine.BF16, 9) }), []string{"causal_attention", "bf16"}},
	{"causal attention to caches of an unknown type", causal(func(a *causalCall) { a.cached(77, 9) }), []string{"causal_attention", "dtype(77)"}},
	{"causal attention to parts of a block", causal(func(a *causalCall) { a.cached(engine.Q8_0, 9) }), []string{"causal_attention", "2 columns", "q8_0"}},
	{"causal attention to caches without end", causal(func(a *causalCall) { a.cached(engine.F16, math.MaxInt) }), []string{"causal_attention", "too large"}},
	{"causal attention to caches of no rows", causal(func(a *causalCall) { a.cached(engine.F16, 0) }), []string{"causal_attention", "past"}},
	{"causal attention to caches of less than no rows", causal(func(a *causalCall) { a.cached(engine.F16, -4) }), []string{"causal_attention", "past"}},
	{"causal attention without a past", causal(func(a *causalCall) { a.past = nil }), []string{"causal_attention", "rows that the caches hold"}},
	{"causal attention with two pasts", causal(func(a *causalCall) { a.past = a.m.Ints("past", []int32{0, 1}) }), []string{"causal_attention", "one number"}},
	{"causal attention with a past in floats", causal(func(a *causalCall) { a.past = a.m.Floats("past", 1, []float32{0}) }), []string{"causal_attention", "past", "i32"}},
	{"causal attention with a negative past", causal(func(a *causalCall) { a.past = a.m.Ints("past", []int32{-1}) }), []string{"causal_attention", "past", "-1"}},
	{"causal attention beyond the cache", causal(func(a *causalCall) { a.past = a.m.Ints("past", []int32{6}) }), []string{"causal_attention", "4 rows after 6", "cache of 9"}},
	{"causal attention with past of another graph", causal(func(a *causalCall) { a.past = newMaterial().Ints("past", []int32{0}) }), []string{"past", "another graph"}},
	{"causal attention without scale", causal(func(a *causalCall) { a.p.Scale = 0 }), []string{"causal_attention", "scale 0"}},
	{"causal attention with scale NaN", causal(func(a *causalCall) { a.p.Scale = nan }), []string{"causal_attention", "scale NaN"}},
	{"causal attention with an infinite scale", causal(func(a *causalCall) { a.p.Scale = inf }), []string{"causal_attention", "scale +Inf"}},
	{"causal attention in a negative window", causal(func(a *causalCall) { a.p.Window = -1 }), []string{"causal_attention", "window of -1"}},
	{"causal attention with a negative bound", causal(func(a *causalCall) { a.p.SoftCap = -1 }), []string{"causal_attention", "soft cap -1"}},
	{"causal attention with a bound of NaN", causal(func(a *causalCall) { a.p.SoftCap = nan }), []string{"causal_attention", "soft cap NaN"}},
	{"causal attention with an infinite bias", causal(func(a *causalCall) { a.p.BiasScale = inf }), []string{"causal_attention", "bias scale +Inf"}},
	{"causal attention with few slopes", causal(func(a *causalCall) { a.p.Slopes = []float32{1, 2} }), []string{"causal_attention", "2 slopes", "3 heads"}},
	{"causal attention with no slopes", causal(func(a *causalCall) { a.p.Slopes = []float32{} }), []string{"causal_attention", "0 slopes"}},
	{"causal attention with a slope of NaN", causal(func(a *causalCall) { a.p.Slopes = []float32{1, nan, 2} }), []string{"causal_attention", "slope"}},

	{"linear of parts of a block", func(m material) *engine.Tensor {
		return m.Linear(m.x, engine.NewWeight("w", engine.Q4_0, 3, 6, nil), nil, engine.None)
	}, []string{"linear", "w", "[3 6]", "q4_0"}},
	{"embed of parts of a block", func(m material) *engine.Tensor {
		return m.Embed(engine.NewWeight("words", engine.Q4_K, 4, 32, nil), m.ids)
	}, []string{"embed", "words", "[4 32]", "q4_k"}},
	{"a wish for a cache", func(m material) *engine.Tensor { return m.Want(engine.NewCache("keys", engine.F32, 4, 6)) }, []string{"keys", "wanted"}},
	{"rows of a cache", func(m material) *engine.Tensor {
		return m.Rows(engine.NewCache("keys", engine.F32, 4, 6), m.ids)
	}, []string{"rows", "cache", "keys"}},
}

func (m material) rmsNorm(x, w *engine.Tensor, epsilon, offset float32) *engine.Tensor {
	return m.RMSNorm(x, w, engine.RMSNormParams{Epsilon: epsilon, Offset: offset})
}

func rotary(head, pairs int) *engine.Rotary {
	return &engine.Rotary{HeadSize: head, Frequencies: make([]float32, pairs)}
}

// causalCall has the arguments of CausalAttention: 3 heads of 2 columns that share one
// head of keys and values, and caches of 9 rows of which 2 are used.
type causalCall struct {
	m                           material
	q, k, v, keys, values, past *engine.Tensor
	p                           engine.CausalAttentionParams
}

func newCausalCall(m material) *causalCall {
	return &causalCall{
		m: m, q: m.Floats("q", 4, enginetest.Random(1, 24)), k: m.Floats("k", 4, enginetest.Random(2, 8)), v: m.Floats("v", 4, enginetest.Random(3, 8)),
		keys: engine.NewCache("keys", engine.F32, 9, 2), values: engine.NewCache("values", engine.F32, 9, 2),
		past: m.Ints("past", []int32{2}), p: engine.CausalAttentionParams{Heads: 3, KVHeads: 1, Scale: 1},
	}
}

func (a *causalCall) cached(d engine.DType, rows int) {
	a.keys, a.values = engine.NewCache("keys", d, rows, 2), engine.NewCache("values", d, rows, 2)
}

func (a *causalCall) record() *engine.Tensor {
	return a.m.CausalAttention(a.q, a.k, a.v, a.keys, a.values, a.past, a.p)
}

// causal changes one argument of a valid call.
func causal(spoil func(a *causalCall)) func(m material) *engine.Tensor {
	return func(m material) *engine.Tensor {
		a := newCausalCall(m)
		spoil(a)
		return a.record()
	}
}

// The calls are valid before the mistakes change them.
func TestCausalAttentionIsRecorded(t *testing.T) {
	m := newMaterial()
	a := newCausalCall(m)
	a.p.Slopes = []float32{1, 2, 3}
	y := a.record()
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	if y.Rows != 4 || y.Cols != 6 || y.DType != engine.F32 || y.Name != "q" {
		t.Errorf("the result is %s [%d %d] %s", y.Name, y.Rows, y.Cols, y.DType)
	}
	a.p.Slopes[0] = 77
	if got := y.Params.(engine.CausalAttentionParams).Slopes[0]; got != 1 {
		t.Errorf("the slope became %v", got)
	}
	a.past = m.Ints("past", []int32{5}) // the last rows of the cache
	a.record()
	if err := m.Err(); err != nil {
		t.Errorf("a cache cannot be filled to its end: %v", err)
	}
}
