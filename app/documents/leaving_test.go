package documents_test

import (
	"path/filepath"
	"testing"

	"inglenook/app/documents"
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
