package sqlite

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/cpubackend/scan"
	"inglenook/documents"
	"inglenook/documents/store"
)

var (
	benchPassages = flag.Int("passages", 20_000, "passages of the benchmark's collection")
	benchDir      = flag.String("dir", "", "a folder that keeps the benchmark's collection; \"\" for none")
)

const benchDimension = 384

// BenchmarkSearch builds a collection of made-up text, whose words are as
// frequent as those of a language, and vectors in clusters; then it searches it.
func BenchmarkSearch(b *testing.B) {
	ctx := context.Background()
	s, c, r := benchCollection(b)
	defer s.Close()
	before := heap()
	must(b, c.current(ctx))
	b.Logf("rows in memory: %d KiB", (heap()-before)>>10)
	questions := make([]store.Words, 100)
	for i := range questions {
		var words []string
		for range 6 {
			words = append(words, word(r))
		}
		questions[i] = store.Words{Any: words}
	}
	vectors := clusters(r, 100)
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
			var times []time.Duration
			before := processor()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				stage.run(i)
				times = append(times, time.Since(start))
			}
			b.ReportMetric(float64((processor()-before).Microseconds())/1000/float64(len(times)), "cpu-ms")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
	b.Logf("memory of the heap: %d MiB", heap()>>20)
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
	start := time.Now()
	const each = 50
	for i := 0; i < *benchPassages; i += each {
		var p []documents.Chunk
		for k := range each {
			p = append(p, documents.Chunk{Start: k, End: k + 1, Text: sentence(r, 150), Tokens: 200})
		}
		f := store.File{Path: fmt.Sprintf("/d/%d/%d.txt", i/5000, i), Hash: fmt.Sprint(i), Format: "text"}
		must(b, c.Put(ctx, f, p, map[string][][]float32{"a": clusters(r, each)}))
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

var centres [][]float32

// clusters returns unit vectors around 200 centres.
func clusters(r *rand.Rand, n int) [][]float32 {
	if centres == nil {
		fixed := rand.New(rand.NewPCG(7, 7))
		for range 200 {
			centres = append(centres, around(fixed, make([]float32, benchDimension), 1))
		}
	}
	all := make([][]float32, n)
	for i := range all {
		all[i] = around(r, centres[r.IntN(len(centres))], 0.8)
	}
	return all
}

func around(r *rand.Rand, centre []float32, spread float64) []float32 {
	v := make([]float32, len(centre))
	var sum float64
	for i := range v {
		x := float64(centre[i]) + spread*r.NormFloat64()/math.Sqrt(float64(len(v)))
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// processor returns the processor time of this process.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
