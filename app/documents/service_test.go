package documents_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/app/documents"
	"inglenook/assets"
)

// write writes a file and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// papers returns a folder with three short files.
func papers(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "lease.md", "The tenant may end this contract with sixty days of notice.\n")
	write(t, dir, "boat.txt", "The blue boat was painted in May and lies in the harbour.\n")
	write(t, dir, "cat.txt", "The cat sleeps on the wall in the sun.\n")
	return dir
}

// anotherModel returns a second embedder: the bundled one under another name.
func anotherModel(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "other-embed")
	if err := os.CopyFS(dir, assets.StarterEmbed()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// found returns the names of the files that a search finds, the best first.
func found(t *testing.T, s *documents.Service, r documents.SearchRequest) (names []string) {
	t.Helper()
	got := must[documents.SearchResult](t)(s.Search(t.Context(), r))
	for _, f := range got.Files {
		names = append(names, filepath.Base(f.File.Path))
	}
	return names
}

// watcher collects the reports of a watch.
type watcher struct {
	mu   sync.Mutex
	told []documents.Watched
}

// watch begins a watch, which ends with the test.
func watch(t *testing.T, s *documents.Service) *watcher {
	t.Helper()
	w := &watcher{}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Watch(ctx, func(n documents.Watched) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.told = append(w.told, n)
		})
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return w
}

// until waits for a report and forgets the reports so far.
func (w *watcher) until(t *testing.T, what string, is func(documents.Watched) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		w.mu.Lock()
		i := slices.IndexFunc(w.told, is)
		if i >= 0 {
			w.told = slices.Clone(w.told[i+1:])
		}
		w.mu.Unlock()
		if i >= 0 {
			return
		}
	}
	t.Fatalf("the watch never told of %s", what)
}

func ended(n documents.Watched) bool {
	return n.Event == nil && n.Loading == nil && n.Note == "" && n.Err == nil
}

func TestWatch(t *testing.T) {
	s, dir := newService(t), papers(t)
	w := watch(t, s)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
	w.until(t, "the three files", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 3 })
	write(t, dir, "hedgehog.txt", "A hedgehog lives under the compost.")
	w.until(t, "a new file", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 1 })
	if got := found(t, s, documents.SearchRequest{Text: "hedgehog"}); len(got) == 0 || got[0] != "hedgehog.txt" {
		t.Errorf("found %q", got)
	}
}

// A watch that finds nothing new opens no model.
func TestWatchOpensNoModelForNothing(t *testing.T) {
	home, dir := t.TempDir(), papers(t)
	first := newApp(t, home)
	indexed(t, first.Documents(), "", dir)
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := newApp(t, home)
	w := watch(t, a.Documents())
	w.until(t, "the end of a run", func(n documents.Watched) bool { return ended(n) && n.Result.Unchanged == 3 })
	if open := a.OpenModels(); len(open) != 0 {
		t.Errorf("open without need: %+v", open)
	}
	write(t, dir, "new.txt", "Something new.")
	w.until(t, "the new file", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 1 })
	if open := a.OpenModels(); len(open) != 1 {
		t.Errorf("open after a file was embedded: %+v", open)
	}
}

// The watch computes the vectors of a new model while those of the old one are searched, and
// continues after a restart.
func TestSetModel(t *testing.T) {
	home, dir, model := t.TempDir(), papers(t), anotherModel(t)
	a := newApp(t, home)
	s := a.Documents()
	indexed(t, s, "", dir)
	before := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
	if err := s.SetModel(t.Context(), documents.DefaultName, "/no/such/model"); err == nil {
		t.Error("a model that is not there was taken")
	}
	if err := s.SetModel(t.Context(), documents.DefaultName, model); err != nil {
		t.Fatal(err)
	}
	next := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
	if next.Model != before.Model || !strings.HasSuffix(next.Next, "other-embed") || next.Missing != next.Passages {
		t.Errorf("before the vectors are made: %+v", next)
	}
	if got := found(t, s, documents.SearchRequest{Text: "boat"}); len(got) == 0 || got[0] != "boat.txt" {
		t.Errorf("the model before does not serve: found %q", got)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s = newApp(t, home).Documents()
	w := watch(t, s)
	w.until(t, "the new vectors", func(n documents.Watched) bool {
		return n.Loading != nil && n.Loading.Unit == "passages" && n.Loading.Done == int64(before.Passages)
	})
	w.until(t, "the end of the run", ended)
	after := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
	if after.Model != next.Next || after.Next != "" || after.Missing != 0 {
		t.Errorf("after the vectors are made: %+v", after)
	}
	if got := found(t, s, documents.SearchRequest{Text: "boat"}); len(got) == 0 || got[0] != "boat.txt" {
		t.Errorf("the new model does not serve: found %q", got)
	}
}

// Choosing the current model again cancels a change of model, also in the middle of it.
func TestSetModelIsGivenUp(t *testing.T) {
	s, dir := newService(t), papers(t)
	indexed(t, s, "", dir)
	before := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
	s.Pause(before.ID) // the new vectors wait
	w := watch(t, s)
	w.until(t, "the first run", ended)
	if err := s.SetModel(t.Context(), before.ID, anotherModel(t)); err != nil {
		t.Fatal(err)
	}
	w.until(t, "the beginning of the new vectors", func(n documents.Watched) bool { return n.Loading != nil && n.Loading.Unit == "passages" })
	if err := s.SetModel(t.Context(), before.ID, before.Model); err != nil {
		t.Fatal(err)
	}
	s.Resume(before.ID)
	w.until(t, "a run without new vectors", func(n documents.Watched) bool { return ended(n) && n.Result.Unchanged == 3 })
	after := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
	if after.Model != before.Model || after.Next != "" || after.Missing != 0 {
		t.Errorf("%+v", after)
	}
	if got := found(t, s, documents.SearchRequest{Text: "boat"}); len(got) == 0 || got[0] != "boat.txt" {
		t.Errorf("found %q", got)
	}
}

func TestPause(t *testing.T) {
	s, dir := newService(t), papers(t)
	c := must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
	s.Pause(c.ID)
	w := watch(t, s)
	w.until(t, "the plan", func(n documents.Watched) bool { return n.Event != nil && n.Event.Progress.Files == 3 })
	now := must[documents.Collection](t)(s.Collection(t.Context(), c.ID))
	if !now.Paused || !now.Indexing || now.Files != 0 {
		t.Errorf("paused: %+v", now)
	}
	s.Resume(c.ID)
	w.until(t, "the three files", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 3 })
	if now = must[documents.Collection](t)(s.Collection(t.Context(), c.ID)); now.Paused || now.Files != 3 {
		t.Errorf("resumed: %+v", now)
	}
}

// A folder that is removed from a collection is forgotten, unless another folder contains it.
// The files themselves stay.
func TestTakeOff(t *testing.T) {
	s, dir := newService(t), papers(t)
	boat := filepath.Join(dir, "boat.txt")
	indexed(t, s, "", dir, boat)
	if err := s.TakeOff(t.Context(), documents.DefaultName, dir); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, documents.SearchRequest{Text: "the boat, the cat, the tenant"}); !slices.Equal(got, []string{"boat.txt"}) {
		t.Errorf("found %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "cat.txt")); err != nil {
		t.Error(err)
	}
	if err := s.TakeOff(t.Context(), documents.DefaultName, dir); err == nil || !strings.Contains(err.Error(), "does not cover") {
		t.Errorf("taken off twice: %v", err)
	}
}

// A folder that is removed while it is read leaves nothing: the run ends and is told to have ended,
// and the folder can be added to the same collection again.
func TestTakeOffWhileReading(t *testing.T) {
	s, dir := newService(t), papers(t)
	add := func() documents.Collection {
		return must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{ByFolder: true, Paths: []string{dir}}))
	}
	c := add()
	s.Pause(c.ID) // after the files are known
	w := watch(t, s)
	planned := func(n documents.Watched) bool { return n.Event != nil && n.Event.Progress.Files == 3 }
	w.until(t, "three files to be read", planned)
	if now := must[documents.Collection](t)(s.Collection(t.Context(), c.ID)); now.Unread != 3 || !now.Indexing {
		t.Fatalf("%+v", now)
	}
	if err := s.TakeOff(t.Context(), c.ID, dir); err != nil {
		t.Fatal(err)
	}
	w.until(t, "the end of the run", func(n documents.Watched) bool { return errors.Is(n.Err, context.Canceled) })
	if now := must[documents.Collection](t)(s.Collection(t.Context(), c.ID)); now.Indexing || now.Counts() != "" || len(now.Folders) > 0 {
		t.Errorf("without the folder: %q of %+v", now.Counts(), now)
	}
	if again := add(); again.ID != c.ID {
		t.Errorf("the folder is now in %q, and was in %q", again.Name, c.Name)
	}
	s.Resume(c.ID)
	w.until(t, "the three files", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 3 })
}

// A run that waits begins when the one that goes on has ended, and not at all if that is stopped.
func TestRunWaitsForAnother(t *testing.T) {
	for _, stops := range []bool{false, true} {
		s, dir := newService(t), papers(t)
		c := must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
		s.Pause(c.ID)
		planned, waits := make(chan struct{}), make(chan struct{})
		first, second := make(chan error, 1), make(chan error, 1)
		var once sync.Once
		go func() {
			_, err := s.Index(t.Context(), documents.IndexRequest{Collection: c.ID}, func(documents.Event) { once.Do(func() { close(planned) }) }, nil)
			first <- err
		}()
		<-planned
		if _, err := s.Index(t.Context(), documents.IndexRequest{Collection: c.ID}, nil, nil); !errors.Is(err, documents.ErrIndexing) {
			t.Errorf("a run that does not wait: %v", err)
		}
		go func() {
			r, err := s.Index(t.Context(), documents.IndexRequest{Collection: c.ID, Waits: func() { close(waits) }}, nil, nil)
			if err == nil && r.Unchanged != 3 {
				err = fmt.Errorf("%d files were known to it", r.Unchanged)
			}
			second <- err
		}()
		<-waits
		var want error
		if stops {
			want = context.Canceled
			s.Stop(c.ID)
		} else {
			s.Resume(c.ID)
		}
		if err := <-first; !errors.Is(err, want) {
			t.Errorf("the first run, stopped %v: %v", stops, err)
		}
		if err := <-second; !errors.Is(err, want) {
			t.Errorf("the run that waited, after a stop %v: %v", stops, err)
		}
	}
}

func TestRenameAndRemove(t *testing.T) {
	s, dir := newService(t), papers(t)
	c := indexed(t, s, "", dir).Collection
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Other"}))
	if err := s.Rename(t.Context(), c.ID, " Papers "); err != nil {
		t.Fatal(err)
	}
	if got := must[documents.Collection](t)(s.Collection(t.Context(), "papers")); got.ID != c.ID || got.Name != "Papers" {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"other", " "} {
		if err := s.Rename(t.Context(), c.ID, name); err == nil {
			t.Errorf("renamed to %q", name)
		}
	}
	if err := s.Remove(t.Context(), "Papers"); err != nil {
		t.Fatal(err)
	}
	if all := must[[]documents.Collection](t)(s.Collections(t.Context())); len(all) != 1 || all[0].Name != "Other" {
		t.Errorf("%+v", all)
	}
	if _, err := os.Stat(filepath.Join(dir, "cat.txt")); err != nil {
		t.Error(err)
	}
}

// A collection that another process had open is updated once that process has closed it.
func TestTakesOver(t *testing.T) {
	home, dir := t.TempDir(), papers(t)
	other := newApp(t, home)
	c := indexed(t, other.Documents(), "", dir).Collection
	s := newApp(t, home).Documents()
	w := watch(t, s)
	w.until(t, "the reason", func(n documents.Watched) bool {
		return n.Err != nil && strings.Contains(n.Err.Error(), "another Inglenook")
	})
	if now := must[documents.Collection](t)(s.Collection(t.Context(), c.ID)); !now.ReadOnly {
		t.Errorf("%+v", now)
	}
	if got := found(t, s, documents.SearchRequest{Text: "boat"}); len(got) == 0 || got[0] != "boat.txt" {
		t.Errorf("found %q", got)
	}
	write(t, dir, "new.txt", "A hedgehog under the compost.")
	must[documents.Collection](t)(other.Documents().Add(t.Context(), documents.AddRequest{Collection: "Made meanwhile", Paths: []string{dir}}))
	if err := other.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.until(t, "the new file", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 1 })
	all := must[[]documents.Collection](t)(s.Collections(t.Context()))
	if len(all) != 2 || all[0].ReadOnly || all[1].ReadOnly {
		t.Errorf("%+v", all)
	}
}

// The password of a locked file opens it for the index, the view and its pictures.
func TestPassword(t *testing.T) {
	s, dir := newService(t), t.TempDir()
	data, err := os.ReadFile("../../documents/extract/testdata/locked-aes-256.pdf")
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, dir, "secret.pdf", string(data))
	c := indexed(t, s, "", dir).Collection
	for _, password := range []string{"", "wrong"} {
		request := documents.IndexRequest{Collection: c.ID, Retry: true}
		if password != "" {
			request.Passwords = map[string]string{"secret.pdf": password}
		}
		must[documents.IndexResult](t)(s.Index(t.Context(), request, nil, nil))
		health := must[[]documents.File](t)(s.Health(t.Context(), c.ID))
		if len(health) != 1 || !strings.Contains(health[0].Reason, "password") || password != "" && !strings.Contains(health[0].Reason, "another one") {
			t.Errorf("with the password %q: %+v", password, health)
		}
	}
	for password, want := range map[string]bool{"öpen": true, "wrong": false, "": false} {
		if opens, err := s.Unlocks(t.Context(), path, password); err != nil || opens != want {
			t.Errorf("%q opens it: %v, error %v", password, opens, err)
		}
	}
	got := must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: c.ID, Passwords: map[string]string{path: "öpen"}}, nil, nil))
	if got.Indexed != 1 || got.Collection.Failed != 0 {
		t.Errorf("with the right password: %+v", got)
	}
	files := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "blue door"})).Files
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	o := must[documents.Opened](t)(s.Open(t.Context(), files[0].Passages[0]))
	if o.Document.Text != "The secret is a blue door." || o.Changed {
		t.Errorf("%+v", o)
	}
	if !s.ShowsPages() {
		t.Skip("pdftoppm is not installed")
	}
	first, err := s.PagePicture(t.Context(), path, 1, 200)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.PagePicture(t.Context(), path, 1, 200); err != nil || again != first {
		t.Errorf("the page was drawn again: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.PagePicture(ctx, path, 1, 201); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestFilter(t *testing.T) {
	s, dir := newService(t), papers(t)
	old := filepath.Join(dir, "cat.txt")
	if err := os.Chtimes(old, time.Time{}, time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "more"), "goat.TXT", "The goat eats the cat's grass, says the tenant of the boat.")
	indexed(t, s, "", dir)
	everything := "the boat, the cat, the tenant"
	for _, f := range []struct {
		documents.Filter
		want []string
	}{
		{documents.Filter{}, []string{"boat.txt", "cat.txt", "goat.TXT", "lease.md"}},
		{documents.Filter{Type: "md"}, []string{"lease.md"}},
		{documents.Filter{Type: ".txt"}, []string{"boat.txt", "cat.txt", "goat.TXT"}},
		{documents.Filter{Formats: []string{"markdown", "pdf"}}, []string{"lease.md"}},
		{documents.Filter{Since: time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)}, []string{"boat.txt", "goat.TXT", "lease.md"}},
		{documents.Filter{Folder: filepath.Join(dir, "more")}, []string{"goat.TXT"}},
		{documents.Filter{Folder: filepath.Join(dir, "more"), Type: "txt", Formats: []string{"markdown"}}, nil},
	} {
		for _, mode := range documents.Modes() {
			got := found(t, s, documents.SearchRequest{Text: everything, Mode: mode, Filter: f.Filter})
			slices.Sort(got)
			if !slices.Equal(got, f.want) {
				t.Errorf("%+v by %s: found %q, want %q", f.Filter, mode, got, f.want)
			}
		}
	}
	if _, err := s.Search(t.Context(), documents.SearchRequest{Text: everything, Filter: documents.Filter{Type: "pdd"}}); err == nil || !strings.Contains(err.Error(), ".pdd") {
		t.Errorf("a type that no file has: %v", err)
	}
}

func TestMoreLike(t *testing.T) {
	s, dir := newService(t), papers(t)
	write(t, dir, "ship.txt", "A red ship was painted in June, and lies in the harbour.")
	indexed(t, s, "", dir)
	boat := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "blue boat"})).Files[0].Passages[0]
	like := must[documents.SearchResult](t)(s.MoreLike(t.Context(), boat, 0, documents.Filter{}))
	if len(like.Files) == 0 || filepath.Base(like.Files[0].File.Path) != "ship.txt" {
		t.Fatalf("%+v", like)
	}
	for _, f := range like.Files {
		if filepath.Base(f.File.Path) == "boat.txt" {
			t.Error("the passage itself is among those that are like it")
		}
	}
	like = must[documents.SearchResult](t)(s.MoreLike(t.Context(), boat, 0, documents.Filter{Type: "md"}))
	if len(like.Files) != 1 || filepath.Base(like.Files[0].File.Path) != "lease.md" {
		t.Errorf("of one type: %+v", like.Files)
	}
}

// TestUnread: a run that ends after any file leaves word of how many are still to be read,
// which a search says and a complete run takes back; files that changed count as well.
func TestUnread(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	s := newApp(t, home).Documents()
	const files = 5
	fill := func(version int) {
		for i := range files {
			write(t, dir, fmt.Sprintf("%d.txt", i), fmt.Sprintf("Note %d says that subject%d stands in version %d.", i, i, version))
		}
	}
	runUntil := func(files int) (read int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := s.Index(ctx, documents.IndexRequest{Collection: documents.DefaultName}, func(e documents.Event) {
			read = e.Progress.FilesDone
			if read >= files && e.Progress.Files > 0 {
				cancel()
			}
		}, nil)
		if read < files && err != nil {
			t.Fatal(err)
		}
		return read
	}
	if _, err := s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	for version := range 2 {
		for until := range files {
			fill(2*files*version + until)
			read := runUntil(until)
			c := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
			if c.Unread != files-read {
				t.Errorf("version %d: %d of %d files are read and %d unread", version, read, files, c.Unread)
			}
			if c.Files > 0 {
				got := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "subject1"}))
				if says := len(got.Notes) == 1 && strings.Contains(got.Notes[0], " searched, "); says != (c.Unread > 0) {
					t.Errorf("%d are unread, and a search says %q", c.Unread, got.Notes)
				}
			}
		}
		got := must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil))
		if got.Collection.Unread != 0 {
			t.Errorf("%d are unread after a complete run", got.Collection.Unread)
		}
	}
}

// TestPassageOfARemovedCollection: what asks about a passage whose collection is gone hears so in
// words, without an id that nobody knows.
func TestPassageOfARemovedCollection(t *testing.T) {
	s := newService(t)
	for _, others := range []bool{false, true} {
		must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Gone", Paths: []string{papers(t)}}))
		must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: "Gone"}, nil, nil))
		if others {
			must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Other", Paths: []string{papers(t)}}))
		}
		found := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "blue boat", Collections: []string{"Gone"}}))
		r := found.Files[0].Passages[0]
		if err := s.Remove(t.Context(), "Gone"); err != nil {
			t.Fatal(err)
		}
		_, like := s.MoreLike(t.Context(), r, 0, documents.Filter{})
		_, passage := s.Passage(t.Context(), documents.Place{Collection: r.Collection, ID: r.ID, Path: r.Files[0].Path, Text: r.Text})
		for _, err := range []error{like, passage} {
			if err == nil || !strings.Contains(err.Error(), "was removed") || strings.Contains(err.Error(), r.Collection) {
				t.Errorf("%v", err)
			}
		}
	}
}
