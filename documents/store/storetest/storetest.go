// Package storetest holds what every store of documents has to do, for the tests
// of each.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
)

// Run runs the tests. place returns a function that opens a new place for
// collections; it opens the same place each time it is called.
func Run(t *testing.T, place func(t *testing.T) (open func() store.Store)) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, open func() store.Store)
	}{
		{"PutAndFind", putAndFind},
		{"PutAgain", putAgain},
		{"Duplicates", duplicates},
		{"Mark", mark},
		{"SecondSet", secondSet},
		{"FilterBeforeTheBest", filterBeforeTheBest},
		{"Abandon", abandon},
		{"PageBreaks", pageBreaks},
		{"Names", names},
		{"OddTexts", oddTexts},
		{"Settings", settings},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, place(t)) })
	}
}

func putAndFind(t *testing.T, open func() store.Store) {
	s := open()
	c := collection(t, s, "Letters")
	put(t, c, file("/d/a.txt"), "the cat sat on the mat", "a dog barked at night")
	put(t, c, file("/d/sub/b.txt"), "ships sail over the sea", "running shoes for the winter")

	for range 2 {
		if got := nearest(t, c, "a", "Chapter dog barked", 1, store.Filter{}); !slices.Equal(got, []string{"a dog barked at night"}) {
			t.Errorf("nearest: %q", got)
		}
		if got := nearest(t, c, "a", "Chapter dog barked", 1, store.Filter{Folder: "/d/sub"}); len(got) != 1 || got[0] == "a dog barked at night" {
			t.Errorf("nearest in a folder: %q", got)
		}
		if got := matching(t, c, store.Words{Any: []string{"cats", "zebra"}}, store.Filter{}); !slices.Equal(got, []string{"the cat sat on the mat"}) {
			t.Errorf("matching: %q", got)
		}
		if got := matching(t, c, store.Words{Phrases: []string{"running shoes"}}, store.Filter{}); !slices.Equal(got, []string{"running shoes for the winter"}) {
			t.Errorf("a phrase: %q", got)
		}
		if got := matching(t, c, store.Words{Phrases: []string{"running shoe"}}, store.Filter{}); got != nil {
			t.Errorf("another phrase: %q", got)
		}
		if got := matching(t, c, store.Words{Any: []string{"sea", "cat"}}, store.Filter{Paths: []string{"/d/a.txt"}}); !slices.Equal(got, []string{"the cat sat on the mat"}) {
			t.Errorf("in one file: %q", got)
		}
		must(t, s.Close())
		s = open()
		all, err := s.Collections(context.Background())
		must(t, err)
		if len(all) != 1 || all[0].Name() != "Letters" {
			t.Fatalf("%d collections after opening anew: %q", len(all), s.Notes())
		}
		c = all[0]
	}
	got, err := c.Summary(context.Background())
	must(t, err)
	if got.Passages != 4 || got.Files[store.Indexed] != 2 || got.Embedder != "a" || got.Bytes == 0 {
		t.Errorf("summary %+v", got)
	}
}

// A file's new passages replace its old ones.
func putAgain(t *testing.T, open func() store.Store) {
	c := collection(t, open(), "x")
	f := file("/a")
	put(t, c, f, "one cat", "two cats")
	f.Hash = "another"
	put(t, c, f, "a dog")
	if got := matching(t, c, store.Words{Any: []string{"cat", "dog"}}, store.Filter{}); !slices.Equal(got, []string{"a dog"}) {
		t.Errorf("%q", got)
	}
	if got := nearest(t, c, "a", "cat", 10, store.Filter{}); !slices.Equal(got, []string{"a dog"}) {
		t.Errorf("%q", got)
	}
}

// Files with the same bytes share their passages, which are removed with the last one.
func duplicates(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	c := collection(t, open(), "x")
	f := file("/a")
	put(t, c, f, "one cat")
	copied := f
	copied.Path = "/b"
	if linked, err := c.Link(ctx, copied); err != nil || !linked {
		t.Fatalf("a copy was not recognised: %v", err)
	}
	other := file("/c")
	if linked, err := c.Link(ctx, other); err != nil || linked {
		t.Fatalf("another file was recognised: %v", err)
	}
	all, err := c.Files(ctx, store.FileFilter{})
	must(t, err)
	if len(all) != 2 || all[0].Duplicate != "" || all[1].Duplicate != "/a" {
		t.Errorf("%+v", all)
	}
	if got := nearest(t, c, "a", "cat", 10, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	must(t, c.Delete(ctx, "/a"))
	if got := nearest(t, c, "a", "cat", 10, store.Filter{Paths: []string{"/b"}}); len(got) != 1 {
		t.Errorf("after the first file went: %q", got)
	}
	must(t, c.Delete(ctx, "/b"))
	if got := nearest(t, c, "a", "cat", 10, store.Filter{}); len(got) != 0 {
		t.Errorf("after both went: %q", got)
	}
}

// A file that waits keeps its passages; one that failed has none.
func mark(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	c := collection(t, open(), "x")
	f := file("/a")
	put(t, c, f, "one cat")
	f.State = store.Waiting
	must(t, c.Mark(ctx, f))
	if got := nearest(t, c, "a", "cat", 10, store.Filter{}); len(got) != 1 {
		t.Errorf("waiting: %q", got)
	}
	f.State, f.Reason, f.Retries = store.Failed, "It is encrypted.", 2
	must(t, c.Mark(ctx, f))
	if got := nearest(t, c, "a", "cat", 10, store.Filter{}); len(got) != 0 {
		t.Errorf("failed: %q", got)
	}
	got, ok, err := c.File(ctx, "/a")
	if err != nil || !ok || got.Reason != f.Reason || got.Retries != 2 || got.State != store.Failed {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
}

// A second embedder's vectors are made while those of the first are searched, and then
// replace them.
func secondSet(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	s := open()
	c := collection(t, s, "x")
	put(t, c, file("/a"), "one cat", "two dogs", "three birds")
	must(t, c.Begin(ctx, "b", dimension))
	p := texts("four fish")
	must(t, c.Put(ctx, file("/b"), p, map[string][][]float32{"a": meanings("a", p), "b": meanings("b", p)}))
	if err := c.Serve(ctx, "b"); err == nil {
		t.Error("an incomplete set serves")
	}
	for {
		missing, err := c.Missing(ctx, "b", 2)
		must(t, err)
		if len(missing) == 0 {
			break
		}
		var ids []int64
		var v [][]float32
		for _, m := range missing {
			ids, v = append(ids, m.ID), append(v, meaning("b", m.Input()))
		}
		if got := nearest(t, c, "a", "Chapter two dogs", 1, store.Filter{}); got[0] != "two dogs" {
			t.Errorf("meanwhile: %q", got)
		}
		must(t, c.Add(ctx, "b", ids, v))
	}
	must(t, c.Serve(ctx, "b"))
	for _, question := range []string{"one cat", "two dogs", "three birds", "four fish"} {
		if got := nearest(t, c, "b", "Chapter "+question, 1, store.Filter{}); !slices.Equal(got, []string{question}) {
			t.Errorf("%s: %q", question, got)
		}
	}
	if _, err := c.Nearest(ctx, "a", meaning("a", "cat"), 1, store.Filter{}); err == nil {
		t.Errorf("the old set: %v", err)
	}
}

// A filter is applied before the best are selected: a file of the wanted kind is found
// after any number of better ones of another kind.
func filterBeforeTheBest(t *testing.T, open func() store.Store) {
	c := collection(t, open(), "x")
	for i := range 40 {
		put(t, c, file(fmt.Sprintf("/a/%d.txt", i)), fmt.Sprintf("a cat, number %d", i))
	}
	late := file("/b/100%_sure.PDF")
	late.Modified = time.Unix(2e9, 0)
	put(t, c, late, "the cat of which there is much more to say than that it is a cat")
	put(t, c, file("/b/notpdf"), "a cat in a file without an ending")
	for name, f := range map[string]store.Filter{
		"ending":  {Endings: []string{"docx", "pdf"}},
		"date":    {From: time.Unix(1.9e9, 0)},
		"all":     {Endings: []string{".Pdf"}, From: time.Unix(1.9e9, 0), Folder: "/b"},
		"formats": {Formats: []string{late.Format}, Endings: []string{"pdf"}},
	} {
		want := []string{"the cat of which there is much more to say than that it is a cat"}
		if got := nearest(t, c, "a", "Chapter a cat, number 1", 1, f); !slices.Equal(got, want) {
			t.Errorf("%s: nearest %q", name, got)
		}
		if got := matching(t, c, store.Words{Any: []string{"cat"}}, f); !slices.Equal(got, want) {
			t.Errorf("%s: matching %q", name, got)
		}
	}
	files, err := c.Files(context.Background(), store.FileFilter{Endings: []string{"pdf"}})
	if err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// A second set that is abandoned leaves the first one unchanged.
func abandon(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	c := collection(t, open(), "x")
	put(t, c, file("/a"), "one cat")
	must(t, c.Abandon(ctx))
	must(t, c.Begin(ctx, "b", dimension))
	must(t, c.Abandon(ctx))
	if sets, err := c.Sets(ctx); err != nil || len(sets) != 1 || sets[0].Embedder != "a" || !sets[0].Serving {
		t.Errorf("%+v, %v", sets, err)
	}
	if got := nearest(t, c, "a", "cat", 5, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// The places where pages begin in a passage are kept with it.
func pageBreaks(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	c := collection(t, open(), "x")
	passages := texts("The end of page two. The start of page four.", "on one page")
	passages[0].Page, passages[0].Breaks = 2, []documents.Break{{At: 21, Page: 4}}
	must(t, c.Put(ctx, file("/a"), passages, map[string][][]float32{"a": meanings("a", passages)}))
	hits, err := c.Nearest(ctx, "a", meaning("a", passages[0].Input()), 2, store.Filter{})
	must(t, err)
	got, err := c.Passages(ctx, []int64{hits[0].ID, hits[1].ID})
	must(t, err)
	if len(got) != 2 || got[0].PageAt(20) != 2 || got[0].PageAt(21) != 4 || got[1].Breaks != nil {
		t.Errorf("%+v", got)
	}
}

func names(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	s := open()
	c := collection(t, s, "Letters")
	d := collection(t, s, "Bills")
	if _, err := s.Create(ctx, " letters "); !errors.Is(err, store.ErrExists) {
		t.Errorf("the same name again: %v", err)
	}
	if err := d.Rename(ctx, "LETTERS"); !errors.Is(err, store.ErrExists) {
		t.Errorf("renamed to the same name: %v", err)
	}
	must(t, d.Rename(ctx, "Invoices"))
	must(t, d.SetSetting("folders", []byte("/home")))
	must(t, s.Remove(ctx, c.ID()))
	must(t, s.Close())
	all, err := open().Collections(ctx)
	must(t, err)
	if len(all) != 1 || all[0].Name() != "Invoices" || string(all[0].Setting("folders")) != "/home" {
		t.Errorf("%d collections", len(all))
	}
}

// A zero byte, an odd path, quotes and scripts without spaces are kept and found, and none
// of them is syntax.
func oddTexts(t *testing.T, open func() store.Store) {
	c := collection(t, open(), "x")
	f := file("/d/od'd \xff\\.txt")
	f.Hash = "1"
	put(t, c, f, "zero\x00byte o'clock", "東京都は大きい", "back\\slash & bar | !")
	got, ok, err := c.File(context.Background(), f.Path)
	if err != nil || !ok || got.Path != f.Path {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	for _, word := range []string{"byte", "東京", "o'clock", "slash", "'; DROP"} {
		n := 1
		if strings.Contains(word, "DROP") {
			n = 0
		}
		if got := matching(t, c, store.Words{Any: []string{word}}, store.Filter{}); len(got) != n {
			t.Errorf("%s: %q", word, got)
		}
	}
}

// Nothing is lost of a setting that several change at the same time.
func settings(t *testing.T, open func() store.Store) {
	ctx := context.Background()
	s := open()
	id := collection(t, s, "x").ID()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			c, err := s.Collection(ctx, id)
			for range 5 {
				if err == nil {
					err = c.ChangeSetting("letters", func(value []byte) ([]byte, error) { return append(slices.Clone(value), byte('a'+i)), nil })
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	c, err := s.Collection(ctx, id)
	must(t, err)
	got := slices.Sorted(slices.Values(c.Setting("letters")))
	if want := strings.Repeat("a", 5); len(got) != 40 || !strings.HasPrefix(string(got), want+"b") {
		t.Errorf("%q", got)
	}
	refused := errors.New("no")
	if err := c.ChangeSetting("letters", func([]byte) ([]byte, error) { return nil, refused }); !errors.Is(err, refused) || len(c.Setting("letters")) != 40 {
		t.Errorf("%v, %q", err, c.Setting("letters"))
	}
}
