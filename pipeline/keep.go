package pipeline

import (
	"context"
	"slices"

	"inglenook/pipeline/decoding"
)

// Held returns the ids of what the cache holds. It waits for an answer under way, and
// returns nothing where ctx ends before that.
func (g *Generator) Held(ctx context.Context) []int32 {
	_, done, err := g.begin(ctx)
	if err != nil {
		return nil
	}
	defer done()
	return slices.Clone(g.history.IDs)
}

// KeepPrefix brings a file up to date with the ids and what the cache holds of
// them, as long as it does: ids are as [Generator.Held] gave them. What the file has of
// them already stays. The turn is taken for one block at a time, so that an answer
// hardly waits; what was written by its beginning is a good prefix file, too.
func (g *Generator) KeepPrefix(ctx context.Context, file decoding.PrefixFile, stamp string, ids []int32) error {
	return decoding.KeepPrefix(file, stamp, ids, func(use func(decoding.Blocks) error) error {
		ctx, done, err := g.begin(ctx)
		if err != nil {
			return err
		}
		defer done()
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := g.history.Blocks(ids)
		if err != nil {
			return err
		}
		return use(m)
	})
}
