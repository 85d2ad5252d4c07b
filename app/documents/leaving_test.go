package documents_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"inglenook/app/documents"
	"inglenook/documents/index"
)

// What is kept of a folder that is removed comes back with it: nothing is read again, until it is forgotten.
// Nothing of it is found or counted meanwhile.
func TestTakeOffIsTakenBack(t *testing.T) {
	s, dir := newService(t), papers(t)
	ask := documents.SearchRequest{Text: "the boat, the cat, the tenant"}
	indexed(t, s, "", dir)
	for _, forgotten := range []bool{false, true} {
		if err := s.TakeOff(t.Context(), documents.DefaultName, dir); err != nil {
			t.Fatal(err)
		}
		if forgotten {
			if err := s.Forget(t.Context(), documents.DefaultName); err != nil {
				t.Fatal(err)
			}
		}
		files := must[[]documents.File](t)(s.Files(t.Context(), documents.DefaultName))
		if c := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName)); c.Files+c.Passages+len(files) > 0 || len(found(t, s, ask)) > 0 {
			t.Errorf("without the folder there are %d files, %d are listed and %q is found", c.Files, len(files), found(t, s, ask))
		}
		if got := must[documents.SearchResult](t)(s.Search(t.Context(), ask)).Searched; got.Files+got.Passages > 0 {
			t.Errorf("without the folder %d files are said to be searched", got.Files)
		}
		must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
		if got := found(t, s, ask); len(got) != 3 && !forgotten {
			t.Errorf("before a run %q is found", got)
		}
		got := must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil))
		if anew := got.Indexed; anew != 3 && forgotten || anew != 0 && !forgotten || len(found(t, s, ask)) != 3 {
			t.Errorf("forgotten %v: %d files are read again, found %q", forgotten, anew, found(t, s, ask))
		}
		if err := s.Forget(t.Context(), documents.DefaultName); err != nil || len(found(t, s, ask)) != 3 {
			t.Errorf("what is covered again is forgotten: %q, error %v", found(t, s, ask), err)
		}
	}
}

// A file that is removed by itself is not counted either, before it is forgotten.
func TestAFileIsTakenOff(t *testing.T) {
	s, dir := newService(t), papers(t)
	boat := filepath.Join(dir, "boat.txt")
	indexed(t, s, "", boat, filepath.Join(dir, "cat.txt"))
	if err := s.TakeOff(t.Context(), documents.DefaultName, boat); err != nil {
		t.Fatal(err)
	}
	files := must[[]documents.File](t)(s.Files(t.Context(), documents.DefaultName))
	if c := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName)); c.Files != 1 || len(files) != 1 {
		t.Errorf("%d files are counted, %d listed", c.Files, len(files))
	}
}

// A file of a folder that stays is taken off by its name, and comes back without being read again, also where a run
// went over the folder meanwhile. Once it is forgotten it is read anew.
func TestAFileOfAFolderIsTakenOff(t *testing.T) {
	s, dir := newService(t), papers(t)
	old := write(t, dir, "old [1].txt", "The dog *barks* at the postman.\n")
	ask := documents.SearchRequest{Text: "which dog barks"}
	indexed(t, s, "", dir)
	before := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName)).Folders[0].Exclude
	run := func() documents.IndexResult {
		return must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName}, nil, nil))
	}
	has := func() bool { return slices.Contains(found(t, s, ask), "old [1].txt") }
	for _, forgotten := range []bool{false, true} {
		if err := s.TakeOff(t.Context(), documents.DefaultName, old); err != nil {
			t.Fatal(err)
		}
		if r := run(); r.Removed+r.Indexed > 0 {
			t.Errorf("without the file a run read %d and forgot %d", r.Indexed, r.Removed)
		}
		c := must[documents.Collection](t)(s.Collection(t.Context(), documents.DefaultName))
		if c.Files != 3 || has() || !slices.Equal(c.Folders[0].Exclude, append(slices.Clone(before), `/old \[1].txt`)) {
			t.Errorf("without the file there are %d, found %v, patterns %q", c.Files, has(), c.Folders[0].Exclude)
		}
		if forgotten {
			if err := s.Forget(t.Context(), documents.DefaultName); err != nil {
				t.Fatal(err)
			}
		}
		c = must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}, Exclude: before, Again: true}))
		if !slices.Equal(c.Folders[0].Exclude, before) || has() == forgotten {
			t.Errorf("the file is back, forgotten %v: found %v, patterns %q", forgotten, has(), c.Folders[0].Exclude)
		}
		if r := run(); r.Indexed > 0 != forgotten || !has() {
			t.Errorf("forgotten %v: %d files are read again, found %v", forgotten, r.Indexed, has())
		}
	}
	if err := s.TakeOff(t.Context(), documents.DefaultName, filepath.Join(t.TempDir(), "elsewhere.txt")); err == nil {
		t.Error("a file that is not covered can be taken off")
	}
}

// What the program before has taken off is deleted when the next one watches.
func TestWatchForgets(t *testing.T) {
	s, dir := newService(t), papers(t)
	indexed(t, s, "", dir)
	if err := s.TakeOff(t.Context(), documents.DefaultName, dir); err != nil {
		t.Fatal(err)
	}
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{filepath.Join(dir, "boat.txt")}}))
	w := watch(t, s)
	w.until(t, "a run", ended)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
	w.until(t, "the two other files", func(n documents.Watched) bool { return ended(n) && n.Result.Indexed == 2 })
}

// TestFilesWhileTheyAreRead: the list of files has those too that are still to be read, so that it agrees with
// what is counted.
func TestFilesWhileTheyAreRead(t *testing.T) {
	s, dir := newService(t), papers(t)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Home", Paths: []string{dir}}))
	var listed []int
	_, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Home"}, func(e documents.Event) {
		if e.Progress.Files == 0 {
			return
		}
		files := must[[]documents.File](t)(s.Files(t.Context(), "Home"))
		waiting := 0
		for _, f := range files {
			if documents.Kept(f) {
				waiting++
			}
		}
		if c := must[documents.Collection](t)(s.Collection(t.Context(), "Home")); c.Unread != waiting || c.Files+c.Unread != len(files) {
			t.Errorf("%d files are listed, %d of them waiting; counted are %d and %d", len(files), waiting, c.Files, c.Unread)
		}
		listed = append(listed, len(files))
	}, nil)
	if err != nil || len(listed) == 0 {
		t.Fatalf("no list, error %v", err)
	}
	for _, n := range listed {
		if n != 3 {
			t.Errorf("the lists have %v files", listed)
			break
		}
	}
}

// A file that has its record before the run tells of it is counted once, as read.
func TestFileIsKeptBeforeItIsTold(t *testing.T) {
	s, dir := newService(t), papers(t)
	write(t, dir, "empty 1.txt", " ")
	write(t, dir, "empty 2.txt", "  \n")
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Home", Paths: []string{dir}}))
	checked := false
	_, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Home"}, func(e documents.Event) {
		if e.Kind != index.File || checked {
			return
		}
		checked = true // the second reader keeps the other empty file, and waits to tell of it
		for range 500 {
			if len(must[[]documents.File](t)(s.Health(t.Context(), "Home"))) == 2 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if c := must[documents.Collection](t)(s.Collection(t.Context(), "Home")); c.Skipped != 2 || c.Files+c.Skipped+c.Unread != 5 {
			t.Errorf("%d files are read, %d refused and %d unread, of 5", c.Files, c.Skipped, c.Unread)
		}
	}, nil)
	if err != nil || !checked {
		t.Fatalf("nothing was told, error %v", err)
	}
}
