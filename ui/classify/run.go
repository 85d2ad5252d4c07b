package classify

import (
	"context"
	"errors"
	"fmt"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// run is work of the model under way.
type run struct{ cancel context.CancelFunc }

// Start classifies the texts.
func (p *Page) Start() {
	p.list.Take()
	m, ok := p.picker.Model()
	if !ok || p.classify.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	one := &run{cancel}
	out := &found{asked: p.request(), lines: p.texts.Lines(), from: p.texts.Origins()}
	r := texts.ClassifyRequest{Model: m.ID, Target: devices.Target{Device: out.asked.device}, Texts: out.lines}
	r.Pictures, out.small = p.pictures()
	if !HasItsOwn(m) {
		r.Labels, r.Sentence, r.Compare = split(out.asked.labels), out.asked.sentence, true
	}
	p.running = one
	p.panes.Front(panel.PaneResult)
	p.notice.Hide()
	panel.ShowProgress(p.RunControls, stageText(base.Progress{}), base.Progress{})
	p.refresh()
	report := panel.Throttled(p.Do, func(pr base.Progress) {
		if p.running == one {
			panel.ShowProgress(p.RunControls, stageText(pr), pr)
		}
	})
	p.Work(func(context.Context) {
		defer cancel()
		var err error
		out.ClassifyResult, err = p.app.Classify(ctx, r, report)
		p.Do(func() { p.finish(one, out, err) })
	})
}

// finish shows what a run found, unless it was cancelled.
func (p *Page) finish(one *run, out *found, err error) {
	if p.running != one {
		return
	}
	p.running = nil
	if err != nil {
		p.refresh()
		if !errors.Is(err, context.Canceled) {
			p.ShowError(err)
		}
		return
	}
	kept, waiting := out.keepHand(p.found)
	was, now, some := out.renamed(p.found)
	same := p.found != nil && p.found.asked.asksLike(out.asked)
	p.found = out
	p.recognise()
	p.keepFound()
	p.results.set(out, same)
	p.pickText(p.list.Selected) // the same text is marked on both sides
	p.Ran(out.Device)
	p.Tell(fmt.Sprintf("Classified %s in %s.", out.items(), kit.Duration(out.Took)) + out.tellHand(kept, waiting))
	p.offerRename(was, now, some)
	p.refresh()
}

// stop cancels the run under way; false: there is none. The window is free at once; what the
// run still finds is dropped.
func (p *Page) stop() bool {
	if p.running == nil {
		return false
	}
	p.running.cancel()
	p.running = nil
	p.Tell("Cancelled.")
	p.refresh()
	return true
}

// stageText says what is being done.
func stageText(pr base.Progress) string {
	switch {
	case pr.Stage == base.StageTesting:
		return panel.TestingGPU
	case (pr.Stage == base.StageEmbedding || pr.Stage == base.StageScoring) && pr.Total > 0:
		return fmt.Sprintf("Reading %s: %d of %d", pr.Unit, pr.Done, pr.Total)
	}
	return "Opening the model…"
}
