package cache

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/hub/hubtest"
	"inglenook/hub/repo"
)

// Where symbolic links are not allowed, a snapshot has hard links or copies.
func TestWithoutLinks(t *testing.T) {
	c := Open(filepath.Join(t.TempDir(), "hub"))
	s, err := OpenStore(c.Dir(), "org/name", true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	file := hubtest.File{Path: "a/model.gguf", Data: []byte("weights")}
	f := repo.File{Path: file.Path, Size: 7, Git: file.Git()}
	commit := strings.Repeat("c", 40)
	if err := errors.Join(s.replace(BlobPath(f.Git), file.Data), s.WriteTree(commit, []repo.File{f})); err != nil {
		t.Fatal(err)
	}
	s.noLinks = true
	if err := s.Finish(Job{ID: "org/name", Revision: "main", Commit: commit, Files: []repo.File{f}}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(c.Dir(), "models--org--name", "snapshots", commit, "a", "model.gguf"))
	if err != nil || !bytes.Equal(got, file.Data) {
		t.Errorf("%q, %v", got, err)
	}
	if checks, err := c.Verify(context.Background(), "org/name", "", nil); err != nil || len(checks) != 1 || !checks[0].OK {
		t.Errorf("%+v, %v", checks, err)
	}
}
