package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"inglenook/engine"
)

// outlive runs a decoder's passes in one graph and in a graph each, and
// truncates its caches: the passes that follow must compute the same as the
// first time.
func outlive(t *testing.T, b engine.Backend, cache engine.DType) {
	model := decoder(engine.F32, cache).Load()
	g := engine.NewGraph()
	defer func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}()
	lengths := []int{17, 1, 1, 5, 1}
	together, err := run(t.Context(), g, b, model.Record(g, lengths...))
	if err == nil {
		err = release(g)
	}
	if errors.Is(err, engine.ErrNoKernel) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	pass := func(past int, ids ...int32) []float32 {
		g.Reset()
		results, err := run(t.Context(), g, b, []*engine.Tensor{model.Pass(g, past, ids...)})
		if err != nil {
			t.Fatal(err)
		}
		return results[0]
	}
	check := func(what string, got, want []float32) {
		t.Helper()
		if d := Difference(got, widen(want)); !(d <= close32) {
			t.Errorf("%s: the difference is %.2g, allowed is %.2g", what, d, close32)
		}
	}
	past := 0
	for i, n := range lengths {
		check(fmt.Sprintf("pass %d in a graph of its own", i), pass(past, model.IDs(past, n)...), together[i])
		past += n
	}
	pass(18, 1, 2, 3) // another continuation of the first 18 tokens
	check("the same passes after a cut", pass(18, model.IDs(18, 1)...), together[2])
	check("the same passes after a cut", pass(19, model.IDs(19, 5)...), together[3])
	if err := release(g); err != nil {
		t.Error(err)
	}
	check("a first pass on released caches", pass(0, model.IDs(0, 17)...), together[0])
	if err := release(g); err != nil {
		t.Error(err)
	}
}

func widen(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}
