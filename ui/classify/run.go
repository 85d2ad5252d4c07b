package classify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// run is work of the model under way.
type run struct {
	cancel context.CancelFunc
	learns bool      // labels learn from those given by hand
	aside  bool      // a person is busy with the labels: the result comes by itself
	since  time.Time // when the model began to read texts; zero: not yet
}

// Start classifies the texts.
func (p *Page) Start() { p.classifyNow(&run{}) }

// again classifies the same texts by other labels, where only the labels have to be read for that.
func (p *Page) again() {
	if p.running != nil && !p.running.aside || p.found == nil || len(p.labels.names) < 2 {
		return
	}
	now := p.request()
	known := p.found.known(now.ids, p.texts.Lines())
	unread := known == nil || slices.ContainsFunc(known, func(v []float32) bool { return v == nil })
	if unread || p.found.asked.labelsLike(now) || p.found.asked.model != now.model || p.found.asked.device != now.device {
		return
	}
	p.stopQuietly()
	p.classifyNow(&run{aside: true})
}

// known are the vectors of texts with these ids that say these, as far as they were computed; nil: none was.
func (f *found) known(ids []int, lines []string) [][]float32 {
	if f == nil || f.Vectors == nil {
		return nil
	}
	places := make(map[int]int, len(f.asked.ids))
	for i, id := range f.asked.ids {
		places[id] = i
	}
	list := make([][]float32, len(ids))
	for k, id := range ids {
		if i, there := places[id]; there && f.lines[i] == lines[k] {
			list[k] = f.Vectors[i]
		}
	}
	return list
}

// examples are the labels on the list that a person gave texts by hand, by their places in a later result.
func (f *found) examples(now *found) map[int]string {
	names, list := split(now.asked.labels), map[int]string{}
	for k, i := range f.placesIn(now) {
		if name := f.own[k]; i >= 0 && slices.Contains(names, name) {
			list[i] = name
		}
	}
	return list
}

// classifyNow begins a run.
func (p *Page) classifyNow(one *run) {
	if !one.aside {
		p.labels.take()
		p.list.Take()
	}
	m, ok := p.picker.Model()
	if title, _ := p.missing(); !ok || title != "" || p.running != nil && !p.running.aside {
		return
	}
	p.stopQuietly()
	ctx, cancel := context.WithCancel(p.Life)
	one.cancel = cancel
	out := &found{asked: p.request(), lines: p.texts.Lines(), from: p.texts.Origins(), were: p.texts.Edited()}
	r := texts.ClassifyRequest{Model: m.ID, Target: devices.Target{Device: out.asked.device}, Texts: out.lines}
	r.Pictures, out.small = p.pictures()
	if !HasItsOwn(m) {
		r.Labels, r.Sentence, r.Compare = split(out.asked.labels), out.asked.sentence, true
		if before := p.found; before != nil && before.asked.model == out.asked.model {
			if before.asked.device == out.asked.device {
				r.Vectors = before.known(out.asked.ids, out.lines)
			}
			if one.learns || before.learned > 0 {
				r.Examples = before.examples(out)
				out.learned = len(r.Examples)
			}
		}
	}
	p.running = one
	if !one.aside {
		p.panes.Front(panel.PaneResult)
	}
	p.notice.Hide()
	panel.ShowProgress(p.RunControls, stageText(base.Progress{}), base.Progress{})
	p.refresh()
	report := panel.Throttled(p.Do, func(pr base.Progress) {
		if p.running == one {
			panel.ShowProgress(p.RunControls, stageText(pr), one.settled(pr, time.Now()))
		}
	})
	p.Work(func(context.Context) {
		defer cancel()
		var err error
		out.ClassifyResult, err = p.app.Classify(ctx, r, report)
		p.Do(func() { p.finish(one, out, err) })
	})
}

// From when on the time left is told: the pace of the first texts says little of that of the others.
const (
	paceAfter = 3 * time.Second
	paceShare = 0.05 // of the texts
)

// settled is progress with its time left only where that means something.
func (r *run) settled(pr base.Progress, now time.Time) base.Progress {
	if r.since.IsZero() && pr.Done > 0 {
		r.since = now
	}
	if now.Sub(r.since) < paceAfter || float64(pr.Done) < paceShare*float64(pr.Total) {
		pr.Left = 0
	}
	return pr
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
	before := p.found
	kept, waiting := out.keepHand(before)
	was, now, some := out.renamed(before)
	removed, keeping := out.removed(before)
	same := before != nil && before.asked.asksLike(out.asked)
	if out.Notes == nil && before != nil && out.Vectors != nil && before.Vectors != nil {
		out.Notes = before.Notes // of texts that were not read again
	}
	p.found = out
	p.recognise()
	p.keepFound()
	p.results.set(out, same || one.aside || one.learns)
	p.pickText(p.list.Selected) // the same text is marked on both sides
	p.Ran(out.Device)
	if one.learns {
		p.tellLearned(before, out)
	} else {
		p.Tell(fmt.Sprintf("Classified %s in %s.", out.items(), kit.Duration(out.Took)) + out.tellHand(kept, waiting))
		p.offerRename(was, now, some)
		p.offerTakeAway(removed, keeping)
		p.compareKnown()
	}
	p.refresh()
	if one.aside {
		p.again() // the labels may have changed meanwhile
	}
}

// stop cancels the run under way; false: there is none. The window is free at once; what the
// run still finds is dropped.
func (p *Page) stop() bool {
	if p.running == nil {
		return false
	}
	p.stopQuietly()
	p.Tell("Cancelled.")
	p.refresh()
	return true
}

func (p *Page) stopQuietly() {
	if p.running != nil {
		p.running.cancel()
		p.running = nil
	}
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
