package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// Wherever the graph is cut, and whether or not devices share memory, the result has
// the same bits as on one backend.
func TestSplitEqualsWhole(t *testing.T) {
	g := newGraph(t)
	results := small(g)
	runs(t, g, &enginetest.ReferenceBackend{})
	want := resultsOf(t, g, results)

	var used []engine.Op
	for _, x := range g.Ops() {
		if !slices.Contains(used, x.Op) {
			used = append(used, x.Op)
		}
	}
	refusals := [][]engine.Op{nil, used}
	for i, op := range used {
		refusals = append(refusals, []engine.Op{op})
		for _, other := range used[i+1:] {
			refusals = append(refusals, []engine.Op{op, other})
		}
	}
	for _, refused := range refusals {
		for _, memory := range []struct{ discrete, async bool }{{false, false}, {true, false}, {true, true}} {
			forget(t, g)
			gpu := &enginetest.ReferenceBackend{ID: "gpu", Refuses: refused, Discrete: memory.discrete, Async: memory.async}
			cpu := &enginetest.ReferenceBackend{ID: "cpu", Async: memory.async}
			report := runs(t, g, gpu, cpu)
			for i, got := range resultsOf(t, g, results) {
				if !slices.Equal(got, want[i]) {
					t.Errorf("gpu without %v %+v: result %d differs", refused, memory, i)
				}
			}
			if got := handovers(g, refused); report.Handovers != got {
				t.Errorf("gpu without %v: %d hand-overs, counted are %d", refused, report.Handovers, got)
			}
		}
	}
}

// handovers counts how often the work moves to another backend.
func handovers(g *engine.Graph, refused []engine.Op) (n int) {
	ops := g.Ops()
	for i := 1; i < len(ops); i++ {
		if slices.Contains(refused, ops[i].Op) != slices.Contains(refused, ops[i-1].Op) {
			n++
		}
	}
	return n
}

// Three devices, none of which can do it alone.
func TestSplitOverThree(t *testing.T) {
	g := newGraph(t)
	results := small(g)
	runs(t, g, &enginetest.ReferenceBackend{})
	want := resultsOf(t, g, results)
	forget(t, g)
	report := runs(t, g,
		&enginetest.ReferenceBackend{ID: "a", Discrete: true, Async: true, Refuses: []engine.Op{engine.OpLinear, engine.OpAttention, engine.OpPool}},
		&enginetest.ReferenceBackend{ID: "b", Discrete: true, Async: true, Refuses: []engine.Op{engine.OpAttention, engine.OpLayerNorm, engine.OpEmbed}},
		&enginetest.ReferenceBackend{ID: "c", Refuses: []engine.Op{engine.OpLinear, engine.OpPool, engine.OpEmbed}},
	)
	for i, got := range resultsOf(t, g, results) {
		if !slices.Equal(got, want[i]) {
			t.Errorf("result %d differs", i)
		}
	}
	devices := map[engine.Op]string{
		engine.OpEmbed: "a", engine.OpLinear: "b", engine.OpAttention: "c", engine.OpPool: "b", engine.OpRows: "a",
	}
	for _, p := range report.Placements {
		if want := devices[p.Op]; want != "" && p.Device != want {
			t.Errorf("%s runs on %s, want %s", p.Op, p.Device, want)
		}
	}
}

// A value that is made on one device, used on the other and used again on the first is
// copied once. Inputs go to both devices.
func TestValuesGoWhereTheyAreUsed(t *testing.T) {
	g := newGraph(t)
	x := g.Floats("x", 3, enginetest.Random(1, 9))
	made := g.Add(x, x)                     // gpu
	across := g.L2Normalize(made)           // cpu
	again := g.Add(made, x)                 // gpu
	both := g.Add(again, across)            // gpu
	end := g.L2Normalize(both)              // cpu
	late := g.Add(g.Add(end, made), across) // gpu, long after made was made
	results := []*engine.Tensor{g.Want(late), g.Want(made), g.Want(across)}
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	want, err := enginetest.Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	gpu, cpu := newCounted("gpu"), newCounted("cpu")
	gpu.Discrete, gpu.Async, gpu.Refuses = true, true, []engine.Op{engine.OpL2Normalize}
	report := runs(t, g, gpu, cpu)
	for i, got := range resultsOf(t, g, results) {
		if d := enginetest.Difference(got, want[results[i]].Values); d > 1e-6 {
			t.Errorf("result %d is off by %g", i, d)
		}
	}
	if report.Handovers != 4 {
		t.Errorf("%d hand-overs, want 4", report.Handovers)
	}
	if gpu.writes != 3 || cpu.writes != 2 { // to the gpu: x, across and end; to the cpu: made and both
		t.Errorf("%d values copied to the gpu, %d to the cpu", gpu.writes, cpu.writes)
	}
}

// The operands of a busy device must not be overwritten by a value that is copied in
// for its next run.
func TestBusyDeviceIsNotWrittenTo(t *testing.T) {
	g := newGraph(t)
	short := g.Floats("short", 2, enginetest.Random(1, 2*64))
	long := g.Floats("long", 2, enginetest.Random(2, 2*64))
	dead := g.L2Normalize(g.Add(short, short)) // gpu: slow; the last use of its operands
	brought := g.Rows(long, g.Ints("i", []int32{1, 0}))
	end := g.Want(g.Add(dead, brought))
	want, err := enginetest.Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	gpu := &slow{ReferenceBackend: &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpRows}}}
	runs(t, g, gpu, &enginetest.ReferenceBackend{ID: "cpu"})
	if brought.Offset >= short.Bytes()*3 {
		t.Fatalf("the test proves nothing: the value that is brought in lies at %d, on its own", brought.Offset)
	}
	got, err := g.Result(end)
	if err != nil {
		t.Fatal(err)
	}
	if d := enginetest.Difference(got, want[end].Values); d > 1e-6 {
		t.Errorf("the result is off by %g", d)
	}
}

// The arena grows with the graph and stays after Reset. Another list of backends gets
// its own arenas.
func TestArenaIsKept(t *testing.T) {
	g := newGraph(t)
	record := func(rows int) {
		g.Reset()
		g.Want(g.L2Normalize(g.Floats("x", rows, enginetest.Random(1, 64*rows))))
	}
	a, b := newCounted("a"), newCounted("b")
	for i, step := range []struct {
		rows            int
		bs              []engine.Backend
		allocsA, allocB int
	}{
		{8, []engine.Backend{a}, 1, 0},
		{8, []engine.Backend{a}, 1, 0},
		{2, []engine.Backend{a}, 1, 0},
		{40, []engine.Backend{a}, 2, 0},
		{8, []engine.Backend{a, b}, 3, 0}, // b runs nothing and needs no arena
		{8, []engine.Backend{b, a}, 3, 1},
		{8, []engine.Backend{b}, 3, 2},
		{8, []engine.Backend{a}, 4, 2},
	} {
		record(step.rows)
		runs(t, g, step.bs...)
		if a.allocs != step.allocsA || b.allocs != step.allocB {
			t.Errorf("step %d: %d and %d arenas so far, want %d and %d", i, a.allocs, b.allocs, step.allocsA, step.allocB)
		}
	}
	if a.open+b.open != 1 {
		t.Errorf("%d arenas are open", a.open+b.open)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if a.open+b.open != 0 {
		t.Errorf("%d arenas are open after Close", a.open+b.open)
	}
	record(3) // a closed graph may be used again
	runs(t, g, a)
	if a.allocs != 5 {
		t.Errorf("%d arenas after Close", a.allocs)
	}
}

// A failed allocation leaves the graph usable.
func TestAllocFailsOnce(t *testing.T) {
	g := newGraph(t)
	results := small(g)
	b := newCounted("cpu")
	b.allocError = errors.New("no memory")
	if _, err := g.Run(t.Context(), b); err == nil || !strings.Contains(err.Error(), "bytes for activations") {
		t.Errorf("Run: %v", err)
	}
	b.allocError = nil
	runs(t, g, b)
	resultsOf(t, g, results)
}
