package engine_test

import (
	"testing"

	"inglenook/engine"
)

// TestResultsPassAfterPass: each pass returns its own values, of any size, in reused
// memory.
func TestResultsPassAfterPass(t *testing.T) {
	g := newGraph(t)
	b := newCounted("cpu")
	var all []float32
	pass := func(n int, value float32) {
		g.Reset()
		v := make([]float32, n)
		for i := range v {
			v[i] = value
		}
		x := g.Want(g.Scale(g.Floats("x", 1, v), 2))
		runs(t, g, b)
		var err error
		if all, err = g.AppendResult(all[:0], x); err != nil {
			t.Fatal(err)
		}
		if len(all) != n || all[0] != 2*value || all[n-1] != 2*value {
			t.Errorf("%d values of %v give %d of %v", n, value, len(all), all[0])
		}
	}
	for i, n := range []int{1000, 10, 1000, 4000, 1, 1000} {
		pass(n, float32(i+1))
	}

	var none *engine.Tensor
	if _, err := g.AppendResult(nil, none); err == nil {
		t.Error("nothing has a result")
	}
}
