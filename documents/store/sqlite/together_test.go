package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

// A process that looks while another one makes collections finds each whole, or not at all.
func TestCollectionsAppearWhole(t *testing.T) {
	dir := t.TempDir()
	writer := openStore(t, dir)
	made := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 30 && err == nil; i++ {
			_, err = writer.Create(context.Background(), fmt.Sprint(i))
		}
		made <- err
	}()
	for looking := true; looking; {
		select {
		case err := <-made:
			must(t, err)
			looking = false // once more, with all of them
		default:
		}
		reader, err := Open(t.Context(), dir, vectors.Portable{})
		must(t, err)
		for _, c := range reader.Closed() {
			t.Errorf("%s: %v", c.Name, c.Err)
		}
		if all, err := reader.Collections(t.Context()); err != nil || !looking && len(all) != 30 {
			t.Errorf("%d collections, %v", len(all), err)
		}
		must(t, reader.Close())
	}
}

// An index that its writer has not begun yet says so, and opens once it is there.
func TestAnIndexThatIsNotBegun(t *testing.T) {
	dir := t.TempDir()
	writer := openStore(t, dir)
	folder := filepath.Join(dir, "0123456789abcdef")
	must(t, os.Mkdir(folder, 0o700))
	must(t, card{Name: "new"}.write(folder))
	reader := openStore(t, dir)
	if closed := reader.Closed(); len(closed) != 1 || !errors.Is(closed[0].Err, store.ErrBeginning) {
		t.Fatalf("%+v", closed)
	}
	must(t, writer.open(t.Context(), filepath.Base(folder)))
	must(t, reader.Retry(t.Context()))
	if all, err := reader.Collections(t.Context()); err != nil || len(all) != 1 || len(reader.Closed()) != 0 {
		t.Errorf("%d collections, %v", len(all), err)
	}
}
