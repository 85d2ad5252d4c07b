package rerank

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/ui/panel"
)

// run is work of the models under way.
type run struct{ cancel context.CancelFunc }

// begin has the models work away from the window's goroutine: do, which tells of each
// model's progress by report, and then done, unless the run was cancelled or failed.
func (s *session) begin(models int, do func(ctx context.Context, report func(model int) func(base.Progress)) error, done func()) {
	ctx, cancel := context.WithCancel(s.Life)
	r := &run{cancel}
	s.running = r
	s.failed(nil)
	s.shown(stageText(base.Progress{}, 0, models), base.Progress{})
	s.changed()
	report := func(model int) func(base.Progress) {
		return panel.Throttled(s.Do, func(p base.Progress) {
			if s.running == r {
				s.shown(stageText(p, model, models), p)
			}
		})
	}
	s.Work(func(context.Context) {
		defer cancel()
		err := do(ctx, report)
		s.Do(func() {
			if s.running != r {
				return
			}
			s.running = nil
			switch {
			case err == nil:
				done()
			case !errors.Is(err, context.Canceled):
				s.failed(err)
			}
			s.changed()
		})
	})
}

// stop cancels the run under way; false: there is none. The window is free at once; what
// the run still finds is dropped.
func (s *session) stop() bool {
	if s.running == nil {
		return false
	}
	s.running.cancel()
	s.running = nil
	s.Tell("Cancelled.")
	s.changed()
	return true
}

// stageText says what is being done, in few words: there is little room beside Cancel.
func stageText(p base.Progress, model, models int) string {
	reads := p.Stage == base.StageScoring || p.Stage == base.StageEmbedding
	count := humanize.Comma(p.Done) + " of " + humanize.Comma(p.Total)
	switch {
	case p.Stage == base.StageTesting:
		return panel.TestingGPU
	case p.Stage == base.StageServer:
		return panel.WaitingFor(p)
	case models > 1 && reads && p.Total > 0:
		return fmt.Sprintf("Model %d: %s", model+1, count)
	case models > 1:
		return fmt.Sprintf("Opening model %d…", model+1)
	case reads && p.Total > 0:
		return "Reading " + count
	case reads:
		return "Reading texts…"
	}
	return "Opening the model…"
}
