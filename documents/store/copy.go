package store

import (
	"context"
	"fmt"

	"inglenook/documents"
)

// Copy puts all that one collection holds into another one, which may be of another kind
// of store. What is there already with the same content stays, so a copy that was ended
// goes on when it is started again. Of the sets of vectors, the serving one is copied.
// report, which may be nil, hears how many files are done.
func Copy(ctx context.Context, from, to Collection, report func(done, total int)) error {
	sets, err := from.Sets(ctx)
	if err != nil {
		return err
	}
	embedder := ""
	if len(sets) > 0 {
		embedder = sets[0].Embedder
		if err := checkSet(ctx, to, embedder); err != nil {
			return err
		}
		if err := to.Begin(ctx, embedder, sets[0].Dimension); err != nil {
			return err
		}
	}
	files, err := from.Files(ctx, FileFilter{})
	if err != nil {
		return err
	}
	for i, f := range files {
		if err := copyFile(ctx, from, to, f, embedder); err != nil {
			return err
		}
		if report != nil {
			report(i+1, len(files))
		}
	}
	return removeOthers(ctx, to, files)
}

// checkSet refuses a collection that has vectors of another embedder.
func checkSet(ctx context.Context, to Collection, embedder string) error {
	sets, err := to.Sets(ctx)
	if err == nil && len(sets) > 0 && sets[0].Embedder != embedder {
		err = fmt.Errorf("the collection %s there has vectors of another model, so nothing was copied; remove it there, or give this one another name", to.Name())
	}
	return err
}

func copyFile(ctx context.Context, from, to Collection, f File, embedder string) error {
	have, there, err := to.File(ctx, f.Path)
	if err != nil {
		return err
	}
	if there && have.State == f.State && have.Hash == f.Hash && have.Modified.Equal(f.Modified) && have.Size == f.Size && have.Format == f.Format {
		return nil
	}
	if f.State != Indexed {
		if f.Passages == 0 {
			return to.Mark(ctx, f)
		}
		was := f // its passages are of an earlier state, and stay with it
		if err := putFile(ctx, from, to, was, embedder); err != nil {
			return err
		}
		return to.Mark(ctx, f)
	}
	if linked, err := to.Link(ctx, f); err != nil || linked {
		return err
	}
	return putFile(ctx, from, to, f, embedder)
}

func putFile(ctx context.Context, from, to Collection, f File, embedder string) error {
	ids, err := from.PassagesOf(ctx, f.Path)
	if err != nil {
		return err
	}
	passages, err := from.Passages(ctx, ids)
	if err != nil {
		return err
	}
	chunks := make([]documents.Chunk, len(passages))
	for i, p := range passages {
		chunks[i] = p.Chunk
	}
	vectors := map[string][][]float32{}
	if embedder != "" {
		if vectors[embedder], err = from.Vectors(ctx, embedder, ids); err != nil {
			return err
		}
	}
	return to.Put(ctx, f, chunks, vectors)
}

// removeOthers forgets files that the collection copied from does not have, such as those
// that went between two attempts.
func removeOthers(ctx context.Context, to Collection, files []File) error {
	of := make(map[string]bool, len(files))
	for _, f := range files {
		of[f.Path] = true
	}
	there, err := to.Files(ctx, FileFilter{})
	if err != nil {
		return err
	}
	var gone []string
	for _, f := range there {
		if !of[f.Path] {
			gone = append(gone, f.Path)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return to.Delete(ctx, gone...)
}
