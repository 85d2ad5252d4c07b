// Package apptest is what tests of the application's parts share: a home folder of
// their own, and models to find in it.
//
// It is for tests alone, and knows only the lowest parts, so that all others can use it.
package apptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// Home gives a test its own home folder, and no Hub cache except the one below it.
func Home(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "HF_TOKEN", "INGLENOOK_HOME"} {
		t.Setenv(name, "")
	}
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return dir
}

// Root returns the folder of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("there is no go.mod above the tests")
	return ""
}

// PutCheckpoint copies a tiny real checkpoint of the repository into dir.
func PutCheckpoint(t testing.TB, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(Root(t), "pipeline/testdata/mean-normalize"))); err != nil {
		t.Fatal(err)
	}
}

// PutHubModel lays a checkpoint down as the Hub's tools do: blobs, and a snapshot of
// links to them.
func PutHubModel(t testing.TB, cache, id, commit string) (repo string) {
	t.Helper()
	repo = filepath.Join(cache, "models--"+strings.ReplaceAll(id, "/", "--"))
	blobs, snapshot := filepath.Join(repo, "blobs"), filepath.Join(repo, "snapshots", commit)
	PutCheckpoint(t, blobs)
	for _, dir := range []string{filepath.Join(repo, "refs"), snapshot} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(blobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink("../../blobs/"+e.Name(), filepath.Join(snapshot, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(repo, "refs", "main"), []byte(commit), 0o600); err != nil {
		t.Fatal(err)
	}
	return repo
}
