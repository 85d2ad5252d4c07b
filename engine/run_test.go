package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// counted notes what a graph asks of its backend and can fail in its place.
type counted struct {
	*enginetest.ReferenceBackend
	allocs, open, submits, prepares int
	writes                          int // values copied into its arenas
	onSubmit                        func() error
	allocError, prepareError        error
}

// countedBuffer is an arena of a counted backend.
type countedBuffer struct {
	engine.Buffer
	of *counted
}

func (b countedBuffer) WriteAt(p []byte, off int64) (int, error) {
	b.of.writes++
	return b.Buffer.WriteAt(p, off)
}

func (b countedBuffer) Close() error {
	b.of.open--
	return b.Buffer.Close()
}

func newCounted(id string) *counted {
	return &counted{ReferenceBackend: &enginetest.ReferenceBackend{ID: id}}
}

func (c *counted) Alloc(bytes int) (engine.Buffer, error) {
	c.allocs++
	if c.allocError != nil {
		return nil, c.allocError
	}
	buffer, err := c.ReferenceBackend.Alloc(bytes)
	c.open++
	return countedBuffer{buffer, c}, err
}

func (c *counted) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	c.submits++
	if c.onSubmit != nil {
		if err := c.onSubmit(); err != nil {
			return err
		}
	}
	return c.ReferenceBackend.Submit(ctx, arena.(countedBuffer).Buffer, ops)
}

func (c *counted) Prepare(ctx context.Context, op *engine.Tensor) error {
	c.prepares++
	if c.prepareError != nil {
		return c.prepareError
	}
	return c.ReferenceBackend.Prepare(ctx, op)
}

// small is a graph with every kind of operation.
func small(g *engine.Graph) []*engine.Tensor {
	results := enginetest.Encoder{Layers: 2, Hidden: 24, Heads: 2, Inner: 40, Vocab: 30, Buckets: 8}.Record(g, 3, 1, 6)
	last := g.Rows(results[1], g.Ints("last", []int32{9, 0, 9}))
	return append(results, g.Want(g.Add(last, last)))
}

func newGraph(t *testing.T) *engine.Graph {
	g := engine.NewGraph()
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func resultsOf(t *testing.T, g *engine.Graph, tensors []*engine.Tensor) [][]float32 {
	t.Helper()
	out := make([][]float32, len(tensors))
	for i, r := range tensors {
		var err error
		if out[i], err = g.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func runs(t *testing.T, g *engine.Graph, bs ...engine.Backend) engine.Report {
	t.Helper()
	report, err := g.Run(t.Context(), bs...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// One backend runs the whole graph in one submission and gives the reference's values.
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

// Wherever the graph is cut, and whatever the devices' memories are, the
// result has the same bits as on one backend.
func TestSplitEqualsWhole(t *testing.T) {
	g := newGraph(t)
	results := small(g)
	runs(t, g, &enginetest.ReferenceBackend{})
	want := resultsOf(t, g, results)

	refusals := [][]engine.Op{nil, engine.Ops()}
	for _, op := range engine.Ops() {
		refusals = append(refusals, []engine.Op{op})
		for _, other := range engine.Ops() {
			if op < other {
				refusals = append(refusals, []engine.Op{op, other})
			}
		}
	}
	for _, refused := range refusals {
		for _, memory := range []struct{ discrete, async bool }{{false, false}, {true, false}, {true, true}} {
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

// handovers counts how often the work changes sides.
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

// A value made on one device, used on the other, and used again on the first
// is copied across once; inputs go to both.
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
	if gpu.writes != 3 || cpu.writes != 2 { // x, across and end; made and both
		t.Errorf("%d values copied to the gpu, %d to the cpu", gpu.writes, cpu.writes)
	}
}

// slow delays each run of operations, so that whatever does not wait for a
// device overtakes it.
type slow struct {
	*enginetest.ReferenceBackend
	pending chan struct{}
}

func (s *slow) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	before, done := s.pending, make(chan struct{})
	s.pending = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		time.Sleep(20 * time.Millisecond)
		_ = s.ReferenceBackend.Submit(ctx, arena, ops)
	}()
	return nil
}

func (s *slow) Wait(ctx context.Context) error {
	if s.pending == nil {
		return nil
	}
	select {
	case <-s.pending:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A device that is still busy must not find its operands overwritten by a
// value that is brought in for its next run into the same bytes.
func TestBusyDeviceIsNotWrittenTo(t *testing.T) {
	g := newGraph(t)
	short := g.Floats("short", 2, enginetest.Random(1, 2*64))
	long := g.Floats("long", 2, enginetest.Random(2, 2*64))
	dead := g.L2Normalize(g.Add(short, short)) // gpu: slow; its operands die here
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

// An operation that no device has a kernel for is one clear sentence, before
// anything runs.
func TestRefusedEverywhere(t *testing.T) {
	for _, op := range engine.Ops() {
		g := newGraph(t)
		small(g)
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

// A graph that has no results yet, or none any more, says so.
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

// A file cut short is an error that names the weight.
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

// When Run returns because its context ended, the device has stopped, too:
// the arena may be freed.
func TestCancelWaitsForTheDevice(t *testing.T) {
	g := newGraph(t)
	x := g.Floats("x", 2, enginetest.Random(1, 128))
	for range 20 {
		x = g.Add(x, x)
	}
	g.Want(x)
	gpu := &slow{ReferenceBackend: &enginetest.ReferenceBackend{ID: "gpu"}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := g.Run(ctx, gpu); !errors.Is(err, context.DeadlineExceeded) {
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

// The arena grows with the graph and is kept by Reset; another list of
// backends gets arenas of its own.
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
		{8, []engine.Backend{a, b}, 3, 0}, // b has nothing to do and gets nothing
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

// Prepare reads each operation's weights on the device that will run it and
// counts the bytes of all of them.
func TestPrepare(t *testing.T) {
	g := newGraph(t)
	small(g)
	var total int64
	withWeights := 0
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
	if cpu.prepares != 2 || gpu.prepares < withWeights-2 {
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

// The arena of MiniLM for 512 tokens, against all activations one after the other.
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
	// x, the inner layer and its result are the most that is alive together
	if limit := 512 * (1536 + 2*384 + 16) * 4; report.ArenaBytes > limit {
		t.Errorf("the arena takes %d bytes, %d would do", report.ArenaBytes, limit)
	}
}
