package lower

import (
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

func TestApart(t *testing.T) {
	at := func(offset int) *engine.Tensor {
		return &engine.Tensor{Op: engine.OpAdd, Rows: 4, Cols: 16, Offset: offset} // 256 bytes
	}
	for _, c := range []struct {
		a, b int
		want bool
	}{{0, 0, false}, {512, 512, false}, {0, 256, true}, {256, 0, true}, {0, 1024, true}, {0, 64, false}, {64, 0, false}, {0, 192, false}} {
		if got := apart(at(c.a), at(c.b)); got != c.want {
			t.Errorf("256 bytes at %d and at %d: %v", c.a, c.b, got)
		}
	}
}

// norms records both kinds of norm that follow an addition.
var norms = map[string]func(g *engine.Graph, x, w *engine.Tensor) *engine.Tensor{
	"rms_norm": func(g *engine.Graph, x, w *engine.Tensor) *engine.Tensor {
		return g.RMSNorm(x, w, engine.RMSNormParams{Epsilon: 1e-5, Offset: 1})
	},
	"layer_norm": func(g *engine.Graph, x, w *engine.Tensor) *engine.Tensor { return g.LayerNorm(x, nil, w, w, 1e-5) },
}

// Add and a norm give the same bits in one dispatch as in two.
func TestAddNorm(t *testing.T) {
	for name, record := range norms {
		for _, cols := range []int{1, 7, 32, 385, 2048} {
			d := emulated(t)
			w := enginetest.RandomWeight("w", engine.BF16, 1, cols, 1, 3)
			defer w.Release()
			g := engine.NewGraph()
			defer g.Close()
			x, residual := enginetest.Random(1, 3*cols), enginetest.Random(2, 3*cols)
			sum := g.Want(g.Add(g.Floats("x", 3, x), g.Floats("residual", 3, residual)))
			norm := g.Want(record(g, sum, w))
			sums, fused := results(t, g, d, sum), results(t, g, d, norm)
			for i, v := range sums {
				if v != x[i]+residual[i] {
					t.Fatalf("%s of %d columns: %v and %v make %v", name, cols, x[i], residual[i], v)
				}
			}
			if n := d.dispatches; n != 2 {
				t.Errorf("%s of %d columns: %d dispatches for two runs", name, cols, n)
			}

			alone := engine.NewGraph()
			defer alone.Close()
			again := alone.Want(record(alone, alone.Floats("sum", 3, sums), w))
			if !slices.Equal(fused, results(t, alone, d, again)) {
				t.Errorf("%s of %d columns: after an addition it differs from the norm alone", name, cols)
			}
		}
	}
}

// Operations are not fused where another one reads the memory between them, or where
// the norm is not over the rows of the sum.
func TestAddNormApart(t *testing.T) {
	w := engine.NewWeight("w", engine.F32, 1, 64, nil)
	head := engine.NewWeight("head", engine.F32, 1, 16, nil)
	g := engine.NewGraph()
	defer g.Close()
	x, y := g.Floats("x", 2, make([]float32, 128)), g.Floats("y", 2, make([]float32, 128))
	sum := g.Add(x, y)
	x.Offset, y.Offset, sum.Offset = 0, 512, 1024
	fuses := func(a, b *engine.Tensor) bool {
		ops := []*engine.Tensor{a, b}
		return fusesAddRMSNorm(ops) || fusesAddLayerNorm(ops)
	}
	for name, record := range norms {
		norm, other := record(g, sum, w), record(g, x, w)
		norm.Offset, other.Offset = 1536, 1536
		if !fuses(sum, norm) {
			t.Errorf("an Add and the %s of its sum are not fused", name)
		}
		if fuses(sum, other) || fuses(norm, sum) {
			t.Errorf("an Add and a %s of something else are fused", name)
		}
		for _, offset := range []int{0, 64, 512} {
			if norm.Offset = offset; fuses(sum, norm) {
				t.Errorf("a %s is written at %d over rows that the same dispatch reads", name, offset)
			}
		}
	}
	if fuses(sum, g.RMSNorm(sum, head, engine.RMSNormParams{})) || fuses(sum, g.LayerNorm(sum, x, w, nil, 0)) {
		t.Error("a norm per head or with a residual of its own is fused")
	}
}
