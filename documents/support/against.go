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
		if !j.knows(w.page, n) {
			return fmt.Sprintf("the passage does not mention “%s”", n.word)
		}
		if j.isOther(c, n, w.page) {
			return fmt.Sprintf("the passage does not say this about “%s”", n.word)
		}
	}
	if word := contradiction(c.reading, j.closest(c, w).reading); word != "" {
		return fmt.Sprintf("the passage says something else about “%s”", word)
	}
	return ""
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
// than in the claim, while what the claim is about has another number of its kind.
func (j *judge) belongsElsewhere(c *claim, n number, g *page) bool {
	about := c.about(n.Span)
	with, without := -1.0, -1.0
	for _, p := range g.pieces() {
		switch share := shared(about, p.stems); {
		case anySays(p.numbers, n):
			with = max(with, share)
		case slices.ContainsFunc(p.numbers, n.comparable):
			without = max(without, share)
		}
	}
	return with >= 0 && without >= with+closerNumber
}

// isOther reports whether what a claim says of a name is said of another one in a passage.
func (j *judge) isOther(c *claim, n name, g *page) bool {
	about := c.about(n.Span)
	for _, other := range c.names {
		delete(about, words.Stem(other.word))
	}
	with, without := -1.0, -1.0
	for _, p := range g.partsWithNames() {
		own := slices.ContainsFunc(c.names, func(own name) bool { return hasName(own.word, p.stems) })
		switch share := shared(about, p.stems); {
		case own:
			with = max(with, share)
		case slices.ContainsFunc(p.names, func(other name) bool { return !hasName(other.word, j.question.stems) }):
			without = max(without, share)
		}
	}
	return with >= 0 && without >= max(likelyName, with+closerName)
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

// pieces are the clauses of a passage.
func (g *page) pieces() (all []piece) {
	for _, s := range g.sentences {
		all = append(all, s.pieces...)
	}
	return all
}

// partsWithNames are the clauses and the sentences of a passage that have names.
func (g *page) partsWithNames() (all []piece) {
	for _, s := range g.sentences {
		if len(s.names) == 0 {
			continue
		}
		all = append(append(all, s.pieces...), piece{Span{End: len(s.text)}, s.stems, s.numbers, s.names})
	}
	return slices.DeleteFunc(all, func(p piece) bool { return len(p.names) == 0 })
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
