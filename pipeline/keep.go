package pipeline

import (
	"context"
	"slices"

	"inglenook/pipeline/decoding"
)

// Held returns the ids that the cache holds. It waits for an answer under way.
// If ctx ends before, it returns nothing.
func (g *Generator) Held(ctx context.Context) []int32 {
	_, done, err := g.begin(ctx)
	if err != nil {
		return nil
	}
	defer done()
	return slices.Clone(g.history.IDs)
}

// KeepPrefix brings a file up to date with the ids and with what the cache
// holds of them. ids are those of [Generator.Held]. What the file has of them
// already stays. KeepPrefix takes the turn for one block at a time, so that an
// answer hardly waits. If an answer begins meanwhile, the file is a good prefix
// file of what was written until then.
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
