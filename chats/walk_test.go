package chats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// After each change the store equals a plain model, and so does a store that is opened from its
// files at that moment, as a killed process would leave them.
func TestWalk(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { walkAlong(t, seed, 250, 30*time.Hour) })
	}
}

func walkAlong(t *testing.T, seed uint64, steps int, pace time.Duration) {
	w := newWalk(seed, pace)
	dir := t.TempDir()
	s := open(t, dir, w.clocked, quick)
	writers := map[string]*Writer{}
	for w.step < steps {
		o := w.next()
		if err := o.apply(s, writers); err != nil {
			t.Fatalf("step %d, %+v: %v", w.step, o, err)
		}
		if o.kind == "purge" || w.r.IntN(20) == 0 {
			compactNow(s)
			w.model.expire(w.now())
		}
		same(t, w, s.dump(), w.model)
		killed := w.model.clone()
		killed.crash()
		killed.expire(w.now())
		reopened(t, w, dir, killed)
		if w.r.IntN(20) == 0 {
			try(t, s.Close())
			s = open(t, dir, w.clocked, quick)
			clear(writers)
			w.model = killed
			same(t, w, s.dump(), w.model)
		}
	}
}

// reopened opens a copy of a folder and compares it.
func reopened(t *testing.T, w *walk, dir string, want model) {
	t.Helper()
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(copied)
	s := open(t, copied, w.clocked)
	defer s.Close()
	same(t, w, s.dump(), want)
}

func same(t *testing.T, w *walk, got string, want model) {
	t.Helper()
	if diff := firstDifference(got, want.dump()); diff != "" {
		t.Fatalf("after step %d %s", w.step, diff)
	}
}

// firstDifference returns the first line in which two dumps differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("the store has\n%s\nand the model\n%s", strings.Join(g[min(i, len(g)):min(i+2, len(g))], "\n"), strings.Join(w[min(i, len(w)):min(i+2, len(w))], "\n"))
		}
	}
	return ""
}

// compactNow waits for the keeper to compact.
func compactNow(s *Store) {
	s.change.Lock()
	s.compactNow = true
	s.change.Unlock()
	for s.wantsCompaction() {
		s.notify()
		time.Sleep(time.Millisecond)
	}
}

// files returns the names in a folder.
func files(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	try(t, err)
	return names
}
