package performance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// series measures all models, one after the other. Its controls are those of the page that compares them.
type series struct {
	panel.Host
	app      App
	frame    *frame
	models   *models
	targets  *targetList
	forecast *forecast
	record   *record
	run      *runner
	page     *allPage
	refresh  func()      // shows what can be done now
	show     *kit.Button // in the place of the one that measures a model: says how far all are, and leads there

	under *batch // nil: none is
}

// newSeries has the controls of a page measure all models.
func newSeries(h panel.Host, a App, page *allPage) *series {
	p := &series{Host: h, app: a, page: page, show: kit.NewButton(h.Keys, "", theme.NavigateNextIcon(), nil)}
	p.show.Hide()
	page.measure, page.stop = p.begin, func() { p.stop() }
	return p
}

// batch are the models of a series under way.
type batch struct {
	cancel context.CancelFunc
	models []library.Model
	began  time.Time
	failed []string // sentences about models that could not be measured
}

// toMeasure are the models that would be measured: all that can be compared, or only those that were not
// measured yet.
func (p *series) toMeasure() []library.Model {
	models := p.models.comparable()
	if rest := p.page.unmeasured(models); p.page.only.Checked && len(rest) > 0 {
		return rest
	}
	return models
}

// offer offers to measure them, unless one is being measured.
func (p *series) offer() {
	kit.Show(p.show, p.under != nil)
	for _, b := range []*kit.Button{p.page.begin, p.page.later} {
		b.SetEnabled(p.run.under == nil && p.under == nil && len(p.models.comparable()) > 0)
	}
	p.say()
}

// say says how many models would be measured, and how, and how long that takes.
func (p *series) say() {
	all, models := p.models.comparable(), p.toMeasure()
	offered := panel.OfferedDevices(p.App, "")
	var names []string
	var takes time.Duration
	for _, m := range models {
		ways := p.targets.waysOf(offered, m)
		takes += measure.Expected(m, len(ways), p.page.list)
		for _, way := range ways {
			if name := panel.TargetName(way); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	text := ""
	if len(names) > 0 {
		text = "Each in the ways ticked under Run on, as far as it has them: " + strings.Join(names, "; ") + "."
		if p.run.under == nil && p.under == nil { // else what is left stands beside the bar
			text += " That takes about " + kit.Seconds(takes) + "."
		}
	}
	if p.page.where.Segment.Text != text {
		p.page.where.Set(text)
	}
	kit.Show(p.page.where.Flat, text != "")
	rest := len(p.page.unmeasured(all))
	kit.Show(p.page.only, p.under == nil && rest > 0 && rest < len(all))
	label := "Measure all models"
	switch n := len(models); {
	case n < len(all):
		label = "Measure " + kit.Count(n, "model")
	case n > 1:
		label = "Measure all " + kit.Count(n, "model")
	}
	if p.page.begin.Text != label {
		p.page.begin.SetText(label)
	}
}

// begin measures all models that run here, quickly; each of them when other programs are quiet, if
// that is wanted. Each is kept as soon as it is measured.
func (p *series) begin(whenQuiet bool) {
	models := p.toMeasure()
	if p.run.under != nil || p.under != nil || len(models) == 0 {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	b := &batch{cancel: cancel, models: models, began: time.Now()}
	offered, places := panel.OfferedDevices(p.App, ""), make([][]devices.Target, len(models))
	for i, m := range models {
		places[i] = p.targets.waysOf(offered, m)
	}
	p.under = b
	p.forecast.end()
	p.frame.notice.Hide()
	p.page.Bar.Set(0)
	p.progress(b, 0, 0)
	p.refresh()
	p.Work(func(context.Context) {
		defer cancel()
		for i, m := range models {
			if whenQuiet && p.app.WaitQuiet(ctx, p.waits(b)) != nil {
				return
			}
			result, err := p.app.Measure(ctx, measure.Request{Model: m.ID, Targets: places[i]}, p.steps(b, i))
			if ctx.Err() != nil {
				p.keepPart(m, result)
				return
			}
			if err == nil {
				err = p.app.KeepPerformance(result)
			}
			p.Do(func() { p.measured(b, i, err) })
		}
		p.Do(func() { p.done(b) })
	})
}

// steps reports how far the measurement of model i is.
func (p *series) steps(b *batch, i int) func(measure.Step) {
	var last time.Time
	return func(s measure.Step) {
		if s.Total <= 0 || time.Since(last) < panel.ReportEvery {
			return
		}
		last = time.Now()
		p.Do(func() { p.progress(b, i, float64(s.Done)/float64(s.Total)) })
	}
}

// progress says which model is measured, and how long the rest takes at the pace so far.
func (p *series) progress(b *batch, i int, part float64) {
	if p.under != b {
		return
	}
	kit.Show(p.page.begin, false)
	kit.Show(p.page.later, false)
	kit.Show(p.page.only, false)
	kit.Show(p.page.Progress, true)
	done := (float64(i) + part) / float64(len(b.models))
	p.page.Stage.Set(fmt.Sprintf("Model %d of %d: %s", i+1, len(b.models), b.models[i].Title()))
	p.page.Bar.Set(done)
	p.show.SetText(fmt.Sprintf("Measuring all models: %d of %d · Show", i+1, len(b.models)))
	p.page.Left.Set("")
	if left := leftOf(time.Since(b.began), done); i > 0 && left >= time.Second { // the first tells nothing of the others
		p.page.Left.Set(kit.Left(left))
	}
	p.page.Progress.Refresh()
}

// keepPart keeps what was found of a model while all were measured, and that was cancelled.
func (p *series) keepPart(m library.Model, result measure.Result) {
	if result.Measured() == 0 {
		return
	}
	err := p.app.KeepPerformance(result)
	p.Do(func() {
		if err != nil {
			p.frame.fail(err)
		}
		p.record.changed(m.ID)
	})
}

// leftOf is how long the rest of something takes of which a part took that long.
func leftOf(took time.Duration, done float64) time.Duration {
	if done <= 0 {
		return 0
	}
	return time.Duration(float64(took) * (1 - done) / done)
}

// measured shows what is known after another model.
func (p *series) measured(b *batch, i int, err error) {
	if p.under != b {
		return
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		b.failed = append(b.failed, b.models[i].Title()+": "+kit.Sentence(err.Error()))
	}
	p.record.changed(b.models[i].ID)
}

// done says how many were measured, and which were not.
func (p *series) done(b *batch) {
	if p.under != b {
		return
	}
	p.end()
	p.Tell("Measured " + kit.Count(len(b.models)-len(b.failed), "model") + " in " + kit.Duration(time.Since(b.began)) + ".")
	if len(b.failed) > 0 {
		p.frame.notice.Fail(b.failed[0])
		p.frame.view.Refresh()
	}
}

// stop ends it; false: none is under way. What was measured stays.
func (p *series) stop() bool {
	if p.under == nil {
		return false
	}
	p.under.cancel()
	p.end()
	p.Tell("Cancelled. What was measured is kept.")
	return true
}

func (p *series) end() {
	p.under = nil
	kit.Show(p.page.begin, true)
	kit.Show(p.page.later, true)
	kit.Show(p.page.Progress, false)
	p.refresh()
}

// waits shows that a batch waits for other programs, and what they take.
func (p *series) waits(b *batch) func(others float64) {
	return func(others float64) {
		p.Do(func() {
			if p.under != b {
				return
			}
			p.page.Stage.Set(waitingText + ": " + othersText(others))
			p.page.Left.Set("")
			p.page.Progress.Refresh()
		})
	}
}
