package engine_test

import (
	"context"
	"errors"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// following notes which operations a backend is given.
type following struct {
	*counted
	ops []engine.Op
}

func follow(id string) *following { return &following{counted: newCounted(id)} }

func (f *following) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	for _, op := range ops {
		f.ops = append(f.ops, op.Op)
	}
	return f.counted.Submit(ctx, arena, ops)
}

// given returns how many operations of a kind there were since it was last asked, and forgets all.
func (f *following) given(kind engine.Op) (n int) {
	for _, op := range f.ops {
		if op == kind {
			n++
		}
	}
	f.ops = nil
	return n
}

// projection has a product of constants, which passes may keep, and adds it to what each pass reads.
type projection struct{ w *engine.Tensor }

func newProjection() projection {
	return projection{enginetest.RandomWeight("w", engine.F32, 24, 16, 0.5, 3)}
}

// record records a pass over values of 24 columns, with a product of which n rows are kept under key.
func (p projection) record(g *engine.Graph, key any, n int, values ...float32) *engine.Tensor {
	constant := make([]float32, 16*n)
	for i := range constant {
		constant[i] = float32(i%7) - 3
	}
	scaled := g.Scale(g.Floats("constant", n, constant), 0.5)
	kept := g.Keep(g.Linear(scaled, p.w, nil, engine.None), key)
	x := make([]float32, 24*n)
	for i := range x {
		x[i] = values[i%len(values)]
	}
	y := g.L2Normalize(g.Add(g.Floats("x", n, x), kept))
	return g.Want(g.Add(y, y))
}

// check compares a pass with the reference, and returns how many products the backend computed for it.
func (p projection) check(t *testing.T, g *engine.Graph, f *following, record func() *engine.Tensor, others ...engine.Backend) int {
	t.Helper()
	g.Reset()
	f.given(engine.OpLinear)
	y := record()
	want, err := enginetest.Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	runs(t, g, append([]engine.Backend{f}, others...)...)
	if d := enginetest.Difference(resultsOf(t, g, []*engine.Tensor{y})[0], want[y].Values); d > 1e-5 {
		t.Errorf("the result is off by %g", d)
	}
	return f.given(engine.OpLinear)
}

// TestKeep: a value that is kept is computed once, together with what only it needs, and again
// whenever something else may have been written in its place.
func TestKeep(t *testing.T) {
	g, f, p := newGraph(t), follow("cpu"), newProjection()
	type key struct{ n int }
	pass := func(n int, values ...float32) func() *engine.Tensor {
		return func() *engine.Tensor { return p.record(g, key{n}, n, values...) }
	}
	step := func(say string, want int, record func() *engine.Tensor) {
		t.Helper()
		if got := p.check(t, g, f, record); got != want {
			t.Errorf("%s: %d products, want %d", say, got, want)
		}
	}
	step("the first pass", 1, pass(4, 1, 2, 3))
	if !g.Kept(key{4}) || g.Kept(key{5}) {
		t.Error("the value is not kept under its key alone")
	}
	step("other values", 0, pass(4, 5, -6))
	step("once more", 0, pass(4, 7))
	step("another key", 1, pass(5, 1, 2))
	step("the first key again", 1, pass(4, 1, 2))
	step("a larger pass beside it", 1, func() *engine.Tensor {
		g.Want(g.Scale(g.Floats("large", 300, make([]float32, 30000)), 2))
		return p.record(g, key{4}, 4, 1, 2)
	})
	step("and a small one", 0, pass(4, 3))
	step("a pass that keeps nothing", 0, func() *engine.Tensor { return g.Want(g.Scale(g.Floats("x", 8, make([]float32, 800)), 2)) })
	step("after it", 1, pass(4, 3))
	step("wanted itself", 0, func() *engine.Tensor {
		p.record(g, key{4}, 4, 3)
		return g.Want(g.Ops()[1])
	})
}

// TestKeepAfterFailure: what a pass that failed has left is not used.
func TestKeepAfterFailure(t *testing.T) {
	g, f, p := newGraph(t), follow("cpu"), newProjection()
	pass := func() *engine.Tensor { return p.record(g, "key", 4, 1, 2) }
	p.check(t, g, f, pass)
	g.Reset()
	pass()
	f.onSubmit = func() error { return errors.New("no power") }
	if _, err := g.Run(t.Context(), f); err == nil {
		t.Fatal("the run succeeds")
	}
	f.onSubmit = nil
	if got := p.check(t, g, f, pass); got != 1 {
		t.Errorf("%d products after a failure", got)
	}
}

// TestKeepOnTwoDevices: a device that has a value hands it to another, and a value of one that
// takes no part any more is computed anew.
func TestKeepOnTwoDevices(t *testing.T) {
	g, first, second, p := newGraph(t), follow("gpu"), follow("cpu"), newProjection()
	first.Refuses = []engine.Op{engine.OpAdd}
	for i := range 3 {
		got := p.check(t, g, first, func() *engine.Tensor { return p.record(g, "key", 4, float32(i), 2) }, second)
		if want := max(0, 1-i); got != want {
			t.Errorf("pass %d: %d products, want %d", i, got, want)
		}
	}
	if got := p.check(t, g, second, func() *engine.Tensor { return p.record(g, "key", 4, 9) }); got != 1 {
		t.Errorf("on another device alone: %d products", got)
	}
	if got := p.check(t, g, first, func() *engine.Tensor { return p.record(g, "key", 4, 8) }, second); got != 1 {
		t.Errorf("back on both: %d products", got)
	}
}
