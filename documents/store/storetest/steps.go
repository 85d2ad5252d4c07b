package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"inglenook/documents"
	"inglenook/documents/store"
)

// A Step is one change of a store. Step i is always the same.
type Step struct {
	Kind string
	path string
	hash string
}

// StepOf returns a step, from 1 on.
func StepOf(i int) Step {
	r := rand.New(rand.NewPCG(uint64(i), 9))
	s := Step{path: fmt.Sprintf("/d/%02d.txt", r.IntN(25)), hash: fmt.Sprint("version ", i)}
	switch k := r.IntN(20); {
	case k < 12:
		s.Kind = "put"
	case k < 15:
		s.Kind = "delete"
	case k < 17:
		s.Kind = "fail"
	case k < 19:
		s.Kind = "copy" // the same bytes under a second path
	default:
		s.Kind = "switch" // change to the other embedder
	}
	return s
}

// passagesOf returns the passages of a file with a hash, 30 at most.
func passagesOf(hash string) []documents.Chunk {
	var all []string
	for i := range 1 + len(hash)*7%30 {
		all = append(all, fmt.Sprintf("%s says %d things of number %d", hash, i, i*i))
	}
	return texts(all...)
}

// Apply makes the change.
func (s Step) Apply(ctx context.Context, c store.Collection) error {
	f := store.File{Path: s.path, Hash: s.hash, Format: "text"}
	switch s.Kind {
	case "put", "copy":
		p := passagesOf(s.hash)
		v := map[string][][]float32{"a": meanings("a", p), "b": meanings("b", p)}
		if err := c.Put(ctx, f, p, v); err != nil || s.Kind == "put" {
			return err
		}
		f.Path = "/copies" + s.path
		linked, err := c.Link(ctx, f)
		if err == nil && !linked {
			err = errors.New("a copy was not linked")
		}
		return err
	case "delete":
		return c.Delete(ctx, s.path, "/copies"+s.path)
	case "fail":
		f.State, f.Reason = store.Failed, "It could not be read."
		return c.Mark(ctx, f)
	}
	return switchEmbedder(ctx, c)
}

// switchEmbedder completes a second set of vectors and makes it the one that is searched.
func switchEmbedder(ctx context.Context, c store.Collection) error {
	sets, err := c.Sets(ctx)
	if err != nil {
		return err
	}
	next := "b"
	if sets[0].Embedder == "b" {
		next = "a"
	}
	if err := c.Begin(ctx, next, dimension); err != nil {
		return err
	}
	for {
		missing, err := c.Missing(ctx, next, 50)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return c.Serve(ctx, next)
		}
		var ids []int64
		var v [][]float32
		for _, m := range missing {
			ids, v = append(ids, m.ID), append(v, meaning(next, m.Input()))
		}
		if err := c.Add(ctx, next, ids, v); err != nil {
			return err
		}
	}
}

// expected returns the hash of each file's bytes after some steps.
func expected(steps int) map[string]string {
	files := map[string]string{}
	for i := 1; i <= steps; i++ {
		switch s := StepOf(i); s.Kind {
		case "put", "fail":
			files[s.path] = s.hash
		case "copy":
			files[s.path], files["/copies"+s.path] = s.hash, s.hash
		case "delete":
			delete(files, s.path)
			delete(files, "/copies"+s.path)
		}
	}
	return files
}
