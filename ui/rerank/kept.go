package rerank

import (
	"cmp"
	"slices"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// keepFound keeps what was found for the next start, where it is about the texts that are kept and
// every text has a score.
func (s *session) keepFound() {
	asked, found := "", []base.KeptRanking(nil)
	if out := s.found; out != nil && slices.Equal(out.asked.ids, s.texts.IDs()) {
		asked = out.asked.query
		for i, r := range out.rankings {
			scores := r.Scores()
			if slices.ContainsFunc(scores, func(v float32) bool { return !isNumber(v) }) || r.Untrusted != "" {
				asked, found = "", nil
				break
			}
			found = append(found, base.KeptRanking{
				Model: r.Model.ID, Name: r.Model.Title(), Method: r.Method, Pooling: out.asked.judges[i].pooling, Device: r.Device, Took: r.Took, Scores: scores, Elsewhere: r.Elsewhere, Notes: r.Notes,
			})
		}
	}
	s.Keep(func(kept *base.Settings) { kept.Rerank.Asked, kept.Rerank.Found = asked, found })
}

// restore shows what was found before the last end. Anything that does not fit is left out.
func (s *session) restore(kept base.RerankSettings) {
	if len(kept.Found) == 0 || len(kept.Found[0].Scores) != s.texts.Len() {
		return
	}
	out := &outcome{asked: request{query: kept.Asked, ids: s.texts.IDs(), device: "auto"}, lines: s.texts.Lines()}
	for i, k := range kept.Found {
		out.rankings = append(out.rankings, rankingOf(k))
		out.asked.judges = append(out.asked.judges, judge{model: k.Model, pooling: k.Pooling})
		if i < len(s.judges) && s.judges[i].model == k.Model {
			s.judges[i].pooling = k.Pooling
		}
	}
	if len(out.rankings) == 2 {
		out.agreement = texts.Agree(out.rankings[0].Scores(), out.rankings[1].Scores())
	}
	s.found, s.picked = out, out.best()
}

// rankingOf is a ranking as it was kept.
func rankingOf(k base.KeptRanking) texts.RerankResult {
	r := texts.RerankResult{Method: k.Method, Pooling: k.Pooling, Device: k.Device, Took: k.Took, Elsewhere: k.Elsewhere, Notes: k.Notes, Model: library.Model{ID: k.Model, Name: k.Name}}
	for i, score := range k.Scores {
		r.Ranking = append(r.Ranking, texts.Ranked{Index: i, Score: score})
	}
	slices.SortStableFunc(r.Ranking, func(a, b texts.Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return r
}
