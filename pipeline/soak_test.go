//go:build soak

package pipeline

import (
	"context"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
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

// TestSoakDrafts writes until 20,000 tokens were guessed, by a trained model and from what was said before, and
// checks the memory of the process.
func TestSoakDrafts(t *testing.T) {
	g, small := openStories(t, GeneratorOptions{}), openStories(t, GeneratorOptions{WeightsFile: "stories260K-Q8_0.gguf"})
	guessing(t, func(seed uint64) heard {
		how := g.Info().Sampling
		how.Seed = seed
		o := ReplyOptions{Sampling: &how, IgnoreEnd: true, Draft: []string{DraftModel, DraftLookup, DraftAuto}[seed%3], Drafter: &Drafter{small: small}}
		return hear(t, g.CompleteIDs(context.Background(), []int32{1}, o))
	})
}

// TestSoakHead is the same for a head of the model itself, in its file or beside it, which guesses, rests,
// and is given up and taken up again, and for a made model whose guesses are wrong as often.
func TestSoakHead(t *testing.T) {
	var all []*Generator
	for _, files := range []fs.FS{sure(t), os.DirFS(foreseeing + "qwen3_5-moe"), os.DirFS(foreseeing + "qwen35-apart")} {
		all = append(all, openAhead(t, files, oneThread(t), GeneratorOptions{}))
	}
	small := openAhead(t, os.DirFS("../models/testdata/decoders/llama"), oneThread(t), GeneratorOptions{})
	guessing(t, func(seed uint64) heard {
		g := all[seed%3]
		o := ReplyOptions{MaxTokens: 40, IgnoreEnd: true, Sampling: &Sampling{Temperature: 0.5, TopP: 1, TypicalP: 1, Seed: seed}, Drafter: &Drafter{small: small}}
		o.Draft = []string{DraftMTP, DraftAuto, DraftMTP, DraftOff, DraftModel}[seed/3%5]
		return hear(t, g.CompleteIDs(context.Background(), quoting(4+int(seed%16), g.vocab), o))
	})
}

// guessing has answers made, each of its own seed, until 20,000 tokens were guessed, and requires that the
// process does not grow.
func guessing(t *testing.T, answer func(seed uint64) heard) {
	t.Helper()
	drafted, accepted, answers, early := 0, 0, 0, 0
	for seed := uint64(1); drafted < 20_000; seed++ {
		h := answer(seed)
		if h.err != nil {
			t.Fatal(h.err)
		}
		drafted, accepted, answers = drafted+h.finished.Drafted, accepted+h.finished.Accepted, answers+1
		if early == 0 && drafted > 4000 {
			early = resident(t)
		}
	}
	late := resident(t)
	t.Logf("%d tokens guessed in %d answers, %d came true: %d KiB resident early, %d KiB late, %d goroutines", drafted, answers, accepted, early, late, runtime.NumGoroutine())
	if late > early+early/20 {
		t.Errorf("memory grows from %d to %d KiB", early, late)
	}
}

// resident returns the process's resident memory in KiB (proc(5)), without what Go keeps of memory that is free:
// that goes up and down by more than a twentieth of a small process.
func resident(t *testing.T) int {
	debug.FreeOSMemory()
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
