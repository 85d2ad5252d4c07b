package support

import (
	"cmp"
	"strings"

	"inglenook/documents/words"
)

// Reasons of claims that say nothing of their own. The words of the question would support them.
const (
	saysNothing  = "it says nothing that a passage could have"
	repeats      = "it repeats the same words"
	asksTheSame  = "it repeats the question"
	fewRepeats   = 4 // as often, on average, the same words are in no sentence
	fewFragments = 4 // as often the same fragment is in no answer
)

// empty says why a claim says nothing of its own that a passage could support; "" if it does.
func (j *judge) empty(c *claim) string {
	if isYes(c.statement.text) || isNo(c.statement.text) {
		return ""
	}
	said := words.Split(c.statement.text)
	switch {
	case repeated(len(said), len(c.words)), repeated(len(c.terms), len(c.stems)):
		return repeats
	case repeatsAll(lettersOf(c.statement.text).text, lettersOf(j.question.text).text):
		return asksTheSame
	case len(c.terms) > 0, len(c.numbers) > 0:
		return ""
	}
	for _, word := range said {
		if !words.Frequent(word) && j.anyPage(func(g *page) bool { return g.stems[words.Stem(word)] }) {
			return "" // such as the letter of a vitamin
		}
	}
	return saysNothing
}

// repeated reports whether a text has the same few words again and again.
func repeated(all, distinct int) bool { return all >= fewRepeats && all >= fewRepeats*distinct }

// repeatsAll reports whether a text is another one, once or more often; the last time may be cut.
func repeatsAll(text, other string) bool {
	if other == "" || len(text) < len(other) {
		return false
	}
	for len(text) > len(other) {
		rest, ok := strings.CutPrefix(text, other)
		if !ok {
			return false
		}
		text = rest
	}
	return strings.HasPrefix(other, text)
}

// withoutRepeats takes the support from fragments without a number that an answer repeats, such
// as one word in each line.
func withoutRepeats(judged []Claim, claims []*claim) {
	times := map[string]int{}
	for _, c := range claims {
		times[c.statement.text]++
	}
	for i, c := range claims {
		if c.context != nil && len(c.counts()) == 0 && times[c.statement.text] >= fewFragments {
			judged[i] = judged[i].unsupported(repeats)
		}
	}
}

// unsupported is the claim without support, for a reason where it has none yet.
func (c Claim) unsupported(why string) Claim {
	return Claim{Start: c.Start, End: c.End, Passage: -1, Score: min(c.Score, Enough-0.01), Why: cmp.Or(c.Why, why)}
}
