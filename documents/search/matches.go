package search

import (
	"inglenook/documents/chunk"
	"inglenook/documents/words"
)

// A matcher finds the words of a query in texts, for one goroutine.
type matcher struct {
	stems map[string]bool   // of the query
	of    map[string]string // the stems of words that were met
}

func newMatcher(a asked) matcher {
	m := matcher{map[string]bool{}, map[string]string{}}
	for _, term := range a.words().Any {
		m.stems[words.Stem(term)] = true
	}
	return m
}

// Answering is the sentence of a text that answers a question best by its words, the first one where none has any, and
// where words of the question are in the text. Neither is there where the question has no words.
func Answering(question, text string) (best Span, matches []Span) {
	a := parse(question)
	if a.empty() {
		return Span{}, nil
	}
	m := newMatcher(a)
	return m.bestSentence(text), m.spans(text)
}

// stem returns the stem of a word; texts have the same words again and again.
func (m matcher) stem(word string) string {
	s, ok := m.of[word]
	if !ok {
		s = words.Stem(word)
		m.of[word] = s
	}
	return s
}

// spans returns where words of the query stand in a text.
func (m matcher) spans(text string) []Span {
	var spans []Span
	words.Each(text, func(start, end int) {
		if m.stems[m.stem(text[start:end])] {
			spans = append(spans, Span{Start: start, End: end})
		}
	})
	return spans
}

// found are the stems of the query's words that a text has.
func (m matcher) found(text string) map[string]bool {
	found := map[string]bool{}
	for _, s := range m.spans(text) {
		found[m.stem(text[s.Start:s.End])] = true
	}
	return found
}

// bestSentence returns the sentence with the most different words of the query,
// the shorter of two; the first one if none has any.
func (m matcher) bestSentence(text string) Span {
	var best Span
	most := -1
	for _, here := range Sentences(text) {
		found := m.found(text[here.Start:here.End])
		if len(found) > most || len(found) == most && most > 0 && here.End-here.Start < best.End-best.Start {
			best, most = here, len(found)
		}
	}
	return best
}

// Sentences returns where the sentences of a text are, without the white space around them.
func Sentences(text string) (list []Span) {
	start := 0
	for _, sentence := range chunk.Sentences(text) {
		list = append(list, words.Trim(text, Span{Start: start, End: start + len(sentence)}))
		start += len(sentence)
	}
	return list
}
