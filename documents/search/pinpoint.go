package search

import "context"

// wordsInPinpoint is what all words of a question in a sentence count, against the cosine of the two.
const wordsInPinpoint = 0.2

// Similar compares texts with others by meaning: the cosine of each with each, [texts, others].
type Similar func(ctx context.Context, texts, others []string) ([][]float64, error)

// Pinpoint returns the sentence of each passage that answers a question best: the closest one by
// meaning, where the words of the question count too. Its Best is by words alone.
func Pinpoint(ctx context.Context, question string, passages []string, similar Similar) ([]Span, error) {
	a := parse(question)
	if a.empty() {
		return nil, ErrEmpty
	}
	m := newMatcher(a)
	spans := make([][]Span, len(passages))
	var sentences []string
	for i, text := range passages {
		for _, here := range Sentences(text) {
			if here.End > here.Start {
				spans[i] = append(spans[i], here)
				sentences = append(sentences, text[here.Start:here.End])
			}
		}
	}
	best := make([]Span, len(passages))
	if len(sentences) == 0 {
		return best, nil
	}
	cosines, err := similar(ctx, []string{a.plain}, sentences)
	if err != nil {
		return nil, err
	}
	of := cosines[0]
	for i, list := range spans {
		highest := 0.0
		for k, here := range list {
			score := of[k] + wordsInPinpoint*m.share(passages[i][here.Start:here.End])
			if k == 0 || score > highest {
				best[i], highest = here, score
			}
		}
		of = of[len(list):]
	}
	return best, nil
}

// share is how many of the query's words a text has, of 1.
func (m matcher) share(text string) float64 {
	if len(m.stems) == 0 {
		return 0
	}
	return float64(len(m.found(text))) / float64(len(m.stems))
}
