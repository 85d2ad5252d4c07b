package texts

import (
	"context"
	"errors"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/documents/search"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/vecmath"
)

// FindRequest asks which texts an embedder finds by each of some questions.
type FindRequest struct {
	Model string
	devices.Target
	Questions []string
	Texts     []string
}

// FindResult holds what an embedder finds, and what it took to read the texts.
type FindResult struct {
	Orders    []Order // of the texts for each question, the nearest first
	Dimension int     // of a vector
	Took      time.Duration
	Load      time.Duration // 0 when the model was open already
	TextsPerS float64
	Model     library.Model
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in EmbedResult
	Notes     []string
}

// FindTexts orders texts by the cosine of their vectors and that of each question. The
// checkpoint's prompts named "query" and "document" are put before them, where it has these.
func (t *Service) FindTexts(ctx context.Context, r FindRequest, report func(base.Progress)) (FindResult, error) {
	switch {
	case len(r.Texts) == 0:
		return FindResult{}, errors.New("there is nothing to find; give at least one text")
	case len(r.Questions) == 0:
		return FindResult{}, errors.New("there is nothing to look for; give at least one question")
	}
	opening := func(task string) func(context.Context, library.Entry) (pool.Opened[pipeline.Embedder], error) {
		return func(ctx context.Context, e library.Entry) (pool.Opened[pipeline.Embedder], error) {
			return t.embedder(EmbedRequest{Target: r.Target, Task: e.Task(task)}, new(held.Held), report)(ctx, e)
		}
	}
	return with(ctx, t, r.Model, t.library.Encodes, opening(library.TaskPassages), func(ctx context.Context, e library.Entry, open pool.Opened[pipeline.Embedder]) (FindResult, error) {
		texts, err := t.embed(ctx, e, open, EmbedRequest{Texts: r.Texts, Prefix: e.Prompts["document"]}, report)
		if err != nil {
			return FindResult{}, err
		}
		asking, err := opening(library.TaskQuestions)(ctx, e)
		if err != nil {
			return FindResult{}, err
		}
		defer asking.Release()
		questions, err := t.embed(ctx, e, asking, EmbedRequest{Texts: r.Questions, Prefix: e.Prompts["query"]}, nil)
		if err != nil {
			return FindResult{}, err
		}
		return FindResult{
			Orders: nearest(normalized(questions.Vectors), normalized(texts.Vectors), r.Texts), Dimension: len(texts.Vectors[0]),
			Took: texts.Took, Load: texts.Load, TextsPerS: base.PerSecond(len(r.Texts), texts.Took),
			Model: e.Model, Device: texts.Device, Fallbacks: texts.Fallbacks, Notices: texts.Notices, Notes: texts.Notes,
		}, nil
	})
}

// nearest orders texts for each question by the dot product of vectors.
func nearest(questions, vectors [][]float32, texts []string) []Order {
	orders := make([]Order, len(questions))
	for q, question := range questions {
		scores := make([]float64, len(vectors))
		for i, v := range vectors {
			scores[i] = vecmath.Dot(question, v)
		}
		evened(texts, scores)
		orders[q] = NewOrder(scores)
	}
	return orders
}

// longestMarked is the size in bytes of the longest text in which words are looked for: it is done while a row is drawn.
const longestMarked = 64 << 10

// Answering is where the sentence of a text begins that answers a question best by its words, and the bytes at which
// words of the question are. Of a text without one, or a very long one, it is the beginning.
func Answering(question, text string) (from int, words [][2]int) {
	if len(text) > longestMarked {
		return 0, nil
	}
	best, matches := search.Answering(question, text)
	for _, m := range matches {
		words = append(words, [2]int{m.Start, m.End})
	}
	if len(words) == 0 {
		return 0, nil
	}
	return best.Start, words
}
