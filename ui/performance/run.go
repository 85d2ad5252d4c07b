package performance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// runner measures the chosen model, and shows how far that is.
type runner struct {
	panel.Host
	kit.RunControls
	app      App
	frame    *frame
	models   *models
	plan     *plan
	forecast *forecast
	record   *record
	results  *results
	refresh  func() // shows what can be done now

	measure *kit.Button
	untold  *kit.Paragraph // why measure is grey, where nothing else says it
	where   *kit.Line      // beside Stage: what is measured now

	under *measurement // nil: none is
}

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

// build makes the button, and what takes its place while a model is measured.
func (p *runner) build() {
	p.measure = kit.NewButton(p.Keys, "Measure this model", theme.MediaPlayIcon(), p.start)
	p.measure.Importance = widget.HighImportance
	p.untold = kit.NewParagraph("Tick at least one way under Run on.", theme.ColorNameWarning).Small()
	p.untold.Flat.Hide()
	p.RunControls = kit.NewRunControls(p.Keys, func() { p.stop() })
	p.where = kit.NewCaption("")
	p.Progress = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, nil, p.Left, p.Stage), p.where,
		container.NewBorder(nil, nil, nil, p.Cancel, container.NewVBox(layout.NewSpacer(), kit.Inset(p.Bar, 0, kit.GapSmall), layout.NewSpacer())))
	p.Progress.Hide()
}

// offer offers to measure, unless all models are being measured.
func (p *runner) offer(all bool) {
	can, ticked := p.models.measurable() && p.under == nil && !all, len(p.plan.targets.chosen()) > 0
	p.measure.SetEnabled(can && ticked)
	kit.Show(p.untold.Flat, can && !ticked)
	kit.Show(p.measure, p.under == nil && !all)
}

// start measures in the ticked places. What it finds comes back to finish.
func (p *runner) start() { p.begin(false) }

// begin does so at once, or when other programs are quiet.
func (p *runner) begin(whenQuiet bool) {
	m, ok := p.models.chosen()
	if !ok || p.measure.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	run := &measurement{cancel: cancel, model: m, request: p.plan.request(m, p.results.applies)}
	run.request.Shown = p.forecast.shownFor(m.ID, p.plan.thorough())
	run.before, run.earlier, run.waits = p.record.result, p.record.earlier, whenQuiet
	p.forecast.end()
	p.record.clear()
	p.under = run
	p.frame.notice.Hide()
	p.results.turnToSpeed()
	p.Stage.Set("Opening the model…")
	if whenQuiet {
		p.Stage.Set(waitingText)
	}
	p.Left.Set("")
	p.where.Set("")
	p.Bar.Set(0)
	p.measure.Hide()
	p.Progress.Show()
	p.results.draw(m)
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
func (p *runner) throttled(run *measurement) func(measure.Step) {
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
			if p.under == run {
				p.showStep(run, s)
			}
		})
	}
}

func (p *runner) showStep(run *measurement, s measure.Step) {
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
		p.results.draw(run.model)
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
func (p *runner) stop() bool {
	run := p.under
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
func (p *runner) keptPart(run *measurement, result *measure.Result, keeping error) {
	if result.Measured() == 0 {
		return
	}
	if keeping != nil {
		p.frame.fail(keeping)
	}
	m, _ := p.models.chosen()
	curve := slices.ContainsFunc(result.Rows, func(r measure.Row) bool { return len(r.Curve) > 0 })
	if m.ID == run.model.ID && p.under == nil && (run.before == nil || curve || result.Measured() > 1) {
		p.record.show(result, false, m)
	} else {
		p.frame.notice.Say(cancelledText(result.Rows), "Show it", func() {
			p.frame.notice.Hide()
			p.record.open(*result)
		})
		p.frame.view.Refresh()
	}
	p.record.changed(run.model.ID)
}

// bringBack shows what was in view before a run that found nothing: an earlier result, or else what
// is expected.
func (p *runner) bringBack(run *measurement) {
	m, _ := p.models.chosen()
	if run.before == nil || run.before.Model != m.ID {
		p.results.draw(m)
		p.record.load(m.ID)
		p.forecast.ask()
		return
	}
	p.record.show(run.before, run.earlier, m)
}

func (p *runner) ended() {
	p.under = nil
	p.Progress.Hide()
	p.refresh()
}

// finish shows what a run found, unless another one has taken its place.
func (p *runner) finish(run *measurement, result *measure.Result, err, keeping error) {
	if p.under != run {
		p.keptPart(run, result, keeping)
		return
	}
	if err != nil {
		p.ended()
		p.bringBack(run)
		if !errors.Is(err, context.Canceled) {
			p.frame.fail(err)
		}
		return
	}
	p.ended()
	p.record.show(result, false, run.model)
	p.frame.panes.Front(panel.PaneResult)
	if keeping != nil {
		p.frame.fail(keeping)
	}
	p.record.changed(run.model.ID)
	for _, r := range result.Rows {
		if r.Failed == "" {
			p.Ran(r.Device)
		}
	}
	p.Tell(fmt.Sprintf("Measured %s in %s.", run.model.Title(), kit.Count(len(result.Rows), "way")))
}

// remedy offers to measure again so that the speeds are reliable: when other programs are quiet, or, where
// the speed varied by itself, more thoroughly.
func (p *runner) remedy(busy bool) fyne.CanvasObject {
	if !busy && !p.plan.thorough() {
		return kit.NewButton(p.Keys, "Measure thoroughly", theme.MediaPlayIcon(), p.frame.choosing(func() {
			p.plan.effort.Pick(1)
			p.start()
		}))
	}
	return kit.NewButton(p.Keys, "Measure when it is quiet", theme.HistoryIcon(), p.frame.choosing(func() { p.begin(true) }))
}

// waiting shows that a run waits for other programs, and what they take.
func (p *runner) waiting(run *measurement) func(others float64) {
	return func(others float64) {
		p.Do(func() {
			if p.under != run {
				return
			}
			p.Stage.Set(waitingText)
			p.where.Set(othersText(others))
			p.Progress.Refresh()
		})
	}
}

const waitingText = "Waiting until it is quiet"

func othersText(others float64) string {
	return "other programs use " + kit.Percent(others) + " of the CPU"
}
