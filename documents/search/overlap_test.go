package search

import (
	"context"
	"testing"

	"inglenook/documents"
	"inglenook/documents/store"
)

// Two passages that overlap are one result where the sentence that answers best is in both, and two where each has
// its own.
func TestASentenceIsFoundOnce(t *testing.T) {
	s, c := searcher(t)
	ctx := context.Background()
	e, err := s.Embedder(ctx, "")
	must(t, err)
	const one, both, two = "The king turned very pale. ", "It was the oldest rule of the book. ", "Then the rabbit read out a letter. "
	texts := []string{one + both, both + two}
	passages := []documents.Chunk{
		{End: len(texts[0]), Text: texts[0], Line: 1}, {Start: len(one), End: len(one + both + two), Text: texts[1], Line: 1},
	}
	v, err := e.EmbedPassages(ctx, texts)
	must(t, err)
	must(t, c.Put(ctx, store.File{Path: "/a/alice.txt", Hash: "alice", Format: "text"}, passages, map[string][][]float32{e.ID(): v}))
	for question, want := range map[string]int{"oldest rule": 1, "king rabbit": 2} {
		found, err := s.Search(ctx, Query{Text: question})
		must(t, err)
		of := 0
		for _, f := range found.Files {
			if f.File.Path == "/a/alice.txt" {
				of += len(f.Passages)
			}
		}
		if of != want {
			t.Errorf("%s: %d passages are found", question, of)
		}
	}
}
