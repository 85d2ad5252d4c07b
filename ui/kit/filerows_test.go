package kit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Letters lead to names, a file tells its size and its age, and a double click takes it with what is marked. The
// button waits for something to take.
func TestFilesAreFoundAndTaken(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "apple.txt", "apricot.txt", "bread.txt", "deep/c.txt")
	if err := os.WriteFile(filepath.Join(dir, "bread.txt"), make([]byte, 2300), 0o600); err != nil {
		t.Fatal(err)
	}
	w := test.NewTempWindow(t, NewSection("Chat"))
	w.Resize(fyne.NewSize(900, 700))
	s := newFileSheet(w.Canvas(), filesAlone, nil)
	var chosen []string
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	attach := buttonNamed(s.sheet.Popup.Content, "Attach")
	if !attach.Disabled() {
		t.Error("with nothing marked Attach can be pressed")
	}
	for _, step := range []struct{ typed, want string }{{"a", "apple.txt"}, {"a", "apricot.txt"}, {"b", "bread.txt"}, {"apr", "apricot.txt"}, {"zz", "apricot.txt"}} {
		s.letters.last = time.Time{} // after a pause, but for the second a, which is another one
		for _, c := range step.typed {
			s.list.TypedRune(c)
		}
		if got := s.here[max(0, s.list.Current)].Name(); got != step.want {
			t.Errorf("%q leads to %s, want %s", step.typed, got, step.want)
		}
	}
	at := slices.IndexFunc(s.here, func(e fileEntry) bool { return e.Name() == "bread.txt" })
	if size, when := s.facts(at, time.Now()); size != "2.3 kB" || !strings.HasPrefix(when, "today ") {
		t.Errorf("bread.txt has %q, %q", size, when)
	}
	if size, _ := s.facts(0, time.Now()); size != "" {
		t.Errorf("a folder has the size %q", size)
	}
	s.list.Clicked(1)
	if attach.Disabled() {
		t.Error("with a file marked Attach cannot be pressed")
	}
	s.list.Clicked(at)
	s.list.Opened(at)
	if want := []string{filepath.Join(dir, "apple.txt"), filepath.Join(dir, "bread.txt")}; !slices.Equal(chosen, want) || s.sheet.Popup != nil {
		t.Errorf("a double click takes %q, not %q", chosen, want)
	}
}
