package metalbackend

import (
	"context"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// unread is the source of a weight whose values do not matter: it writes nothing.
type unread struct{}

func (unread) ReadAt(p []byte, _ int64) (int, error) { return len(p), nil }

// tinyLlama has the shape of TinyLlama-1.1B in Q4_K_M.
type tinyLlama struct {
	layers            []tinyLayer
	table, head, norm *engine.Tensor
	rotary            *engine.Rotary
	attend            engine.CausalAttentionParams
	past, ids         [1]int32
}

type tinyLayer struct{ attentionNorm, q, k, v, o, norm, gate, up, down, keys, values *engine.Tensor }

func newTinyLlama() *tinyLlama { return tinyLlamaOf(22) }

func tinyLlamaOf(layers int) *tinyLlama {
	const hidden, kv, inner, vocab, context = 2048, 256, 5632, 32000, 2048
	w := func(d engine.DType, rows, cols int) *engine.Tensor {
		return engine.NewWeight("w", d, rows, cols, unread{})
	}
	norm := func() *engine.Tensor { return w(engine.F32, 1, hidden) }
	m := &tinyLlama{
		table: w(engine.Q4_K, vocab, hidden), head: w(engine.Q6_K, vocab, hidden), norm: norm(),
		rotary: enginetest.NewRotary(64, 64, 10000, false, 0),
		attend: engine.CausalAttentionParams{Heads: 32, KVHeads: 4, Scale: 0.125},
	}
	for i := range layers {
		more := engine.Q4_K // half of the layers have these in 6 bits
		if i%2 == 0 {
			more = engine.Q6_K
		}
		m.layers = append(m.layers, tinyLayer{
			norm(), w(engine.Q4_K, hidden, hidden), w(engine.Q4_K, kv, hidden), w(more, kv, hidden), w(engine.Q4_K, hidden, hidden),
			norm(), w(engine.Q4_K, inner, hidden), w(engine.Q4_K, inner, hidden), w(more, hidden, inner),
			engine.NewCache("keys", engine.F16, context, kv), engine.NewCache("values", engine.F16, context, kv),
		})
	}
	return m
}

// record records the token that follows past others.
func (m *tinyLlama) record(g *engine.Graph, past int32) *engine.Tensor {
	m.past[0], m.ids[0] = past, past%32000
	epsilon := engine.RMSNormParams{Epsilon: 1e-5}
	linear := func(x, w *engine.Tensor) *engine.Tensor { return g.Linear(x, w, nil, engine.None) }
	g.Reset()
	at := g.Ints("past", m.past[:])
	x := g.Embed(m.table, g.Ints("ids", m.ids[:]))
	for i := range m.layers {
		l := &m.layers[i]
		h := g.RMSNorm(x, l.attentionNorm, epsilon)
		q, k, v := linear(h, l.q), linear(h, l.k), linear(h, l.v)
		q, k = g.RoPE(q, at, m.rotary), g.RoPE(k, at, m.rotary)
		h = g.CausalAttention(q, k, v, l.keys, l.values, at, m.attend)
		x = g.Add(x, linear(h, l.o))
		h = g.RMSNorm(x, l.norm, epsilon)
		x = g.Add(x, linear(g.Gate(linear(h, l.gate), linear(h, l.up), engine.SiLU), l.down))
	}
	return g.Want(linear(g.RMSNorm(x, m.norm, epsilon), m.head))
}

// TestTokenAllocatesNothing: a token takes no new memory on Go's heap, from its
// recording to its scores.
func TestTokenAllocatesNothing(t *testing.T) {
	backend, _ := open(t, fake.Options{}, Options{})
	m, g := tinyLlamaOf(2), engine.NewGraph()
	defer release(t, g)
	bs, ctx := []engine.Backend{backend}, t.Context()
	past := int32(0)
	var scores []float32
	token := func() {
		y := m.record(g, past)
		if _, err := g.Run(ctx, bs...); err != nil {
			t.Fatal(err)
		}
		var err error
		if scores, err = g.AppendResult(scores[:0], y); err != nil {
			t.Fatal(err)
		}
		past++
	}
	for range 10 {
		token()
	}
	if n := testing.AllocsPerRun(100, token); n != 0 {
		t.Errorf("a token allocates %v times", n)
	}
}

// BenchmarkOverhead measures the cost of a token of TinyLlama without the kernels:
// recording, planning, lowering, encoding and, in place of Metal's own work, the checks
// of the fake runtime.
func BenchmarkOverhead(b *testing.B) {
	backend, rt := open(b, fake.Options{}, Options{})
	m, g := newTinyLlama(), engine.NewGraph()
	m.record(g, 0)
	defer release(b, g)
	token := func(past int32) {
		m.record(g, past)
		if _, err := g.Run(context.Background(), backend); err != nil {
			b.Fatal(err)
		}
	}
	token(1000)
	token(1000)
	before := rt.Stats()
	b.ReportAllocs()
	for b.Loop() {
		token(1000)
	}
	after := rt.Stats()
	b.ReportMetric(float64(after.Dispatches-before.Dispatches)/float64(b.N), "dispatches/op")
	b.ReportMetric(float64(after.Barriers-before.Barriers)/float64(b.N), "barriers/op")
	b.ReportMetric(float64(after.Messages-before.Messages)/float64(b.N), "messages/op")
}
