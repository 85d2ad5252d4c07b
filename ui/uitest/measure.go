package uitest

import (
	"context"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
)

// measuring is what a double knows of measurements.
type measuring struct {
	asked   []measure.Request
	Kept    []measure.Result
	Failing error                              // what Measure answers
	Keeping error                              // what KeepPerformance answers
	Slow    func(ctx context.Context)          // before each row but the first
	Row     func(p devices.Target) measure.Row // what a place gives; nil: RowOf
	Compats int                                // how often Compat was asked

	Rates     map[string]float64                                           // tokens a second of the last answer, by model
	Usages    int                                                          // how often Usage was asked
	Predicted int                                                          // for how many places Predict was asked
	Quiet     func(ctx context.Context, report func(others float64)) error // what WaitQuiet does; nil: it is quiet
	Busy      bool                                                         // other programs keep the processors busy while they are measured for Compat
}

// RowOf is a row of a target: each has other speeds.
func RowOf(p devices.Target) measure.Row {
	speed := 100 * float64(max(1, p.Threads))
	r := measure.Row{Target: p, Name: "Test processor", Agreement: 0.99999999, DeviceShare: 1}
	r.Measures = []measure.Measure{{
		Work: fit.WorkEmbed, Amount: 32, Unit: "texts/s", Median: speed, P10: 0.9 * speed, P90: 1.1 * speed, Repeats: 5,
		Ops: []measure.Op{{Op: "Add", DType: "f32", Device: p.Device, Count: 6, Seconds: 0.001}, {Op: "Linear", DType: "f32", Device: p.Device, Count: 24, Seconds: 0.009}},
	}}
	return r
}

// Usage counts how often it is asked: the program takes a quarter of a processor.
func (d *App) Usage() devices.Usage {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Measured.Usages++
	n := d.Measured.Usages
	u := devices.Usage{Devices: []devices.DeviceMemory{{Device: "metal", Bytes: 30 << 20}}}
	u.When, u.Resident, u.Available = time.Unix(int64(n), 0), 100<<20, 5<<30
	u.Idle, u.All = float64(60*n), float64(100*n)
	if n > 2 {
		u.Works = []devices.Work{{Job: "chat", Model: "org/writer", Shares: []devices.DeviceShare{{Device: "metal", Share: 0.98}, {Device: "cpu", Share: 0.02}}}}
	}
	return u
}

// WaitQuiet waits as the test says.
func (d *App) WaitQuiet(ctx context.Context, report func(others float64)) error {
	if d.Measured.Quiet == nil {
		return ctx.Err()
	}
	return d.Measured.Quiet(ctx, report)
}

// LastRate is how fast a model wrote last.
func (d *App) LastRate(model string) float64 { return d.Measured.Rates[model] }

// Predict predicts what RowOf returns, and a tenth more.
func (d *App) Predict(_ context.Context, r measure.Request) ([][]fit.Prediction, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Measured.Predicted += len(r.Targets)
	busy := d.Measured.Busy
	var list [][]fit.Prediction
	for _, p := range r.Targets {
		list = append(list, []fit.Prediction{{Work: fit.WorkEmbed, Amount: 32, Unit: "texts/s", Value: 110 * float64(max(1, p.Threads)), Busy: busy}})
	}
	return list, nil
}

func (d *App) Measure(ctx context.Context, r measure.Request, report func(measure.Step)) (measure.Result, error) {
	d.Mu.Lock()
	d.Measured.asked = append(d.Measured.asked, r)
	how := d.Measured
	d.Mu.Unlock()
	p := measure.Result{When: time.Date(2026, 3, 1, 10, len(d.Measured.asked), 0, 0, time.UTC), Model: r.Model, Name: r.Model, Kind: library.KindEmbedding, Machine: "Test processor"}
	for i, place := range r.Targets {
		p.Rows = append(p.Rows, measure.Row{Target: place})
		report(measure.Step{Progress: base.Progress{Done: int64(i), Total: int64(len(r.Targets)), Left: 3 * time.Second}, Row: i, Work: fit.WorkEmbed, Rows: slices.Clone(p.Rows)})
		if i > 0 && how.Slow != nil {
			how.Slow(ctx)
		}
		if ctx.Err() != nil {
			p.Rows, p.Cancelled = p.Rows[:i], true
			return p, ctx.Err()
		}
		row := RowOf
		if how.Row != nil {
			row = how.Row
		}
		p.Rows[i] = row(place)
		p.Rows[i].Compared = i > 0
		if r.Norms {
			p.Rows[i].Norms = []measure.NormPoint{
				{Op: "layer_norm", Rows: 1, Median: 2, BytesPerS: 4e9},
				{Op: "rms_norm", Rows: 1, Median: 1, BytesPerS: 8e9},
				{Op: "layer_norm", Rows: 64, Median: 40, BytesPerS: 13e9},
				{Op: "rms_norm", Rows: 64, Median: 30, BytesPerS: 17e9},
			}
		}
		if r.Guesses {
			p.Rows[i].Guesses = &measure.Guesses{Passes: []measure.PassPoint{
				{Tokens: 1, Cost: 1}, {Tokens: 2, Cost: 1.4, Needed: 0.4}, {Tokens: 4, Cost: 1.9 + float64(i), Needed: 0.56 + 0.3*float64(i)}, {Tokens: 8, Cost: 3.4, Needed: 0.75}, {Tokens: 16, Cost: 6.1, Needed: 0.86},
			}, Guessed: 40, Right: 33, Gain: 0.62}
		}
		if r.Curve {
			p.Rows[i].Curve = []measure.CurvePoint{{Size: 1, Value: 900}, {Size: 16, Value: 300}}
		}
		report(measure.Step{Progress: base.Progress{Done: int64(i + 1), Total: int64(len(r.Targets))}, Row: i, Work: fit.WorkEmbed, Rows: slices.Clone(p.Rows)})
	}
	return p, how.Failing
}

func (d *App) KeepPerformance(p measure.Result) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Measured.Kept = append(d.Measured.Kept, p)
	return d.Measured.Keeping
}

// DropPerformance takes a measurement out of those that were kept.
func (d *App) DropPerformance(p measure.Result) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Measured.Kept = slices.DeleteFunc(d.Measured.Kept, func(r measure.Result) bool { return r.Model == p.Model && r.When.Equal(p.When) })
	return d.Measured.Keeping
}

// KeptMeasurements are those that were kept so far.
func (d *App) KeptMeasurements() []measure.Result {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Measured.Kept)
}

func (d *App) PerformanceHistory(model string) ([]measure.Result, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	var list []measure.Result
	for _, p := range slices.Backward(d.Measured.Kept) {
		if model == "" || p.Model == model {
			list = append(list, p)
		}
	}
	return list, nil
}

func (d *App) Compat(_ context.Context, r fit.CompatRequest) (fit.Compat, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Measured.Compats++
	var predicted []fit.Prediction
	if r.Predict {
		predicted = []fit.Prediction{{Work: fit.WorkEmbed, Amount: 64, Unit: "texts/s", Value: 200, Busy: d.Measured.Busy}}
	}
	return fit.Compat{Model: r.Model, Devices: []fit.CompatDevice{
		{Device: "cpu", Verdict: fit.VerdictFull, Memory: fit.CompatMemory{Total: 100 << 20, Available: 8 << 30}, Predicted: predicted},
		{Device: "metal", Verdict: fit.VerdictNo, Reason: "Metal exists on Apple computers only"},
	}}, nil
}

func (d *App) Measurements() []measure.Request {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Measured.asked)
}
