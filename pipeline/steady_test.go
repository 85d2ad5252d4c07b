package pipeline

import (
	"context"
	"os"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline/decoding"
	"inglenook/sampling"
)

const realStories = "../../shared/models/stories260K"

// openStories opens the small real model, or skips.
func openStories(t testing.TB, o GeneratorOptions) *Generator {
	t.Helper()
	if _, err := os.Stat(realStories); err != nil {
		t.Skipf("%s is not there: a real model is needed", realStories)
	}
	b, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	g, err := openGenerator(context.Background(), os.DirFS(realStories), []engine.Backend{b}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// BenchmarkStep measures one token: recording, planning, running and reading the scores,
// with a model so small that the first two matter.
func BenchmarkStep(b *testing.B) {
	g := openStories(b, GeneratorOptions{})
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%400 == 0 {
			g.seats.all[0].history.Cut(1)
		}
		if _, err := g.seats.all[0].history.Next(ctx, 403); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecord measures only the recording of a step.
func BenchmarkRecord(b *testing.B) {
	p := openStories(b, GeneratorOptions{}).seats.all[0].history.Model.(*decoding.Decoder)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		p.Record(100, []int32{403}, 1)
	}
}

// BenchmarkPlan measures recording and planning.
func BenchmarkPlan(b *testing.B) {
	p := openStories(b, GeneratorOptions{}).seats.all[0].history.Model.(*decoding.Decoder)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		p.Record(100, []int32{403}, 1)
		if _, err := p.Graph.Coverage(p.List.Backends...); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSteady: a token allocates nothing on the Go heap, however much was read before. Its
// context can be cancelled, like that of a real answer.
func TestSteady(t *testing.T) {
	g := openStories(t, GeneratorOptions{})
	for _, o := range []sampling.Options{
		{},
		{Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.1, RepeatWindow: 64, Seed: 1},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		sampler, err := sampling.New(o)
		if err != nil {
			t.Fatal(err)
		}
		script, id := g.seats.all[0].history, int32(403)
		step := func() {
			scores, err := script.Next(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			if id, err = sampler.Next(scores, script.IDs, nil); err != nil {
				t.Fatal(err)
			}
		}
		script.Cut(0)
		for len(script.IDs) < 10 { // memory grows, and the memory of values is used in turn
			step()
		}
		early := testing.AllocsPerRun(50, step)
		for len(script.IDs) < 400 {
			step()
		}
		if late := testing.AllocsPerRun(50, step); early != 0 || late != 0 {
			t.Errorf("temperature %v: a token takes %v allocations at the beginning and %v later", o.Temperature, early, late)
		}
		cancel() // the next one is not stopped by that
	}
}
