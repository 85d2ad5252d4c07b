package postgres

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/storetest"
)

// indexed returns a new collection with an index from so many passages on, whose searches are
// exact where a filter leaves fewer than exactBelow.
func indexed(t *testing.T, indexFrom, exactBelow int) *Collection {
	t.Helper()
	s := open(t, postgrestest.Database(t))
	s.indexFrom, s.exactBelow = indexFrom, exactBelow
	made, err := s.Create(t.Context(), "x")
	must(t, err)
	c := made.(*Collection)
	must(t, c.Begin(t.Context(), "a", benchDimension))
	return c
}

// Searches by an index are checked later, once for a person who types; an index that misses
// passages is noticed.
func TestChecks(t *testing.T) {
	ctx := t.Context()
	c := indexed(t, 100, 10)
	s := c.store
	vectors := storetest.NewClusters(benchDimension, 10, 1).Vectors(220)
	put := func(name string, v [][]float32) {
		p := make([]documents.Chunk, len(v))
		for i := range p {
			p[i].Text = fmt.Sprint(name, i)
		}
		must(t, c.Put(ctx, store.File{Path: "/" + name, Hash: name, Format: "text"}, p, map[string][][]float32{"a": v}))
	}
	put("first", vectors[:200])
	must(t, c.Improve(ctx, func() {}))
	search := func(v []float32, want store.Checks) {
		t.Helper()
		for range 5 { // the person types
			_, err := c.Nearest(ctx, "a", v, 10, store.Filter{})
			must(t, err)
		}
		for {
			got, err := c.Summary(ctx)
			must(t, err)
			if got.Checks == want {
				return
			}
			if got.Checks.Checked >= want.Checked {
				t.Fatalf("%+v, not %+v", got.Checks, want)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	search(vectors[3], store.Checks{Checked: 1, Same: 1})
	search(vectors[4], store.Checks{Checked: 2, Same: 2})
	postgrestest.Do(t, s.pool.Config().ConnString(), "UPDATE pg_index SET indisready = false WHERE indexrelid IN (SELECT oid FROM pg_class WHERE relname LIKE 'vectors_near_%')")
	put("second", vectors[200:])
	search(vectors[210], store.Checks{Checked: 3, Same: 2})
	// Those of another set do not count.
	must(t, c.Begin(ctx, "b", benchDimension))
	missing, err := c.Missing(ctx, "b", len(vectors))
	must(t, err)
	ids := make([]int64, len(missing))
	for i, m := range missing {
		ids[i] = m.ID
	}
	must(t, c.Add(ctx, "b", ids, vectors))
	must(t, c.Serve(ctx, "b"))
	if got, err := c.Summary(ctx); err != nil || got.Checks != (store.Checks{}) {
		t.Errorf("%+v, %v", got.Checks, err)
	}
}

// A set that has an index finds what comparing all finds: with a filter, after files were
// added and deleted, and while the index is not complete.
func TestIndex(t *testing.T) {
	ctx := t.Context()
	c := indexed(t, 500, 50)
	s := c.store
	clusters := storetest.NewClusters(benchDimension, benchCentres, 1)
	put := func(i int) {
		var p []documents.Chunk
		var v [][]float32
		for k := range 20 {
			p, v = append(p, documents.Chunk{Text: fmt.Sprint(i, k)}), append(v, clusters.Vector())
		}
		f := store.File{Path: fmt.Sprintf("/d/%d/%d.txt", i%2, i), Hash: fmt.Sprint(i), Format: "text"}
		must(t, c.Put(ctx, f, p, map[string][][]float32{"a": v}))
	}
	began := 0
	improve := func(want int) {
		t.Helper()
		must(t, c.Improve(ctx, func() { began++ }))
		if began != want {
			t.Errorf("%d indexes were made, not %d", began, want)
		}
	}
	compare := func() {
		t.Helper()
		set, err := c.searched(ctx, "a")
		must(t, err)
		if !set.indexed {
			t.Error("there is no index")
		}
		for _, f := range []store.Filter{{}, {Folder: "/d/1"}, {Paths: []string{"/d/0/2.txt", "/d/1/3.txt"}}} {
			condition, args := c.allowed(f)
			found := 0
			for range 20 {
				v := clusters.Vector()
				want, err := c.exactly(ctx, set, v, 10, condition, args)
				must(t, err)
				got, err := c.Nearest(ctx, "a", v, 10, f)
				must(t, err)
				if len(got) != len(want) || !slices.IsSortedFunc(got, func(a, b store.Hit) int { return int(1e9 * (b.Score - a.Score)) }) {
					t.Errorf("%d hits and not %d: %v", len(got), len(want), got)
				}
				found += storetest.Shared(idsOf(got), idsOf(want))
			}
			if found < 190 {
				t.Errorf("%+v: the index finds %d of 200", f, found)
			}
		}
	}
	for i := range 20 {
		put(i)
	}
	improve(0)
	for i := 20; i < 50; i++ {
		put(i)
	}
	improve(1)
	improve(1)
	compare()
	for i := 50; i < 60; i++ {
		put(i)
	}
	must(t, c.Delete(ctx, "/d/1/1.txt", "/d/0/4.txt"))
	compare()
	postgrestest.Do(t, s.pool.Config().ConnString(), "UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT oid FROM pg_class WHERE relname LIKE 'vectors_near_%')")
	if set, err := c.searched(ctx, "a"); err != nil || set.indexed {
		t.Errorf("an index that is not complete is searched: %v", err)
	}
	improve(2)
	compare()
	must(t, s.Remove(ctx, c.ID()))
	other, err := s.Create(ctx, "y")
	must(t, err)
	must(t, store.Improve(ctx, other, nil))
	var left int
	must(t, s.pool.QueryRow(ctx, "SELECT count(*) FROM pg_class WHERE relname LIKE 'vectors_near_%'").Scan(&left))
	if left > 0 {
		t.Error("the index of a collection that is gone stays")
	}
}
