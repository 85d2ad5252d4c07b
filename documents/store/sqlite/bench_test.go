package sqlite

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"inglenook/cpubackend/scan"
	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/storetest"
)

var (
	benchPassages = flag.Int("passages", 20_000, "passages of the benchmark's collection")
	benchDir      = flag.String("dir", "", "a folder that keeps the benchmark's collection; \"\" for none")
)

const (
	benchDimension = 384
	benchCentres   = 200
)

// BenchmarkSearch builds a collection of made-up text, whose words are as
// frequent as those of a language, and vectors in clusters; then it searches it.
func BenchmarkSearch(b *testing.B) {
	ctx := context.Background()
	s, c, r := benchCollection(b)
	defer s.Close()
	before := heap()
	must(b, c.current(ctx))
	b.Logf("rows in memory: %d kB", (heap()-before)/1000)
	questions := make([]store.Words, 100)
	for i := range questions {
		var words []string
		for range 6 {
			words = append(words, word(r))
		}
		questions[i] = store.Words{Any: words}
	}
	vectors := storetest.NewClusters(benchDimension, benchCentres, 5).Vectors(100)
	for _, stage := range []struct {
		name string
		run  func(i int)
	}{
		{"meaning", func(i int) {
			_, err := c.Nearest(ctx, "a", vectors[i%100], 100, store.Filter{})
			must(b, err)
		}},
		{"words", func(i int) {
			_, err := c.Matching(ctx, questions[i%100], 100, store.Filter{})
			must(b, err)
		}},
	} {
		b.Run(stage.name, func(b *testing.B) {
			storetest.Timed(b, stage.run)
		})
	}
	b.Logf("memory of the heap: %d MB", heap()/1e6)
}

func benchCollection(b *testing.B) (*Store, *Collection, *rand.Rand) {
	b.Helper()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	dir := *benchDir
	if dir == "" {
		dir = b.TempDir()
	}
	must(b, os.MkdirAll(dir, 0o700))
	scanner, err := scan.New("")
	must(b, err)
	s, err := Open(ctx, dir, scanner)
	must(b, err)
	all, err := s.Collections(ctx)
	must(b, err)
	if len(all) == 1 {
		return s, all[0].(*Collection), r
	}
	made, err := s.Create(ctx, "x")
	must(b, err)
	c := made.(*Collection)
	must(b, c.Begin(ctx, "a", benchDimension))
	clusters := storetest.NewClusters(benchDimension, benchCentres, 1)
	start := time.Now()
	const each = 50
	for i := 0; i < *benchPassages; i += each {
		var p []documents.Chunk
		for k := range each {
			p = append(p, documents.Chunk{Start: k, End: k + 1, Text: sentence(r, 150), Tokens: 200})
		}
		f := store.File{Path: fmt.Sprintf("/d/%d/%d.txt", i/5000, i), Hash: fmt.Sprint(i), Format: "text"}
		must(b, c.Put(ctx, f, p, map[string][][]float32{"a": clusters.Vectors(each)}))
	}
	got, err := c.Summary(ctx)
	must(b, err)
	b.Logf("%d passages in %v, %d bytes each", got.Passages, time.Since(start).Round(time.Second), got.Bytes/int64(got.Passages))
	return s, c, r
}

// word returns a word of a vocabulary of 50,000 whose frequencies follow Zipf's
// law.
func word(r *rand.Rand) string {
	n := int(math.Exp(r.Float64() * math.Log(50_000)))
	return "w" + strings.Map(func(d rune) rune { return d - '0' + 'a' }, fmt.Sprint(n))
}

func sentence(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(word(r))
		b.WriteByte(' ')
	}
	return b.String()
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
