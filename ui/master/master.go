// Package master compares what the window draws with files that were looked at once: as
// markup, which shows every object with its place, size, text and colour. It is for tests.
// A change of layout is then seen in review as a change of text.
package master

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Update is the environment variable with which the masters are rewritten:
//
//	UPDATE_MASTERS=1 go test ./ui/...
const Update = "UPDATE_MASTERS"

// Check compares an object, drawn at a size, with testdata/NAME.xml beside the test.
func Check(t *testing.T, name string, o fyne.CanvasObject, size fyne.Size) {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(size)
	CheckCanvas(t, name, w.Canvas())
}

// CheckCanvas compares all that a canvas shows, with what lies over it.
func CheckCanvas(t *testing.T, name string, c fyne.Canvas) {
	t.Helper()
	got, path := test.RenderToMarkup(c), filepath.Join("testdata", name+".xml")
	if os.Getenv(Update) != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no master %s; write it with %s=1 and look at it", path, Update)
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, is, was := difference(got, string(want)); line > 0 {
		t.Errorf("%s differs from line %d on:\n   now %s\nbefore %s\nWrite it anew with %s=1 if that is meant.", path, line, is, was, Update)
	}
}

// difference returns the first line in which two texts differ; 0: in none.
func difference(got, want string) (line int, is, was string) {
	now, before := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(now), len(before)) {
		is, was = "(the end)", "(the end)"
		if i < len(now) {
			is = strings.TrimSpace(now[i])
		}
		if i < len(before) {
			was = strings.TrimSpace(before[i])
		}
		if is != was {
			return i + 1, is, was
		}
	}
	return 0, "", ""
}
