package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "file.json")
	for _, text := range []string{"one", "two"} {
		if err := Write(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// What fails leaves the old file as it was, and nothing beside it.
func TestReplaceFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := Write(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := Replace(path, 0o600, func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files", len(entries))
	}
	if err := Write(filepath.Join(path, "below"), nil, 0o600); err == nil {
		t.Error("a file was written below a file")
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "in it"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(folder, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("beside the folder lie %v", entries)
	}
	if err := Replace(filepath.Join(dir, "missing", "file"), 0o600, func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}

func TestUnfinished(t *testing.T) {
	for name, want := range map[string]bool{"3.base-12.tmp": true, "base-1.tmp": true, "3.base": false, "other-1.tmp": false} {
		if Unfinished("*base", name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
