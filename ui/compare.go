package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"inglenook/app"
)

// comparison is one run under way.
type comparison struct {
	cancel  context.CancelFunc
	ids     []int
	request request
}

// start compares the texts. What it finds comes back to finish.
func (p *similarity) start() {
	m, ok := p.picker.model()
	if !ok || p.compare.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.life)
	run := &comparison{cancel: cancel, ids: p.texts.ids(), request: p.request()}
	r := app.SimilarityRequest{Model: m.ID, Device: p.deviceID(), Texts: p.texts.lines(), Prompt: p.prompt.text(), NoPrompt: p.prompt.text() == ""}
	p.running = run
	p.notice.hide()
	p.showProgress(app.Progress{Stage: app.StageLoading})
	p.compare.Hide()
	p.progress.Show()
	p.refresh()
	p.work(func(context.Context) {
		defer cancel()
		result, err := p.app.Similarity(ctx, r, p.throttled(run))
		p.do(func() { p.finish(run, &result, err) })
	})
}

// throttled reports progress of run to the window, not more often than can be
// seen.
func (p *similarity) throttled(run *comparison) func(app.Progress) {
	var last time.Time
	stage := ""
	return func(pr app.Progress) {
		if pr.Stage == stage && time.Since(last) < reportEvery {
			return
		}
		stage, last = pr.Stage, time.Now()
		p.do(func() {
			if p.running == run {
				p.showProgress(pr)
			}
		})
	}
}

func (p *similarity) showProgress(pr app.Progress) {
	p.stage.set(stageText(pr))
	p.left.set("")
	if pr.Left >= time.Second {
		p.left.set(duration(pr.Left.Round(time.Second)) + " left")
	}
	if pr.Total > 0 {
		p.bar.set(float64(pr.Done) / float64(pr.Total))
	} else {
		p.bar.set(0)
	}
	p.progress.Refresh()
}

// stageText says what is being done.
func stageText(pr app.Progress) string {
	switch pr.Stage {
	case app.StageLoading:
		return "Opening the model…"
	case app.StageEmbedding:
		if pr.Total > 0 {
			return fmt.Sprintf("Reading texts: %d of %d", pr.Done, pr.Total)
		}
		return "Reading texts…"
	case app.StageComparing:
		return "Comparing…"
	}
	return "Working…"
}

// stop cancels the run under way; false: there is none. The window is free at
// once; what the run still finds is dropped.
func (p *similarity) stop() bool {
	run := p.running
	if run == nil {
		return false
	}
	run.cancel()
	p.ended()
	p.tell("Cancelled.")
	return true
}

func (p *similarity) ended() {
	p.running = nil
	p.progress.Hide()
	p.compare.Show()
	p.refresh()
}

// finish shows what a run found, unless another one has taken its place.
func (p *similarity) finish(run *comparison, result *app.SimilarityResult, err error) {
	if p.running != run {
		return
	}
	if err != nil {
		p.ended()
		if !errors.Is(err, context.Canceled) {
			p.showError(err)
		}
		return
	}
	p.result, p.resultIDs, p.asked = result, run.ids, run.request
	p.ended()
	p.blank.Hide()
	p.results.show(result)
	p.selectText(p.list.selected)
	if p.results.selected < 0 && len(run.ids) > 0 {
		p.list.pick(run.ids[0])
	}
	p.facts.set(factsText(result))
	p.facts.flat.Show()
	p.remarks.set(strings.Join(remarksOf(result), "  "))
	if p.remarks.segment.Text == "" {
		p.remarks.flat.Hide()
	} else {
		p.remarks.flat.Show()
	}
	p.ran(result.Device)
	p.tell(fmt.Sprintf("Compared %s in %s.", countTexts(len(result.Texts)), duration(result.Took)))
	p.view.Refresh()
}

// factsText is what the comparison took and what really computed it.
func factsText(r *app.SimilarityResult) string {
	facts := []string{
		countTexts(len(r.Texts)) + " in " + duration(r.Took),
		rate(r.TextsPerS) + " texts/s",
		rate(r.TokensPerS) + " tokens/s",
	}
	if r.Load > 0 {
		facts = append(facts, "opened in "+duration(r.Load))
	}
	facts = append(facts, r.Model.Name)
	if r.Device != "" {
		facts = append(facts, "computed by "+deviceName(r.Device))
	}
	return strings.Join(facts, "  ·  ")
}

// remarksOf lists what a reader of the result must know.
func remarksOf(r *app.SimilarityResult) []string {
	var remarks []string
	if r.Note != "" {
		remarks = append(remarks, sentence(r.Note))
	}
	var cut []string
	for i, t := range r.Truncated {
		if t {
			cut = append(cut, fmt.Sprint(i+1))
		}
	}
	if len(cut) > 0 {
		const most = 12
		names := strings.Join(cut[:min(most, len(cut))], ", ")
		if len(cut) > most {
			names += fmt.Sprintf(" and %d more", len(cut)-most)
		}
		what := "text "
		if len(cut) > 1 {
			what = "texts "
		}
		remarks = append(remarks, "Cut short: "+what+names+".")
	}
	for _, f := range r.Fallbacks {
		remarks = append(remarks, sentence(fmt.Sprintf("%v ran on %s instead of %s: %s", f.Op, deviceName(f.RunsOn), deviceName(f.Device), f.Reason)))
	}
	return remarks
}
