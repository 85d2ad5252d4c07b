package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/sqlite"
	"inglenook/documents/store/storetest"
	"inglenook/documents/store/vectors"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, address string) *Store {
	t.Helper()
	s, err := Open(context.Background(), address)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// A database does what every store does.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		address := postgrestest.Database(t)
		return func() store.Store { return open(t, address) }
	})
}

// Collections move from this computer to a database and back.
func TestCopies(t *testing.T) {
	here := func(t *testing.T) func() store.Store {
		dir := t.TempDir()
		return func() store.Store {
			s, err := sqlite.Open(context.Background(), dir, vectors.Portable{})
			must(t, err)
			t.Cleanup(func() { s.Close() })
			return s
		}
	}
	there := func(t *testing.T) func() store.Store {
		address := postgrestest.Database(t)
		return func() store.Store { return open(t, address) }
	}
	t.Run("there", func(t *testing.T) { storetest.Copies(t, here(t), there(t)) })
	t.Run("back", func(t *testing.T) { storetest.Copies(t, there(t), here(t)) })
}

// Eight processes write the same files at the same time: each is there once.
func TestWriters(t *testing.T) {
	ctx := context.Background()
	address := postgrestest.Database(t)
	var wait sync.WaitGroup
	stores := make([]*Store, 8)
	for i := range stores { // they also set up the database at the same time
		wait.Go(func() {
			var err error
			if stores[i], err = Open(ctx, address); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if t.Failed() {
		return
	}
	made, err := stores[0].Create(ctx, "team")
	must(t, err)
	must(t, made.Begin(ctx, "a", 3))
	for _, s := range stores {
		wait.Go(func() {
			defer s.Close()
			c, err := s.Collection(ctx, made.ID())
			for i := 0; i < 40 && err == nil; i++ {
				f := store.File{Path: fmt.Sprintf("/d/%d", i), Hash: fmt.Sprint(i / 2), Format: "text"}
				p := []documents.Chunk{{Text: fmt.Sprintf("file %d", i)}, {Text: "more"}}
				err = c.Put(ctx, f, p, map[string][][]float32{"a": {{1, 0, 0}, {0, 1, 0}}})
				if err == nil && i%5 == 4 {
					err = c.Delete(ctx, f.Path)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	s := open(t, address)
	c, err := s.Collection(ctx, made.ID())
	must(t, err)
	got, err := c.Summary(ctx)
	must(t, err)
	sets, err := c.Sets(ctx)
	must(t, err)
	// Each fifth file is deleted at the end; none of them is the only one of its content.
	if got.Files[store.Indexed] != 32 || got.Passages != 40 || sets[0].Vectors != 40 {
		t.Errorf("%+v, %+v", got, sets)
	}
}

// A role that may only read searches, and cannot change anything.
func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	address := postgrestest.Database(t)
	c, err := open(t, address).Create(ctx, "x")
	must(t, err)
	must(t, c.Begin(ctx, "a", 3))
	reader, end := reader(t, address)
	defer end()
	s := open(t, reader)
	all, err := s.Collections(ctx)
	if err != nil || len(all) != 1 || !s.ReadOnly() {
		t.Fatalf("%d collections, %v", len(all), err)
	}
	if _, err := all[0].Nearest(ctx, "a", []float32{1, 0, 0}, 3, store.Filter{}); err != nil {
		t.Error(err)
	}
	if err := all[0].Delete(ctx, "/a"); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
	if err := all[0].SetSetting("a", nil); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
	s.Close()
}

// reader makes a role that may only read a database, and returns the database's address for
// it. end removes the role.
func reader(t *testing.T, address string) (reader string, end func()) {
	t.Helper()
	role := fmt.Sprintf("reader_%d", time.Now().UnixNano())
	postgrestest.Do(t, address, fmt.Sprintf("CREATE ROLE %[1]s LOGIN; GRANT USAGE ON SCHEMA inglenook TO %[1]s; GRANT SELECT ON ALL TABLES IN SCHEMA inglenook TO %[1]s", role))
	u, err := url.Parse(address)
	must(t, err)
	u.User = url.User(role)
	return u.String(), func() { postgrestest.Do(t, address, fmt.Sprintf("DROP OWNED BY %[1]s; DROP ROLE %[1]s", role)) }
}
