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
	if err := result.compare(ctx, 0, func(row int) { comparing.Texts(row, len(r.Texts)) }); err != nil {
		return SimilarityResult{}, err
	}
	comparing.Texts(len(r.Texts), len(r.Texts))
	return result, nil
}

// Compared is a comparison whose vectors were kept, with so many groups; 0: as many as part best. All else but
// that and the texts follows from the vectors.
func Compared(ctx context.Context, r SimilarityResult, groups int) (SimilarityResult, error) {
	r.Vectors = normalized(r.Vectors)
	return r, r.compare(ctx, groups, func(int) {})
}

// compare fills in what follows from the vectors.
func (r *SimilarityResult) compare(ctx context.Context, groups int, row func(done int)) (err error) {
	if len(r.Texts) <= MostCompared {
		r.Matrix, err = cosines(r.Vectors, func(done int) error {
			row(done)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	side := besideOneAnother(r.Vectors, r.Pictures)
	r.Groups = GroupsOf(normalized(side), groups).WithWords(r.Texts)
	r.Points, r.Explained, err = project(side, ctx.Err)
	return err
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
