package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
)

// table is what several processes have claimed of a collection, in place of a server.
type table struct {
	mu     sync.Mutex
	owners map[string]any
	asked  func() // before each claim; may be nil
}

// shared is a collection with claims, as one process sees it.
type shared struct {
	store.Collection
	*table
}

func (s *shared) Claims() store.Claims { return s }

func (s *shared) Take(_ context.Context, content string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != nil {
		s.asked()
	}
	if s.owners[content] != nil {
		return false, nil
	}
	s.owners[content] = s
	return true, nil
}

func (s *shared) Give(_ context.Context, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owners[content] == s {
		delete(s.owners, content)
	}
}

func (s *shared) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for content, owner := range s.owners {
		if owner == s {
			delete(s.owners, content)
		}
	}
}

// process is one that fills the collection of a bench together with others.
func (b *bench) process(t *table, e *wordEmbedder) *Indexer {
	return &Indexer{
		Collection: &shared{b.collection, t}, Open: func(context.Context) (documents.Embedder, error) { return e, nil },
		Read: b.Read, Chunks: b.Chunks, Patience: time.Hour,
	}
}

// Three processes fill one collection at once: each text is embedded by one of them, and each of them
// returns when all are there.
func TestProcessesDivideTheWork(t *testing.T) {
	b := newBench(t)
	const files = 60
	for i := range files {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("an ordinary text w%d", i))
	}
	b.write("broken.txt", "BROKEN")
	between := &table{owners: map[string]any{}}
	embedders := []*wordEmbedder{{}, {}, {}}
	var wait sync.WaitGroup
	for _, e := range embedders {
		wait.Go(func() {
			got, err := b.process(between, e).Run(t.Context(), Request{Roots: []Root{{Path: b.dir}}})
			if err != nil || got.Indexed+got.Others+got.Unchanged+got.Failed != files+1 || got.LeftToOthers != 0 || got.Linked != 0 {
				t.Errorf("%+v, error %v", got, err)
			}
		})
	}
	wait.Wait()
	sum := 0
	for _, e := range embedders {
		sum += e.texts()
	}
	if sum != files {
		t.Errorf("%d texts were embedded, for %d files", sum, files)
	}
	if len(between.owners) != 0 {
		t.Errorf("claims are left: %v", between.owners)
	}
}

// The files of a process that ends before it has done them are done by one that waits for it. One that
// goes on is not waited for without end.
func TestFilesOfAnotherProcess(t *testing.T) {
	b := newBench(t)
	for i := range 5 {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("an ordinary text w%d", i))
	}
	b.write("copy.txt", "an ordinary text w3")
	between := &table{owners: map[string]any{}}
	hash, _, err := hashFile(t.Context(), b.path("3.txt"))
	if err != nil {
		t.Fatal(err)
	}
	claim := func() { between.owners[hash+".txt"] = "a process" }
	claim()
	e := &wordEmbedder{}
	x := b.process(between, e)
	x.Patience = time.Nanosecond
	got, err := x.Run(t.Context(), b.request())
	if err != nil || got.Indexed != 4 || got.LeftToOthers != 2 || len(b.files()) != 4 {
		t.Errorf("while it works: %+v, %d files, error %v", got, len(b.files()), err)
	}
	if notes := b.notes(); len(notes) != 2 || !strings.Contains(notes[1], "still works") {
		t.Errorf("said: %q", notes)
	}
	asked := 0
	between.asked = func() {
		if asked++; asked == 4 {
			clear(between.owners)
		}
	}
	x.Patience = time.Hour
	got, err = x.Run(t.Context(), b.request())
	if err != nil || got.Indexed != 1 || got.Linked != 1 || got.LeftToOthers != 0 || e.texts() != 5 {
		t.Errorf("after its end: %+v, %d texts, error %v", got, e.texts(), err)
	}

	between.asked = nil
	if err := os.WriteFile(filepath.Join(b.dir, "3.txt"), []byte("a new text w6"), 0o600); err != nil {
		t.Fatal(err)
	}
	hash, _, err = hashFile(t.Context(), b.path("3.txt"))
	if err != nil {
		t.Fatal(err)
	}
	claim()
	ctx, cancel := context.WithCancel(t.Context())
	between.asked = cancel
	if _, err := x.Run(ctx, b.request()); err == nil {
		t.Error("a run that was ended while it waited is complete")
	}
}

// notes are the sentences that were told.
func (b *bench) notes() (all []string) {
	for _, e := range b.events {
		if e.Kind == Noted {
			all = append(all, e.Note)
		}
	}
	return all
}
