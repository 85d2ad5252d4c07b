package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
)

// models puts some repositories on a server.
func models(s *hubtest.Server, n, bytes int) (ids []string, files map[string][]hubtest.File) {
	files = map[string][]hubtest.File{}
	for i := range n {
		id := fmt.Sprintf("org/m%d", i)
		files[id] = []hubtest.File{{Path: "config.json", Data: []byte("{}")}, {Path: "model.safetensors", Data: hubtest.Random(bytes, uint64(i)), LFS: true}}
		s.Add(hubtest.Repo{ID: id, Files: files[id]})
		ids = append(ids, id)
	}
	return ids, files
}

func states(q *Queue) string {
	var list []string
	for _, p := range q.List() {
		list = append(list, strings.TrimPrefix(p.ID, "org/")+" "+p.State)
	}
	return strings.Join(list, ", ")
}

// until waits until the queue is in a state.
func until(t *testing.T, q *Queue, what string, ok func([]Progress) bool) {
	t.Helper()
	for start := time.Now(); !ok(q.List()); time.Sleep(time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatalf("never %s: %s", what, states(q))
		}
	}
}

func TestQueue(t *testing.T) {
	s := startHub(t)
	ids, files := models(s, 4, 200_000)
	s.Throttle(200_000)
	cache, c := newCache(t), connect(t, s.URL())
	var mu sync.Mutex
	var told []Progress
	open := func() *Queue {
		q, err := OpenQueue(c, cache, 2, func(p Progress) { mu.Lock(); told = append(told, p); mu.Unlock() })
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	q := open()
	for _, id := range ids {
		if err := q.Add(Request{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Add(Request{ID: "../../x"}); err == nil {
		t.Error("an id that is a path was taken")
	}
	until(t, q, "two under way", func(l []Progress) bool { return l[0].Done > 10_000 && l[1].Done > 10_000 })
	if l := q.List(); l[2].State != StateQueued || l[3].State != StateQueued {
		t.Error(states(q))
	}
	if err := q.Pause("org/m0", ""); err != nil {
		t.Fatal(err)
	}
	until(t, q, "the third under way", func(l []Progress) bool { return l[2].Done > 0 })
	if err := q.Move("org/m3", "", 0); err != nil || !strings.HasPrefix(states(q), "m3 queued, m0 paused") {
		t.Error(states(q), err)
	}
	before := q.List()
	q.Close()

	// After a restart of the program they are as they were.
	q = open()
	after := q.List()
	for i, p := range after {
		was := before[slices.IndexFunc(before, func(b Progress) bool { return b.ID == p.ID })]
		if p.Done < was.Done || p.Total != was.Total && was.Total != 0 {
			t.Errorf("%d: %+v, before it was %+v", i, p, was)
		}
	}
	if got := states(q); !strings.Contains(got, "m0 paused") || !strings.Contains(got, "m1 queued") || !strings.HasPrefix(got, "m3 queued") {
		t.Error(got)
	}
	s.Throttle(0)
	for _, id := range ids {
		if err := q.Add(Request{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	until(t, q, "done", func(l []Progress) bool {
		return !slices.ContainsFunc(l, func(p Progress) bool { return p.State != StateDone })
	})
	for _, id := range ids {
		mustHold(t, cache, id, files[id])
	}
	mustBeTidy(t, cache)
	q.Clear()
	if len(q.List()) != 0 {
		t.Error(states(q))
	}
	q.Close()
	if q = open(); len(q.List()) != 0 {
		t.Error(states(q))
	}
	q.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(told) < 10 {
		t.Errorf("%d reports", len(told))
	}
}

// A download that was asked for while there is no connection is there after the program was
// killed, until somebody cancels it.
func TestQueueKeepsWhatWasOnlyAskedFor(t *testing.T) {
	s := startHub(t)
	s.Close()
	into, c := newCache(t), connect(t, s.URL())
	open := func() *Queue {
		q, err := OpenQueue(c, into, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		return q
	}
	killed := open()
	for _, r := range []Request{{ID: "org/z", Files: []string{"*.gguf"}}, {ID: "org/a", Revision: "v2"}} {
		if err := killed.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	until(t, killed, "waiting", func(l []Progress) bool { return l[0].State == StateWaiting && l[1].State == StateWaiting })
	q := open() // the first is never closed before: as if it had been killed
	if got := states(q); got != "z queued, a queued" {
		t.Fatal(got)
	}
	if z, a := q.items[0].request, q.items[1].request; !slices.Equal(z.Files, []string{"*.gguf"}) || z.Revision != "main" || a.Revision != "v2" {
		t.Errorf("asked again for %+v, %+v", z, a)
	}
	if err := q.Pause("org/z", ""); err != nil {
		t.Fatal(err)
	}
	if got := states(open()); got != "z paused, a queued" {
		t.Error(got)
	}
	for _, p := range q.List() {
		if _, err := q.Cancel(p.ID, p.Revision, false); err != nil {
			t.Error(err)
		}
	}
	if got := states(open()); got != "" {
		t.Error(got)
	}
	if left, _ := os.ReadDir(into.Dir()); len(left) != 0 {
		t.Errorf("left in the folder: %v", left)
	}
}

// What anybody may have written beside is left alone.
func TestAskedFilesAreChecked(t *testing.T) {
	into := newCache(t)
	if err := into.WriteAsked(cache.Asked{ID: "org/a", Revision: "main"}); err != nil {
		t.Fatal(err)
	}
	if err := into.WriteAsked(cache.Asked{ID: "../x", Revision: "main"}); err == nil {
		t.Error("an id that is a path was taken")
	}
	files, _ := filepath.Glob(filepath.Join(into.Dir(), ".inglenook-asked", "*.json"))
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"other.json": string(data), "broken.json": "{", "empty.json": ""} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(files[0]), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := into.Asked(t.Context()); len(got) != 1 || got[0].ID != "org/a" {
		t.Errorf("%+v", got)
	}
}

func TestQueueCancelsAndFails(t *testing.T) {
	s := startHub(t)
	_, files := models(s, 2, 300_000)
	s.Throttle(100_000)
	cache, c := newCache(t), connect(t, s.URL())
	q, err := OpenQueue(c, cache, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for _, keep := range []bool{true, false} {
		_ = q.Add(Request{ID: "org/m0"})
		until(t, q, "under way", func(l []Progress) bool { return l[0].Done > 50_000 })
		bytes, err := q.Cancel("org/m0", "", keep)
		if err != nil || bytes < 50_000 || len(q.List()) != 0 {
			t.Errorf("keep %v: %d bytes (%v)", keep, bytes, err)
		}
		left, _ := filepath.Glob(filepath.Join(cache.Dir(), "models--org--m0", "blobs", "*.incomplete"))
		if keep != (len(left) == 1) {
			t.Errorf("keep %v: %v", keep, left)
		}
	}
	if _, err := q.Cancel("org/m0", "", false); err == nil {
		t.Error("what is not there was canceled")
	}
	s.Throttle(0)
	_ = q.Add(Request{ID: "org/none"})
	until(t, q, "failed", func(l []Progress) bool {
		return l[0].State == StateFailed && strings.Contains(l[0].Why, "does not exist")
	})

	// On a full disk a download pauses with a sentence, and continues when the user says so.
	c.tuning.free = func(string) (int64, error) { return 0, nil }
	_ = q.Add(Request{ID: "org/m1"})
	until(t, q, "paused", func(l []Progress) bool {
		return l[1].State == StatePaused && strings.Contains(l[1].Why, "free some space")
	})
	c.tuning.free = freeSpace
	if err := q.Resume("org/m1", ""); err != nil {
		t.Fatal(err)
	}
	until(t, q, "done", func(l []Progress) bool { return l[1].State == StateDone })
	mustHold(t, cache, "org/m1", files["org/m1"])

	// The offline switch pauses downloads as well, and another client continues those that run.
	s.Throttle(100_000)
	_ = q.Add(Request{ID: "org/m0"})
	until(t, q, "under way", func(l []Progress) bool { return l[2].Done > 1000 })
	other := connect(t, s.URL())
	q.SetClient(other)
	until(t, q, "under way", func(l []Progress) bool { return l[2].Done > 50_000 })
	other.Close()
	until(t, q, "queued", func(l []Progress) bool { return l[2].State == StateQueued })
	q.SetClient(connect(t, s.URL()))
	s.Throttle(0)
	until(t, q, "done", func(l []Progress) bool { return l[2].State == StateDone })
	mustHold(t, cache, "org/m0", files["org/m0"])
}

// A download that the user paused is paused in the next queue. One that could never begin leaves
// nothing.
func TestWhatAPullLeaves(t *testing.T) {
	s := startHub(t)
	models(s, 1, 300_000)
	s.Add(hubtest.Repo{ID: "org/gated", Gated: true, Files: tinyRepo.Files[2:]})
	s.Throttle(100_000)
	cache, c := newCache(t), connect(t, s.URL())
	_, err := c.Pull(context.Background(), cache, Request{ID: "org/gated"}, nil)
	mustSay(t, err, fault.ErrGated)
	for _, pattern := range []string{"blobs/*", ".inglenook/*"} {
		if left, _ := filepath.Glob(filepath.Join(cache.Dir(), "models--org--gated", pattern)); len(left) > 0 {
			t.Errorf("%v was left", left)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = c.Pull(ctx, cache, Request{ID: "org/m0"}, func(p Progress) {
		if p.Done > 30_000 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("it was not stopped")
	}
	q, err := OpenQueue(c, cache, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if got := states(q); got != "m0 paused" || q.List()[0].Done < 30_000 {
		t.Errorf("%s, %+v", got, q.List())
	}
}

// While another form of an installed model is downloaded, the installed one can be used.
func TestAnotherForm(t *testing.T) {
	s := startHub(t)
	small := hubtest.File{Path: "m-Q4_0.gguf", Data: hubtest.Random(50_000, 1), LFS: true}
	large := hubtest.File{Path: "m-Q8_0.gguf", Data: hubtest.Random(300_000, 2), LFS: true}
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{small, large}})
	cache, c := newCache(t), connect(t, s.URL())
	if _, err := c.Pull(context.Background(), cache, Request{ID: "org/name", Files: []string{small.Path}}, nil); err != nil {
		t.Fatal(err)
	}
	s.Throttle(100_000)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := c.Pull(ctx, cache, Request{ID: "org/name", Files: []string{large.Path}}, func(p Progress) {
		if p.Done > 30_000 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("it was not stopped")
	}
	place, err := cache.Find(t.Context(), "org/name")
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(place.Path()); len(entries) != 1 || entries[0].Name() != small.Path {
		t.Errorf("%v", entries)
	}
	s.Throttle(0)
	if _, err := c.Pull(context.Background(), cache, Request{ID: "org/name", Files: []string{large.Path}}, nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, cache, "org/name", []hubtest.File{small, large})
	mustBeTidy(t, cache)
}

func TestRemoveAndRestore(t *testing.T) {
	ctx := context.Background()
	s := startHub(t)
	shared := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(100_000, 1), LFS: true}
	old := []hubtest.File{shared, {Path: "config.json", Data: []byte(`{"v":1}`)}}
	first := s.Add(hubtest.Repo{ID: "org/name", Files: old})
	cache, c := newCache(t), connect(t, s.URL())
	if _, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil); err != nil {
		t.Fatal(err)
	}
	fresh := []hubtest.File{shared, {Path: "config.json", Data: []byte(`{"v":22}`)}}
	second := s.Add(hubtest.Repo{ID: "org/name", Files: fresh})
	s.Forget()
	if r, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil); err != nil || r.Fetched != 8 {
		t.Errorf("%d bytes were fetched for a new revision (%v)", r.Fetched, err)
	}
	repo, err := cache.Repo("org/name")
	if err != nil || len(repo.Revisions) != 2 || repo.Revisions[0].Commit != second || !slices.Equal(repo.Revisions[0].Refs, []string{"main"}) {
		t.Fatalf("%+v, %v", repo, err)
	}
	gone, err := cache.Remove("org/name", first)
	if err != nil || gone.Bytes < 7 || gone.Bytes > 2000 || gone.Revision != first {
		t.Errorf("%+v, %v", gone, err)
	}
	mustHold(t, cache, "org/name", fresh)
	if err := cache.Restore(gone); err != nil {
		t.Fatal(err)
	}
	if repo, _ := cache.Repo("org/name"); len(repo.Revisions) != 2 || !repo.Revisions[1].Whole {
		t.Errorf("%+v", repo)
	}
	gone, err = cache.Remove("org/name", "")
	if err != nil || gone.Bytes < 100_000 {
		t.Errorf("%+v, %v", gone, err)
	}
	if _, err := cache.Find(t.Context(), "org/name"); err == nil {
		t.Error("it is still there")
	}
	if trash := cache.Trash(); len(trash) != 1 || trash[0] != gone {
		t.Errorf("%+v, wanted %+v", trash, gone)
	}
	if err := cache.Restore(gone); err != nil {
		t.Fatal(err)
	}
	mustHold(t, cache, "org/name", fresh)
	gone, _ = cache.Remove("org/name", "")
	if n, err := cache.EmptyTrash(time.Hour); n != 0 || err != nil {
		t.Errorf("%d bytes freed (%v)", n, err)
	}
	if n, err := cache.Delete(gone); n != gone.Bytes || err != nil {
		t.Errorf("%d bytes freed (%v)", n, err)
	}
	if _, err := os.Stat(filepath.Join(cache.Dir(), ".inglenook-trash")); err == nil {
		t.Error("an empty trash stays")
	}
	if err := cache.Restore(gone); err == nil {
		t.Error("what was deleted came back")
	}
	_, err = cache.Remove("org/name", "")
	mustSay(t, err, fault.ErrNotInstalled, "org/name")
}
