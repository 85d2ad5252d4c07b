package documents_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"inglenook/app/documents"
)

// On a full disk a collection that cannot be opened is named with the reason, never taken
// for one that is not there; it can be removed, and is back when there is room.
func TestFullDiskIsNotAnEmptyStore(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("inglenook", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skip("a small disk cannot be mounted here; only the system's administrator may")
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	ctx, texts := context.Background(), papers(t)
	first := newApp(t, disk)
	indexed(t, first.Documents(), "", texts)
	if err := first.Close(ctx); err != nil {
		t.Fatal(err)
	}

	ballast := filepath.Join(disk, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for _, err = f.Write(make([]byte, 4096)); err == nil; _, err = f.Write(make([]byte, 512)) {
	}
	f.Close()

	s := newApp(t, disk).Documents()
	for what, err := range map[string]error{
		"all collections": second(s.Collections(ctx)),
		"one collection":  second(s.Collection(ctx, documents.DefaultName)),
		"a search":        second(s.Search(ctx, documents.SearchRequest{Text: "lamp"})),
	} {
		if !errors.Is(err, documents.ErrClosed) || !strings.Contains(err.Error(), "the collection Documents is there") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.Remove(ctx, documents.DefaultName); err != nil {
		t.Errorf("removing it: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Collections(ctx); err != nil || len(list) != 0 {
		t.Errorf("after removing it: %v, %v", list, err)
	}
}

func second[T any](_ T, err error) error { return err }
