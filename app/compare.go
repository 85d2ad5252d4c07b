package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"
)

// maxSimilarityTexts bounds the matrix, which grows with the square.
const maxSimilarityTexts = 2000

// Similarity embeds the texts and compares each with each.
func (t *TextsService) Similarity(ctx context.Context, r SimilarityRequest, report func(Progress)) (SimilarityResult, error) {
	switch n := len(r.Texts); {
	case n < 2:
		return SimilarityResult{}, errors.New("there is nothing to compare; give at least two texts")
	case n > maxSimilarityTexts:
		return SimilarityResult{}, fmt.Errorf("%s texts are too many for one matrix; compare at most %s", humanize.Comma(int64(n)), humanize.Comma(maxSimilarityTexts))
	}
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return SimilarityResult{}, err
	}
	defer done()
	embedded, err := t.Embed(ctx, EmbedRequest{Model: r.Model, Target: Target{Device: r.Device}, Prefix: r.Prompt, NoPrefix: r.NoPrompt, Texts: r.Texts}, report)
	if err != nil {
		return SimilarityResult{}, err
	}
	result := SimilarityResult{
		Texts: slices.Clone(r.Texts), Vectors: normalized(embedded.Vectors),
		Tokens: embedded.Tokens, Truncated: embedded.Truncated,
		Took: embedded.Took, Load: embedded.Load, Model: embedded.Model,
		Device: embedded.Device, Fallbacks: embedded.Fallbacks, Notices: embedded.Notices,
		Note: joinNotes(slices.Concat(embedded.Notices, embedded.Notes)),
	}
	result.TextsPerS = perSecond(len(r.Texts), embedded.Took)
	result.TokensPerS = perSecond(sum(embedded.Tokens), embedded.Took)

	comparing := newStage(StageComparing, "texts", report)
	result.Matrix, err = cosines(result.Vectors, func(row int) error {
		comparing.texts(row, len(r.Texts))
		return ctx.Err()
	})
	if err != nil {
		return SimilarityResult{}, err
	}
	if result.Points, result.Explained, err = project(result.Vectors, ctx.Err); err != nil {
		return SimilarityResult{}, err
	}
	comparing.texts(len(r.Texts), len(r.Texts))
	return result, nil
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
