package engine_test

import (
	"testing"

	"inglenook/engine"
)

func TestCost(t *testing.T) {
	g := engine.NewGraph()
	x := g.Floats("x", 3, make([]float32, 3*64))
	starts := g.Ints("starts", []int32{0, 1, 3})
	w := engine.NewWeight("w", engine.Q8_0, 10, 64, nil)
	keys, values := engine.NewCache("k", engine.F16, 100, 32), engine.NewCache("v", engine.F16, 100, 32)
	kv := g.Floats("kv", 3, make([]float32, 3*32))
	causal := func(past int32, window int) *engine.Tensor {
		return g.CausalAttention(x, kv, kv, keys, values, g.Ints("past", []int32{past}), engine.CausalAttentionParams{Heads: 2, KVHeads: 1, Scale: 1, Window: window})
	}
	cases := []struct {
		name string
		op   *engine.Tensor
		want engine.Cost
	}{
		{"linear", g.Linear(x, w, nil, engine.None), engine.Cost{Flops: 2 * 3 * 64 * 10, WeightBytes: 10 * 68}},
		{"embed", g.Embed(w, g.Ints("ids", []int32{1, 2})), engine.Cost{WeightBytes: 2 * 68}},
		{"attention", g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: 2, Scale: 1}), engine.Cost{Flops: 4 * 64 * (1 + 4)}},
		{"disentangled", g.Disentangled(x, x, x, starts, g.Ints("distances", []int32{0, 1, 2}), x, x, engine.DisentangledParams{Heads: 2, Scale: 1}), engine.Cost{Flops: 8 * 64 * (1 + 4)}},
		{"causal attention", causal(7, 0), engine.Cost{Flops: 4 * 64 * (8 + 9 + 10), CacheBytes: 2 * 10 * 64}},
		{"causal attention in a window", causal(7, 2), engine.Cost{Flops: 4 * 64 * 6, CacheBytes: 2 * 4 * 64}},
		{"add", g.Add(x, x), engine.Cost{}},
	}
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if got := c.op.Cost(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
