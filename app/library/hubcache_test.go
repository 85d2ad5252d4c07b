package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/hub/repo"
)

const commit1, commit2 = "0123456789abcdef0123456789abcdef01234567", "fedcba9876543210fedcba9876543210fedcba98"

// TestHubNamesStayInTheCache tries names as Hub ids. There is a model in the place where each
// name would lead if it became a path unchecked.
func TestHubNamesStayInTheCache(t *testing.T) {
	top := t.TempDir()
	cache := filepath.Join(top, "a", "b", "cache")
	apptest.PutHubModel(t, cache, "org/name", commit1)
	apptest.PutHubModel(t, top, "org/outside", commit1)
	for _, id := range []string{
		"", ".", "..", "/", "//", "org/", "/name", "org//name", "org/name/", "org/name/x", "../org/name", "org/../name",
		"org/..", "../..", "..--..--..--models--org--outside", "../../../models--org--outside", "org/..%2f..%2foutside",
		"org\\name", "..\\..\\x", "C:\\x", "C:/x", "\\\\server\\share", "org/name\x00", "org/na me", " org/name", "org/name ",
		"org/name\n", "org/name.", "org./name", "-org/name", "org/-name", ".org/name", "org/.name", "org--x/name", "org/na--me",
		"org/nаme", "org/name\u202e", "ｏrg/name", "org/näme", "org/name:stream", "org/name?", "org/name*", "~/name", "$HOME/x",
		"org/" + strings.Repeat("n", 300), strings.Repeat("o", 97) + "/name", "org/name#x", "org/name@main", "file:///etc/passwd",
		"https://host/org/name", "CON:", "org|name", "org/name\r", "org/\u2215name", "org;name", "org/name'", "org/\"name",
	} {
		if p, err := hubPlace(t.Context(), cache, id); err == nil {
			t.Errorf("%q was taken as an id and leads to %s", id, p.Path)
		}
	}
	for _, id := range []string{"org/name", "gpt2", "a/b", "A1/b.c_d-e", "_x/y", "org/" + strings.Repeat("n", 96)} {
		if !repo.ValidID(id) {
			t.Errorf("%q is a Hub id", id)
		}
	}
}

func TestHubSnapshotChoice(t *testing.T) {
	cache := t.TempDir()
	repo := apptest.PutHubModel(t, cache, "org/name", commit1)
	apptest.PutCheckpoint(t, filepath.Join(repo, "snapshots", commit2))
	for ref, want := range map[string]string{
		commit1: commit1, commit2: commit2, commit2 + "\n": commit2,
		"../../blobs": commit2, "..": commit2, "/etc": commit2, "": commit2, strings.Repeat("a", 40): commit2, strings.Repeat("a", 5000): commit2,
	} {
		if err := os.WriteFile(filepath.Join(repo, "refs", "main"), []byte(ref), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := hubPlace(t.Context(), cache, "org/name")
		if err != nil || p.Sub != "snapshots/"+want {
			t.Errorf("refs/main %.50q leads to %s (error %v), want %s", ref, p.Sub, err, want)
		}
	}
}
