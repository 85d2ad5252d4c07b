package performance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// batch measures one model after the other.
type batch struct {
	cancel context.CancelFunc
	models []library.Model
	began  time.Time
	failed []string // sentences about models that could not be measured
}

// measureAll measures all models that run here, quickly; each of them when other programs are quiet, if
// that is wanted. Each is kept as soon as it is measured.
func (p *Panel) measureAll(whenQuiet bool) {
	models := p.toMeasure()
	if p.running != nil || p.batch != nil || len(models) == 0 {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	b := &batch{cancel: cancel, models: models, began: time.Now()}
	offered, places := panel.OfferedDevices(p.App, ""), make([][]devices.Target, len(models))
	for i, m := range models {
		places[i] = p.targets.waysOf(offered, m)
	}
	p.batch = b
	p.endPrediction()
	p.notice.Hide()
	p.all.Bar.Set(0)
	p.showBatch(b, 0, 0)
	p.refresh()
	p.Work(func(context.Context) {
		defer cancel()
		for i, m := range models {
			if whenQuiet && p.app.WaitQuiet(ctx, p.batchWaits(b)) != nil {
				return
			}
			result, err := p.app.Measure(ctx, measure.Request{Model: m.ID, Targets: places[i]}, p.batchSteps(b, i))
			if ctx.Err() != nil {
				p.keepPart(m, result)
				return
			}
			if err == nil {
				err = p.app.KeepPerformance(result)
			}
			p.Do(func() { p.batchMeasured(b, i, err) })
		}
		p.Do(func() { p.batchDone(b) })
	})
}

// batchSteps reports how far the measurement of model i is.
func (p *Panel) batchSteps(b *batch, i int) func(measure.Step) {
	var last time.Time
	return func(s measure.Step) {
		if s.Total <= 0 || time.Since(last) < panel.ReportEvery {
			return
		}
		last = time.Now()
		p.Do(func() { p.showBatch(b, i, float64(s.Done)/float64(s.Total)) })
	}
}

// showBatch says which model is measured, and how long the rest takes at the pace so far.
func (p *Panel) showBatch(b *batch, i int, part float64) {
	if p.batch != b {
		return
	}
	kit.Show(p.all.begin, false)
	kit.Show(p.all.later, false)
	kit.Show(p.all.only, false)
	kit.Show(p.all.Progress, true)
	done := (float64(i) + part) / float64(len(b.models))
	p.all.Stage.Set(fmt.Sprintf("Model %d of %d: %s", i+1, len(b.models), b.models[i].Title()))
	p.all.Bar.Set(done)
	p.showAll.SetText(fmt.Sprintf("Measuring all models: %d of %d · Show", i+1, len(b.models)))
	p.all.Left.Set("")
	if left := leftOf(time.Since(b.began), done); i > 0 && left >= time.Second { // the first tells nothing of the others
		p.all.Left.Set(kit.Left(left))
	}
	p.all.Progress.Refresh()
}

// keepPart keeps what was found of a model while all were measured, and that was cancelled.
func (p *Panel) keepPart(m library.Model, result measure.Result) {
	if result.Measured() == 0 {
		return
	}
	err := p.app.KeepPerformance(result)
	p.Do(func() {
		if err != nil {
			p.ShowError(err)
		}
		p.historyChanged(m.ID)
	})
}

// leftOf is how long the rest of something takes of which a part took that long.
func leftOf(took time.Duration, done float64) time.Duration {
	if done <= 0 {
		return 0
	}
	return time.Duration(float64(took) * (1 - done) / done)
}

// batchMeasured shows what is known after another model.
func (p *Panel) batchMeasured(b *batch, i int, err error) {
	if p.batch != b {
		return
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		b.failed = append(b.failed, b.models[i].Title()+": "+kit.Sentence(err.Error()))
	}
	p.historyChanged(b.models[i].ID)
}

// batchDone says how many were measured, and which were not.
func (p *Panel) batchDone(b *batch) {
	if p.batch != b {
		return
	}
	p.endBatch()
	p.Tell("Measured " + kit.Count(len(b.models)-len(b.failed), "model") + " in " + kit.Duration(time.Since(b.began)) + ".")
	if len(b.failed) > 0 {
		p.notice.Fail(b.failed[0])
		p.view.Refresh()
	}
}

// stopBatch ends it; false: none is under way. What was measured stays.
func (p *Panel) stopBatch() bool {
	if p.batch == nil {
		return false
	}
	p.batch.cancel()
	p.endBatch()
	p.Tell("Cancelled. What was measured is kept.")
	return true
}

func (p *Panel) endBatch() {
	p.batch = nil
	kit.Show(p.all.begin, true)
	kit.Show(p.all.later, true)
	kit.Show(p.all.Progress, false)
	p.refresh()
}
