package support

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"inglenook/documents/words"
)

//go:embed kinds.txt
var kindList string

// A kind has words of which only one holds, such as the seasons: each word has the number of
// the sense that it shares with others.
type kind map[string]int

var kinds = func() (all []kind) {
	for line := range strings.Lines(kindList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		k := kind{}
		for sense, group := range strings.Fields(line) {
			for _, word := range strings.Split(group, "=") {
				k[word] = sense
			}
		}
		all = append(all, k)
	}
	return all
}()

// otherOfKind returns a word of a claim that a window and the question lack, where the sentence
// nearest to the claim has another of its kind, which the claim lacks: Monday for Friday. Where
// the sentence has both, the claim's numbers tell which clause is meant.
func (j *judge) otherOfKind(c *claim, w *window) string {
	sentence := j.closest(c, w)
	for _, k := range kinds {
		said, there := k.senses(c.reading, whole), k.senses(sentence.reading, whole)
		for _, word := range said {
			if !w.stems[words.Stem(word)] && !k.has(j.question, whole, word) {
				if k.lacksOne(said, there) && !k.has(sentence.reading, whole, word) {
					return word
				}
				continue
			}
			for _, n := range c.counts() {
				for _, p := range sentence.pieces {
					if anySays(p.numbers, n) && k.lacksOne(said, k.senses(sentence.reading, p.Span)) && !k.has(sentence.reading, p.Span, word) && !saidBesides(sentence, k, word, n) {
						return word
					}
				}
			}
		}
	}
	return ""
}

// whole is a part of a text that has all of it.
var whole = Span{End: math.MaxInt}

// has reports whether a part of a text has a word of the kind in the same sense.
func (k kind) has(r *reading, part Span, word string) bool {
	return slices.ContainsFunc(k.senses(r, part), func(other string) bool { return k[other] == k[word] })
}

// lacksOne reports whether some words have a sense that others lack.
func (k kind) lacksOne(some, there []string) bool {
	return slices.ContainsFunc(there, func(other string) bool {
		return !slices.ContainsFunc(some, func(s string) bool { return k[s] == k[other] })
	})
}

// saidBesides reports whether a clause of a sentence has both a word of a kind and a number.
func saidBesides(s *sentence, k kind, word string, n number) bool {
	return slices.ContainsFunc(s.pieces, func(p piece) bool { return anySays(p.numbers, n) && k.has(s.reading, p.Span, word) })
}

// senses are the terms of a part of a text that belong to a kind, without those that are parts
// of names.
func (k kind) senses(r *reading, part Span) (list []string) {
	for _, t := range r.terms {
		if t.Start < part.Start || t.End > part.End {
			continue
		}
		word := strings.ToLower(r.text[t.Start:t.End])
		if _, is := k[word]; is && !slices.ContainsFunc(r.names, func(n name) bool { return n.Start == t.Start }) {
			list = append(list, word)
		}
	}
	return list
}
