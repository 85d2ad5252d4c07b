package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inglenook/app"
)

// measurement is one run under way.
type measurement struct {
	cancel  context.CancelFunc
	model   app.Model
	request app.PerformanceRequest
	rows    []app.PerformanceRow // so far
	at      int                  // the row that is being measured
}

// start measures in the ticked places. What it finds comes back to finish.
func (p *performance) start() {
	m, ok := p.picker.model()
	if !ok || p.measure.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.life)
	run := &measurement{cancel: cancel, model: m, request: app.PerformanceRequest{
		Model: m.ID, Targets: p.places.chosen(), Thorough: p.effort.index == 1, Curve: p.curve.Checked, Norms: p.norm.Checked,
	}}
	p.endForecast()
	p.running, p.result = run, nil
	p.notice.hide()
	p.stage.set("Opening the model…")
	p.left.set("")
	p.bar.set(0)
	p.measure.Hide()
	p.progress.Show()
	p.showRows(nil, m)
	p.refresh()
	p.work(func(context.Context) {
		defer cancel()
		result, err := p.app.Measure(ctx, run.request, p.throttled(run))
		var keeping error
		if err == nil {
			keeping = p.app.KeepPerformance(result)
		}
		p.do(func() { p.finish(run, &result, err, keeping) })
	})
}

// throttled reports steps of run to the window, not more often than can be seen.
func (p *performance) throttled(run *measurement) func(app.PerformanceStep) {
	var last time.Time
	row, work, done := -1, "", 0
	return func(s app.PerformanceStep) {
		measured := 0
		for _, r := range s.Rows {
			measured += len(r.Measures) + len(r.Curve) + len(r.Norms)/8 // a few points at a time
		}
		if s.Row == row && s.Work == work && measured == done && time.Since(last) < reportEvery {
			return
		}
		row, work, done, last = s.Row, s.Work, measured, time.Now()
		p.do(func() {
			if p.running == run {
				p.showStep(run, s)
			}
		})
	}
}

func (p *performance) showStep(run *measurement, s app.PerformanceStep) {
	changed := len(run.rows) == 0 || run.at != s.Row || !sameMeasures(run.rows, s.Rows)
	run.rows, run.at = s.Rows, s.Row
	p.stage.set(stepText(s))
	p.left.set("")
	if s.Left >= time.Second {
		p.left.set(duration(s.Left.Round(time.Second)) + " left")
	}
	if s.Total > 0 {
		p.bar.set(float64(s.Done) / float64(s.Total))
	}
	p.progress.Refresh()
	if changed {
		p.showRows(run.rows, run.model)
	}
}

func sameMeasures(a, b []app.PerformanceRow) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i].Measures) != len(b[i].Measures) || len(a[i].Curve) != len(b[i].Curve) || len(a[i].Norms) != len(b[i].Norms) || a[i].Failed != b[i].Failed {
			return false
		}
	}
	return true
}

// stepText says what is being done.
func stepText(s app.PerformanceStep) string {
	if s.Row >= len(s.Rows) {
		return "Measuring…"
	}
	where := placeName(s.Rows[s.Row].Target)
	switch s.Work {
	case app.WorkEmbed:
		return "Embedding · " + where
	case app.WorkRerank:
		return "Reranking · " + where
	case app.WorkPrompt:
		return "Reading a prompt · " + where
	case app.WorkGenerate:
		return "Writing · " + where
	case app.WorkNorms:
		return "Norms · " + where
	}
	return "Opening the model · " + where
}

// stop cancels the run under way; false: there is none. The window is free at
// once; what the run still finds is dropped.
func (p *performance) stop() bool {
	run := p.running
	if run == nil {
		return false
	}
	run.cancel()
	p.ended()
	p.showRows(nil, run.model)
	p.tell("Cancelled. A measurement that was not finished is not kept.")
	return true
}

func (p *performance) ended() {
	p.running = nil
	p.progress.Hide()
	p.measure.Show()
	p.refresh()
}

// finish shows what a run found, unless another one has taken its place.
func (p *performance) finish(run *measurement, result *app.Performance, err, keeping error) {
	if p.running != run {
		return
	}
	if err != nil {
		p.ended()
		p.showRows(nil, run.model)
		if !errors.Is(err, context.Canceled) {
			p.showError(err)
		}
		return
	}
	p.result = result
	p.ended()
	p.showRows(result.Rows, run.model)
	if keeping != nil {
		p.showError(keeping)
	}
	p.loadHistory(run.model.ID)
	for _, r := range result.Rows {
		if r.Failed == "" {
			p.ran(r.Device)
		}
	}
	p.tell(fmt.Sprintf("Measured %s in %s.", run.model.Name, count(len(result.Rows), "place")))
}

// loadHistory shows the earlier measurements of a model.
func (p *performance) loadHistory(model string) {
	p.work(func(context.Context) {
		list, err := p.app.PerformanceHistory(model)
		p.do(func() {
			if m, _ := p.picker.model(); m.ID != model {
				return
			}
			if err != nil {
				p.showError(err)
			}
			p.history.show(list)
			p.turn()
		})
	})
}
