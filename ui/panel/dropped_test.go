package panel_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"inglenook/ui/panel"
)

func TestSorted(t *testing.T) {
	model, weights, letters := t.TempDir(), t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(model, "config.json"), filepath.Join(weights, "a.GGUF"), filepath.Join(letters, "a.txt")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := panel.Sorted([]string{letters, "/gone/notes.txt", model, "/gone/m.safetensors", weights})
	if !slices.Equal(d.Models, []string{model, "/gone/m.safetensors", weights}) || !slices.Equal(d.Folders, []string{letters}) || !slices.Equal(d.Files, []string{"/gone/notes.txt"}) {
		t.Errorf("%+v", d)
	}
}
