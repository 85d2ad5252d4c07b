package weights

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinks: a link that leads to no file that may be opened is called one, in one sentence.
func TestLinks(t *testing.T) {
	folder, other := t.TempDir(), filepath.Join(t.TempDir(), "x.gguf")
	if err := os.WriteFile(other, []byte("GGUF"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, c := range map[string]struct {
		target, want string
		missing      bool
	}{
		"out.gguf":  {other, "out.gguf is a link to something outside of the model's folder, which is not followed: put the file itself there", false},
		"gone.gguf": {"absent.gguf", "gone.gguf is a link to a file that is missing: download it again, or put the file itself there", true},
	} {
		if err := os.Symlink(c.target, filepath.Join(folder, name)); err != nil {
			t.Skip(err) // not everybody may make links on Windows
		}
		_, err := openFile(root.FS(), name, false)
		if err == nil || err.Error() != c.want || errors.Is(err, fs.ErrNotExist) != c.missing {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := openFile(root.FS(), "none.gguf", false); err == nil || strings.Contains(err.Error(), "link") {
		t.Errorf("a file that is not there: %v", err)
	}
}
