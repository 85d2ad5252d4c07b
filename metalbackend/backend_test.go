package metalbackend

import (
	"context"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// open makes a backend over a fake runtime. When the test ends, the fake must have no
// objections.
func open(t testing.TB, f fake.Options, o Options) (*Backend, *fake.Fake) {
	t.Helper()
	rt, err := fake.New(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(rt, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left := rt.Leaks(); len(left) > 0 {
			t.Errorf("not given back: %v", left)
		}
	})
	return b, rt
}

// release frees the weights and caches of a graph.
func release(t testing.TB, g *engine.Graph) {
	t.Helper()
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil && (s.Op == engine.OpWeight || s.Op == engine.OpCache) {
				if err := s.Release(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// Every dispatch of an encoder has its arguments and its barriers; otherwise the fake
// objects.
func TestEncoder(t *testing.T) {
	b, rt := open(t, fake.Options{Name: "test"}, Options{})
	g := engine.NewGraph()
	defer release(t, g)
	x := g.Floats("x", 9, enginetest.Random(5, 9*40))
	for i := range 6 {
		w := enginetest.RandomWeight("w", engine.F16, 40, 40, 0.2, uint64(i))
		x = g.Add(x, g.Linear(x, w, nil, engine.SiLU))
	}
	g.Want(x)
	if _, err := g.Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", rt.Stats())
}
