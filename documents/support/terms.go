package support

import (
	"strings"
	"unicode"

	"inglenook/documents/words"
)

// A term is a word of a text that says what the text is about.
type term struct {
	Span
	stem string
}

// termsOf returns the terms of a text, in order: its words without frequent ones and single
// letters. Numbers are not among them, as they are compared by themselves. Scripts that
// write no spaces give pairs of characters.
func termsOf(text string) (terms []term) {
	words.Each(text, func(start, end int) {
		word := strings.ToLower(text[start:end])
		first := []rune(word)[0]
		switch {
		case unspaced(first):
			terms = append(terms, pairs(text, Span{Start: start, End: end})...)
		case unicode.IsNumber(first), words.Frequent(word), len(word) < 2, joiners[word]:
		default:
			if _, ok := numberWords[word]; !ok {
				terms = append(terms, term{Span{Start: start, End: end}, words.Stem(word)})
			}
		}
	})
	return terms
}

// joiners are short words of other languages that say as little as the frequent ones, and
// what an apostrophe leaves of "don't" and "we'll".
var joiners = lists["joiners"]

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs are the pairs of neighbouring characters of a word; a single one is itself.
func pairs(text string, s Span) (terms []term) {
	last := -1
	for i, r := range text[s.Start:s.End] {
		at := s.Start + i
		end := at + len(string(r))
		if last >= 0 {
			terms = append(terms, term{Span{Start: last, End: end}, text[last:end]})
		}
		last = at
	}
	if terms == nil {
		terms = []term{{s, text[s.Start:s.End]}}
	}
	return terms
}

// stems are the terms of a text as a set.
func stems(terms []term) map[string]bool {
	set := map[string]bool{}
	for _, t := range terms {
		set[t.stem] = true
	}
	return set
}
