package support

import (
	"slices"
	"strings"
)

// Who did what to whom is told by the order of words. A claim turns it round if what stands
// before a verb or a word such as "before" stands behind it in the passage, and the other way
// round: "the dog bit the man". A "by" behind the verb turns it once more.

// turnedRound returns the word around which a claim has in reverse what a sentence has; "" if
// there is none.
func turnedRound(claim, sentence *reading) string {
	for _, p := range pivotsOf(claim) {
		for _, q := range pivotsOf(sentence) {
			if p.stem == q.stem && p.passive == q.passive && p.reverses(q) {
				return claim.text[p.Start:p.End]
			}
		}
	}
	return ""
}

// A pivot is a word whose two sides cannot change places, with the terms on each side of it in
// its clause.
type pivot struct {
	place
	before, behind map[string]bool
	passive        bool
}

// reverses reports whether two pivots have the same on opposite sides, and nothing behind both.
func (p pivot) reverses(q pivot) bool {
	return !shares(p.behind, q.behind) && shares(p.before, q.behind) && shares(p.behind, q.before)
}

func shares(a, b map[string]bool) bool {
	for stem := range a {
		if b[stem] {
			return true
		}
	}
	return false
}

// pivotsOf finds what may be verbs in a text, and words of time and comparison.
func pivotsOf(r *reading) (list []pivot) {
	places := placesOf(r.text)
	for i, p := range places {
		isTerm := slices.ContainsFunc(r.terms, func(t term) bool { return t.Start == p.Start })
		switch word := strings.ToLower(r.text[p.Start:p.End]); {
		case lists["ordering"][word]:
		case i == 0 || !isTerm || beforeNoun(r, places[i-1]):
			continue
		}
		v := pivot{place: p, before: map[string]bool{}, behind: map[string]bool{}}
		start := clauseStart(strings.TrimRight(r.text[:p.Start], ", "))
		end := p.End + clauseEnd(r.text[p.End:])
		for _, t := range r.terms {
			switch {
			case t.Start >= start && t.End <= p.Start:
				v.before[t.stem] = true
			case t.Start >= p.End && t.End <= end:
				v.behind[t.stem] = true
			}
		}
		for _, next := range places[i+1 : min(i+1+around, len(places))] {
			v.passive = v.passive || r.text[next.Start:next.End] == "by"
		}
		list = append(list, v)
	}
	return list
}

// beforeNoun reports whether a word is an article or a preposition: no verb stands behind one.
func beforeNoun(r *reading, p place) bool {
	word := strings.ToLower(r.text[p.Start:p.End])
	return lists["beforeNouns"][word] || joiners[word]
}

// clauseStart returns where the last clause of a text begins.
func clauseStart(text string) int {
	return 1 + strings.LastIndexAny(text, ",;:.!?()|")
}
