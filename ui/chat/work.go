package chat

import (
	"cmp"
	"context"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// loading is a model being loaded because a person chose it.
type loading struct {
	name   string
	cancel context.CancelFunc
	at     base.Progress
}

// load loads the chosen model. A message that is sent meanwhile waits for it.
func (p *Panel) load() {
	m, ok := p.picker.Model()
	if !ok {
		return
	}
	if p.loading != nil {
		p.loading.cancel()
	}
	ctx, cancel := context.WithCancel(p.Life)
	l := &loading{name: m.Title(), cancel: cancel}
	p.loading = l
	choices := p.choices
	p.refreshWork()
	p.Work(func(context.Context) {
		err := p.conversations.Load(ctx, choices, func(at base.Progress) {
			p.Do(func() {
				if p.loading == l {
					l.at = at
					p.refreshWork()
				}
			})
		})
		cancel()
		p.Do(func() {
			if p.loading != l {
				return
			}
			then := p.whenLoaded
			p.loading, p.whenLoaded = nil, nil
			p.ShowError(err)
			if err == nil {
				p.Tell(l.name + " is ready.")
			}
			p.ModelsChanged()
			p.refresh()
			if err == nil && then != nil {
				then()
			}
		})
	})
}

// refreshWork shows how far loading and reading are.
func (p *Panel) refreshWork() {
	stage, left, part := p.workStage()
	was := p.waiting.Progress.Visible()
	kit.Show(p.waiting.Progress, stage != "")
	kit.Show(p.waiting.Cancel, p.loading != nil || !p.writesHere()) // else there is Stop
	p.waiting.Stage.Set(stage)
	p.waiting.Left.Set(left)
	p.waiting.Bar.Set(part)
	p.composer.showSending(p.writesHere())
	answered := ""
	if p.running != nil {
		answered = p.running.conversation
	}
	p.list.Writing(answered)
	if was != (stage != "") {
		p.view.Refresh()
	}
}

// searching is what the window says while documents are searched for a message that was sent.
const searching = "Searching your documents…"

// workStage is what the window waits for, and how far that is; "": for nothing.
func (p *Panel) workStage() (stage, left string, part float64) {
	share := func(done, total int64) float64 { return float64(done) / float64(max(1, total)) }
	if l := p.loading; l != nil {
		if l.at.Stage == base.StageTesting {
			return panel.TestingGPU, "", 0
		}
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
	if p.conversation.ID != a.conversation {
		return "Answering “" + kit.Brief(cmp.Or(a.title, "New chat")) + "”", "", 0
	}
	if p.asks.Asks() {
		return "Waiting for your answer", "", 0
	}
	switch s.Stage {
	case chat.StageWaiting:
		return "Waiting for another answer to finish", "", 0
	case chat.StageSearching:
		if p.tree.message(placeID) != nil { // where it is said already
			return "", "", 0
		}
		return searching, "", 0
	case chat.StageTools:
		return "Using tools…", "", 0
	case chat.StageChecking:
		return "Checking the answer…", "", 0
	case base.StageTesting:
		return panel.TestingGPU, "", 0
	case chat.StageOpening:
		stage = "Loading the model"
		if s.Total > 0 {
			left = humanize.Bytes(uint64(s.Done)) + " of " + humanize.Bytes(uint64(s.Total))
		}
		return stage, left, share(s.Done, s.Total)
	case chat.StageServer:
		return "Waiting for " + kit.Brief(s.Server), kit.Count(int(s.Done), "second"), 0
	case base.StageReading:
		if s.Total > 0 {
			left = kit.Percent(share(s.Done, s.Total))
		}
		return "Reading the conversation", left, share(s.Done, s.Total)
	}
	return "", "", 0
}
