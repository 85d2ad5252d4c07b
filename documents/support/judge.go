package support

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/documents/words"
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
	suspicions := map[int]suspicion{}
	for i, c := range claims {
		var by *window
		out[i], by = j.verdict(c)
		if by == nil {
			continue
		}
		if s, any := j.suspect(c, by); any {
			suspicions[i] = s
		}
	}
	if err := j.withoutAliens(ctx, out, suspicions, m); err != nil {
		return nil, err
	}
	withoutRepeats(out, claims)
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
	j.addFirstName(c)
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

// addFirstName makes the first word of a claim a name, if it is one in a passage. By itself a
// capital says nothing there.
func (j *judge) addFirstName(c *claim) {
	if len(c.terms) == 0 || len(c.names) > 0 && c.names[0].Start == c.terms[0].Start {
		return
	}
	first := c.terms[0].Span
	word := c.reading.text[first.Start:first.End]
	if capital, _ := spelling(word); !capital || !beginsSentence(c.reading.text, first.Start) || words.Frequent(strings.ToLower(word)) {
		return
	}
	for _, g := range j.pages {
		for _, p := range g.named {
			if slices.ContainsFunc(p.names, func(n name) bool { return n.word == word }) {
				c.names = append([]name{{first, word}}, c.names...)
				return
			}
		}
	}
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

// The weights of names, and of words that the question has, in a claim and in the context of a
// fragment. Other words have 1.
const (
	ofName     = 2
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
		switch isName := slices.ContainsFunc(c.names, func(n name) bool { return n.Start == t.Start }); {
		case j.question.stems[t.stem]:
			add(there[t.stem], ofQuestion)
		case isName:
			add(there[t.stem], ofName)
		default:
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
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.cover[b], c.cover[a]) })
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

// verdict judges a claim by the window that supports it best, which it returns too, unless the
// claim is there word for word. A claim that no window supports may rest on two: then each of
// its clauses needs one.
func (j *judge) verdict(c *claim) (Claim, *window) {
	out := Claim{Start: c.Start, End: c.End, Passage: -1}
	if found, ok := j.literal(c); ok {
		out.Passage, out.Best, out.Score = found.passage, found.Span, 1
		return out, nil
	}
	if why := j.empty(c); why != "" {
		out.Why = why
		return out, nil
	}
	best, score, why := j.best(c)
	if best != nil {
		out.Passage, out.Best, out.Score = best.passage, best.Span, score
		return out, best
	}
	if whole, ok := j.inParts(c); ok {
		out.Passage, out.Best, out.Score = whole.Passage, whole.Best, whole.Score
		return out, nil
	}
	out.Score, out.Why = min(score, Enough-0.01), why
	return out, nil
}

// inParts reports whether each clause of a claim has its own support. The passage is that of
// the first one.
func (j *judge) inParts(c *claim) (out Claim, ok bool) {
	for i, part := range c.parts {
		best, score, _ := j.best(part)
		if best == nil {
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

// leastOfPart is the least coverage of each clause by a window that supports the whole claim.
const leastOfPart = 0.2

// Windows are tried for a claim, the best first: so many, and none that is so much worse than
// the best, because that is what the claim is about, even if it says something else.
const (
	mostTried = 16
	worse     = 0.2
)

// best returns the window that supports a claim best, with its score, and why it does not
// support it; "" if it does.
func (j *judge) best(c *claim) (best *window, score float64, why string) {
	type scored struct {
		*window
		score float64
	}
	var enough []scored
	for i, w := range j.windows {
		s := j.weights.score(c.meaning(i), c.cover[i])
		if slices.ContainsFunc(c.parts, func(part *claim) bool { return part.cover[i] < leastOfPart }) {
			s = min(s, Enough-0.01) // one clause says something else
		}
		if len(w.sentences) > 1 {
			s -= apart
		}
		score = max(score, s)
		if s >= Enough {
			enough = append(enough, scored{w, s})
		}
	}
	slices.SortStableFunc(enough, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, w := range enough[:min(mostTried, len(enough))] {
		if w.score < enough[0].score-worse {
			break
		}
		reason := j.against(c, w.window)
		if reason == "" {
			return w.window, w.score, ""
		}
		why = cmp.Or(why, reason)
	}
	return nil, score, cmp.Or(j.missing(c), why, nothing)
}

func (c *claim) meaning(i int) float64 {
	if c.meanings == nil {
		return 0
	}
	return c.meanings[i]
}
