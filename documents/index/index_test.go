package index

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/extract/format"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
	"inglenook/documents/store/vectors"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wordEmbedder makes vectors of the words of a text: texts with the same words have equal
// vectors.
type wordEmbedder struct {
	mu     sync.Mutex
	calls  [][]string
	before func(ctx context.Context, texts []string) error
	opened int
}

const wordDimension = 32

func (*wordEmbedder) ID() string     { return "words" }
func (*wordEmbedder) Dimension() int { return wordDimension }
func (*wordEmbedder) MaxTokens() int { return 100 }

func (*wordEmbedder) CountTokens(texts []string) (counts []int, err error) {
	for _, t := range texts {
		counts = append(counts, len(strings.Fields(t)))
	}
	return counts, nil
}

func (e *wordEmbedder) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.before != nil {
		if err := e.before(ctx, texts); err != nil {
			return nil, err
		}
	}
	e.calls = append(e.calls, texts)
	var out [][]float32
	for _, t := range texts {
		out = append(out, wordVector(t))
	}
	return out, ctx.Err()
}

func (e *wordEmbedder) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	return wordVector(text), nil
}

func wordVector(text string) []float32 {
	v := make([]float32, wordDimension)
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New32()
		h.Write([]byte(w))
		v[h.Sum32()%wordDimension]++
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(sum, 1e-9)))
	}
	return v
}

// texts returns how many texts were embedded.
func (e *wordEmbedder) texts() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.calls {
		n += len(c)
	}
	return n
}

// readText is the simplest reader: a file is one paragraph of plain text.
func readText(_ context.Context, path string) (none documents.Document, _ error) {
	data, err := os.ReadFile(path)
	switch {
	case err != nil:
		return none, err
	case len(data) == 0:
		return none, format.Errorf(format.Empty, "it is empty")
	case strings.HasPrefix(string(data), "BROKEN"):
		return none, format.Errorf(format.Damaged, "it is damaged")
	}
	return documents.Document{Text: string(data), Format: "text"}, nil
}

// bench is a folder of files with a collection for it.
type bench struct {
	*testing.T
	*Indexer
	dir        string
	collection store.Collection
	embedder   *wordEmbedder
	events     []Event
}

func newBench(t *testing.T) *bench {
	t.Helper()
	st, err := sqlite.Open(t.Context(), t.TempDir(), vectors.Portable{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	c, err := st.Create(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	e := &wordEmbedder{}
	return &bench{
		T: t, dir: t.TempDir(), collection: c, embedder: e,
		Indexer: &Indexer{
			Collection: c, Open: func(context.Context) (documents.Embedder, error) { e.opened++; return e, nil },
			Read: readText, Chunks: chunk.Options{Tokens: 60, Overlap: 5},
		},
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

func (b *bench) write(name, text string) string {
	b.Helper()
	path := b.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) request() Request {
	b.events = nil
	return Request{Roots: []Root{{Path: b.dir}}, Report: func(e Event) { b.events = append(b.events, e) }}
}

// run indexes the folder and returns the report without the time.
func (b *bench) run() Summary {
	b.Helper()
	s, err := b.Indexer.Run(b.Context(), b.request())
	if err != nil {
		b.Fatal(err)
	}
	s.Took = 0
	return s
}

// files returns the stored files with their states, by name.
func (b *bench) files() map[string]store.File {
	b.Helper()
	list, err := b.collection.Files(b.Context(), store.FileFilter{})
	if err != nil {
		b.Fatal(err)
	}
	files := map[string]store.File{}
	for _, f := range list {
		rel, err := filepath.Rel(b.dir, f.Path)
		if err != nil {
			b.Fatal(err)
		}
		files[filepath.ToSlash(rel)] = f
	}
	return files
}

// find returns the names of the files whose passages hold a word.
func (b *bench) find(word string) (names []string) {
	b.Helper()
	hits, err := b.collection.Matching(b.Context(), store.Words{Any: []string{word}}, 100, store.Filter{})
	if err != nil {
		b.Fatal(err)
	}
	for _, h := range hits {
		passages, err := b.collection.Passages(b.Context(), []int64{h.ID})
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range passages[0].Files {
			names = append(names, filepath.Base(f.Path))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (b *bench) wantSummary(got, want Summary) {
	b.Helper()
	got.Tokens, want.Tokens = 0, 0
	if got != want {
		b.Errorf("%+v, want %+v", got, want)
	}
}

func TestRunIsIncremental(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "an apple on the table")
	b.write("sub/b.txt", "a boat in the bay")
	b.write("sub/c.txt", "BROKEN")
	b.write("empty.txt", "")
	b.wantSummary(b.run(), Summary{Files: 4, Indexed: 2, Failed: 1, Skipped: 1, Passages: 2})
	b.wantSummary(b.run(), Summary{Files: 4, Unchanged: 4})
	if got := b.find("boat"); !slices.Equal(got, []string{"b.txt"}) {
		t.Errorf("boat is in %q", got)
	}
	embedded := b.embedder.texts()

	b.write("a.txt", "an apricot on the chair instead")
	b.write("new.txt", "a newt")
	if err := os.Remove(b.path("sub/b.txt")); err != nil {
		t.Fatal(err)
	}
	b.wantSummary(b.run(), Summary{Files: 4, Unchanged: 2, Indexed: 2, Passages: 2, Removed: 1})
	if b.find("apple") != nil || b.find("boat") != nil || b.find("apricot") == nil || b.find("newt") == nil {
		t.Error("the index is not in step with the files")
	}
	if n := b.embedder.texts() - embedded; n != 2 {
		t.Errorf("%d texts were embedded for two files", n)
	}
	failed := b.files()["sub/c.txt"]
	if failed.State != store.Failed || failed.Retries != 1 || failed.Reason != "it is damaged. Open it in its program and save it again, or get a new copy of it." {
		t.Errorf("%+v", failed)
	}
	b.write("a.txt", "BROKEN") // what was in it is no longer found
	b.run()
	if b.find("apricot") != nil {
		t.Error("a file that is damaged now is found by what was in it")
	}
}

func TestTouchedFileIsNotEmbeddedAgain(t *testing.T) {
	b := newBench(t)
	path := b.write("a.txt", "an apple on the table")
	b.run()
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	b.wantSummary(b.run(), Summary{Files: 1, Linked: 1})
	if n := b.embedder.texts(); n != 1 {
		t.Errorf("%d texts were embedded for one", n)
	}
	b.wantSummary(b.run(), Summary{Files: 1, Unchanged: 1})
}

func TestMovedAndCopied(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.write(fmt.Sprintf("old/%d.txt", i), fmt.Sprintf("text number w%d", i))
		b.write(fmt.Sprintf("copy/%d.txt", i), fmt.Sprintf("text number w%d", i))
	}
	b.wantSummary(b.run(), Summary{Files: 40, Indexed: 20, Linked: 20, Passages: 20})
	if n := b.embedder.texts(); n != 20 {
		t.Errorf("%d texts were embedded for 20", n)
	}
	if err := os.Rename(b.path("old"), b.path("zz")); err != nil {
		t.Fatal(err)
	}
	b.wantSummary(b.run(), Summary{Files: 40, Unchanged: 20, Linked: 20})
	if n := b.embedder.texts(); n != 20 {
		t.Errorf("%d texts were embedded after a folder was renamed", n)
	}
	moved := 0
	for _, e := range b.events {
		if e.Kind == Removed {
			t.Errorf("%s is said to be gone", e.Path)
		}
		if e.From != "" {
			moved++
			if filepath.Base(e.From) != filepath.Base(e.Path) {
				t.Errorf("%s moved to %s", e.From, e.Path)
			}
		}
	}
	if files := b.files(); moved != 20 || len(files) != 40 || files["zz/3.txt"].Duplicate == "" {
		t.Errorf("%d moved, %d files, %+v", moved, len(files), files["zz/3.txt"])
	}
	if err := os.RemoveAll(b.path("copy")); err != nil {
		t.Fatal(err)
	}
	b.wantSummary(b.run(), Summary{Files: 20, Unchanged: 20, Removed: 20})
	if b.find("w3") == nil {
		t.Error("the text went with its copy")
	}
}

func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	b := newBench(t)
	b.write("once.txt", "first version")
	always := b.write("always.txt", "first version too")
	writes := map[string]int{}
	b.Readers = 1
	b.Read = func(ctx context.Context, path string) (documents.Document, error) {
		doc, err := readText(ctx, path)
		if writes[path]++; path == always || writes[path] == 1 {
			b.write(filepath.Base(path), filepath.Base(path)+strings.Repeat(" second version at last", writes[path]))
		}
		return doc, err
	}
	b.run()
	files := b.files()
	if f := files["always.txt"]; f.State != store.Failed || !strings.Contains(f.Reason, "it changed each time") {
		t.Errorf("%+v", f)
	}
	if b.find("first") != nil || b.find("second") == nil {
		t.Error("a text was kept that is no longer in the file")
	}
	b.Read = readText
	b.wantSummary(b.run(), Summary{Files: 2, Unchanged: 1, Indexed: 1, Passages: 1})
}

func TestFilesThatVanish(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("text w%d", i))
	}
	b.Read = func(ctx context.Context, path string) (documents.Document, error) {
		if strings.ContainsAny(filepath.Base(path), "13579") {
			os.Remove(path)
		}
		return readText(ctx, path)
	}
	b.run()
	b.Read = readText
	b.run()
	if files := b.files(); len(files) != 5 || b.find("w1") != nil || b.find("w2") == nil {
		t.Errorf("%d files", len(files))
	}
}

func TestFailuresAndRetry(t *testing.T) {
	b := newBench(t)
	b.write("locked.txt", "text behind a password")
	b.write("slow.txt", "text on a slow disk")
	locked, away := true, true
	b.Read = func(ctx context.Context, path string) (documents.Document, error) {
		if filepath.Base(path) == "locked.txt" && locked {
			return documents.Document{}, format.Errorf(format.NeedsPassword, "it is locked with a password")
		}
		if filepath.Base(path) == "slow.txt" && away {
			return documents.Document{}, &os.PathError{Op: "open", Path: path, Err: errors.New("the disk is asleep")}
		}
		return readText(ctx, path)
	}
	b.wantSummary(b.run(), Summary{Files: 2, Failed: 2})
	if reason := b.files()["slow.txt"].Reason; reason != "it cannot be read (the disk is asleep)" {
		t.Errorf("%q", reason)
	}
	locked, away = false, false
	b.wantSummary(b.run(), Summary{Files: 2, Unchanged: 1, Indexed: 1, Passages: 1}) // the disk answers again
	again := b.request()
	again.Retry = true
	s, err := b.Indexer.Run(t.Context(), again)
	if err != nil || s.Indexed != 1 || b.files()["locked.txt"].State != store.Indexed {
		t.Errorf("%+v, error %v", s, err)
	}
}

func TestLostFoldersKeepTheirFiles(t *testing.T) {
	b := newBench(t)
	b.write("disk/a.txt", "an apple")
	r := b.request()
	r.Roots = []Root{{Path: b.path("disk")}}
	if _, err := b.Indexer.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(b.path("disk"), b.path("unplugged")); err != nil {
		t.Fatal(err)
	}
	s, err := b.Indexer.Run(t.Context(), r)
	if err != nil || s.Removed != 0 || b.find("apple") == nil {
		t.Errorf("%+v, error %v: the files of a disk that is away are gone", s, err)
	}
	if f := b.files()["disk"]; f.State != store.Failed || !strings.Contains(f.Reason, "connect the disk") {
		t.Errorf("%+v", f)
	}
	if err := os.Rename(b.path("unplugged"), b.path("disk")); err != nil {
		t.Fatal(err)
	}
	if s, err := b.Indexer.Run(t.Context(), r); err != nil || s.Unchanged != 1 || len(b.files()) != 1 {
		t.Errorf("%+v, error %v, files %v", s, err, b.files())
	}
}

// TestNamedFile adds a single file to a collection, deletes it, and removes its disk.
func TestNamedFile(t *testing.T) {
	for what, gone := range map[string]func(b *bench){
		"deleted":   func(b *bench) { os.Remove(b.path("disk/a.txt")) },
		"unplugged": func(b *bench) { os.Rename(b.path("disk"), b.path("elsewhere")) },
	} {
		t.Run(what, func(t *testing.T) {
			b := newBench(t)
			r := b.request()
			r.Roots = []Root{{Path: b.write("disk/a.txt", "an apple")}}
			if _, err := b.Indexer.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			gone(b)
			s, err := b.Indexer.Run(t.Context(), r)
			if kept := b.find("apple") != nil; err != nil || kept != (what == "unplugged") || s.Removed == 1 != (what == "deleted") {
				t.Errorf("%+v, kept %v, error %v", s, kept, err)
			}
		})
	}
}

func TestOnlyRootsOfTheRequestAreCompared(t *testing.T) {
	b := newBench(t)
	b.write("one/a.txt", "an apple")
	b.write("two/b.txt", "a boat")
	b.run()
	b.write("two/c.txt", "a cart")
	if err := os.Remove(b.path("one/a.txt")); err != nil {
		t.Fatal(err)
	}
	r := b.request()
	r.Roots = []Root{{Path: b.path("two")}, {Path: b.path("two/c.txt")}}
	if s, err := b.Indexer.Run(t.Context(), r); err != nil || s.Indexed != 1 || s.Removed != 0 {
		t.Errorf("%+v, error %v", s, err)
	}
}
