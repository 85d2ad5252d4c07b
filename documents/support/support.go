// Package support judges an answer by the passages that it may rest on. It cuts the
// answer into claims, finds the sentences of the passages that support each claim, and
// says in everyday words why another has none. It says of a question, too, whether
// passages answer it at all.
//
// Two texts that mean nearly the same may differ in one number, one name or one "not",
// which vectors hardly notice. So a claim needs a sentence near in meaning that has most
// of its words, and no number, date, name, negation or opposite may contradict it.
// docs/QUALITY.md says how often that is right.
package support

import (
	"context"
	"fmt"
	"slices"

	"inglenook/documents/words"
	"inglenook/vecmath"
)

// A Passage is a text that an answer may rest on.
type Passage struct {
	Heading string // what stands above it: title, headings, the header of a table
	Text    string
}

// A Span is a part of a text, in bytes.
type Span = words.Span

// A Claim is a sentence of an answer with what supports it.
type Claim struct {
	Start, End int     // bytes in the answer
	Passage    int     // index; -1: no passage supports it
	Best       Span    // the sentence or sentences of the passage's Text that support it
	Score      float64 // how well, from 0 to 1; supported ones have Enough and more
	Why        string  // of an unsupported one, a short reason; "" of a supported one
}

// Supported reports whether a passage supports the claim.
func (c Claim) Supported() bool { return c.Passage >= 0 }

// Evidence is a sentence of a passage, or two, that may answer a question.
type Evidence struct {
	Passage int
	Span    Span    // of the passage's Text
	Score   float64 // from 0 to 1
}

// Meaning says how near texts are in meaning.
type Meaning interface {
	// Similar returns a score for each pair, [texts, others], from -1 to 1; two texts
	// that mean the same have 1.
	Similar(ctx context.Context, texts, others []string) ([][]float64, error)
}

// Vectors is an embedder as Meaning: it returns one vector of unit length a text. A
// judgement calls it three times at most.
type Vectors func(ctx context.Context, texts []string) ([][]float32, error)

// Similar implements Meaning by cosines.
func (embed Vectors) Similar(ctx context.Context, texts, others []string) ([][]float64, error) {
	vectors, err := embed.all(ctx, slices.Concat(texts, others))
	if err != nil {
		return nil, err
	}
	return cosines(vectors[:len(texts)], vectors[len(texts):]), nil
}

// all returns the vectors of texts, each text embedded once.
func (embed Vectors) all(ctx context.Context, texts []string) ([][]float32, error) {
	var distinct []string
	place := map[string]int{}
	for _, text := range texts {
		if _, known := place[text]; !known {
			place[text] = len(distinct)
			distinct = append(distinct, text)
		}
	}
	vectors, err := embed(ctx, distinct)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(distinct) {
		return nil, fmt.Errorf("the embedder gave %d vectors for %d texts", len(vectors), len(distinct))
	}
	all := make([][]float32, len(texts))
	for i, text := range texts {
		all[i] = vectors[place[text]]
	}
	return all, nil
}

func cosines(vectors, others [][]float32) [][]float64 {
	scores := make([][]float64, len(vectors))
	for i, v := range vectors {
		scores[i] = make([]float64, len(others))
		for j, other := range others {
			scores[i][j] = vecmath.Dot(v, other)
		}
	}
	return scores
}
