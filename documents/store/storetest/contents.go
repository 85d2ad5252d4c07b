package storetest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"inglenook/documents/store"
)

// Fill makes a collection with what the first steps leave.
func Fill(t *testing.T, s store.Store, name string, steps int) store.Collection {
	t.Helper()
	c := collection(t, s, name)
	for i := range steps {
		must(t, StepOf(i+1).Apply(context.Background(), c))
	}
	return c
}

// Contents returns a sum of all that a collection holds of each file: its record, its
// passages, and their vectors that searches use.
func Contents(t *testing.T, c store.Collection) map[string]string {
	t.Helper()
	ctx := context.Background()
	sets, err := c.Sets(ctx)
	must(t, err)
	all := map[string]string{}
	eachFile(t, c, func(f store.File, ids []int64, passages []store.Passage) {
		sum := sha256.New()
		fmt.Fprintln(sum, f.State, f.Reason, f.Hash, f.Format, f.Size, f.Modified.UnixNano(), f.Passages)
		for _, p := range passages {
			fmt.Fprintf(sum, "%d %+v\n", p.Index, p.Chunk)
		}
		if len(sets) > 0 {
			vectors, err := c.Vectors(ctx, sets[0].Embedder, ids)
			must(t, err)
			fmt.Fprintln(sum, sets[0].Embedder, vectors)
		}
		all[f.Path] = fmt.Sprintf("%x", sum.Sum(nil))
	})
	return all
}

// eachFile calls do with each file of a collection and its passages.
func eachFile(t *testing.T, c store.Collection, do func(f store.File, ids []int64, passages []store.Passage)) {
	t.Helper()
	ctx := context.Background()
	files, err := c.Files(ctx, store.FileFilter{})
	must(t, err)
	for _, f := range files {
		ids, err := c.PassagesOf(ctx, f.Path)
		must(t, err)
		passages, err := c.Passages(ctx, ids)
		must(t, err)
		do(f, ids, passages)
	}
}
