package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// One backend runs the whole graph in one submission and computes the reference's values.
func TestRunOnOneBackend(t *testing.T) {
	g := newGraph(t)
	results := small(g)
	want, err := enginetest.Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	b := newCounted("cpu")
	report := runs(t, g, b)
	for i, got := range resultsOf(t, g, results) {
		if d := enginetest.Difference(got, want[results[i]].Values); d > 1e-5 {
			t.Errorf("result %d is off by %g", i, d)
		}
	}
	if b.submits != 1 || b.allocs != 1 {
		t.Errorf("%d submissions, %d arenas", b.submits, b.allocs)
	}
	if report.Handovers != 0 || len(report.Fallbacks()) != 0 || len(report.Placements) != len(g.Ops()) {
		t.Errorf("report: %d hand-overs, %d fallbacks, %d placements", report.Handovers, len(report.Fallbacks()), len(report.Placements))
	}
}

func TestRunWithoutBackend(t *testing.T) {
	g := newGraph(t)
	small(g)
	if _, err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no backend") {
		t.Errorf("Run on nothing gives %v", err)
	}
	if err := g.Prepare(t.Context(), nil); err == nil {
		t.Error("Prepare on nothing succeeds")
	}
}

func TestRunOfAnEmptyGraph(t *testing.T) {
	g := newGraph(t)
	b := newCounted("cpu")
	if report := runs(t, g, b); report.ArenaBytes != 0 || b.allocs != 0 || b.submits != 0 {
		t.Errorf("an empty graph takes %d bytes, %d arenas, %d submissions", report.ArenaBytes, b.allocs, b.submits)
	}
	x := g.Want(g.Floats("x", 1, []float32{7}))
	runs(t, g, b)
	if got, err := g.Result(x); err != nil || got[0] != 7 {
		t.Errorf("an input that is wanted is %v, %v", got, err)
	}
}

// An operation that no device has a kernel for is an error of one sentence, before
// anything runs.
func TestRefusedEverywhere(t *testing.T) {
	for _, op := range engine.Ops() {
		g := newGraph(t)
		small(g)
		if !slices.ContainsFunc(g.Ops(), func(t *engine.Tensor) bool { return t.Op == op }) {
			continue
		}
		a, b := newCounted("gpu"), newCounted("cpu")
		a.Refuses, b.Refuses = []engine.Op{op}, []engine.Op{op}
		_, err := g.Run(t.Context(), a, b)
		if !errors.Is(err, engine.ErrNoKernel) || !strings.Contains(err.Error(), op.String()) || !strings.Contains(err.Error(), "no device") {
			t.Errorf("%s: %v", op, err)
		}
		if a.submits+b.submits+a.allocs+b.allocs != 0 {
			t.Errorf("%s: something ran", op)
		}
	}
}

// Run of a graph without results is an error that says so.
func TestResultNeedsARun(t *testing.T) {
	g := newGraph(t)
	x := g.Floats("x", 1, []float32{3, 4})
	y := g.Want(g.L2Normalize(x))
	other := g.Add(y, y)
	if _, err := g.Result(y); err == nil {
		t.Error("a result before Run")
	}
	b := newCounted("cpu")
	runs(t, g, b)
	if got, err := g.Result(y); err != nil || got[0] != 0.6 {
		t.Errorf("result %v, %v", got, err)
	}
	if _, err := g.Result(other); err == nil || !strings.Contains(err.Error(), "add") {
		t.Errorf("a value that was not wanted: %v", err)
	}
	if _, err := g.Result(nil); err == nil {
		t.Error("nothing has a result")
	}
	b.onSubmit = func() error { return errors.New("broken") }
	if _, err := g.Run(t.Context(), b); err == nil {
		t.Fatal("the run does not fail")
	}
	if _, err := g.Result(y); err == nil {
		t.Error("an old result after a failed run")
	}
	b.onSubmit = nil
	runs(t, g, b)
	if _, err := g.Run(t.Context()); err == nil {
		t.Fatal("a run on nothing does not fail")
	}
	if _, err := g.Result(y); err == nil {
		t.Error("an old result after a run on nothing")
	}
}

func TestWeightsWithoutData(t *testing.T) {
	g := newGraph(t)
	w := engine.NewWeight("encoder.w", engine.BF16, 2, 3, nil)
	g.Linear(g.Floats("x", 1, make([]float32, 3)), w, nil, engine.None)
	b := newCounted("cpu")
	if report, err := g.Coverage(b); err != nil || report.Placements[0].DType != engine.BF16 {
		t.Errorf("Coverage: %v", err)
	}
	for name, err := range map[string]error{
		"Run":     second(g.Run(t.Context(), b)),
		"Prepare": g.Prepare(t.Context(), nil, b),
	} {
		if err == nil || !strings.Contains(err.Error(), "encoder.w has no data") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b.submits+b.prepares != 0 {
		t.Error("a backend was asked for it")
	}
}

func second(_ engine.Report, err error) error { return err }

// A truncated file is an error that names the weight.
func TestWeightsCutShort(t *testing.T) {
	g := newGraph(t)
	w := engine.NewWeight("encoder.w", engine.F32, 2, 3, strings.NewReader("too short"))
	g.Linear(g.Floats("x", 1, make([]float32, 3)), w, nil, engine.None)
	_, err := g.Run(t.Context(), newCounted("cpu"))
	if err == nil || !strings.Contains(err.Error(), "encoder.w") || !strings.Contains(err.Error(), "cpu") {
		t.Errorf("Run: %v", err)
	}
}

func TestRunUnderEndedContext(t *testing.T) {
	g := newGraph(t)
	small(g)
	b := newCounted("cpu")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Run(ctx, b); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	if err := g.Prepare(ctx, nil, b); !errors.Is(err, context.Canceled) {
		t.Errorf("Prepare: %v", err)
	}
	if b.submits+b.prepares != 0 {
		t.Error("something ran")
	}
}

// The end of the context between two runs of operations stops the graph, and
// the same graph can run again.
func TestCancelBetweenRuns(t *testing.T) {
	for _, async := range []bool{false, true} {
		g := newGraph(t)
		results := small(g)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		gpu, cpu := newCounted("gpu"), newCounted("cpu")
		gpu.Refuses, gpu.Async = []engine.Op{engine.OpAttention}, async
		cpu.onSubmit = func() error { cancel(); return nil }
		if _, err := g.Run(ctx, gpu, cpu); !errors.Is(err, context.Canceled) {
			t.Errorf("async %v: Run: %v", async, err)
		}
		if gpu.submits != 1 || cpu.submits != 1 {
			t.Errorf("async %v: %d and %d submissions", async, gpu.submits, cpu.submits)
		}
		if _, err := g.Result(results[0]); err == nil {
			t.Errorf("async %v: a cancelled run has a result", async)
		}
		cpu.onSubmit = nil
		runs(t, g, gpu, cpu)
		resultsOf(t, g, results)
	}
}

// When Run returns because its context ended, the device has stopped as well, so the
// arena may be freed.
func TestCancelWaitsForTheDevice(t *testing.T) {
	g := newGraph(t)
	x := g.Floats("x", 2, enginetest.Random(1, 128))
	for range 20 {
		x = g.Add(x, x)
	}
	g.Want(x)
	ctx, cancel := context.WithCancel(t.Context())
	gpu := &slow{ReferenceBackend: &enginetest.ReferenceBackend{ID: "gpu"}, onSubmit: cancel}
	if _, err := g.Run(ctx, gpu); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	select {
	case <-gpu.pending:
	default:
		t.Error("the device is still busy after Run")
	}
}

func TestErrorsNameTheDevice(t *testing.T) {
	broken := errors.New("it smokes")
	for name, c := range map[string]struct {
		spoil func(b *counted)
		run   func(g *engine.Graph, b engine.Backend) error
	}{
		"Alloc":   {func(b *counted) { b.allocError = broken }, func(g *engine.Graph, b engine.Backend) error { return second(g.Run(t.Context(), b)) }},
		"Submit":  {func(b *counted) { b.onSubmit = func() error { return broken } }, func(g *engine.Graph, b engine.Backend) error { return second(g.Run(t.Context(), b)) }},
		"Prepare": {func(b *counted) { b.prepareError = broken }, func(g *engine.Graph, b engine.Backend) error { return g.Prepare(t.Context(), nil, b) }},
	} {
		g := newGraph(t)
		small(g)
		b := newCounted("stove")
		c.spoil(b)
		if err := c.run(g, b); !errors.Is(err, broken) || !strings.Contains(err.Error(), "stove") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Prepare reads each operation's weights on the device that will run it and
// counts the bytes of all of them.
func TestPrepare(t *testing.T) {
	g := newGraph(t)
	small(g)
	var total int64
	withWeights, embeds := 0, 0
	for _, op := range g.Ops() {
		before := total
		for _, s := range op.Src {
			if s != nil && s.Op == engine.OpWeight {
				total += int64(s.Bytes())
			}
		}
		if total > before {
			withWeights++
		}
		if op.Op == engine.OpEmbed {
			embeds++
		}
	}
	gpu, cpu := newCounted("gpu"), newCounted("cpu")
	gpu.Refuses = []engine.Op{engine.OpEmbed}
	var seen []int64
	err := g.Prepare(t.Context(), func(done, all int64) {
		if all != total {
			t.Fatalf("%d bytes in total, want %d", all, total)
		}
		seen = append(seen, done)
	}, gpu, cpu)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(seen) || seen[len(seen)-1] != total {
		t.Errorf("progress %v does not rise to %d", seen, total)
	}
	if cpu.prepares != embeds || gpu.prepares < withWeights-embeds {
		t.Errorf("%d operations prepared on the cpu, %d on the gpu", cpu.prepares, gpu.prepares)
	}
}

// Graphs may run at the same time on one backend.
func TestGraphsRunSideBySide(t *testing.T) {
	b := &enginetest.ReferenceBackend{}
	alone := newGraph(t)
	results := small(alone)
	runs(t, alone, b)
	want := resultsOf(t, alone, results)
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			g := newGraph(t)
			results := small(g)
			for range 3 {
				runs(t, g, b)
				for i, got := range resultsOf(t, g, results) {
					if !slices.Equal(got, want[i]) {
						t.Errorf("result %d differs", i)
					}
				}
			}
		})
	}
}

// The arena of MiniLM for 512 tokens is much smaller than all its activations.
func TestArenaOfMiniLM(t *testing.T) {
	g := newGraph(t)
	enginetest.MiniLM(6).Record(g, 128, 128, 128, 128)
	report, err := g.Coverage(&enginetest.ReferenceBackend{})
	if err != nil {
		t.Fatal(err)
	}
	naive := 0
	for _, op := range g.Ops() {
		naive += op.Bytes()
	}
	t.Logf("%d operations, arena %.1f MB, %.1f MB one after the other", len(g.Ops()), float64(report.ArenaBytes)/1e6, float64(naive)/1e6)
	// at most x, the inner layer and its result are in use at once
	if limit := 512 * (1536 + 2*384 + 16) * 4; report.ArenaBytes > limit {
		t.Errorf("the arena takes %d bytes, %d would do", report.ArenaBytes, limit)
	}
}
