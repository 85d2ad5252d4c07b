package cudabackend

import (
	"fmt"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// TestFeedOnCard compares the two products of a layer that are one launch (own/cu/feed.cu) with the
// reference, on a real card.
func TestFeedOnCard(t *testing.T) {
	b := card(t)
	b.shaper.Processors = 1 // however few rows there are, one launch does
	for n, c := range []struct {
		rows, between int
		weights       engine.DType
		activation    engine.Activation
		bias          bool
		growing       bool // later values between are larger
	}{
		{1300, 1536, engine.F16, engine.GELU, true, false},
		{257, 1536, engine.F16, engine.GELU, true, true},
		{128, 64, engine.F16, engine.ReLU, false, false},
		{200, 384, engine.F16, engine.None, true, true},
		{300, 1024, engine.Q8_0, engine.SiLU, true, false},
	} {
		t.Run(fmt.Sprintf("%d rows of %d, %s", c.rows, c.between, c.weights), func(t *testing.T) {
			g := engine.NewGraph()
			defer g.Close()
			g.Rounds = true
			values := enginetest.Random(uint64(n), c.rows*384)
			for i := range values[:384] { // a row of small ones
				values[i] *= 1e-4
			}
			values[5*384+7] = 3000
			x := g.Floats("x", c.rows, values)
			weight := func(d engine.DType, rows, cols int, scale float32) *engine.Tensor {
				return enginetest.RandomWeight("w", d, rows, cols, scale, uint64(10*n+rows))
			}
			var bias1, bias2 *engine.Tensor
			if c.bias {
				bias1, bias2 = weight(engine.F32, 1, c.between, 1), weight(engine.F32, 1, 384, 1)
			}
			if c.growing {
				bias1 = grown(c.between)
			}
			between := g.Linear(x, weight(c.weights, c.between, 384, 0.05), bias1, c.activation)
			y := g.Want(g.Linear(between, weight(c.weights, 384, c.between, 0.05), bias2, engine.None))
			const allowed = 1e-6 // two roundings to halves
			if off := errorOnCard(t, b, g, y); c.weights == engine.F16 && off > allowed || off > 5e-4 {
				t.Errorf("the normalized mean squared error is %.2g", off)
			} else {
				t.Logf("the normalized mean squared error is %.2g", off)
			}
			if !launched(b, "own_feed_") {
				t.Error("the two were launched apart")
			}
		})
	}
}

// grown is a bias whose values grow by a factor of a million.
func grown(cols int) *engine.Tensor {
	values := make([]float32, cols)
	for i := range values {
		values[i] = float32(i*i*i) * 1e6 / float32(cols) / float32(cols) / float32(cols)
	}
	return enginetest.Weight("grown", engine.F32, 1, cols, values)
}

// TestRowsOnCard compares products whose blocks keep their rows of x (own/cu/rows.cu) with the
// reference, on a real card.
func TestRowsOnCard(t *testing.T) {
	b := card(t)
	b.shaper.Processors = 1
	for n, c := range []struct {
		rows, out  int
		weights    engine.DType
		activation engine.Activation
	}{
		{300, 384, engine.F16, engine.None},
		{128, 1000, engine.F16, engine.GELU},
		{129, 65, engine.F16, engine.Tanh},
		{200, 64, engine.Q8_0, engine.None},
		{90, 33, engine.F16, engine.None},
	} {
		t.Run(fmt.Sprintf("%d rows, %d columns, %s", c.rows, c.out, c.weights), func(t *testing.T) {
			g := engine.NewGraph()
			defer g.Close()
			g.Rounds = true
			x := g.Floats("x", c.rows, enginetest.Random(uint64(n), c.rows*384))
			w := enginetest.RandomWeight("w", c.weights, c.out, 384, 0.05, uint64(n))
			y := g.Want(g.Linear(x, w, enginetest.RandomWeight("bias", engine.F32, 1, c.out, 1, uint64(n)), c.activation))
			if off := errorOnCard(t, b, g, y); c.weights == engine.F16 && off > 1e-6 || off > 5e-4 {
				t.Errorf("the normalized mean squared error is %.2g", off)
			}
			if !launched(b, "own_rows_") {
				t.Error("another kernel was launched")
			}
		})
	}
}
