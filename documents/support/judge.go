package support

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Judge returns the claims of an answer, in order, with what supports each. The question
// explains answers such as "42 days." m may be nil: then words alone are compared. It
// stops when ctx is done.
func Judge(ctx context.Context, question, answer string, passages []Passage, m Meaning) ([]Claim, error) {
	list := statements(answer)
	if len(list) == 0 {
		return nil, ctx.Err()
	}
	j := newJudge(question, passages)
	claims := make([]*claim, len(list))
	for i, s := range list {
		claims[i] = j.claim(s)
	}
	if err := j.compare(ctx, claims, m); err != nil {
		return nil, err
	}
	out := make([]Claim, len(claims))
	for i, c := range claims {
		out[i] = j.verdict(c)
	}
	return out, nil
}

// A judge has the passages and the question of one judgement.
type judge struct {
	question *reading
	pages    []*page
	windows  []*window
	weights  weights
}

func newJudge(question string, passages []Passage) *judge {
	j := &judge{question: read(cut(question, longestSentence))}
	for i, p := range passages {
		g := readPassage(p)
		j.pages = append(j.pages, g)
		j.windows = append(j.windows, g.windows(i)...)
	}
	return j
}

// A claim is a statement, or a part of one, as it is compared.
type claim struct {
	statement
	*reading
	context  *reading // the question and what stands above, of a fragment; else nil
	meant    string   // for the embedder
	parts    []*claim // its clauses, where it has several
	cover    []float64
	meanings []float64 // by window; NaN: not compared
}

const fewTerms = 3 // a statement with fewer terms and numbers is a fragment

func (j *judge) claim(s statement) *claim {
	c := j.reading(s, s.text)
	if clauses := clausesOf(s.text); len(clauses) > 1 {
		for _, clause := range clauses {
			c.parts = append(c.parts, j.reading(s, clause))
		}
	}
	return c
}

func (j *judge) reading(s statement, text string) *claim {
	c := &claim{statement: s, reading: read(text), meant: text}
	if yes, no := isYes(text), isNo(text); yes || no {
		c.reading = asserted(j.question, no)
		c.meant = j.question.text
	}
	if len(c.terms)+len(c.counts()) < fewTerms {
		above := strings.TrimSpace(s.lead + " " + j.question.text)
		c.context = read(above)
		c.meant = above + " " + text
	}
	c.cover = make([]float64, len(j.windows))
	for i, w := range j.windows {
		c.cover[i] = j.coverage(c, w.stems, w.says)
	}
	return c
}

func isYes(text string) bool {
	return slices.Contains([]string{"yes", "ja", "oui", "sí", "si"}, strings.ToLower(strings.Trim(text, " .!")))
}

func isNo(text string) bool {
	return slices.Contains([]string{"no", "nein", "non"}, strings.ToLower(strings.Trim(text, " .!")))
}

// asserted is a question as the claim that a yes makes, or a no.
func asserted(question *reading, denied bool) *reading {
	r := *question
	if denied {
		r.polarity.denied, r.polarity.affirmed = r.polarity.affirmed, r.polarity.denied
	}
	return &r
}

// counts are the numbers of a text that count something.
func (r *reading) counts() (list []number) {
	for _, n := range r.numbers {
		if !n.weak {
			list = append(list, n)
		}
	}
	return list
}

// The weights of words that the question has, in a claim and in the context of a fragment.
const (
	ofQuestion = 0.5
	ofContext  = 0.25
)

// coverage is the share of a claim's terms and numbers that a text has. For a fragment the
// terms of its context count too.
func (j *judge) coverage(c *claim, there map[string]bool, says func(number) bool) float64 {
	var have, all float64
	add := func(is bool, weight float64) {
		all += weight
		if is {
			have += weight
		}
	}
	for _, t := range c.terms {
		if j.question.stems[t.stem] {
			add(there[t.stem], ofQuestion)
		} else {
			add(there[t.stem], 1)
		}
	}
	for _, n := range c.counts() {
		add(says(n), 1)
	}
	if c.context != nil {
		for stem := range c.context.stems {
			if !c.stems[stem] {
				add(there[stem], ofContext)
			}
		}
	}
	if all == 0 {
		return 0
	}
	return have / all
}

// says reports whether a window has a number.
func (w *window) says(n number) bool {
	for _, s := range w.sentences {
		if anySays(s.numbers, n) {
			return true
		}
	}
	return anySays(w.page.heading.numbers, n)
}

// Bounds of what the embedder is given: all windows where they are few, else those that
// share the most words with a claim.
const (
	fewWindows  = 256
	bestOfClaim = 8
)

// compare has the meanings of claims and windows compared, in one call.
func (j *judge) compare(ctx context.Context, claims []*claim, m Meaning) error {
	j.weights = ofWords
	if m == nil || len(j.windows) == 0 {
		return ctx.Err()
	}
	j.weights = ofClaims
	var all []*claim
	for _, c := range claims {
		all = append(append(all, c), c.parts...)
	}
	chosen := j.candidates(all)
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.meant
	}
	others := make([]string, len(chosen))
	for i, at := range chosen {
		others[i] = j.windows[at].text
	}
	scores, err := m.Similar(ctx, texts, others)
	if err != nil {
		return err
	}
	if len(scores) != len(texts) {
		return fmt.Errorf("%d texts were compared, not %d", len(scores), len(texts))
	}
	for i, c := range all {
		if len(scores[i]) != len(others) {
			return fmt.Errorf("a text was compared with %d others, not %d", len(scores[i]), len(others))
		}
		c.meanings = make([]float64, len(j.windows))
		for k, at := range chosen {
			c.meanings[at] = finite(scores[i][k])
		}
	}
	return nil
}

// candidates are the indexes of the windows whose meaning is compared.
func (j *judge) candidates(claims []*claim) (chosen []int) {
	wanted := make([]bool, len(j.windows))
	if len(j.windows) <= fewWindows {
		for i := range wanted {
			wanted[i] = true
		}
	}
	order := make([]int, len(j.windows))
	for _, c := range claims {
		if len(j.windows) <= fewWindows {
			break
		}
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return compareScores(c.cover[b], c.cover[a]) })
		for _, at := range order[:bestOfClaim] {
			wanted[at] = true
		}
	}
	for i, want := range wanted {
		if want {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func compareScores(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// verdict judges a claim by the window that supports it best. A claim that no window
// supports may rest on two: then each of its clauses needs one.
func (j *judge) verdict(c *claim) Claim {
	out := Claim{Start: c.Start, End: c.End, Passage: -1}
	if found, ok := j.literal(c); ok {
		out.Passage, out.Best, out.Score = found.passage, found.Span, 1
		return out
	}
	best, score, why := j.best(c)
	if why == "" && best != nil {
		out.Passage, out.Best, out.Score = best.passage, best.Span, score
		return out
	}
	if whole, ok := j.inParts(c); ok {
		out.Passage, out.Best, out.Score = whole.Passage, whole.Best, whole.Score
		return out
	}
	out.Score, out.Why = min(score, Enough-0.01), why
	return out
}

// inParts reports whether each clause of a claim has its own support. The passage is that of
// the first one.
func (j *judge) inParts(c *claim) (out Claim, ok bool) {
	for i, part := range c.parts {
		best, score, why := j.best(part)
		if why != "" || best == nil {
			return out, false
		}
		if i == 0 {
			out = Claim{Passage: best.passage, Best: best.Span, Score: score}
		}
		out.Score = min(out.Score, score)
	}
	return out, len(c.parts) > 0
}

// apart is by how much two sentences together have to be better than one of them.
const apart = 0.02

// best returns the window that supports a claim best, with its score, and why it does not
// support it; "" if it does.
func (j *judge) best(c *claim) (best *window, score float64, why string) {
	var near *window // the best that something speaks against
	var nearScore float64
	for i, w := range j.windows {
		s := j.weights.score(c.meaning(i), c.cover[i])
		if len(w.sentences) > 1 {
			s -= apart
		}
		if s > nearScore {
			near, nearScore = w, s
		}
		if s < Enough || s <= score {
			continue
		}
		if j.against(c, w) == "" {
			best, score = w, s
		}
	}
	if best != nil {
		return best, score, ""
	}
	if reason := j.missing(c); reason != "" {
		return nil, nearScore, reason
	}
	if near != nil && nearScore >= Enough {
		return nil, nearScore, j.against(c, near)
	}
	return nil, nearScore, "no passage says this"
}

func (c *claim) meaning(i int) float64 {
	if c.meanings == nil {
		return 0
	}
	return c.meanings[i]
}
