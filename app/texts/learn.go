package texts

import (
	"context"
	"slices"

	"inglenook/app/base"
	"inglenook/vecmath"
)

// A label learns from the texts that a person gave it: it is closer to texts that are like these. What a text has in
// common with all texts of the list says nothing about its label, so the mean of the list is taken away before texts
// are compared; a text like the mean of all is no closer to a label with examples than to one without. What a label
// learns counts the more the more examples it has, and the words of the label always count too.
const (
	lessonWeight = 1.0 // of what was learned, beside the cosine with the label's sentence, with many examples
	lessonHalf   = 2.0 // so many examples make half of that
)

// lesson is what a label learned: texts are as much closer to it as their product with toward, less that of the mean.
type lesson struct {
	toward []float32 // nil: it has no examples
	less   float64
}

// lesson is how much closer to a text label i is by what it learned.
func (c closeness) lesson(i int, vector []float32) float64 {
	if c.learned == nil || c.learned[i].toward == nil {
		return 0
	}
	return vecmath.Dot(vector, c.learned[i].toward) - c.learned[i].less
}

// learn takes lessons from the texts that a person gave some of the labels; items are the vectors of all.
func (c *closeness) learn(items [][]float32, pictures []string, examples map[int]string) {
	mean := meanOf(items, func(i int) bool { return !isPicture(pictures, i) })
	for k, name := range c.names {
		of := func(i int) bool { return examples[i] == name && !isPicture(pictures, i) }
		toward := meanOf(items, of)
		if toward == nil {
			continue
		}
		n := 0.0
		for i := range items {
			if of(i) {
				n++
			}
		}
		weight := lessonWeight * n / (n + lessonHalf)
		for d := range toward {
			toward[d] = float32(weight) * (toward[d] - mean[d])
		}
		if c.learned == nil {
			c.learned = make([]lesson, len(c.names))
		}
		c.learned[k] = lesson{toward, vecmath.Dot(mean, toward)}
	}
}

// meanOf is the mean of some vectors; nil: there are none of these.
func meanOf(vectors [][]float32, of func(i int) bool) []float32 {
	var mean []float32
	n := 0
	for i, v := range vectors {
		if !of(i) {
			continue
		}
		if mean == nil {
			mean = make([]float32, len(v))
		}
		n++
		for d, x := range v {
			mean[d] += x
		}
	}
	for d := range mean {
		mean[d] /= float32(n)
	}
	return mean
}

// embedUnknown embeds the texts and pictures of a request whose vectors are not known, and returns those of all.
func (t *Service) embedUnknown(ctx context.Context, r ClassifyRequest, task string, report func(base.Progress)) (EmbedResult, error) {
	all := SimilarityRequest{Model: r.Model, Device: r.Device, Weights: r.Weights, Task: task, Texts: r.Texts, Pictures: r.Pictures}
	if len(r.Vectors) != len(r.Texts) || slices.ContainsFunc(r.Pictures, func(path string) bool { return path != "" }) {
		return t.embedItems(ctx, all, report)
	}
	var places []int
	all.Texts, all.Pictures = nil, nil
	for i, v := range r.Vectors {
		if v == nil {
			places, all.Texts = append(places, i), append(all.Texts, r.Texts[i])
		}
	}
	var got EmbedResult
	if len(places) > 0 {
		var err error
		if got, err = t.embedItems(ctx, all, report); err != nil {
			return EmbedResult{}, err
		}
	}
	n := len(r.Texts)
	vectors, tokens, cut := slices.Clone(r.Vectors), make([]int, n), make([]bool, n)
	for k, i := range places {
		vectors[i], tokens[i], cut[i] = got.Vectors[k], got.Tokens[k], got.Truncated[k]
	}
	got.Vectors, got.Tokens, got.Truncated = vectors, tokens, cut
	return got, nil
}
