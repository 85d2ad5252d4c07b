package engine_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// Operations that a guard has turned off run on the next backend, and the report says
// why.
func TestGuard(t *testing.T) {
	gpu, cpu := &enginetest.ReferenceBackend{ID: "gpu"}, &enginetest.ReferenceBackend{ID: "cpu"}
	guard := engine.NewGuard(gpu)
	if engine.NewGuard(guard) != guard {
		t.Error("a guard is guarded once more")
	}
	g := newGraph(t)
	results := small(g)
	runs(t, g, cpu)
	want := resultsOf(t, g, results)
	forget(t, g)

	if r := runs(t, g, guard, cpu); r.Handovers != 0 || r.Placements[0].Device != "gpu" {
		t.Errorf("a guard that guards nothing: %d hand-overs", r.Handovers)
	}
	forget(t, g)
	guard.Refuse(engine.OpLayerNorm, engine.F32, "its mean is wrong")
	guard.Refuse(engine.OpLinear, engine.Q8_0, "none of these here")
	r := runs(t, g, guard, cpu)
	for _, p := range r.Placements {
		if on := map[bool]string{true: "cpu", false: "gpu"}[p.Op == engine.OpLayerNorm]; p.Device != on {
			t.Errorf("%s runs on %s", p.Op, p.Device)
		}
	}
	if f := r.Fallbacks(); len(f) != 1 || f[0].Op != engine.OpLayerNorm || !strings.Contains(f[0].Reason, "its mean is wrong") {
		t.Errorf("fallbacks %v", f)
	}
	forget(t, g)

	reason := errors.New("it smokes")
	if guard.Failed() != nil || !guard.Fail(reason) || guard.Fail(errors.New("again")) || guard.Failed() != reason {
		t.Errorf("failed with %v", guard.Failed())
	}
	r = runs(t, g, guard, cpu)
	for _, p := range r.Placements {
		if p.Device != "cpu" || !strings.Contains(p.Refused[0].Reason, "it smokes") {
			t.Errorf("%s runs on %s: %v", p.Op, p.Device, p.Refused)
		}
	}
	for i, got := range resultsOf(t, g, results) {
		if d := enginetest.Difference(got, widened(want[i])); d > 0 {
			t.Errorf("result %d is off by %g", i, d)
		}
	}
	if _, err := g.Run(t.Context(), guard); !errors.Is(err, engine.ErrNoKernel) || !errors.Is(err, reason) {
		t.Errorf("alone: %v", err)
	}
}

func widened(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

// Several may report a fault at once; exactly one of them is the first.
func TestGuardFailsOnce(t *testing.T) {
	guard := engine.NewGuard(&enginetest.ReferenceBackend{})
	var first atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			guard.Refuse(engine.OpAdd, engine.F32, "no")
			if guard.Fail(errors.New("it smokes")) {
				first.Add(1)
			}
		})
	}
	wg.Wait()
	if first.Load() != 1 {
		t.Errorf("%d were the first", first.Load())
	}
}

// TestGuardWatches: the backend works as long as one arena was not waited for, whoever
// waits for another one meanwhile.
func TestGuardWatches(t *testing.T) {
	var told []bool
	g := engine.NewGuard(&enginetest.ReferenceBackend{})
	g.Watch = func(working bool) { told = append(told, working) }
	var arenas [2]engine.Buffer
	for i := range arenas {
		var err error
		if arenas[i], err = g.Alloc(64); err != nil {
			t.Fatal(err)
		}
		if err := g.Submit(t.Context(), arenas[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range [][]bool{{true}, {true, false}, {true, false}} {
		if err := g.Wait(t.Context(), arenas[min(i, 1)]); err != nil || !slices.Equal(told, want) {
			t.Errorf("wait %d: told %v, want %v; %v", i, told, want, err)
		}
	}
}
