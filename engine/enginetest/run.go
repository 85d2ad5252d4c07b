package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
)

// Run compares backends with the reference: every case and every program, on the
// same rounded weights, within its tolerance, and bitwise equal when repeated.
// The reference is computed once for all of them. A case for which a backend has
// no kernel is skipped by name.
func Run(t *testing.T, bs ...engine.Backend) { RunSome(t, 1, bs...) }

// RunSome does what Run does with one in so many cases, and all programs: for backends
// whose kernels others run in full, or make sweeps does; see [Whole].
func RunSome(t *testing.T, one int, bs ...engine.Backend) {
	suite(t, func(i int) bool { return Whole() || turn(i, one) == 0 }, always, bs)
}

// RunPart does the part of Run with this number, from 0 on, of so many. Together they do
// all of it, each in a process of its own.
func RunPart(t *testing.T, part, parts int, bs ...engine.Backend) {
	ours := func(i int) bool { return i%parts == part }
	suite(t, ours, ours, bs)
}

func always(int) bool { return true }

// suite compares backends with the reference in the chosen cases and programs. What comes
// after the programs is numbered with them.
func suite(t *testing.T, cases, programs func(i int) bool, bs []engine.Backend) {
	for i, c := range Cases() {
		if cases(i) {
			t.Run(c.Name(), func(t *testing.T) { judge(t, bs, limit{c.Tolerance, c.MaxNMSE}, c.program) })
		}
	}
	all := Programs()
	for i, p := range all {
		if programs(i) {
			t.Run(p.Name, func(t *testing.T) { judge(t, bs, limit{p.Tolerance, p.MaxNMSE}, p.Record) })
		}
	}
	if programs(len(all)) {
		t.Run("a router that gives NaN", func(t *testing.T) {
			for _, b := range bs {
				t.Run(describe(b.Device()), func(t *testing.T) { unordered(t, b) })
			}
		})
	}
	for i, cache := range cacheTypes {
		if !programs(len(all) + 1 + i) {
			continue
		}
		t.Run("caches that outlive graphs "+cache.String(), func(t *testing.T) {
			for _, b := range bs {
				t.Run(describe(b.Device()), func(t *testing.T) { outlive(t, b, cache) })
			}
		})
	}
}

// program records the case as a graph of its own.
func (c Case) program(g *engine.Graph) []*engine.Tensor {
	g.Rounds = c.Rounded
	return []*engine.Tensor{g.Want(c.Record(g))}
}

// limit is how far results may be from their reference; see [Case].
type limit struct{ tolerance, nmse float64 }

// exceeded returns an error that states the deviation if it is too large.
func (l limit) exceeded(got []float32, want Matrix, least float64) error {
	measure, off, allowed := l.measure(got, want, least)
	if !(off <= allowed) {
		return fmt.Errorf("the %s is %.2g, allowed is %.2g", measure, off, allowed)
	}
	return nil
}

// measure returns how far results deviate, and how far they may.
func (l limit) measure(got []float32, want Matrix, least float64) (name string, off, allowed float64) {
	if l.nmse > 0 {
		return "normalized mean squared error", NMSE(got, want.Values, want.Cols, least), l.nmse
	}
	return "difference", Difference(got, want.Values), l.tolerance
}

// judge records one graph and checks it on each backend.
func judge(t *testing.T, bs []engine.Backend, allowed limit, record func(g *engine.Graph) []*engine.Tensor) {
	g := engine.NewGraph()
	results := record(g)
	defer func() {
		if err := errors.Join(release(g), g.Close()); err != nil {
			t.Error(err)
		}
	}()
	want, err := Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bs {
		t.Run(describe(b.Device()), func(t *testing.T) {
			// a backend's contents of a cache are in its own memory and layout
			defer func() {
				if err := releaseOnly(g, engine.OpCache); err != nil {
					t.Error(err)
				}
			}()
			err := check(t.Context(), b, g, results, want, allowed)
			if errors.Is(err, engine.ErrNoKernel) {
				t.Skip(err)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// describe names the variants of a device, as "cpu avx2 3": id, first feature,
// threads.
func describe(d engine.Device) string {
	words := append([]string{d.ID}, d.Features[:min(1, len(d.Features))]...)
	return fmt.Sprintf("%s %d", strings.Join(words, " "), d.Threads)
}

// check runs the graph twice and returns an error if its results are wrong.
func check(ctx context.Context, b engine.Backend, g *engine.Graph, results []*engine.Tensor, want map[*engine.Tensor]Matrix, allowed limit) error {
	first, err := run(ctx, g, b, results)
	if err != nil {
		return err
	}
	for i, r := range results {
		if err := allowed.exceeded(first[i], want[r], productEnergy(r, want)); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
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

// release frees the copies of the graph's weights and caches in backends.
func release(g *engine.Graph) error {
	return releaseOnly(g, engine.OpWeight, engine.OpCache)
}

func releaseOnly(g *engine.Graph, kinds ...engine.Op) error {
	var errs []error
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil && slices.Contains(kinds, s.Op) {
				errs = append(errs, s.Release())
			}
		}
	}
	return errors.Join(errs...)
}
