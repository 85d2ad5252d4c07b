package ui

import (
	"context"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// loading is a model being loaded because a person chose it.
type loading struct {
	name   string
	cancel context.CancelFunc
	at     app.Progress
}

// load loads the chosen model. A message that is sent meanwhile waits for it.
func (p *chat) load() {
	m, ok := p.picker.model()
	if !ok {
		return
	}
	if p.loading != nil {
		p.loading.cancel()
	}
	ctx, cancel := context.WithCancel(p.life)
	l := &loading{name: m.Name, cancel: cancel}
	p.loading = l
	choices := p.choices
	p.refreshWork()
	p.work(func(context.Context) {
		err := p.talks.Load(ctx, choices, func(at app.Progress) {
			p.do(func() {
				if p.loading == l {
					l.at = at
					p.refreshWork()
				}
			})
		})
		cancel()
		p.do(func() {
			if p.loading != l {
				return
			}
			p.loading = nil
			p.showError(err)
			p.modelsChanged()
			p.refresh()
		})
	})
}

// refreshWork shows how far loading and reading are.
func (p *chat) refreshWork() {
	stage, left, part := p.workStage()
	was := p.waiting.progress.Visible()
	show(p.waiting.progress, stage != "")
	p.waiting.stage.set(stage)
	p.waiting.left.set(left)
	p.waiting.bar.set(part)
	p.composer.showSending(p.writesHere())
	if was != (stage != "") {
		p.view.Refresh()
	}
}

// workStage is what the window waits for, and how far that is; "": for nothing.
func (p *chat) workStage() (stage, left string, part float64) {
	share := func(done, total int64) float64 { return float64(done) / float64(max(1, total)) }
	if l := p.loading; l != nil {
		stage = "Loading " + l.name
		if l.at.Total > 0 {
			left = humanize.Bytes(uint64(l.at.Done)) + " of " + humanize.Bytes(uint64(l.at.Total))
		}
		return stage, left, share(l.at.Done, l.at.Total)
	}
	a := p.running
	if a == nil {
		return "", "", 0
	}
	s := a.shown
	if p.talk.ID != a.conversation {
		return "Answering “" + brief(a.title) + "”", "", 0
	}
	switch s.Stage {
	case app.StageWaiting:
		return "Waiting for what is under way", "", 0
	case app.StageOpening:
		stage = "Loading the model"
		if s.Total > 0 {
			left = humanize.Bytes(uint64(s.Done)) + " of " + humanize.Bytes(uint64(s.Total))
		}
		return stage, left, share(s.Done, s.Total)
	case app.StageReading:
		return "Reading the conversation", humanize.Comma(s.Done) + " of " + count(int(s.Total), "token"), share(s.Done, s.Total)
	}
	return "", "", 0
}
