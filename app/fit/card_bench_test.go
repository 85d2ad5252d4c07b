package fit

import (
	"fmt"
	"path/filepath"
	"testing"

	"inglenook/cudabackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/pipeline"
)

// BenchmarkPredicted measures passes of language models with random weights on a card, and what
// their operations should take at the card's rates: tokens/s of both.
func BenchmarkPredicted(b *testing.B) {
	card, err := cudabackend.New(cudabackend.Options{Folder: filepath.Join(b.TempDir(), "cuda")})
	if err != nil {
		b.Skip(err)
	}
	defer card.Close()
	rates := newSpeeds(filepath.Join(b.TempDir(), "speed.json"))
	for _, shape := range []struct {
		name    string
		weights engine.DType
		enginetest.Decoder
	}{
		{"1.1B/F16", engine.F16, enginetest.Decoder{Layers: 22, Hidden: 2048, Heads: 32, KVHeads: 4, Inner: 5632, Vocab: 32000}},
		{"7B/Q4_K", engine.Q4_K, enginetest.Decoder{Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, Inner: 14336, Vocab: 32000}},
	} {
		shape.Weights, shape.Cache, shape.Capacity, shape.Last, shape.Repeat = shape.weights, engine.F16, 1024, true, true
		l := shape.Load()
		for _, n := range []int{1, 512} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) { predicted(b, rates, card, l, n) })
		}
		l.Release()
	}
}

func predicted(b *testing.B, rates *speeds, card engine.Backend, l *enginetest.Loaded, n int) {
	const past = 128
	g := engine.NewGraph()
	defer g.Close()
	pass := func() {
		g.Reset()
		l.Pass(g, past, l.IDs(past, n)...)
		if _, err := g.Run(b.Context(), card); err != nil {
			b.Fatal(err)
		}
	}
	pass()
	on := []engine.Backend{card}
	tasks, err := pipeline.AppendTasks(nil, g, on)
	if err != nil {
		b.Fatal(err)
	}
	seconds, err := rates.seconds(b.Context(), on, tasks, int64(l.Bytes()))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		pass()
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(float64(n)/seconds, "predicted-tokens/s")
}
