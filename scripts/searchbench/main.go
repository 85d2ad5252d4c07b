// Command searchbench measures the search in documents on text and vectors that
// it makes, beside no model:
//
//	go run ./scripts/searchbench collection DIR PASSAGES      search of a collection, by meaning and by both
//	go run ./scripts/searchbench index DIR MIB                memory while generated text is indexed
//	go run ./scripts/searchbench vectors DIR                  our search of the vectors of scripts/search-peers.py
//	go run ./scripts/searchbench embed MODEL_DIR FOLDER       tokens a second: indexing a folder, and its embedder alone
//
// DIR keeps what was made, so that a second run only measures. Each line that it
// prints is JSON. Times are those of the wall; cpu_ms is processor time a search.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	usage := fmt.Errorf("usage: searchbench collection DIR PASSAGES | index DIR MIB | vectors DIR | embed MODEL_DIR FOLDER")
	if len(args) < 2 {
		return usage
	}
	number := 0
	if len(args) == 3 {
		number, _ = strconv.Atoi(args[2])
	}
	switch {
	case args[0] == "collection" && number > 0:
		return measureCollection(ctx, args[1], number)
	case args[0] == "index" && number > 0:
		return measureIndexing(ctx, args[1], number)
	case args[0] == "vectors" && len(args) == 2:
		return measureVectors(ctx, args[1])
	case args[0] == "embed" && len(args) == 3:
		return measureEmbedding(ctx, args[1], args[2])
	}
	return usage
}

func say(what map[string]any) error {
	what["load"] = load()
	data, err := json.Marshal(what)
	fmt.Println(string(data))
	return err
}

// load is how many programs computed or waited to, in the last minute.
func load() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return -1
	}
	n, _ := strconv.ParseFloat(strings.Fields(string(data))[0], 64)
	return n
}

// timed runs searches one after another and returns their times.
func timed(n int, search func(i int) error) (map[string]any, error) {
	times := make([]time.Duration, n)
	before := processor()
	for i := range times {
		start := time.Now()
		if err := search(i); err != nil {
			return nil, err
		}
		times[i] = time.Since(start)
	}
	cpu := processor() - before
	slices.Sort(times)
	return map[string]any{
		"searches": n, "best_ms": ms(times[0]), "p50_ms": ms(times[n/2]), "p95_ms": ms(times[n*95/100]), "cpu_ms": ms(cpu / time.Duration(n)),
	}, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// processor is the time that this process has computed.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// anonymous is how many MiB of memory this process has that are no file's.
func anonymous() int {
	data, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "Anonymous:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n >> 10
		}
	}
	return -1
}
