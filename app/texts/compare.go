package texts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
)

// MostCompared is how many texts can be compared with each other: their matrix grows with the
// square.
const MostCompared = 2000

// MostMapped is how many texts can be compared without the matrix: by their map and by what is
// nearest to each.
const MostMapped = 10_000

// Similarity embeds the texts and compares each with each.
func (t *Service) Similarity(ctx context.Context, r SimilarityRequest, report func(base.Progress)) (SimilarityResult, error) {
	switch n := len(r.Texts); {
	case n < 2:
		return SimilarityResult{}, errors.New("there is nothing to compare; give at least two texts")
	case n > MostMapped && r.Many:
		return SimilarityResult{}, fmt.Errorf("%s texts are too many to be compared; compare at most %s, or search them in Documents", humanize.Comma(int64(n)), humanize.Comma(MostMapped))
	case n > MostCompared && !r.Many:
		return SimilarityResult{}, fmt.Errorf("%s texts are too many for one matrix; compare at most %s", humanize.Comma(int64(n)), humanize.Comma(MostCompared))
	}
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return SimilarityResult{}, err
	}
	defer done()
	embedded, err := t.embedItems(ctx, r, report)
	if err != nil {
		return SimilarityResult{}, err
	}
	if areBoth(r.Texts, r.Pictures) {
		embedded.Notes = append(embedded.Notes, bothKinds)
	}
	result := SimilarityResult{
		Texts: slices.Clone(r.Texts), Pictures: slices.Clone(r.Pictures), Vectors: normalized(embedded.Vectors),
		Tokens: embedded.Tokens, Truncated: embedded.Truncated,
		Took: embedded.Took, Load: embedded.Load, Model: embedded.Model,
		Device: embedded.Device, Held: embedded.Held, Fallbacks: embedded.Fallbacks, Notices: embedded.Notices,
		Note: base.JoinNotes(slices.Concat(embedded.Notices, embedded.Notes)),
	}
	result.TextsPerS = base.PerSecond(len(r.Texts), embedded.Took)
	result.TokensPerS = base.PerSecond(sum(embedded.Tokens), embedded.Took)

	comparing := base.NewStage(base.StageComparing, "texts", report)
	if len(r.Texts) <= MostCompared {
		result.Matrix, err = cosines(result.Vectors, func(row int) error {
			comparing.Texts(row, len(r.Texts))
			return ctx.Err()
		})
		if err != nil {
			return SimilarityResult{}, err
		}
	}
	side := besideOneAnother(result.Vectors, r.Pictures)
	result.Groups = GroupsOf(normalized(side), 0).WithWords(r.Texts)
	if result.Points, result.Explained, err = project(side, ctx.Err); err != nil {
		return SimilarityResult{}, err
	}
	comparing.Texts(len(r.Texts), len(r.Texts))
	return result, nil
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
