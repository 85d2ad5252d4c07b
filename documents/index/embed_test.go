package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
)

func TestBatchesGoAcrossFiles(t *testing.T) {
	b := newBench(t)
	for i := range 300 {
		b.write(fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("word%d ", i), 10))
	}
	b.run()
	if calls := len(b.embedder.calls); calls > 150 || b.embedder.texts() != 300 {
		t.Errorf("%d calls for %d texts", calls, b.embedder.texts())
	}
}

func TestAnOddTextStopsNoOtherFile(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("an ordinary text w%d", i))
	}
	b.write("odd.txt", strings.Repeat("many ordinary words before it. ", 30)+"unlucky")
	b.embedder.before = func(_ context.Context, texts []string) error {
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "unlucky") }) {
			return errors.New("not a number")
		}
		return nil
	}
	b.wantSummary(b.run(), Summary{Files: 21, Indexed: 20, Failed: 1, Passages: 20})
	if f := b.files()["odd.txt"]; f.State != store.Failed || !strings.Contains(f.Reason, "no vector") || b.find("many") != nil {
		t.Errorf("%+v", f)
	}
}

func TestABrokenEmbedderEndsTheRun(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("an ordinary text w%d", i))
	}
	b.embedder.before = func(context.Context, []string) error { return errors.New("the device is gone") }
	_, err := b.Indexer.Run(t.Context(), b.request())
	if err == nil || !strings.Contains(err.Error(), "the device is gone") {
		t.Errorf("error %v", err)
	}
	b.embedder.before = nil
	b.wantSummary(b.run(), Summary{Files: 20, Indexed: 20, Passages: 20})
}

// TestAFaultOfTheModelMarksNoFile: files that the model failed with are left to the next run.
// A few in a row end the run.
func TestAFaultOfTheModelMarksNoFile(t *testing.T) {
	for faults, indexed := range map[string]int{"w7": 19, "w": 0} {
		b := newBench(t)
		for i := range 20 {
			b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("an ordinary text w%d.", i))
		}
		b.embedder.before = func(_ context.Context, texts []string) error {
			if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s+" ", " "+faults) }) {
				return &ModelError{errors.New("the server answers with a web page")}
			}
			return nil
		}
		got, err := b.Indexer.Run(t.Context(), b.request())
		if err == nil || !strings.Contains(err.Error(), "a web page") || got.Indexed != indexed || got.Failed != 0 {
			t.Errorf("%s: %+v, error %v", faults, got, err)
		}
		if n := len(b.files()); n != indexed {
			t.Errorf("%s: %d files are known", faults, n)
		}
		b.embedder.before = nil
		b.wantSummary(b.run(), Summary{Files: 20, Unchanged: indexed, Indexed: 20 - indexed, Passages: 20 - indexed})
	}
}

// TestCancelAndResume cancels runs at random moments. Whatever was stored is complete, and
// the last run finishes the rest.
func TestCancelAndResume(t *testing.T) {
	b := newBench(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		b.write(fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("a sentence about w%d. ", i%50), 1+random.IntN(40)))
	}
	b.embedder.before = func(ctx context.Context, _ []string) error {
		select {
		case <-ctx.Done():
		case <-time.After(time.Millisecond):
		}
		return ctx.Err()
	}
	for round := range 30 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(20_000))*time.Microsecond)
		s, err := b.Indexer.Run(ctx, b.request())
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("round %d: %v", round, err)
		}
		if err == nil && s.Indexed+s.Linked+s.Unchanged != 60 {
			t.Fatalf("round %d: %+v", round, s)
		}
		b.write(fmt.Sprintf("%d.txt", random.IntN(60)), fmt.Sprintf("round %d changed this", round))
	}
	b.embedder.before = nil
	b.run()
	sets, err := b.collection.Sets(t.Context())
	if err != nil || len(sets) != 1 {
		t.Fatalf("%v, error %v", sets, err)
	}
	sum, err := b.collection.Summary(t.Context())
	if err != nil || sum.Files[store.Indexed] != 60 || sum.Passages != sets[0].Vectors {
		t.Errorf("%+v with %d vectors, error %v", sum, sets[0].Vectors, err)
	}
}

func TestPause(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("text w%d", i))
	}
	b.Pause()
	done := make(chan error, 1)
	go func() {
		_, err := b.Indexer.Run(t.Context(), b.request())
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("a paused run ended: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	if !b.Paused() || b.embedder.texts() > 0 {
		t.Error("work goes on while it is paused")
	}
	if _, err := b.Indexer.Run(t.Context(), Request{}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second run: %v", err)
	}
	b.Resume()
	if err := <-done; err != nil || b.embedder.texts() != 10 {
		t.Errorf("%d texts, error %v", b.embedder.texts(), err)
	}
}

// TestYield: the work pauses while the user needs the machine for something else.
func TestYield(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "an apple")
	chat := make(chan struct{})
	b.Yield = func(ctx context.Context) error {
		select {
		case <-chat:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := b.Indexer.Run(ctx, b.request()); !errors.Is(err, context.Canceled) || b.embedder.texts() > 0 {
		t.Errorf("%d texts, error %v", b.embedder.texts(), err)
	}
	close(chat)
	b.wantSummary(b.run(), Summary{Files: 1, Indexed: 1, Passages: 1})
}

// The embedder is opened only if there are passages to embed: not for a folder without
// changes, files that were moved or copied, or files without text.
func TestTheEmbedderIsOpenedForPassages(t *testing.T) {
	b := newBench(t)
	b.write("empty.txt", "")
	b.write("broken.txt", "BROKEN")
	b.run()
	if b.embedder.opened != 0 {
		t.Error("opened for files without text")
	}
	path := b.write("a.txt", "one text")
	b.write("b.txt", "another text")
	b.run()
	if b.embedder.opened != 1 {
		t.Errorf("opened %d times for two texts", b.embedder.opened)
	}
	for range 3 {
		b.run()
	}
	if err := os.Rename(path, b.path("c.txt")); err != nil {
		t.Fatal(err)
	}
	b.write("copy.txt", "another text")
	b.wantSummary(b.run(), Summary{Files: 5, Unchanged: 3, Linked: 2})
	if b.embedder.opened != 1 {
		t.Errorf("opened %d times, although nothing had to be embedded", b.embedder.opened)
	}
	b.Open = func(context.Context) (documents.Embedder, error) { return nil, errors.New("the model is gone") }
	b.write("new.txt", "a third text")
	if _, err := b.Indexer.Run(t.Context(), b.request()); err == nil || !strings.Contains(err.Error(), "the model is gone") {
		t.Errorf("error %v", err)
	}
}

// TestSuited: a batch grows until it takes as long as is wanted, also where most of its time is
// the way to a server.
func TestSuited(t *testing.T) {
	for _, c := range []struct {
		size         int64
		took, wanted time.Duration
		want         int
	}{
		{4096, time.Second, time.Second, 4096},
		{4096, 2 * time.Second, time.Second, leastBatch},
		{4096, time.Second, 10 * time.Second, 40960},
		{40960, time.Second, 10 * time.Second, mostBatch},
		{1, 0, time.Second, mostBatch},
	} {
		if got := suited(c.size, c.took, c.wanted); got != c.want {
			t.Errorf("after %d tokens in %v, for %v: %d, want %d", c.size, c.took, c.wanted, got, c.want)
		}
	}
}
