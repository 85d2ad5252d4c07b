package performance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// measurement is one run under way.
type measurement struct {
	cancel  context.CancelFunc
	model   library.Model
	request measure.Request
	rows    []measure.Row // so far
	at      int           // the row that is being measured

	waits   bool            // for other programs to be quiet
	before  *measure.Result // was in view; nil: nothing was
	earlier bool            // it is of an earlier visit or start
}

// start measures in the ticked places. What it finds comes back to finish.
func (p *Panel) start() { p.begin(false) }

// begin does so at once, or when other programs are quiet.
func (p *Panel) begin(whenQuiet bool) {
	m, ok := p.picker.Model()
	if !ok || p.measure.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	run := &measurement{cancel: cancel, model: m, request: measure.Request{
		Model: m.ID, Targets: p.targets.chosen(), Thorough: p.effort.Index == 1, Curve: p.wants(p.curve, pageCurve), Norms: p.wants(p.norm, pageNorms), Guesses: p.wants(p.guess, pageGuesses),
		Shown: p.prediction.shownFor(m.ID, p.effort.Index == 1),
	}}
	run.before, run.earlier, run.waits = p.result, p.earlier, whenQuiet
	p.endPrediction()
	p.running, p.result, p.earlier = run, nil, false
	p.notice.Hide()
	if page := p.page(); page == pageAll || page == pageHistory || page == pageCompat { // they do not show what is found
		p.tabs.Pick(pageSpeed)
	}
	p.Stage.Set("Opening the model…")
	if whenQuiet {
		p.Stage.Set("Waiting until it is quiet")
	}
	p.Left.Set("")
	p.where.Set("")
	p.Bar.Set(0)
	p.measure.Hide()
	p.Progress.Show()
	p.showRows(nil, m)
	p.refresh()
	p.Work(func(context.Context) {
		defer cancel()
		if whenQuiet && p.app.WaitQuiet(ctx, p.waiting(run)) != nil {
			return // it was cancelled
		}
		result, err := p.app.Measure(ctx, run.request, p.throttled(run))
		var keeping error
		if err == nil || ctx.Err() != nil && result.Measured() > 0 {
			keeping = p.app.KeepPerformance(result)
		}
		p.Do(func() { p.finish(run, &result, err, keeping) })
	})
}

// throttled reports steps of run to the window, not more often than can be seen.
func (p *Panel) throttled(run *measurement) func(measure.Step) {
	var last time.Time
	row, work, done := -1, "", 0
	return func(s measure.Step) {
		measured := 0
		for _, r := range s.Rows {
			measured += len(r.Measures) + len(r.Curve) + len(r.Norms)/8 // a few points at a time
		}
		if s.Row == row && s.Work == work && measured == done && time.Since(last) < panel.ReportEvery {
			return
		}
		row, work, done, last = s.Row, s.Work, measured, time.Now()
		p.Do(func() {
			if p.running == run {
				p.showStep(run, s)
			}
		})
	}
}

func (p *Panel) showStep(run *measurement, s measure.Step) {
	changed := len(run.rows) == 0 || run.at != s.Row || !sameMeasures(run.rows, s.Rows)
	run.rows, run.at, run.waits = s.Rows, s.Row, false
	p.Stage.Set(stepText(s))
	p.where.Set(placeText(s))
	p.Left.Set("")
	if s.Left >= time.Second {
		p.Left.Set(kit.Left(s.Left))
	}
	if s.Total > 0 {
		p.Bar.Set(float64(s.Done) / float64(s.Total))
	}
	p.Progress.Refresh()
	if changed {
		p.showRows(run.rows, run.model)
	}
}

func sameMeasures(a, b []measure.Row) bool {
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
func stepText(s measure.Step) string {
	if s.Row >= len(s.Rows) {
		return "Measuring…"
	}
	switch s.Work {
	case fit.WorkEmbed:
		return "Reading texts"
	case fit.WorkRerank:
		return "Ranking texts"
	case fit.WorkPrompt:
		return "Reading a prompt"
	case fit.WorkGenerate:
		return "Writing"
	case fit.WorkNorms:
		return "Normalisation"
	case fit.WorkGuesses:
		return "Word predictions"
	}
	return "Opening the model"
}

// placeText says where it is done.
func placeText(s measure.Step) string {
	if s.Row >= len(s.Rows) {
		return ""
	}
	return panel.TargetName(s.Rows[s.Row].Target)
}

// stop cancels the run under way; false: there is none. The window is free at
// once; what is finished by then comes back to finish, too.
func (p *Panel) stop() bool {
	run := p.running
	if run == nil {
		return false
	}
	run.cancel()
	p.ended()
	p.bringBack(run)
	if run.waits {
		p.Tell("Cancelled: it does not wait any longer.")
	} else {
		p.Tell(cancelledText(run.rows))
	}
	return true
}

// cancelledText says what becomes of rows that were measured by the time that a run was cancelled.
func cancelledText(rows []measure.Row) string {
	if n := (measure.Result{Rows: rows}).Measured(); n > 0 {
		return "Cancelled. What was finished is kept: " + kit.Count(n, "way") + "."
	}
	return "Cancelled. Nothing was finished yet, so nothing is kept."
}

// keptPart shows what a cancelled run had found, where that says more than what is in view.
func (p *Panel) keptPart(run *measurement, result *measure.Result, keeping error) {
	if result.Measured() == 0 {
		return
	}
	if keeping != nil {
		p.ShowError(keeping)
	}
	m, _ := p.picker.Model()
	curve := slices.ContainsFunc(result.Rows, func(r measure.Row) bool { return len(r.Curve) > 0 })
	if m.ID == run.model.ID && p.running == nil && (run.before == nil || curve || result.Measured() > 1) {
		p.result, p.earlier = result, false
		p.showRows(result.Rows, m)
		p.refresh()
	}
	p.historyChanged(run.model.ID)
}

// bringBack shows what was in view before a run that found nothing: an earlier result, or else what
// is expected.
func (p *Panel) bringBack(run *measurement) {
	m, _ := p.picker.Model()
	if run.before == nil || run.before.Model != m.ID {
		p.showRows(nil, m)
		p.loadHistory(m.ID)
		p.predict()
		return
	}
	p.result, p.earlier = run.before, run.earlier
	p.showRows(p.result.Rows, m)
	p.refresh()
}

func (p *Panel) ended() {
	p.running = nil
	p.Progress.Hide()
	p.refresh()
}

// finish shows what a run found, unless another one has taken its place.
func (p *Panel) finish(run *measurement, result *measure.Result, err, keeping error) {
	if p.running != run {
		p.keptPart(run, result, keeping)
		return
	}
	if err != nil {
		p.ended()
		p.bringBack(run)
		if !errors.Is(err, context.Canceled) {
			p.ShowError(err)
		}
		return
	}
	p.result = result
	p.ended()
	p.showRows(result.Rows, run.model)
	p.panes.Front(panel.PaneResult)
	if keeping != nil {
		p.ShowError(keeping)
	}
	p.all.asked = false // it has a bar now
	p.loadHistory(run.model.ID)
	for _, r := range result.Rows {
		if r.Failed == "" {
			p.Ran(r.Device)
		}
	}
	p.Tell(fmt.Sprintf("Measured %s in %s.", run.model.Title(), kit.Count(len(result.Rows), "way")))
}

// openEarlier shows an earlier measurement with all that was found, which can be saved then.
func (p *Panel) openEarlier(r measure.Result) {
	m, _ := p.picker.Model()
	if p.running != nil || m.ID != r.Model {
		p.Tell("A measurement is under way. Wait for it, or cancel it first.")
		return
	}
	p.result, p.earlier = &r, true
	p.tabs.Select(pageSpeed)
	p.showRows(r.Rows, m)
	p.refresh()
}

// dropEarlier deletes a measurement, say one that other programs disturbed, and offers to take that back.
func (p *Panel) dropEarlier(r measure.Result) {
	p.changeHistory(r, p.app.DropPerformance, func() {
		p.Offer("Deleted the measurement of "+moment(r.When)+".", "Undo", func() { p.changeHistory(r, p.app.KeepPerformance, func() {}) })
	})
}

// changeHistory changes what is kept of a model by one of its measurements, and shows what is known of it
// then.
func (p *Panel) changeHistory(r measure.Result, change func(measure.Result) error, done func()) {
	p.Work(func(context.Context) {
		err := change(r)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			done()
			p.compat.clear()
			m, _ := p.picker.Model()
			if m.ID == r.Model && p.result != nil && p.running == nil && (p.earlier || p.result.When.Equal(r.When)) { // another one may stand for the model now
				p.result, p.looked = nil, ""
				p.showRows(nil, m)
			}
			p.historyChanged(r.Model)
		})
	})
}

// historyChanged shows what is known of a model now that other measurements of it are kept.
func (p *Panel) historyChanged(model string) {
	p.all.asked = false
	if m, _ := p.picker.Model(); m.ID == model {
		p.loadHistory(model)
	}
	p.turn()
}

// loadHistory shows the earlier measurements of a model.
func (p *Panel) loadHistory(model string) {
	p.Work(func(context.Context) {
		list, err := p.app.PerformanceHistory(model)
		p.Do(func() {
			if m, _ := p.picker.Model(); m.ID != model {
				return
			}
			if err != nil {
				p.ShowError(err)
			}
			p.looked = model
			p.history.show(list)
			own := slices.DeleteFunc(slices.Clone(list), p.foreign)
			if len(own) == 0 {
				own = list
			}
			if last, any := measure.Comparison(own); any && p.result == nil && p.running == nil { // what was measured says more than a prediction
				p.result, p.earlier = &last, true
				m, _ := p.picker.Model()
				p.showRows(last.Rows, m)
				p.refresh()
			}
			p.turn()
		})
	})
}
