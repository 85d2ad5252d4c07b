package enginetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"inglenook/engine"
)

// Run holds a backend against the reference: every case and every program, on
// the same rounded weights, within its tolerance, and bitwise equal when
// repeated. Cases for which the backend has no kernel are skipped by name.
func Run(t *testing.T, b engine.Backend) {
	for _, c := range Cases() {
		t.Run(c.Name(), func(t *testing.T) { report(t, check(t.Context(), b, c.Tolerance, c.program)) })
	}
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) { report(t, check(t.Context(), b, p.Tolerance, p.Record)) })
	}
}

func report(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, engine.ErrNoKernel) {
		t.Skip(err)
	}
	if err != nil {
		t.Error(err)
	}
}

// program records the case as a graph of its own.
func (c Case) program(g *engine.Graph) []*engine.Tensor {
	return []*engine.Tensor{g.Want(c.Record(g))}
}

// check runs what record records, twice, and says what is wrong with the results.
func check(ctx context.Context, b engine.Backend, tolerance float64, record func(g *engine.Graph) []*engine.Tensor) (err error) {
	g := engine.NewGraph()
	results := record(g)
	defer func() { err = errors.Join(err, release(g), g.Close()) }()
	want, err := Evaluate(g)
	if err != nil {
		return err
	}
	first, err := run(ctx, g, b, results)
	if err != nil {
		return err
	}
	for i, r := range results {
		if d := Difference(first[i], want[r].Values); d > tolerance {
			return fmt.Errorf("result %d is off by %.2g, allowed is %.2g", i, d, tolerance)
		}
	}
	again, err := run(ctx, g, b, results)
	if err != nil {
		return err
	}
	for i := range again {
		for j := range again[i] {
			if again[i][j] != first[i][j] {
				return fmt.Errorf("result %d: value %d is %v at first and %v when repeated", i, j, first[i][j], again[i][j])
			}
		}
	}
	return nil
}

// run runs the graph on one backend and returns the results.
func run(ctx context.Context, g *engine.Graph, b engine.Backend, results []*engine.Tensor) ([][]float32, error) {
	if _, err := g.Run(ctx, b); err != nil {
		return nil, err
	}
	out := make([][]float32, len(results))
	for i, r := range results {
		var err error
		if out[i], err = g.Result(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// release frees what backends prepared for the graph's weights.
func release(g *engine.Graph) error {
	var errs []error
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil {
				errs = append(errs, s.Release())
			}
		}
	}
	return errors.Join(errs...)
}
