package support

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// mostEvidence bounds how many sentences Answerable returns.
const mostEvidence = 32

// Answerable reports whether passages answer a question, as far as can be told, and returns
// the sentences that are nearest to it, the best first. Two that overlap are not both there.
func Answerable(ctx context.Context, question string, passages []Passage, m Meaning) (bool, []Evidence, error) {
	j := newJudge("", passages)
	asked := readQuestion(cut(question, longestSentence))
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

// readQuestion reads a question without the words that only ask for an amount, as "high" in
// "How high is the deposit?": its answer has the amount instead.
func readQuestion(text string) *reading {
	r := read(text)
	degrees := lists["degrees"]
	r.terms = slices.DeleteFunc(r.terms, func(t term) bool {
		before := strings.Fields(text[:t.Start])
		return len(before) > 0 && strings.EqualFold(before[len(before)-1], "how") && degrees[strings.ToLower(text[t.Start:t.End])]
	})
	r.stems = stems(r.terms)
	return r
}

func (e Evidence) overlaps(other Evidence) bool {
	return e.Passage == other.Passage && e.Span.Start < other.Span.End && other.Span.Start < e.Span.End
}
