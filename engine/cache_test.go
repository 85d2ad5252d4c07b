package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// chunk is a pass of some rows of one text over a pair of caches.
type chunk struct{ past, rows int }

// text is a text that chunks are cut from: 2 heads of 4 columns over one head of keys and values.
type text struct{ keys, values *engine.Tensor }

func newText(d engine.DType) text {
	return text{engine.NewCache("layer.0.keys", d, 16, 4), engine.NewCache("layer.0.values", d, 16, 4)}
}

func (x text) record(g *engine.Graph, c chunk) *engine.Tensor {
	part := func(name string, seed uint64, cols int) *engine.Tensor {
		return g.Floats(name, c.rows, enginetest.Random(seed, 16*cols)[c.past*cols:(c.past+c.rows)*cols])
	}
	return g.CausalAttention(part("q", 1, 8), part("k", 2, 4), part("v", 3, 4), x.keys, x.values,
		g.Ints("past", []int32{int32(c.past)}), engine.CausalAttentionParams{Heads: 2, KVHeads: 1, Scale: 0.5})
}

// run records a chunk in its own graph and returns its result, wanted or not.
func (x text) run(t *testing.T, c chunk, bs ...engine.Backend) []float32 {
	t.Helper()
	g := newGraph(t)
	y := g.Want(x.record(g, c))
	runs(t, g, bs...)
	return resultsOf(t, g, []*engine.Tensor{y})[0]
}

// A text has the same results in one pass and in many, each in its own graph,
// whatever memory the device has.
func TestCachesOutliveGraphs(t *testing.T) {
	for _, d := range []engine.DType{engine.F32, engine.F16} {
		want := newText(d).run(t, chunk{0, 10}, &enginetest.ReferenceBackend{})
		for _, b := range []*enginetest.ReferenceBackend{{}, {Discrete: true}, {Discrete: true, Async: true}} {
			x := newText(d)
			var got []float32
			for _, c := range []chunk{{0, 4}, {4, 1}, {5, 3}, {8, 2}} {
				got = append(got, x.run(t, c, b)...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: passes after one another differ from one pass", d)
			}
			if again := x.run(t, chunk{8, 2}, b); !slices.Equal(again, want[8*8:]) {
				t.Errorf("%s: the last pass differs when repeated", d)
			}
			if err := errors.Join(x.keys.Release(), x.values.Release()); err != nil {
				t.Error(err)
			}
			if first := x.run(t, chunk{8, 2}, b); slices.Equal(first, want[8*8:]) {
				t.Errorf("%s: a released cache still holds something", d)
			}
		}
	}
}

// An operation that fills a cache runs even if its result is not wanted.
func TestUnwantedResultsStillFillCaches(t *testing.T) {
	b := &enginetest.ReferenceBackend{}
	want := newText(engine.F32).run(t, chunk{0, 10}, b)
	x := newText(engine.F32)
	g := newGraph(t)
	x.record(g, chunk{0, 6})
	x.record(g, chunk{6, 3})
	runs(t, g, b)
	g.Reset()
	y := g.Want(x.record(g, chunk{9, 1}))
	runs(t, g, b)
	if got := resultsOf(t, g, []*engine.Tensor{y})[0]; !slices.Equal(got, want[9*8:]) {
		t.Error("the passes before left nothing")
	}
}

// Caches are not part of the arena, and Coverage makes none.
func TestCachesTakeNoArena(t *testing.T) {
	arena := func(capacity int) int {
		x := text{engine.NewCache("keys", engine.F32, capacity, 4), engine.NewCache("values", engine.F32, capacity, 4)}
		g := newGraph(t)
		x.record(g, chunk{0, 4})
		report, err := g.Coverage(&enginetest.ReferenceBackend{ID: "gpu"})
		if err != nil {
			t.Fatal(err)
		}
		runs(t, g, &enginetest.ReferenceBackend{ID: "cpu"}) // it is not bound to the gpu
		return report.ArenaBytes
	}
	if few, many := arena(4), arena(1<<20); few != many {
		t.Errorf("the arena takes %d bytes with small caches, %d with large ones", few, many)
	}
}

// A cache lives where the first operation that uses it runs; later operations
// follow it there, and the report says so.
func TestOperationsFollowTheirCache(t *testing.T) {
	want := newText(engine.F16).run(t, chunk{0, 8}, &enginetest.ReferenceBackend{})
	refusing := &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpCausalAttention}}
	able := &enginetest.ReferenceBackend{ID: "gpu"}
	cpu := &enginetest.ReferenceBackend{ID: "cpu"}

	x := newText(engine.F16)
	if got := x.run(t, chunk{0, 5}, refusing, cpu); !slices.Equal(got, want[:5*8]) {
		t.Error("the first pass differs")
	}
	g := newGraph(t)
	y := g.Want(x.record(g, chunk{5, 3}))
	report := runs(t, g, able, cpu)
	if got := resultsOf(t, g, []*engine.Tensor{y})[0]; !slices.Equal(got, want[5*8:]) {
		t.Error("the second pass differs")
	}
	p := report.Placements[0]
	if p.Device != "cpu" || p.DType != engine.F16 {
		t.Errorf("the second pass ran on %s in %s", p.Device, p.DType)
	}
	if fs := report.Fallbacks(); len(fs) != 1 || fs[0].Device != "gpu" || !strings.Contains(fs[0].Reason, "lives on cpu") {
		t.Errorf("fallbacks: %+v", fs)
	}

	away := newCounted("gpu")
	if _, err := g.Run(t.Context(), away); err == nil || !strings.Contains(err.Error(), "lives on cpu") || !strings.Contains(err.Error(), "no part") {
		t.Errorf("a run without the cache's device gives %v", err)
	}
	if away.submits != 0 {
		t.Error("something ran")
	}
	cpu.Refuses = []engine.Op{engine.OpCausalAttention}
	if _, err := g.Run(t.Context(), able, cpu); !errors.Is(err, engine.ErrNoKernel) {
		t.Errorf("a cache on a device that has no kernel gives %v", err)
	}
	if err := errors.Join(x.keys.Release(), x.values.Release()); err != nil {
		t.Fatal(err)
	}
	if got := x.run(t, chunk{0, 8}, able, cpu); !slices.Equal(got, want) {
		t.Error("a released cache does not move")
	}
}

// fewRows is a backend whose attention takes one row only.
type fewRows struct{ *enginetest.ReferenceBackend }

func (b fewRows) Supports(op *engine.Tensor) error {
	if op.Op == engine.OpCausalAttention && op.Rows > 1 {
		return fmt.Errorf("%d rows: %w", op.Rows, engine.ErrNoKernel)
	}
	return b.ReferenceBackend.Supports(op)
}

// All operations on a cache run on one device, which has kernels for all of them.
func TestOperationsOnACacheStayTogether(t *testing.T) {
	want := newText(engine.F32).run(t, chunk{0, 8}, &enginetest.ReferenceBackend{})
	gpu, cpu := fewRows{&enginetest.ReferenceBackend{ID: "gpu"}}, &enginetest.ReferenceBackend{ID: "cpu"}
	g := newGraph(t)
	x, other := newText(engine.F32), newText(engine.F32)
	first := g.Want(x.record(g, chunk{0, 1})) // the gpu could do this one
	rest := g.Want(x.record(g, chunk{1, 7}))
	alone := g.Want(other.record(g, chunk{0, 1}))
	report := runs(t, g, gpu, cpu)
	got := resultsOf(t, g, []*engine.Tensor{first, rest, alone})
	if !slices.Equal(append(got[0], got[1]...), want) || !slices.Equal(got[2], want[:8]) {
		t.Error("the results differ")
	}
	for i, device := range []string{"cpu", "cpu", "gpu"} {
		if p := report.Placements[i]; p.Device != device {
			t.Errorf("operation %d ran on %s, want %s", i, p.Device, device)
		}
	}
}

// A pass that failed half-way can be made again.
func TestFailedPassIsRepeated(t *testing.T) {
	b := newCounted("cpu")
	x := newText(engine.F32)
	want := newText(engine.F32).run(t, chunk{0, 8}, &enginetest.ReferenceBackend{})
	x.run(t, chunk{0, 3}, b)
	g := newGraph(t)
	y := g.Want(x.record(g, chunk{3, 5}))
	broken := errors.New("it smokes")
	b.onSubmit = func() error { return broken }
	if _, err := g.Run(t.Context(), b); !errors.Is(err, broken) {
		t.Fatalf("Run: %v", err)
	}
	b.onSubmit = nil
	runs(t, g, b)
	if got := resultsOf(t, g, []*engine.Tensor{y})[0]; !slices.Equal(got, want[3*8:]) {
		t.Error("the second try differs")
	}
}

// memory records when it is closed.
type memory struct {
	engine.Buffer
	layout
}

func (m *memory) Close() error { return m.layout.Close() }

func TestCacheMemory(t *testing.T) {
	c := engine.NewCache("keys", engine.Q8_0, 10, 64)
	full := errors.New("no memory left")
	if _, err := c.Memory("gpu", func(int) (engine.Buffer, error) { return nil, full }); !errors.Is(err, full) || !strings.Contains(err.Error(), "keys") {
		t.Errorf("a failed allocation gives %v", err)
	}
	m := &memory{}
	made := 0
	alloc := func(bytes int) (engine.Buffer, error) {
		made++
		if bytes != 10*2*34 {
			t.Errorf("%d bytes are asked for", bytes)
		}
		return m, nil
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if got, err := c.Memory("cpu", alloc); err != nil || got != engine.Buffer(m) {
				t.Errorf("Memory gives %v, %v", got, err)
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("the memory was made %d times", made)
	}
	if _, err := c.Memory("gpu", alloc); err == nil || !strings.Contains(err.Error(), "lives on cpu, not on gpu") {
		t.Errorf("another device gets %v", err)
	}
	m.err = errors.New("stuck")
	if err := c.Release(); !errors.Is(err, m.err) {
		t.Errorf("Release: %v", err)
	}
	if err := c.Release(); err != nil || m.closed != 1 {
		t.Errorf("a second Release: %v, closed %d times", err, m.closed)
	}
	if _, err := c.Memory("gpu", alloc); err != nil || made != 2 {
		t.Errorf("after Release: %v, made %d times", err, made)
	}
}

func TestOnlyCachesHaveMemory(t *testing.T) {
	m := newMaterial()
	for _, x := range []*engine.Tensor{m.x, m.w} {
		if _, err := x.Memory("cpu", nil); err == nil || !strings.Contains(err.Error(), "not a cache") {
			t.Errorf("%s has memory: %v", x.Name, err)
		}
	}
	c := engine.NewCache("keys", engine.F16, 10, 64)
	if _, err := c.Prepared("cpu", nil); err == nil || !strings.Contains(err.Error(), "not a weight") {
		t.Errorf("a cache is prepared: %v", err)
	}
	if c.Source() != nil || c.InputBytes() != nil || c.Bytes() != 10*64*2 {
		t.Errorf("a cache has a source, input bytes or %d bytes", c.Bytes())
	}
}
