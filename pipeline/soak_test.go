//go:build soak

package pipeline

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestSoak writes 20,000 tokens, with and without a remembered prefix, and checks the
// memory of the process.
func TestSoak(t *testing.T) {
	g := openStories(t, GeneratorOptions{})
	ids, tokens, early := []int32{1}, 0, 0
	for seed := uint64(1); tokens < 20_000; seed++ {
		how := g.Info().Sampling
		how.Seed = seed
		h := hear(t, g.CompleteIDs(context.Background(), ids, ReplyOptions{Sampling: &how, IgnoreEnd: true}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		if tokens += len(h.ids); seed%3 == 0 {
			ids = append(ids[:1:1], h.ids[:len(h.ids)/2]...)
		} else {
			ids = ids[:1]
		}
		if early == 0 && tokens > 4000 {
			early = resident(t)
		}
	}
	late := resident(t)
	t.Logf("%d tokens: %d KiB resident early, %d KiB late, %d goroutines", tokens, early, late, runtime.NumGoroutine())
	if late > early+early/20 {
		t.Errorf("memory grows from %d to %d KiB", early, late)
	}
}

// TestSoakDrafts writes until 20,000 tokens were guessed, by a model and from what was said before, and
// checks the memory of the process.
func TestSoakDrafts(t *testing.T) {
	g, small := openStories(t, GeneratorOptions{}), openStories(t, GeneratorOptions{WeightsFile: "stories260K-Q8_0.gguf"})
	drafted, accepted, early := 0, 0, 0
	for seed := uint64(1); drafted < 20_000; seed++ {
		how := g.Info().Sampling
		how.Seed = seed
		o := ReplyOptions{Sampling: &how, IgnoreEnd: true, Draft: []string{DraftModel, DraftLookup, DraftAuto}[seed%3], Drafter: &Drafter{small: small}}
		h := hear(t, g.CompleteIDs(context.Background(), []int32{1}, o))
		if h.err != nil {
			t.Fatal(h.err)
		}
		drafted, accepted = drafted+h.finished.Drafted, accepted+h.finished.Accepted
		if early == 0 && drafted > 4000 {
			early = resident(t)
		}
	}
	late := resident(t)
	t.Logf("%d tokens guessed, %d came true: %d KiB resident early, %d KiB late, %d goroutines", drafted, accepted, early, late, runtime.NumGoroutine())
	if late > early+early/20 {
		t.Errorf("memory grows from %d to %d KiB", early, late)
	}
}

// resident returns the process's resident memory in KiB (proc(5)).
func resident(t *testing.T) int {
	runtime.GC()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("the resident memory is unknown here: %v", err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("there is no VmRSS")
	return 0
}
