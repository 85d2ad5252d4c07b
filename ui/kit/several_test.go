package kit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Files and folders of several places are chosen together.
func TestSeveralFilesAreChosen(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := t.TempDir()
	for _, name := range []string{"letters/aunt.txt", "letters/bank.txt", "photos/x.jpg", "b.pdf", "A.pdf", ".hidden"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := test.NewTempWindow(t, NewSection("Documents"))
	w.Resize(fyne.NewSize(900, 700))
	s := newSeveral(w.Canvas())
	var chosen []string
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	if s.sheet.Popup == nil || w.Canvas().Focused() != s.list {
		t.Fatal("the list has not the keyboard")
	}
	var names []string
	for _, e := range s.here {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"letters", "photos", "A.pdf", "b.pdf"}) {
		t.Errorf("listed %q", names)
	}
	s.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.sheet.Popup != nil {
		t.Fatal("Escape does not close the sheet")
	}
	var below fyne.KeyName
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { below = e.Name })
	s.open(dir, fyne.NewSize(860, 600), func([]string) {})
	w.Canvas().Unfocus() // as a click beside the sheet does
	for _, key := range []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape} {
		w.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
	}
	if s.sheet.Popup != nil || below != fyne.KeyF1 {
		t.Fatalf("Escape after a click beside the sheet does not close it, or reached the window: %q", below)
	}
	if w.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape}); below != fyne.KeyEscape {
		t.Error("the window has not got its keys back")
	}
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	s.list.Clicked(2)
	s.list.Clicked(3)
	s.list.Clicked(3) // deselects b.pdf
	s.list.Clicked(1)
	s.list.Clicked(0)
	s.list.Opened(0) // the second click of two
	if filepath.Base(s.folder) != "letters" || len(s.here) != 2 {
		t.Fatalf("in %s with %d files", s.folder, len(s.here))
	}
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeySpace, fyne.KeyBackspace} {
		s.list.TypedKey(&fyne.KeyEvent{Name: key})
	}
	if s.folder != dir {
		t.Errorf("Backspace leads to %s", s.folder)
	}
	s.path.SetText(filepath.Join(dir, "nowhere"))
	s.path.Submit()
	if s.folder != dir || !s.wrong.Visible() {
		t.Error("a folder that is not there is not said to be wrong")
	}
	test.Tap(buttonNamed(s.sheet.Popup.Content, "Add what is marked"))
	want := []string{filepath.Join(dir, "A.pdf"), filepath.Join(dir, "photos"), filepath.Join(dir, "letters", "aunt.txt")}
	if !slices.Equal(chosen, want) {
		t.Errorf("chosen %q, want %q", chosen, want)
	}
}

// buttonNamed returns the button with a label.
func buttonNamed(o fyne.CanvasObject, label string) *Button {
	switch o := o.(type) {
	case *Button:
		if o.Text == label {
			return o
		}
	case *fyne.Container:
		for _, below := range o.Objects {
			if b := buttonNamed(below, label); b != nil {
				return b
			}
		}
	}
	return nil
}
