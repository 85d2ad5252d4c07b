package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/storetest"
	"inglenook/documents/store/vectors"
)

// Whatever happened to the files of a collection, the store opens and nothing panics. At the
// latest when it is opened again, the collection can be written and searched.
func TestDamage(t *testing.T) { damageOften(t, 25) }

func damageOften(t *testing.T, rounds int) {
	ctx := context.Background()
	whole := t.TempDir()
	s := openStore(t, whole)
	c, err := storetest.OnlyCollection(ctx, s)
	must(t, err)
	for i := 1; i < 60; i++ {
		must(t, storetest.StepOf(i).Apply(ctx, c))
	}
	must(t, s.Close())
	aside := 0
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 8))
		dir := filepath.Join(t.TempDir(), "copy")
		must(t, os.CopyFS(dir, os.DirFS(whole)))
		what := damage(t, filepath.Join(dir, c.ID()), r)
		if n := useTwice(t, dir, what); n > 0 {
			aside++
		}
		must(t, os.RemoveAll(dir))
	}
	t.Logf("of %d damaged collections, %d were set aside or lost vectors", rounds, aside)
	if aside == 0 {
		t.Error("no damage was noticed")
	}
}

// damage changes a file of a collection and says how.
func damage(t *testing.T, dir string, r *rand.Rand) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name(), databaseName)
	}
	name := names[r.IntN(len(names))]
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	must(t, err)
	if len(data) == 0 {
		data = []byte{0}
	}
	at := r.IntN(len(data))
	end := min(len(data), at+1+r.IntN(4096))
	kind := r.IntN(6)
	switch kind {
	case 0:
		data = data[:at]
	case 1:
		for range 1 + r.IntN(50) {
			data[r.IntN(len(data))] ^= byte(1 << r.IntN(8))
		}
	case 2:
		clear(data[at:end])
	case 3:
		for i := at; i < end; i++ {
			data[i] = byte(r.Uint32())
		}
	case 4:
		data = slices.Concat(data[:at], data[end:])
	default: // its beginning, which describes the structure
		for i := range min(len(data), 100) {
			if r.IntN(3) == 0 {
				data[i] = byte(r.Uint32())
			}
		}
	}
	must(t, os.WriteFile(path, data, 0o600))
	return fmt.Sprintf("%s, way %d at %d", name, kind, at)
}

// useTwice opens a store twice and uses its collection, which must succeed the second time.
// It returns the number of notes.
func useTwice(t *testing.T, dir, what string) (notes int) {
	t.Helper()
	ctx := context.Background()
	for try := range 2 {
		s, err := Open(ctx, dir, vectors.Portable{})
		if err != nil {
			t.Fatalf("%s: the store does not open: %v", what, err)
		}
		notes += len(s.Notes())
		all, err := s.Collections(ctx)
		must(t, err)
		if len(all) == 0 && try == 0 {
			t.Fatalf("%s: the collection is gone: %q", what, s.Notes())
		}
		err = use(ctx, all[0])
		if err != nil && (try == 1 || !errors.Is(err, store.ErrDamaged)) {
			t.Fatalf("%s, opened %d times: %v, %q", what, try+1, err, s.Notes())
		}
		must(t, s.Close())
	}
	return notes
}

// use does what a person does with a collection.
func use(ctx context.Context, c store.Collection) error {
	sets, err := c.Sets(ctx)
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		if err := c.Begin(ctx, "a", dimension); err != nil {
			return err
		}
	} else if err := completed(ctx, c, sets[0].Embedder); err != nil {
		return err
	}
	p := texts("a zebra in the garden")
	v := map[string][][]float32{"a": meanings("a", p), "b": meanings("b", p)}
	if err := c.Put(ctx, store.File{Path: "/new", Hash: "new", Format: "text"}, p, v); err != nil {
		return err
	}
	for i := 60; i < 80; i++ {
		if s := storetest.StepOf(i); s.Kind != "switch" {
			if err := s.Apply(ctx, c); err != nil {
				return err
			}
		}
	}
	if _, err := c.Summary(ctx); err != nil {
		return err
	}
	if sets, err = c.Sets(ctx); err != nil {
		return err
	}
	if _, err := c.Nearest(ctx, sets[0].Embedder, meaning(sets[0].Embedder, "zebra"), 5, store.Filter{}); err != nil {
		return err
	}
	hits, err := c.Matching(ctx, store.Words{Any: []string{"zebra"}}, 5, store.Filter{})
	if err != nil {
		return err
	}
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	found, err := c.Passages(ctx, ids)
	if err == nil && (len(found) == 0 || !strings.Contains(found[0].Text, "zebra")) {
		err = fmt.Errorf("what was just written is not found: %v", found)
	}
	return err
}

// completed computes the vectors that a set has lost.
func completed(ctx context.Context, c store.Collection, embedder string) error {
	for {
		missing, err := c.Missing(ctx, embedder, 100)
		if err != nil || len(missing) == 0 {
			return err
		}
		for _, m := range missing {
			if err := c.Add(ctx, embedder, []int64{m.ID}, [][]float32{meaning(embedder, m.Input())}); err != nil {
				return err
			}
		}
	}
}

// A database whose tables contradict each other is damaged, although SQLite can read it. It
// is set aside when it is opened the next time.
func TestContradiction(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openStore(t, dir)
	c := collection(t, s, "x")
	put(t, c, file("/a"), "one cat")
	must(t, s.Close())
	raw, err := sql.Open("sqlite", filepath.Join(c.dir, databaseName))
	must(t, err)
	_, err = raw.ExecContext(ctx, "DELETE FROM passages") // their texts stay at ids that new texts would get
	must(t, errors.Join(err, raw.Close()))

	s = openStore(t, dir)
	all, err := s.Collections(ctx)
	must(t, err)
	p := texts("one dog")
	err = all[0].Put(ctx, file("/b"), p, map[string][][]float32{"a": meanings("a", p)})
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v", err)
	}
	must(t, s.Close())
	s = openStore(t, dir)
	if notes := s.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "begins anew") {
		t.Errorf("%q", notes)
	}
}

// A migration that fails changes nothing: the program reports it, and the older program can
// still open the database.
func TestMigrationFails(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	c := collection(t, s, "x")
	put(t, c, file("/a"), "one cat")
	must(t, s.Close())
	before := migrations
	t.Cleanup(func() { migrations = before })
	migrations = append(slices.Clone(before), "ALTER TABLE files ADD COLUMN colour TEXT; no such statement")
	s = openStore(t, dir)
	if closed := s.Closed(); len(closed) != 1 || closed[0].Name != "x" || !strings.Contains(closed[0].Err.Error(), "brought up to date") {
		t.Errorf("%+v", closed)
	}
	must(t, s.Close())
	migrations = before
	s = openStore(t, dir)
	all, err := s.Collections(context.Background())
	must(t, err)
	if len(all) != 1 || len(s.Notes()) != 0 {
		t.Fatalf("%d collections, %q", len(all), s.Notes())
	}
	if got := nearest(t, all[0].(*Collection), "a", "cat", 5, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// A database with an older schema is copied and then migrated.
func TestMigration(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := openStore(t, dir)
	c := collection(t, s, "x")
	put(t, c, file("/a"), "one cat")
	must(t, s.Close())
	before := migrations
	t.Cleanup(func() { migrations = before })

	migrations = append(slices.Clone(before), "ALTER TABLE files ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")
	s = openStore(t, dir)
	all, err := s.Collections(ctx)
	must(t, err)
	if len(all) != 1 || len(s.Notes()) != 0 {
		t.Fatalf("%d collections, %q", len(all), s.Notes())
	}
	c = all[0].(*Collection)
	if got := nearest(t, c, "a", "cat", 5, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	var colour string
	must(t, c.reader.QueryRowContext(ctx, "SELECT colour FROM files").Scan(&colour))
	copied, err := sql.Open("sqlite", filepath.Join(c.dir, fmt.Sprintf("index-version-%d.db", len(before))))
	must(t, err)
	defer copied.Close()
	if v, err := version(ctx, copied); err != nil || v != len(before) {
		t.Errorf("the copy has version %d, %v", v, err)
	}
	must(t, s.Close())

	// An older program refuses the database of a newer one and does not change it.
	migrations = before
	s = openStore(t, dir)
	if all, err = s.Collections(ctx); err != nil || len(all) != 0 || len(s.Closed()) != 1 || !strings.Contains(s.Closed()[0].Err.Error(), "newer") {
		t.Errorf("%d collections, %+v, %v", len(all), s.Closed(), err)
	}
	if must(t, s.Retry(ctx)); len(s.Closed()) != 1 {
		t.Errorf("opened again: %+v", s.Closed())
	}
}

// A full disk is an error that says so, and the stored data stays.
func TestDiskFull(t *testing.T) {
	ctx := context.Background()
	c := collection(t, openStore(t, t.TempDir()), "x")
	put(t, c, file("/a"), "one cat")
	var pages int
	must(t, c.writer.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages))
	limit := func(n int) {
		_, err := c.writer.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", n))
		must(t, err)
	}
	limit(pages + 2)
	long := texts(slices.Repeat([]string{strings.Repeat("many words ", 400)}, 50)...)
	err := c.Put(ctx, file("/b"), long, map[string][][]float32{"a": meanings("a", long)})
	if !errors.Is(err, store.ErrDiskFull) {
		t.Errorf("%v", err)
	}
	if got := nearest(t, c, "a", "cat", 5, store.Filter{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	checkWhole(t, c)
	limit(1 << 30)
	must(t, c.Put(ctx, file("/b"), long, map[string][][]float32{"a": meanings("a", long)}))
	checkWhole(t, c)
}
