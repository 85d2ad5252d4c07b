package enginetest

import (
	"errors"
	"testing"

	"inglenook/engine"
)

// Run holds a backend against the reference: every case and every program, on
// the same rounded weights, within its tolerance, and bitwise equal when
// repeated. Cases for which the backend has no kernel are skipped by name.
func Run(t *testing.T, b engine.Backend) {
	for _, c := range Cases() {
		t.Run(c.Name(), func(t *testing.T) {
			check(t, b, c.Tolerance, func(g *engine.Graph) []*engine.Tensor {
				return []*engine.Tensor{g.Want(c.Record(g))}
			})
		})
	}
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) { check(t, b, p.Tolerance, p.Record) })
	}
}

// check runs what record records, twice, and compares.
func check(t *testing.T, b engine.Backend, tolerance float64, record func(g *engine.Graph) []*engine.Tensor) {
	t.Helper()
	g := engine.NewGraph()
	defer closing(t, g)
	results := record(g)
	want, err := Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	defer release(t, g)
	first := run(t, g, b, results)
	for i, got := range first {
		if d := Difference(got, want[results[i]].Values); !(d <= tolerance) {
			t.Errorf("result %d is off by %.2g, allowed is %.2g", i, d, tolerance)
		}
	}
	for i, again := range run(t, g, b, results) {
		for j := range again {
			if again[j] != first[i][j] {
				t.Fatalf("result %d: value %d is %v at first and %v when repeated", i, j, first[i][j], again[j])
			}
		}
	}
}

// run runs the graph on one backend and returns the results.
func run(t *testing.T, g *engine.Graph, b engine.Backend, results []*engine.Tensor) [][]float32 {
	t.Helper()
	_, err := g.Run(t.Context(), b)
	if errors.Is(err, engine.ErrNoKernel) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, len(results))
	for i, r := range results {
		if out[i], err = g.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// release frees what backends prepared for the graph's weights.
func release(t testing.TB, g *engine.Graph) {
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s == nil {
				continue
			}
			if err := s.Release(); err != nil {
				t.Error(err)
			}
		}
	}
}

func closing(t testing.TB, c interface{ Close() error }) {
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
