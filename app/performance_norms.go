package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"inglenook/engine"
)

// NormPoint is what one norm takes for one number of rows.
type NormPoint struct {
	Op        string  `json:"op"` // "layer_norm" or "rms_norm"
	Rows      int     `json:"rows"`
	Median    float64 `json:"median"` // microseconds, as the two below
	P10       float64 `json:"p10"`
	P90       float64 `json:"p90"`
	BytesPerS float64 `json:"bytes_per_s"` // of values, read and written once each
}

const (
	// NormColumns is how wide the rows of [NormPoint] are: about a small model's.
	NormColumns = 1024

	normLeast  = 7 // repetitions
	normTime   = 30 * time.Millisecond
	normBudget = 8 * time.Second // of one device
)

// normRows are the numbers of rows, from a token alone to a long prompt.
func normRows() []int {
	var list []int
	for n := 1; n <= 4096; n *= 2 {
		list = append(list, n)
	}
	return list
}

// normOps are the norms, in the order of their points.
var normOps = []engine.Op{engine.OpLayerNorm, engine.OpRMSNorm}

// norms measures both norms on a row's device, and on nothing else: what has no
// kernel there becomes a note. A slow device ends with fewer rows.
func (a *App) norms(ctx context.Context, e entry, row *PerformanceRow, run *measuring) error {
	where, err := a.choose(ctx, row.wish(), &e)
	if err != nil {
		return err
	}
	b := where.backends[0]
	run.at(WorkNorms)
	start := time.Now()
	for _, rows := range normRows() {
		if took := time.Since(start); took > normBudget {
			row.Notes = append(row.Notes, fmt.Sprintf("The norms of %s end before %d rows: they had taken %s.", row.Name, rows, took.Round(time.Second)))
			break
		}
		for _, op := range normOps {
			p, err := measureNorm(ctx, b, op, rows)
			switch {
			case errors.Is(err, engine.ErrNoKernel):
				row.Notes = append(row.Notes, joinNotes([]string{err.Error()}))
				return nil
			case err != nil:
				turnOff(b, err)
				return inContext(ctx, err)
			}
			row.Norms = append(row.Norms, p)
		}
		run.step()
	}
	return nil
}

// benchNorms adds a line for each device, norm and number of rows.
func (a *App) benchNorms(ctx context.Context, e entry, devices []string, result *BenchResult) error {
	for _, device := range devices {
		row := PerformanceRow{Place: Place{Device: device}, Name: device}
		run := &measuring{performance: &Performance{Rows: []PerformanceRow{row}}, perRow: len(normRows())}
		if err := a.norms(ctx, e, &row, run); err != nil {
			return err
		}
		for _, p := range row.Norms {
			result.Results = append(result.Results, BenchLine{
				Device: device, Work: p.Op, Context: p.Rows, Unit: "µs", Median: p.Median, P10: p.P10, P90: p.P90, BandwidthBytesPerS: p.BytesPerS,
			})
		}
		result.Notes = append(result.Notes, row.Notes...)
	}
	return nil
}

// turnOff keeps a device that has failed from being used by others.
func turnOff(b engine.Backend, err error) {
	var failed *engine.DeviceError
	if guard, ok := b.(*engine.Guard); ok && errors.As(err, &failed) {
		guard.Fail(failed.Err)
	}
}

// measureNorm times one norm of several that follow each other in a graph, as they
// do in a model, so that handing over the graph counts little.
func measureNorm(ctx context.Context, b engine.Backend, op engine.Op, rows int) (NormPoint, error) {
	g := engine.NewGraph()
	defer g.Close()
	scale := engine.NewWeight("scale", engine.F32, 1, NormColumns, zeros{})
	defer scale.Release()
	x := g.Floats("x", rows, make([]float32, rows*NormColumns))
	count := min(32, max(2, 1024/rows))
	for range count {
		if op == engine.OpLayerNorm {
			x = g.LayerNorm(x, nil, scale, scale, 1e-5)
		} else {
			x = g.RMSNorm(x, scale, engine.RMSNormParams{Epsilon: 1e-5})
		}
	}
	g.Want(x)
	if err := g.Prepare(ctx, nil, b); err != nil {
		return NormPoint{}, err
	}
	seconds, err := runTimes(ctx, g, b, normLeast, normTime)
	if err != nil {
		return NormPoint{}, err
	}
	each := func(q float64) float64 { return 1e6 * quantile(seconds, q) / float64(count) }
	p := NormPoint{Op: op.String(), Rows: rows, Median: each(0.5), P10: each(0.1), P90: each(0.9)}
	p.BytesPerS = float64(2*4*rows*NormColumns) / (p.Median / 1e6)
	return p, nil
}

// runTimes runs a prepared graph on a device, at least so often and so long, after
// one time that is not counted. It gives the seconds, the shortest first. A device
// that takes a second for it runs it no more than three times.
func runTimes(ctx context.Context, g *engine.Graph, b engine.Backend, least int, span time.Duration) ([]float64, error) {
	var seconds []float64
	start := time.Now()
	for i := 0; i <= least || time.Since(start) < span; i++ {
		from := time.Now()
		if _, err := g.Run(ctx, b); err != nil {
			return nil, err
		}
		if i > 0 { // the first one takes memory
			seconds = append(seconds, max(time.Since(from).Seconds(), 1e-9))
		}
		if i >= 3 && time.Since(start) > time.Second {
			break
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}
