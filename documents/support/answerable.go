package support

import (
	"cmp"
	"context"
	"slices"
)

// mostEvidence bounds how many sentences Answerable returns.
const mostEvidence = 32

// Answerable reports whether passages answer a question, as far as can be told, and returns
// the sentences that are nearest to it, the best first. Two that overlap are not both there.
func Answerable(ctx context.Context, question string, passages []Passage, m Meaning) (bool, []Evidence, error) {
	j := newJudge("", passages)
	asked := read(cut(question, longestSentence))
	c := &claim{reading: asked, meant: asked.text, cover: make([]float64, len(j.windows))}
	for i, w := range j.windows {
		c.cover[i] = j.coverage(c, w.stems, w.says)
	}
	if err := j.compare(ctx, []*claim{c}, m); err != nil {
		return false, nil, err
	}
	if m != nil {
		j.weights = ofQuestions
	}
	var all []Evidence
	for i, w := range j.windows {
		all = append(all, Evidence{Passage: w.passage, Span: w.Span, Score: j.weights.score(c.meaning(i), c.cover[i])})
	}
	slices.SortStableFunc(all, func(a, b Evidence) int { return cmp.Compare(b.Score, a.Score) })
	var best []Evidence
	for _, e := range all {
		if len(best) < mostEvidence && !slices.ContainsFunc(best, e.overlaps) {
			best = append(best, e)
		}
	}
	return len(best) > 0 && best[0].Score >= Enough, best, nil
}

func (e Evidence) overlaps(other Evidence) bool {
	return e.Passage == other.Passage && e.Span.Start < other.Span.End && other.Span.Start < e.Span.End
}
