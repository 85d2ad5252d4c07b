package uitest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/held"
	"inglenook/app/texts"
)

// ranking is what Rerank was asked, and how it answers.
type ranking struct {
	asked  []texts.RerankRequest
	Slow   func(context.Context)           // before it answers; nil: it answers at once
	Change func(r *texts.RerankResult)     // what it answers instead; nil: nothing else
	Fails  func(texts.RerankRequest) error // why it does not answer; nil: it does
}

// Rankings lists what Rerank was asked.
func (d *App) Rankings() []texts.RerankRequest {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Ranked.asked)
}

// Rerank scores texts by how often they have the letters of the query. The model "judge"
// does so the other way round.
func (d *App) Rerank(ctx context.Context, r texts.RerankRequest, report func(base.Progress)) (texts.RerankResult, error) {
	d.Mu.Lock()
	d.Ranked.asked = append(d.Ranked.asked, r)
	slow, change, fails := d.Ranked.Slow, d.Ranked.Change, d.Ranked.Fails
	d.Mu.Unlock()
	report(base.Progress{Stage: base.StageScoring, Done: 1, Total: int64(len(r.Texts)), Unit: "texts", Left: 3 * time.Second})
	if slow != nil {
		slow(ctx)
	}
	if ctx.Err() != nil {
		return texts.RerankResult{}, ctx.Err()
	}
	if fails != nil {
		if err := fails(r); err != nil {
			return texts.RerankResult{}, err
		}
	}
	m, err := d.Resolve(ctx, r.Model)
	if err != nil {
		return texts.RerankResult{}, err
	}
	result := texts.RerankResult{Model: m, Method: "cosine", Pooling: r.Pooling, Device: "cpu", Took: 40 * time.Millisecond, Load: 5 * time.Millisecond}
	result.Held, result.Took = d.readAs(r.Model, held.Rerank, r.AsKept, result.Took)
	query := letters(r.Query)
	for i, text := range r.Texts {
		score := dot(query, letters(text))
		if m.Name == "judge" {
			result.Method, score = "cross-encoder", 4-9*score
		}
		result.Ranking = append(result.Ranking, texts.Ranked{Index: i, Score: score, Windows: 1})
	}
	if change != nil {
		change(&result)
	}
	slices.SortStableFunc(result.Ranking, func(a, b texts.Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return result, nil
}

// FindTexts finds texts by how often they have the letters of a question. The model "org/other"
// finds them the other way round.
func (d *App) FindTexts(ctx context.Context, r texts.FindRequest, report func(base.Progress)) (texts.FindResult, error) {
	report(base.Progress{Stage: base.StageEmbedding, Done: 1, Total: int64(len(r.Texts)), Unit: "texts"})
	m, err := d.Resolve(ctx, r.Model)
	if err != nil {
		return texts.FindResult{}, err
	}
	result := texts.FindResult{Model: m, Dimension: m.Dimension, Device: "cpu", Took: 20 * time.Millisecond, TextsPerS: 500}
	for _, question := range r.Questions {
		asked, scores := letters(question), make([]float64, len(r.Texts))
		for i, text := range r.Texts {
			scores[i] = float64(dot(asked, letters(text)))
			if m.ID == "org/other" {
				scores[i] = -scores[i]
			}
		}
		result.Orders = append(result.Orders, texts.NewOrder(scores))
	}
	return result, nil
}
