// Command peer embeds the texts of a work file and prints one JSON line of
// speeds, the form in which other engines are measured beside ours:
//
//	go run ./scripts/peer MODEL_DIR WORK.json [WEIGHTS [INSTRUCTIONS]]
//
// WEIGHTS is how weights are held, "auto" or "q8_0". INSTRUCTIONS is an instruction set, as
// "avx2"; without it, the best of this processor. WORK.json holds "short" (one sentence), "mixed" and "long" lists of texts.
// Each list is embedded repeatedly, mixed and long in batches of 32 sorted by
// length; medians are reported. Where WORK.json holds "query" and "passages", a
// cross-encoder scores these instead, all at once. Where it holds "batches", lists of
// texts, only these are embedded, each list at once. Where it holds "ids" or "pixels", see
// idsWork. Threads: GOMAXPROCS.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
)

func main() {
	if len(os.Args) < 3 || len(os.Args) > 5 {
		fmt.Fprintln(os.Stderr, "usage: peer MODEL_DIR WORK.json [WEIGHTS [INSTRUCTIONS]]")
		os.Exit(2)
	}
	args := append(os.Args[1:], "", "")
	if err := measure(args[0], args[1], args[2], args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type work struct {
	Short, Mixed, Long []string
	Query              string
	Passages           []string
	Batches            [][]string
}

type result struct {
	Peer        string    `json:"peer"`
	LoadS       float64   `json:"load_s"`
	ShortMsP50  float64   `json:"short_ms_p50"`
	ShortMsMin  float64   `json:"short_ms_min"`
	MixedDocsS  float64   `json:"mixed_docs_s"`
	MixedDocCPU float64   `json:"mixed_docs_cpu_s"` // texts per CPU second
	LongDocsS   float64   `json:"long_docs_s"`
	LongDocCPU  float64   `json:"long_docs_cpu_s"`
	PeakRSSMB   int64     `json:"peak_rss_mb"`
	Vector      []float32 `json:"vector"`
}

func measure(dir, workFile, weights, instructions string) error {
	data, err := os.ReadFile(workFile)
	if err != nil {
		return err
	}
	var w work
	var ids idsWork
	if err := errors.Join(json.Unmarshal(data, &w), json.Unmarshal(data, &ids)); err != nil {
		return err
	}
	start := time.Now()
	cpu, err := cpubackend.New(cpubackend.Options{Threads: runtime.GOMAXPROCS(0), ISA: instructions})
	if err != nil {
		return err
	}
	defer cpu.Close()
	if ids.IDs != nil || ids.Pixels != "" {
		return measureIDs(dir, weights, ids, cpu)
	}
	if w.Query != "" {
		return rerank(dir, weights, w, cpu)
	}
	e, err := pipeline.OpenEmbedder(context.Background(), os.DirFS(dir), []engine.Backend{cpu}, pipeline.EmbedderOptions{Weights: weights})
	if err != nil {
		return err
	}
	defer e.Close()
	r := result{Peer: "ours", LoadS: time.Since(start).Seconds()}
	embed := func(texts []string) error {
		got, err := e.Embed(context.Background(), texts, pipeline.EmbedRequest{})
		if err == nil {
			r.Vector = got.Vectors[0]
		}
		return err
	}
	if w.Batches != nil {
		return inBatchesOf(w.Batches, embed)
	}
	for _, pass := range []struct {
		texts     []string
		rate, cpu *float64
	}{{w.Mixed, &r.MixedDocsS, &r.MixedDocCPU}, {w.Long, &r.LongDocsS, &r.LongDocCPU}} {
		wall, used, err := repeat(3, 1, func() error { return inBatches(pass.texts, embed) })
		if err != nil {
			return err
		}
		n := float64(len(pass.texts))
		*pass.rate, *pass.cpu = n/wall[len(wall)/2], n/used
	}
	wall, _, err := repeat(50, 10, func() error { return embed(w.Short[:1]) })
	if err != nil {
		return err
	}
	r.ShortMsP50, r.ShortMsMin = wall[len(wall)/2]*1e3, wall[0]*1e3
	r.PeakRSSMB = peakMB()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// rerank scores all passages at once and prints how long that takes.
func rerank(dir, weights string, w work, cpu engine.Backend) error {
	r, err := pipeline.OpenReranker(context.Background(), os.DirFS(dir), []engine.Backend{cpu}, pipeline.RerankerOptions{Weights: weights})
	if err != nil {
		return err
	}
	defer r.Close()
	var got pipeline.Scores
	wall, used, err := repeat(15, 3, func() (err error) {
		got, err = r.Score(context.Background(), w.Query, w.Passages, pipeline.RerankRequest{})
		return err
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"peer": "ours", "ms_p50": wall[len(wall)/2] * 1e3, "ms_min": wall[0] * 1e3, "cpu_ms": used * 1e3, "tokens": got.Tokens[0], "scores": got.Values,
	})
}

// inBatches embeds the texts 32 at a time, longest first.
func inBatches(texts []string, embed func([]string) error) error {
	sorted := slices.Clone(texts)
	slices.SortStableFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	for batch := range slices.Chunk(sorted, 32) {
		if err := embed(batch); err != nil {
			return err
		}
	}
	return nil
}

// repeat runs f and returns the sorted seconds of n runs after warm ones, and
// the least CPU seconds of a run.
func repeat(n, warm int, f func() error) (wall []float64, cpu float64, err error) {
	for i := range n + warm {
		start, used := time.Now(), cpuSeconds()
		if err := f(); err != nil {
			return nil, 0, err
		}
		if i < warm {
			continue
		}
		wall = append(wall, time.Since(start).Seconds())
		if c := cpuSeconds() - used; cpu == 0 || c < cpu {
			cpu = c
		}
	}
	slices.Sort(wall)
	return wall, cpu, nil
}

// peakMB is the peak resident memory so far.
func peakMB() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return int64(u.Maxrss) / 1024
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// inBatchesOf prints the median seconds, and the processor time, that each batch takes.
func inBatchesOf(batches [][]string, embed func([]string) error) error {
	var r struct {
		Peer   string    `json:"peer"`
		BatchS []float64 `json:"batch_s"`
		CPUS   []float64 `json:"batch_cpu_s"`
	}
	r.Peer = "ours"
	for _, texts := range batches {
		wall, used, err := repeat(max(3, 24/len(texts)), 1, func() error { return embed(texts) })
		if err != nil {
			return err
		}
		r.BatchS, r.CPUS = append(r.BatchS, wall[len(wall)/2]), append(r.CPUS, used)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}
