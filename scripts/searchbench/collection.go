package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"inglenook/cpubackend/scan"
	"inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/extract"
	"inglenook/documents/index"
	"inglenook/documents/search"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
)

func openCollection(ctx context.Context, dir string) (*sqlite.Store, store.Collection, error) {
	scanner, err := scan.New("")
	if err != nil {
		return nil, nil, err
	}
	s, err := sqlite.Open(ctx, filepath.Join(dir, "store"), scanner)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Collections(ctx)
	if err != nil || len(all) > 0 {
		return s, append(all, nil)[0], err
	}
	c, err := s.Create(ctx, "made up")
	if err == nil {
		err = c.Begin(ctx, hashed{}.ID(), dimension)
	}
	return s, c, err
}

// measureCollection searches a collection of so many passages of 150 words.
func measureCollection(ctx context.Context, dir string, passages int) error {
	s, c, err := openCollection(ctx, dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := fill(ctx, c, passages); err != nil {
		return err
	}
	searcher := search.Searcher{Store: s, Embedder: func(context.Context, string) (documents.Embedder, error) { return hashed{}, nil }}
	questions := make([]string, 300)
	for i := range questions {
		w := newWords(1_000_000 + i)
		questions[i] = fmt.Sprintf("%s %s %s %s %s %s", w.word(), w.word(), w.word(), w.word(), w.word(), w.word())
	}
	var e hashed
	for _, stage := range []struct {
		name string
		ask  func(question string) error
	}{
		{"by meaning", func(q string) error {
			v, err := e.EmbedQuery(ctx, q)
			if err == nil {
				_, err = c.Nearest(ctx, e.ID(), v, 100, store.Filter{})
			}
			return err
		}},
		{"both, with texts", func(q string) error {
			_, err := searcher.Search(ctx, search.Query{Text: q})
			return err
		}},
	} {
		if _, err := timed(len(questions), func(i int) error { return stage.ask(questions[i]) }); err != nil { // files into memory
			return err
		}
		for range 3 {
			out, err := timed(len(questions), func(i int) error { return stage.ask(questions[i]) })
			if err != nil {
				return err
			}
			out["search"], out["passages"] = stage.name, passages
			if err := say(out); err != nil {
				return err
			}
		}
	}
	sum, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	return say(map[string]any{"passages": sum.Passages, "bytes_a_passage": sum.Bytes / int64(sum.Passages), "anonymous_mib": anonymous()})
}

// fill adds files of 50 passages until there are enough.
func fill(ctx context.Context, c store.Collection, passages int) error {
	const each = 50
	sum, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	for file := sum.Passages / each; file < passages/each; file++ {
		w := newWords(file)
		var all []documents.Chunk
		var texts []string
		for i := range each {
			text := ""
			for range 150 {
				text += w.word() + " "
			}
			all, texts = append(all, documents.Chunk{Start: i, End: i + 1, Text: text, Tokens: 150}), append(texts, text)
		}
		vectors, err := hashed{}.EmbedPassages(ctx, texts)
		if err != nil {
			return err
		}
		f := store.File{Path: fmt.Sprintf("/made/%d/%d.txt", file/500, file), Hash: fmt.Sprint(file), Format: "text"}
		if err := c.Put(ctx, f, all, map[string][][]float32{hashed{}.ID(): vectors}); err != nil {
			return err
		}
	}
	return nil
}

// measureIndexing indexes so many MiB of generated text with an embedder that
// computes next to nothing, and looks at the memory ten times a second.
func measureIndexing(ctx context.Context, dir string, mib int) error {
	folder := filepath.Join(dir, "text")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for i := range mib {
		path := filepath.Join(folder, fmt.Sprintf("%d.txt", i))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, []byte(newWords(i).sentences(1<<20)), 0o600); err != nil {
			return err
		}
	}
	s, c, err := openCollection(ctx, dir)
	if err != nil {
		return err
	}
	defer s.Close()
	x := &index.Indexer{
		Collection: c, Open: func(context.Context) (documents.Embedder, error) { return hashed{}, nil },
		Read: func(ctx context.Context, path string) (documents.Document, error) {
			return extract.File(ctx, path, extract.Options{})
		},
		Chunks: chunk.Defaults(),
	}
	watch, stop := context.WithCancel(ctx)
	samples := make(chan []int)
	go func() { samples <- watchMemory(watch) }()
	did, err := x.Run(ctx, index.Request{Roots: []index.Root{{Path: folder}}})
	stop()
	seen := <-samples
	if err != nil {
		return err
	}
	quarter := max(1, len(seen)/4)
	sum, err := c.Summary(ctx)
	if err != nil {
		return err
	}
	return say(map[string]any{
		"mib": mib, "files": did.Indexed, "passages": did.Passages, "seconds": did.Took.Seconds(), "cpu_s": processor().Seconds(), "bytes_a_passage": sum.Bytes / int64(max(1, sum.Passages)),
		"most_mib": most(seen), "second_quarter_mib": mean(seen[quarter:min(len(seen), 2*quarter)]), "last_quarter_mib": mean(seen[len(seen)-quarter:]),
	})
}

func watchMemory(ctx context.Context) (seen []int) {
	for {
		seen = append(seen, anonymous())
		select {
		case <-ctx.Done():
			return seen
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func most(seen []int) (most int) {
	for _, n := range seen {
		most = max(most, n)
	}
	return most
}

func mean(seen []int) int {
	sum := 0
	for _, n := range seen {
		sum += n
	}
	return sum / max(1, len(seen))
}
