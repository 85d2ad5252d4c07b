package storetest

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/documents"
	"inglenook/documents/store"
)

const dimension = 48

// meaning returns the vector of a text: each word has its own direction. The directions
// depend on name, which is that of the model.
func meaning(name, text string) []float32 {
	v := make([]float32, dimension)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %s", name, strings.Trim(word, ".,!?"))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(r.NormFloat64())
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum) + 1e-9)
	}
	return v
}

func meanings(name string, passages []documents.Chunk) [][]float32 {
	var all [][]float32
	for _, p := range passages {
		all = append(all, meaning(name, p.Input()))
	}
	return all
}

// texts turns strings into passages.
func texts(all ...string) []documents.Chunk {
	var passages []documents.Chunk
	at := 0
	for i, text := range all {
		passages = append(passages, documents.Chunk{Start: at, End: at + len(text), Line: i + 1, Page: 1, Headings: []string{"Chapter"}, Context: "Chapter", Text: text, Tokens: 5})
		at += len(text) + 1
	}
	return passages
}

// collection makes a collection with vectors of the model "a".
func collection(t testing.TB, s store.Store, name string) store.Collection {
	t.Helper()
	c, err := s.Create(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	must(t, c.Begin(context.Background(), "a", dimension))
	return c
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func file(path string) store.File {
	return store.File{Path: path, Size: 10, Hash: "hash of " + filepath.Base(path), Format: "text", Title: "A title"}
}

func put(t testing.TB, c store.Collection, f store.File, all ...string) {
	t.Helper()
	p := texts(all...)
	must(t, c.Put(context.Background(), f, p, map[string][][]float32{"a": meanings("a", p)}))
}

// nearest returns the texts that are nearest to a question.
func nearest(t testing.TB, c store.Collection, model, question string, n int, f store.Filter) []string {
	t.Helper()
	hits, err := c.Nearest(context.Background(), model, meaning(model, question), n, f)
	must(t, err)
	return shown(t, c, hits)
}

func matching(t testing.TB, c store.Collection, w store.Words, f store.Filter) []string {
	t.Helper()
	hits, err := c.Matching(context.Background(), w, 10, f)
	must(t, err)
	return shown(t, c, hits)
}

func shown(t testing.TB, c store.Collection, hits []store.Hit) []string {
	t.Helper()
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	found, err := c.Passages(context.Background(), ids)
	must(t, err)
	var all []string
	for _, p := range found {
		all = append(all, p.Text)
	}
	return all
}
