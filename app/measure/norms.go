package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inglenook/app/base"
	"inglenook/app/fit"
	"inglenook/engine"
	"inglenook/engine/probe"
)

// normBudget is how long the norms of one device may take.
const normBudget = 8 * time.Second

// norms measures both norms on the row's device and nowhere else. What has no kernel there
// becomes a note. A slow device stops at fewer rows.
func (r *rowRun) norms(ctx context.Context) error {
	where, err := r.pool.Choose(ctx, r.row.Target, &r.entry, nil)
	if err != nil {
		return err
	}
	b, row := where.Backends[0], r.row
	r.progress.at(fit.WorkNorms)
	start := time.Now()
	for _, rows := range normRows() {
		if took := time.Since(start); took > normBudget {
			row.Notes = append(row.Notes, fmt.Sprintf("The norms of %s stop before %d rows: they had taken %s.", row.Name, rows, took.Round(time.Second)))
			break
		}
		for _, op := range probe.Norms() {
			seconds, err := probe.Norm(ctx, b, op, rows)
			switch {
			case errors.Is(err, engine.ErrNoKernel):
				row.Notes = append(row.Notes, base.JoinNotes([]string{err.Error()}))
				return nil
			case err != nil:
				turnOff(b, err)
				return base.InContext(ctx, err)
			}
			row.Norms = append(row.Norms, NormPoint{
				Op: op.String(), Rows: rows, Median: 1e6 * seconds.Median(), P10: 1e6 * seconds.Quantile(0.1), P90: 1e6 * seconds.Quantile(0.9),
				BytesPerS: float64(probe.NormBytes(rows)) / seconds.Median(),
			})
		}
		r.progress.step()
	}
	return nil
}

// turnOff keeps others from using a device that has failed.
func turnOff(b engine.Backend, err error) {
	var failed *engine.DeviceError
	if guard, ok := b.(*engine.Guard); ok && errors.As(err, &failed) {
		guard.Fail(failed.Err)
	}
}
