package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"inglenook/documents/chunk"
)

// A matcher finds the words of a query in texts, for one goroutine.
type matcher struct {
	stems map[string]bool   // of the query
	of    map[string]string // the stems of words that were met
}

func newMatcher(a asked) matcher {
	m := matcher{map[string]bool{}, map[string]string{}}
	for _, term := range a.words().Any {
		m.stems[stemOf(term)] = true
	}
	return m
}

// stem returns the stem of a word; texts have the same words again and again.
func (m matcher) stem(word string) string {
	s, ok := m.of[word]
	if !ok {
		s = stemOf(word)
		m.of[word] = s
	}
	return s
}

// stemOf returns a word as two words are compared: small, without marks, its stem.
func stemOf(word string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(word)))
	return stem(plain)
}

// spans returns where words of the query stand in a text.
func (m matcher) spans(text string) []Span {
	var spans []Span
	eachWord(text, func(start, end int) {
		if m.stems[m.stem(text[start:end])] {
			spans = append(spans, Span{start, end})
		}
	})
	return spans
}

// eachWord calls do with the bytes of each word of a text.
func eachWord(text string, do func(start, end int)) {
	start := -1
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			do(start, i)
			start = -1
		}
	}
	if start >= 0 {
		do(start, len(text))
	}
}

// bestSentence returns the sentence with the most different words of the query,
// the shorter of two; the first one if none has any.
func (m matcher) bestSentence(text string) Span {
	var best Span
	most := -1
	start := 0
	for _, sentence := range chunk.Sentences(text) {
		found := map[string]bool{}
		for _, s := range m.spans(sentence) {
			found[m.stem(sentence[s.Start:s.End])] = true
		}
		here := trimmed(text, Span{start, start + len(sentence)})
		if len(found) > most || len(found) == most && most > 0 && here.End-here.Start < best.End-best.Start {
			best, most = here, len(found)
		}
		start += len(sentence)
	}
	return best
}

// trimmed returns a span without the white space at its ends.
func trimmed(text string, s Span) Span {
	for s.Start < s.End {
		r, size := utf8.DecodeRuneInString(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.Start += size
	}
	for s.Start < s.End {
		r, size := utf8.DecodeLastRuneInString(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.End -= size
	}
	return s
}
