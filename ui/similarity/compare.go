package similarity

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// comparison is one run under way.
type comparison struct {
	cancel  context.CancelFunc
	ids     []int
	small   []image.Image // of each picture among the texts
	request request
}

// start compares the texts. What it finds comes back to finish.
func (p *Panel) start() {
	p.list.Take()
	m, ok := p.picker.Model()
	if !ok || p.compare.Disabled() {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	run := &comparison{cancel: cancel, ids: p.texts.IDs(), request: p.request()}
	run.small = p.smallPictures()
	r := texts.SimilarityRequest{Model: m.ID, Device: p.device.ID(), Texts: p.texts.Lines(), Pictures: p.pictures(), Prompt: p.prompt.Text(), NoPrompt: p.prompt.Text() == "", AsKept: true, Many: true}
	p.running = run
	p.panes.Front(panel.PaneResult)
	p.notice.Hide()
	p.showProgress(base.Progress{Stage: base.StageLoading})
	p.compare.Hide()
	p.Progress.Show()
	p.refresh()
	p.Work(func(context.Context) {
		defer cancel()
		result, err := p.app.Similarity(ctx, r, p.throttled(run))
		p.Do(func() { p.finish(run, &result, err) })
	})
}

// throttled reports progress of run to the window, not more often than can be
// seen.
func (p *Panel) throttled(run *comparison) func(base.Progress) {
	return panel.Throttled(p.Do, func(pr base.Progress) {
		if p.running == run {
			p.showProgress(pr)
		}
	})
}

func (p *Panel) showProgress(pr base.Progress) {
	panel.ShowProgress(p.RunControls, stageText(pr), pr)
}

// stageText says what is being done.
func stageText(pr base.Progress) string {
	switch pr.Stage {
	case base.StageTesting:
		return panel.TestingGPU
	case base.StageServer:
		return panel.WaitingFor(pr)
	case base.StageLoading:
		return "Opening the model…"
	case base.StageEmbedding:
		if pr.Total > 0 {
			return fmt.Sprintf("Reading %s: %d of %d", pr.Unit, pr.Done, pr.Total)
		}
		return "Reading texts…"
	case base.StageComparing:
		return "Comparing…"
	}
	return "Working…"
}

// stop cancels the run under way; false: there is none. The window is free at
// once; what the run still finds is dropped.
func (p *Panel) stop() bool {
	run := p.running
	if run == nil {
		return false
	}
	run.cancel()
	p.ended()
	p.Tell("Cancelled.")
	return true
}

func (p *Panel) ended() {
	p.running = nil
	p.Progress.Hide()
	p.compare.Show()
	p.refresh()
}

// finish shows what a run found, unless another one has taken its place.
func (p *Panel) finish(run *comparison, result *texts.SimilarityResult, err error) {
	if p.running != run {
		return
	}
	if err != nil {
		p.ended()
		if !errors.Is(err, context.Canceled) {
			p.ShowError(err)
		}
		return
	}
	p.groupsAsked, p.sorted = 0, false
	run.request.eight = result.Held.Weights == held.EightBits
	p.reading.Show(result.Model.Title(), texts.ReadingRequest{Model: run.request.model, Work: held.Embed, Texts: writtenOf(result)}, result.Held, result.Device, result.Took)
	p.running = nil
	p.found(result, run.ids, run.request, run.small)
	p.ended()
	if words := strings.TrimSpace(p.results.near.asks.Text); words != "" {
		p.find(words)
	}
	p.keepFound()
	p.Ran(result.Device)
	if p.areas.Index == areaCompare { // else it would be said of what is in view
		p.Tell(fmt.Sprintf("Compared %s in %s.", itemsOf(result), kit.Duration(result.Took)))
	}
	p.view.Refresh()
}

// found shows a result of the texts with these ids.
func (p *Panel) found(result *texts.SimilarityResult, ids []int, asked request, small []image.Image) {
	p.result, p.resultIDs, p.asked = result, ids, asked
	p.refresh()
	p.results.show(result, small)
	p.selectText(p.list.Selected)
	if p.results.selected < 0 && len(ids) > 0 {
		p.list.Pick(ids[0])
	}
	p.facts.Set(factsText(result))
	p.facts.Flat.Show()
	p.remarks.Set(strings.Join(remarksOf(result), "  "))
	if p.remarks.Segment.Text == "" {
		p.remarks.Flat.Hide()
	} else {
		p.remarks.Flat.Show()
	}
}

// writtenOf lists the texts of a result that are not pictures.
func writtenOf(r *texts.SimilarityResult) (lines []string) {
	for i, line := range r.Texts {
		if i >= len(r.Pictures) || r.Pictures[i] == "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// find lists the compared texts by how close they are to a person's own words.
func (p *Panel) find(question string) {
	result := p.result
	if result == nil {
		p.Tell("Compare the texts first, then ask what is closest.")
		return
	}
	r := texts.EmbedRequest{
		AsKept: true, Model: p.asked.model, Target: devices.Target{Device: p.asked.device}, Prefix: p.asked.prompt, NoPrefix: p.asked.prompt == "", Texts: []string{question},
	}
	p.Work(func(ctx context.Context) {
		got, err := p.app.Embed(ctx, r, nil)
		p.Do(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				p.ShowError(err)
			case err == nil && p.result == result:
				p.results.answer(question, result.Closest(got.Vectors[0]))
			}
		})
	})
}

// regroup parts the compared texts into so many groups.
func (p *Panel) regroup(number int) {
	result := p.result
	if result == nil {
		return
	}
	now := *result // its groups may be others before these are found
	p.Work(func(context.Context) {
		g := now.Regrouped(number)
		p.Do(func() {
			if p.result == result && g.Count > 0 {
				p.groupsAsked = number
				p.setGroups(g.Like(result.Groups), true) // which have other colours and names than those that are found
			}
		})
	})
}

// factsText is what the comparison took and what really computed it.
func factsText(r *texts.SimilarityResult) string {
	rate := " texts/s"
	if r.Pictures != nil {
		rate = " a second"
	}
	facts := []string{
		itemsOf(r) + " in " + kit.Duration(r.Took),
	}
	if r.TextsPerS > 0 { // not known of what was kept
		facts = append(facts, kit.Rate(r.TextsPerS)+rate)
	}
	if r.Load > 0 {
		facts = append(facts, "opened in "+kit.Duration(r.Load))
	}
	facts = append(facts, r.Model.Title())
	if r.Device != "" {
		facts = append(facts, "computed by "+panel.ComputedBy(r.Device, r.Held))
	}
	return strings.Join(facts, "  ·  ")
}

// remarksOf lists what a reader of the result must know.
func remarksOf(r *texts.SimilarityResult) []string {
	var remarks []string
	if r.Note != "" {
		remarks = append(remarks, kit.Sentence(r.Note))
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
	return append(remarks, panel.FallbackSentences(r.Fallbacks)...)
}
