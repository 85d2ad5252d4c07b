package pipeline

import (
	"context"
	"os"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
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
	g, err := OpenGenerator(context.Background(), os.DirFS(realStories), []engine.Backend{b}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// BenchmarkStep is one token: recording, planning, running and reading the
// scores, of a model so small that the first two count.
func BenchmarkStep(b *testing.B) {
	g := openStories(b, GeneratorOptions{})
	ctx := context.Background()
	b.ReportAllocs()
	for i := range b.N {
		if i%400 == 0 {
			g.transcript.cut(1)
		}
		if _, err := g.transcript.next(ctx, 403); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecord is the recording of a step alone.
func BenchmarkRecord(b *testing.B) {
	p := openStories(b, GeneratorOptions{}).transcript.model.(*causal)
	b.ReportAllocs()
	for range b.N {
		p.record(100, []int32{403}, true)
	}
}

// BenchmarkPlan is recording and planning.
func BenchmarkPlan(b *testing.B) {
	p := openStories(b, GeneratorOptions{}).transcript.model.(*causal)
	b.ReportAllocs()
	for range b.N {
		p.record(100, []int32{403}, true)
		if _, err := p.graph.Coverage(p.backends...); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSteady: what a token allocates does not grow with what was read, and is
// the recording of a pass.
func TestSteady(t *testing.T) {
	g := openStories(t, GeneratorOptions{})
	script := g.transcript
	ops := 0
	step := func() {
		if _, err := script.next(context.Background(), 403); err != nil {
			t.Fatal(err)
		}
		ops = len(script.model.(*causal).graph.Ops())
	}
	early := testing.AllocsPerRun(50, step)
	for len(script.ids) < 400 {
		step()
	}
	late := testing.AllocsPerRun(50, step)
	if late > early || late > float64(5*ops) {
		t.Errorf("a token takes %v allocations at the beginning and %v later, for %d operations", early, late, ops)
	}
}
