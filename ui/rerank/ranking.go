package rerank

import (
	"context"
	"fmt"
	"slices"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// outcome is what the models found. Its texts are those that were ranked, whatever the list
// holds now.
type outcome struct {
	asked     request
	lines     []string
	rankings  []texts.RerankResult // one a judge
	agreement texts.Agreement      // of two judges
}

// noneStandsOut reports whether to one of the models no text stands out.
func (out *outcome) noneStandsOut() bool {
	return slices.ContainsFunc(out.rankings, texts.RerankResult.NoneStandsOut)
}

// best is the text that the first model puts first, by its index; -1: no text stands out.
func (out *outcome) best() int {
	if out.noneStandsOut() {
		return -1
	}
	return out.rankings[0].Ranking[0].Index
}

// start ranks the texts, with one model after the other.
func (s *session) start() {
	if title, _ := s.missing(); title != "" || s.running != nil {
		return
	}
	out := &outcome{asked: s.request(), lines: s.texts.Lines()}
	s.begin(len(out.asked.judges), func(ctx context.Context, report func(int) func(base.Progress)) error {
		return s.rank(ctx, out, report)
	}, func() { s.finish(out) })
}

// rank asks the models.
func (s *session) rank(ctx context.Context, out *outcome, report func(int) func(base.Progress)) error {
	for i, j := range out.asked.judges {
		got, err := s.app.Rerank(ctx, texts.RerankRequest{
			Model: j.model, Target: devices.Target{Device: out.asked.device}, AsKept: true, Compare: true, Query: out.asked.query, Texts: out.lines, Pooling: j.pooling,
		}, report(i))
		if err != nil {
			return err
		}
		out.rankings = append(out.rankings, got)
	}
	if len(out.rankings) == 2 {
		out.agreement = texts.Agree(out.rankings[0].Scores(), out.rankings[1].Scores())
	}
	return nil
}

// finish shows what was found. For the same question the text that was picked stays picked.
func (s *session) finish(out *outcome) {
	id := 0
	if s.found != nil && s.picked >= 0 && s.found.asked.query == out.asked.query {
		id = s.found.asked.ids[s.picked]
	}
	s.found = out
	for i, one := range out.rankings {
		eight := one.Held.Weights == held.EightBits
		if out.asked.judges[i].eight = eight; i < len(s.judges) && s.judges[i].model == out.asked.judges[i].model {
			s.judges[i].eight = eight
		}
	}
	if s.picked = slices.Index(out.asked.ids, id); s.picked < 0 || out.noneStandsOut() {
		s.picked = out.best()
	}
	s.sorted()
	s.keepFound()
	s.Ran(out.rankings[len(out.rankings)-1].Device)
	s.Tell(fmt.Sprintf("Sorted %s in %s.", kit.Count(len(out.lines), "text"), kit.Duration(tookOf(out.rankings))))
}
