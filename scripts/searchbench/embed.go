package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"inglenook/cpubackend"
	"inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/extract"
	"inglenook/documents/index"
	"inglenook/engine"
	"inglenook/pipeline"
)

// model is an embedder of package pipeline, with 8-bit weights.
type model struct {
	pipeline.Embedder
	special int // tokens that it adds to every text
}

var _ documents.Embedder = model{}

func openModel(ctx context.Context, dir string) (model, error) {
	b, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		return model{}, err
	}
	e, err := pipeline.OpenEmbedder(ctx, os.DirFS(dir), []engine.Backend{b}, pipeline.EmbedderOptions{Weights: "q8_0"})
	if err != nil {
		return model{}, err
	}
	m := model{Embedder: e}
	counts, err := m.CountTokens([]string{""})
	if err == nil {
		m.special = counts[0]
	}
	return m, err
}

func (m model) ID() string     { return "a model" }
func (m model) Dimension() int { return m.Info().Dimension }
func (m model) MaxTokens() int { return m.Info().MaxLength - m.special }

func (m model) CountTokens(texts []string) ([]int, error) {
	counts, err := m.Embedder.(pipeline.TokenCounter).CountTokens(context.Background(), texts, pipeline.EmbedRequest{NoPrompt: true})
	for i := range counts {
		counts[i] -= m.special
	}
	return counts, err
}

func (m model) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := m.Embed(ctx, texts, pipeline.EmbedRequest{})
	return got.Vectors, err
}

func (m model) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	v, err := m.EmbedPassages(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// measureEmbedding indexes a folder, and then embeds the same passages with
// nothing around it. Both are done three times in turn, since a machine is not
// always as fast.
func measureEmbedding(ctx context.Context, dir, folder string) error {
	m, err := openModel(ctx, dir)
	if err != nil {
		return err
	}
	defer m.Close()
	for range 3 {
		if err := measureEmbeddingOnce(ctx, m, folder); err != nil {
			return err
		}
	}
	return nil
}

func measureEmbeddingOnce(ctx context.Context, m model, folder string) error {
	kept, err := os.MkdirTemp("", "searchbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(kept)
	s, _, err := openCollection(ctx, kept)
	if err != nil {
		return err
	}
	defer s.Close()
	c, err := s.Create(ctx, "measured")
	if err != nil {
		return err
	}
	x := &index.Indexer{
		Collection: c, Open: func(context.Context) (documents.Embedder, error) { return m, nil },
		Read: func(ctx context.Context, path string) (documents.Document, error) {
			return extract.File(ctx, path, extract.Options{})
		},
		Chunks: chunk.Defaults(),
	}
	folder, err = filepath.Abs(folder)
	if err != nil {
		return err
	}
	before := processor()
	did, err := x.Run(ctx, index.Request{Roots: []index.Root{{Path: folder}}})
	if err != nil {
		return err
	}
	indexing := processor() - before
	ids := make([]int64, did.Passages)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	passages, err := c.Passages(ctx, ids)
	if err != nil {
		return err
	}
	start, before := time.Now(), processor()
	for len(passages) > 0 {
		n := min(64, len(passages)) // about 12,000 tokens, as indexing has them on such a machine
		texts := make([]string, n)
		for i, p := range passages[:n] {
			texts[i] = p.Input()
		}
		if _, err := m.EmbedPassages(ctx, texts); err != nil {
			return err
		}
		passages = passages[n:]
	}
	raw, rawCPU := time.Since(start), processor()-before
	return say(map[string]any{
		"passages": did.Passages, "tokens": did.Tokens, "indexing_tokens_per_s": did.TokensPerSecond(), "embedder_tokens_per_s": float64(did.Tokens) / raw.Seconds(),
		"share": raw.Seconds() / did.Took.Seconds(), "indexing_cpu_s": indexing.Seconds(), "embedder_cpu_s": rawCPU.Seconds(), "share_by_cpu": rawCPU.Seconds() / indexing.Seconds(),
	})
}
