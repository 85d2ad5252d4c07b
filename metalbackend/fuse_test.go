package metalbackend

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

func TestSameOrApart(t *testing.T) {
	at := func(offset int) *engine.Tensor {
		return &engine.Tensor{Op: engine.OpAdd, Rows: 4, Cols: 16, Offset: offset} // 256 bytes
	}
	for _, c := range []struct {
		a, b int
		want bool
	}{{0, 0, true}, {512, 512, true}, {0, 256, true}, {256, 0, true}, {0, 1024, true}, {0, 64, false}, {64, 0, false}, {0, 192, false}} {
		if got := sameOrApart(at(c.a), at(c.b)); got != c.want {
			t.Errorf("256 bytes at %d and at %d: %v", c.a, c.b, got)
		}
	}
}

// Add and RMSNorm give the same bits in one dispatch as in two.
func TestAddRMSNorm(t *testing.T) {
	for _, cols := range []int{1, 7, 32, 385, 2048} {
		b, rt := open(t, fake.Options{Name: "test", Executor: emulate(t)}, Options{})
		w := enginetest.RandomWeight("w", engine.BF16, 1, cols, 1, 3)
		defer w.Release()
		p := engine.RMSNormParams{Epsilon: 1e-5, Offset: 1}

		g := engine.NewGraph()
		defer g.Close()
		sum := g.Want(g.Add(g.Floats("x", 3, enginetest.Random(1, 3*cols)), g.Floats("residual", 3, enginetest.Random(2, 3*cols))))
		norm := g.Want(g.RMSNorm(sum, w, p))
		sums, norms := results(t, g, b, sum), results(t, g, b, norm)
		if n := rt.Stats().Dispatches; n != 2 {
			t.Errorf("%d columns: %d dispatches for two runs", cols, n)
		}

		alone := engine.NewGraph()
		defer alone.Close()
		again := alone.Want(alone.RMSNorm(alone.Floats("sum", 3, sums), w, p))
		if !slices.Equal(norms, results(t, alone, b, again)) {
			t.Errorf("%d columns: the norm after an addition differs from the norm alone", cols)
		}
	}
}

// What could meet another value half-way, or is no neighbour, is not fused.
func TestAddRMSNormApart(t *testing.T) {
	w := engine.NewWeight("w", engine.F32, 1, 64, nil)
	head := engine.NewWeight("head", engine.F32, 1, 16, nil)
	g := engine.NewGraph()
	defer g.Close()
	x, y := g.Floats("x", 2, make([]float32, 128)), g.Floats("y", 2, make([]float32, 128))
	sum := g.Add(x, y)
	norm, heads, other := g.RMSNorm(sum, w, engine.RMSNormParams{}), g.RMSNorm(sum, head, engine.RMSNormParams{}), g.RMSNorm(x, w, engine.RMSNormParams{})
	x.Offset, y.Offset, sum.Offset, norm.Offset = 0, 512, 1024, 1536
	if !fusesAddRMSNorm(sum, norm) {
		t.Error("an Add and the norm of its sum are not fused")
	}
	if fusesAddRMSNorm(sum, heads) || fusesAddRMSNorm(sum, other) || fusesAddRMSNorm(norm, sum) {
		t.Error("operations are fused that are not the norm of rows of a sum")
	}
	if norm.Offset = 64; fusesAddRMSNorm(sum, norm) {
		t.Error("a norm is written over rows of x that other threadgroups still read")
	}
}
