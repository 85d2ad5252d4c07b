package support

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/documents/words"
)

// against says what speaks against a window as the support of a claim, in a few words; "" if
// nothing does.
func (j *judge) against(c *claim, w *window) string {
	for _, n := range c.counts() {
		if !w.says(n) || j.belongsElsewhere(c, n, w.page) {
			return fmt.Sprintf("the passage has another number than “%s”", oneLine(c.reading.text[n.Start:n.End]))
		}
	}
	for _, n := range c.names {
		if !j.knows(w.page, n) || w.sentences[0].row && !hasName(n.word, w.stems) && !hasName(n.word, j.question.stems) {
			return fmt.Sprintf("the passage does not mention “%s”", n.word)
		}
		if j.isOther(c, n, w.page) {
			return fmt.Sprintf("the passage does not say this about “%s”", n.word)
		}
	}
	if !j.hasNew(c, w) {
		return nothing
	}
	if word := contradiction(c.reading, j.closest(c, w).reading); word != "" {
		return fmt.Sprintf("the passage says something else about “%s”", word)
	}
	if word := j.otherOfKind(c, w); word != "" {
		return fmt.Sprintf("the passage has something else for “%s”", word)
	}
	if word := turnedRound(c.reading, j.closest(c, w).reading); word != "" {
		return fmt.Sprintf("the passage has it the other way round: “%s”", word)
	}
	return ""
}

// nothing is the reason of a claim that no passage comes near to.
const nothing = "no passage says this"

// hasNew reports whether a window has anything of what a claim adds to the question.
func (j *judge) hasNew(c *claim, w *window) bool {
	adds := false
	for _, t := range c.terms {
		if word := strings.ToLower(c.reading.text[t.Start:t.End]); !j.question.stems[t.stem] && !lists["plain"][word] {
			adds = true
			if w.stems[t.stem] {
				return true
			}
		}
	}
	return !adds || len(c.counts()) > 0
}

// closest is the sentence of a window that shares the most with a claim.
func (j *judge) closest(c *claim, w *window) *sentence {
	best, most := w.sentences[0], -1.0
	for _, s := range w.sentences {
		if cover := j.coverage(c, s.stems, func(n number) bool { return anySays(s.numbers, n) }); cover > most {
			best, most = s, cover
		}
	}
	return best
}

// By how much a clause has to share more with a claim than the one that has its number or
// name, to be what the claim is about.
const (
	closerNumber = 0.15
	closerName   = 0.34
	likelyName   = 0.6
)

// belongsElsewhere reports whether a number of a claim stands in a passage beside other things
// than in the claim, while what the claim is about has another number of its kind: in another
// clause of the same sentence, or in another sentence.
func (j *judge) belongsElsewhere(c *claim, n number, g *page) bool {
	about := c.about(n.Span)
	with, without := -1.0, -1.0 // of sentences
	for _, s := range g.sentences {
		switch share := shared(about, s.stems); {
		case anySays(s.numbers, n) && !inOtherClause(about, n, s):
			with = max(with, share)
		case slices.ContainsFunc(s.numbers, n.comparable):
			without = max(without, share)
		}
	}
	return without >= with+closerNumber
}

// inOtherClause reports whether a sentence has a number in another clause than the one that a
// claim is about, which has another number of its kind. A clause may lack what the one before
// it has said, so one that has anything of the claim by itself may be meant.
func inOtherClause(about map[string]bool, n number, s *sentence) bool {
	other := false
	for _, p := range s.pieces {
		if !anySays(p.numbers, n) {
			continue
		}
		other = false
		for _, q := range s.pieces {
			if !anySays(q.numbers, n) && slices.ContainsFunc(q.numbers, n.comparable) && moreOf(about, q.stems, p.stems) {
				other = true
			}
		}
		if !other {
			return false
		}
	}
	return other
}

// moreOf reports whether a text has all terms that another one has, and more.
func moreOf(terms, text, than map[string]bool) bool {
	more := false
	for stem := range terms {
		if than[stem] && !text[stem] {
			return false
		}
		more = more || text[stem] && !than[stem]
	}
	return more
}

// isOther reports whether what a claim says of a name is said of another one in a passage, or
// in another passage where this one says nothing of it at all.
func (j *judge) isOther(c *claim, n name, g *page) bool {
	about := c.about(n.Span)
	for _, other := range c.names {
		delete(about, words.Stem(other.word))
	}
	with, without := j.saidOf(c, about, g)
	if with >= 0 && with < closerName {
		for _, other := range j.pages {
			more, others := j.saidOf(c, about, other)
			with, without = max(with, more), max(without, others)
		}
	}
	return with >= 0 && without >= max(likelyName, with+closerName)
}

// saidOf returns how much of what a claim says of its names a passage says beside one of them,
// and how much it says beside another name; -1: it has none.
func (j *judge) saidOf(c *claim, about map[string]bool, g *page) (with, without float64) {
	with, without = -1, -1
	for _, p := range g.named {
		own := slices.ContainsFunc(c.names, func(own name) bool { return hasName(own.word, p.stems) })
		switch share := shared(about, p.stems); {
		case own:
			with = max(with, share)
		case slices.ContainsFunc(p.names, func(other name) bool { return !hasName(other.word, j.question.stems) }):
			without = max(without, share)
		}
	}
	return with, without
}

// about are the terms of the clause of a claim that a place is in; for a fragment those of its
// context too.
func (c *claim) about(place Span) map[string]bool {
	about := map[string]bool{}
	for _, p := range c.reading.pieces {
		if p.Start <= place.Start && place.End <= p.End {
			add(about, p.stems)
		}
	}
	if c.context != nil {
		add(about, c.context.stems)
	}
	return about
}

// shared is the share of terms that another text has.
func shared(terms, there map[string]bool) float64 {
	if len(terms) == 0 {
		return 0
	}
	n := 0
	for stem := range terms {
		if there[stem] {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

func anySays(numbers []number, n number) bool {
	for _, other := range numbers {
		if n.saidBy(other) {
			return true
		}
	}
	return false
}

// knows reports whether a name stands in a passage, its heading or the question.
func (j *judge) knows(g *page, n name) bool {
	return hasName(n.word, g.stems) || hasName(n.word, j.question.stems) || g.initials[strings.ToLower(n.word)]
}

// missing says which number or name of a claim is in none of the passages; "" if all are.
func (j *judge) missing(c *claim) string {
	for _, n := range c.numbers {
		if !n.weak && !j.anyPage(func(g *page) bool { return g.hasNumber(n) }) {
			return fmt.Sprintf("the number “%s” is not in the passages", oneLine(c.reading.text[n.Start:n.End]))
		}
	}
	for _, n := range c.names {
		if !j.anyPage(func(g *page) bool { return j.knows(g, n) }) {
			return fmt.Sprintf("“%s” is not in the passages", n.word)
		}
	}
	return ""
}

func (j *judge) anyPage(is func(*page) bool) bool {
	for _, g := range j.pages {
		if is(g) {
			return true
		}
	}
	return false
}

func (g *page) hasNumber(n number) bool {
	for _, s := range g.sentences {
		if anySays(s.numbers, n) {
			return true
		}
	}
	return anySays(g.heading.numbers, n)
}
