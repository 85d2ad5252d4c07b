package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

const dimension = 48

// meaning returns the vector of a text: each word has its own direction. The directions
// depend on name, which is that of the model.
func meaning(name, text string) []float32 {
	v := make([]float32, dimension)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %s", name, strings.Trim(word, ".,!?"))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(r.NormFloat64())
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum) + 1e-9)
	}
	return v
}

func meanings(name string, passages []documents.Chunk) [][]float32 {
	var all [][]float32
	for _, p := range passages {
		all = append(all, meaning(name, p.Input()))
	}
	return all
}

// texts turns strings into passages.
func texts(all ...string) []documents.Chunk {
	var passages []documents.Chunk
	at := 0
	for i, text := range all {
		passages = append(passages, documents.Chunk{Start: at, End: at + len(text), Line: i + 1, Page: 1, Headings: []string{"Chapter"}, Context: "Chapter", Text: text, Tokens: 5})
		at += len(text) + 1
	}
	return passages
}

func openStore(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(context.Background(), dir, vectors.Portable{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// collection makes a collection with vectors of the model "a".
func collection(t testing.TB, s *Store, name string) *Collection {
	t.Helper()
	c, err := s.Create(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	must(t, c.Begin(context.Background(), "a", dimension))
	return c.(*Collection)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func file(path string) store.File {
	return store.File{Path: path, Size: 10, Hash: "hash of " + filepath.Base(path), Format: "text", Title: "A title"}
}

func put(t testing.TB, c *Collection, f store.File, all ...string) {
	t.Helper()
	p := texts(all...)
	must(t, c.Put(context.Background(), f, p, map[string][][]float32{"a": meanings("a", p)}))
}

// nearest returns the texts that are nearest to a question.
func nearest(t testing.TB, c *Collection, model, question string, n int, f store.Filter) []string {
	t.Helper()
	hits, err := c.Nearest(context.Background(), model, meaning(model, question), n, f)
	must(t, err)
	return shown(t, c, hits)
}

func matching(t testing.TB, c *Collection, w store.Words, f store.Filter) []string {
	t.Helper()
	hits, err := c.Matching(context.Background(), w, 10, f)
	must(t, err)
	return shown(t, c, hits)
}

func shown(t testing.TB, c *Collection, hits []store.Hit) []string {
	t.Helper()
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	found, err := c.Passages(context.Background(), ids)
	must(t, err)
	var all []string
	for _, p := range found {
		all = append(all, p.Text)
	}
	return all
}

func TestPutAndFind(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
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
		s = openStore(t, dir)
		all, err := s.Collections(context.Background())
		must(t, err)
		if len(all) != 1 || all[0].Name() != "Letters" {
			t.Fatalf("%d collections after opening anew: %q", len(all), s.Notes())
		}
		c = all[0].(*Collection)
	}
	got, err := c.Summary(context.Background())
	must(t, err)
	if got.Passages != 4 || got.Files[store.Indexed] != 2 || got.Embedder != "a" || got.Bytes == 0 {
		t.Errorf("summary %+v", got)
	}
}

// A file's new passages replace its old ones.
func TestPutAgain(t *testing.T) {
	c := collection(t, openStore(t, t.TempDir()), "x")
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
	checkWhole(t, c)
}

// Files with the same bytes share their passages, which are removed with the last one.
func TestDuplicates(t *testing.T) {
	ctx := context.Background()
	c := collection(t, openStore(t, t.TempDir()), "x")
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
	checkWhole(t, c)
}

// A file that waits keeps its passages; one that failed has none.
func TestMark(t *testing.T) {
	ctx := context.Background()
	c := collection(t, openStore(t, t.TempDir()), "x")
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
	checkWhole(t, c)
}

// A second embedder's vectors are made while those of the first are searched, and then
// replace them.
func TestSecondSet(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openStore(t, dir)
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
	if _, err := c.Nearest(ctx, "a", meaning("a", "cat"), 1, store.Filter{}); !errors.Is(err, errNoSet) {
		t.Errorf("the old set: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, c.id, "vectors-*"))
	must(t, err)
	if len(files) != 3 {
		t.Errorf("files of vectors: %q", files)
	}
	checkWhole(t, c)
}

// While one store is open, another one in the same folder searches and sees what
// the first one writes.
func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	first := openStore(t, dir)
	c := collection(t, first, "x")
	put(t, c, file("/a"), "one cat")
	second := openStore(t, dir)
	all, err := second.Collections(ctx)
	must(t, err)
	d := all[0].(*Collection)
	if got := nearest(t, d, "a", "cat", 9, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	put(t, c, file("/b"), "two dogs")
	if got := nearest(t, d, "a", "Chapter two dogs", 1, store.Filter{}); !slices.Equal(got, []string{"two dogs"}) {
		t.Errorf("%q", got)
	}
	if err := d.Delete(ctx, "/a"); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("delete: %v", err)
	}
	if _, err := second.Create(ctx, "y"); !errors.Is(err, store.ErrReadOnly) || !second.ReadOnly() {
		t.Errorf("create: %v", err)
	}
	if _, err := OpenToWrite(ctx, dir, vectors.Portable{}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("open to write beside the first: %v", err)
	}
	must(t, first.Close())
	third, err := OpenToWrite(ctx, dir, vectors.Portable{})
	must(t, err)
	defer third.Close()
	if _, err := third.Create(ctx, "y"); err != nil || third.ReadOnly() {
		t.Errorf("create once the first is closed: %v", err)
	}
}

// A filter is applied before the best are selected: a file of the wanted kind is found
// after any number of better ones of another kind.
func TestFilterBeforeTheBest(t *testing.T) {
	c := collection(t, openStore(t, t.TempDir()), "x")
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
func TestAbandon(t *testing.T) {
	ctx := context.Background()
	c := collection(t, openStore(t, t.TempDir()), "x")
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
	checkWhole(t, c)
}

// The places where pages begin in a passage are kept with it.
func TestPageBreaks(t *testing.T) {
	ctx := context.Background()
	c := collection(t, openStore(t, t.TempDir()), "x")
	passages := texts("The end of page two. The start of page four.", "on one page")
	passages[0].Page, passages[0].Breaks = 2, []documents.Break{{At: 21, Page: 4}}
	must(t, c.Put(ctx, file("/a"), passages, map[string][][]float32{"a": meanings("a", passages)}))
	got, err := c.Passages(ctx, []int64{1, 2})
	must(t, err)
	if len(got) != 2 || got[0].PageAt(20) != 2 || got[0].PageAt(21) != 4 || got[1].Breaks != nil {
		t.Errorf("%+v", got)
	}
}

func TestNames(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openStore(t, dir)
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
	all, err := openStore(t, dir).Collections(ctx)
	must(t, err)
	if len(all) != 1 || all[0].Name() != "Invoices" || string(all[0].Setting("folders")) != "/home" {
		t.Errorf("%d collections", len(all))
	}
}

// checkWhole checks that database, words and vectors agree.
func checkWhole(t testing.TB, c *Collection) {
	t.Helper()
	must(t, c.Check(context.Background()))
}

// Of many passages, those with the rare words of a question are scored.
func TestFrequentWords(t *testing.T) {
	c := collection(t, openStore(t, t.TempDir()), "x")
	all := slices.Repeat([]string{"the common word"}, mostMatches+100)
	all[70], all[90] = "the common word is rarer here", "a rarer one"
	put(t, c, file("/a"), all...)
	if got := matching(t, c, store.Words{Any: []string{"common", "rarer"}}, store.Filter{}); len(got) != 2 || !strings.Contains(got[0], "rarer") || !strings.Contains(got[1], "rarer") {
		t.Errorf("%q", got)
	}
	if got := matching(t, c, store.Words{Any: []string{"common", "word"}}, store.Filter{}); len(got) != 10 {
		t.Errorf("only frequent words: %d", len(got))
	}
	if got := matching(t, c, store.Words{Any: []string{"absent", "zebra"}}, store.Filter{}); len(got) != 0 {
		t.Errorf("absent words: %q", got)
	}
}

// A context that ends between the statements of a transaction and its commit is the
// error, and nothing is kept.
func TestCancelledTransaction(t *testing.T) {
	c := collection(t, openStore(t, t.TempDir()), "x")
	ctx, cancel := context.WithCancel(context.Background())
	err := inTx(ctx, c.writer, func(tx *sql.Tx) error {
		if _, err := tx.Exec("UPDATE changes SET count = -1"); err != nil {
			return err
		}
		cancel()
		for { // until database/sql has rolled it back
			if _, err := tx.Exec("SELECT 1"); errors.Is(err, sql.ErrTxDone) {
				return nil
			}
			time.Sleep(time.Millisecond)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	var count int
	must(t, c.writer.QueryRow("SELECT count FROM changes").Scan(&count))
	if count < 0 {
		t.Error("the change was kept")
	}
}
