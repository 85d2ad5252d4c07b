package enginetest

import (
	"context"
	"errors"
	"math"

	"inglenook/engine"
)

// Check does what Run does with one case and one backend, for callers that count
// instead of testing. It returns the largest difference from the reference as a
// fraction of the allowed one, and an error if that exceeds 1.
func (c Case) Check(ctx context.Context, b engine.Backend) (used float64, err error) {
	return checkProgram(ctx, b, limit{c.Tolerance, c.MaxNMSE}, c.program)
}

// Check does the same with a program.
func (p Program) Check(ctx context.Context, b engine.Backend) (used float64, err error) {
	return checkProgram(ctx, b, limit{p.Tolerance, p.MaxNMSE}, p.Record)
}

func checkProgram(ctx context.Context, b engine.Backend, allowed limit, record func(g *engine.Graph) []*engine.Tensor) (used float64, err error) {
	g := engine.NewGraph()
	results := record(g)
	defer func() { err = errors.Join(err, release(g), g.Close()) }()
	want, err := Evaluate(g)
	if err != nil {
		return 0, err
	}
	if err := check(ctx, b, g, results, want, allowed); err != nil {
		return math.Inf(1), err
	}
	for _, r := range results {
		got, err := g.Result(r)
		if err != nil {
			return 0, err
		}
		if _, off, limit := allowed.measure(got, want[r], productEnergy(r, want)); off > 0 {
			used = max(used, off/limit)
		}
	}
	return used, nil
}
