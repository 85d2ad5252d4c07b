package cudabackend

import (
	"context"
	"fmt"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// shapes are decoders that people run.
var shapes = []struct {
	name string
	enginetest.Decoder
}{
	{"1.1B", enginetest.Decoder{Layers: 22, Hidden: 2048, Heads: 32, KVHeads: 4, Inner: 5632, Vocab: 32000}},
	{"7B", enginetest.Decoder{Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, Inner: 14336, Vocab: 32000}},
}

// BenchmarkStep measures whole steps of decoders with random weights: a token after 128
// others, and a prompt of 512.
func BenchmarkStep(b *testing.B) {
	backend := card(b)
	for _, shape := range shapes {
		for _, d := range []engine.DType{engine.F16, engine.Q8_0, engine.Q4_K} {
			shape.Weights, shape.Cache, shape.Capacity, shape.Last, shape.Repeat = d, engine.F16, 1024, true, true
			l := shape.Load()
			for _, n := range []int{1, 512} {
				b.Run(fmt.Sprintf("%s/%s/%d", shape.name, d, n), func(b *testing.B) { step(b, backend, l, n) })
			}
			l.Release()
		}
	}
}

func step(b *testing.B, backend *Backend, l *enginetest.Loaded, n int) {
	g := engine.NewGraph()
	defer g.Close()
	const past = 128
	submitted := &submits{Backend: backend}
	logits := make([]float32, l.Vocab)
	pass := func() {
		g.Reset()
		y := l.Pass(g, past, l.IDs(past, n)...)
		if _, err := g.Run(b.Context(), submitted); err != nil {
			b.Fatal(err)
		}
		data, err := g.Result(y)
		if err != nil {
			b.Fatal(err)
		}
		copy(logits, data)
	}
	pass()
	pass()
	submitted.took = 0
	for b.Loop() {
		pass()
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(n)/seconds, "tokens/s")
	b.ReportMetric(float64(l.Bytes())/seconds/1e9, "GB/s")

	b.ReportMetric(submitted.took.Seconds()*1e6/float64(b.N), "submit-us")

	b.Log(byOperation(b, backend, func(g *engine.Graph) { l.Pass(g, past, l.IDs(past, n)...) }, g))
}

// byOperation runs a pass once more, and lists where the time goes by the card's clock.
func byOperation(b *testing.B, backend *Backend, record func(g *engine.Graph), g *engine.Graph) (text string) {
	g.Reset()
	record(g)
	if _, err := g.Run(engine.Timed(b.Context()), backend); err != nil {
		b.Fatal(err)
	}
	byOp, all := map[engine.Op]float64{}, 0.0
	for _, op := range g.Ops() {
		byOp[op.Op] += op.Elapsed.Seconds()
		all += op.Elapsed.Seconds()
	}
	b.ReportMetric(all*1e6, "card-us")
	for op, s := range byOp {
		text += fmt.Sprintf(" %s %.0f us;", op, s*1e6)
	}
	return text
}

// submits measures how long the host needs to submit.
type submits struct {
	*Backend
	took time.Duration
}

func (s *submits) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	begin := time.Now()
	defer func() { s.took += time.Since(begin) }()
	return s.Backend.Submit(ctx, arena, ops)
}
