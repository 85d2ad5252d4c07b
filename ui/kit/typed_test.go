package kit

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A path that is typed into the field is what the button of each dialog takes, or goes to, or says
// not to be there; never what is in view instead.
func TestButtonTakesTheTypedPath(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "view/a.txt", "view/deep/b.txt", "other/c.txt", "x.csv")
	view, other := filepath.Join(dir, "view"), filepath.Join(dir, "other")
	w := test.NewTempWindow(t, NewSection("Models"))
	w.Resize(fyne.NewSize(900, 700))
	for _, c := range []struct {
		kind         int
		typed        string
		folder, want string // "": nothing is taken
	}{
		{oneFile, filepath.Join(other, "c.txt"), other, filepath.Join(other, "c.txt")},
		{oneFile, "~/other/c.txt", other, filepath.Join(other, "c.txt")},
		{oneFile, "deep/b.txt", filepath.Join(view, "deep"), filepath.Join(view, "deep", "b.txt")},
		{oneFile, other, other, ""},
		{oneFile, other + "/", other, ""},
		{oneFile, filepath.Join(other, "gone.txt"), view, ""},
		{oneFolder, other, other, other},
		{oneFolder, other + "/", other, other},
		{oneFolder, "~/other", other, other},
		{oneFolder, "deep", filepath.Join(view, "deep"), filepath.Join(view, "deep")},
		{oneFolder, "../other", other, other},
		{oneFolder, filepath.Join(dir, "gone"), view, ""},
		{oneFolder, filepath.Join(other, "c.txt"), view, ""},
		{severalFiles, filepath.Join(other, "c.txt"), other, filepath.Join(other, "c.txt")},
		{severalFiles, "~/other/c.txt", other, filepath.Join(other, "c.txt")},
		{severalFiles, other + "/", view, other},
		{severalFiles, "deep", view, filepath.Join(view, "deep")},
		{severalFiles, filepath.Join(dir, "gone"), view, ""},
		{newFile, other, other, filepath.Join(other, "new.csv")},
		{newFile, other + "/", other, filepath.Join(other, "new.csv")},
		{newFile, "~/other", other, filepath.Join(other, "new.csv")},
		{newFile, "deep", filepath.Join(view, "deep"), filepath.Join(view, "deep", "new.csv")},
		{newFile, filepath.Join(other, "mine.csv"), other, filepath.Join(other, "mine.csv")},
		{newFile, filepath.Join(dir, "x.csv"), dir, filepath.Join(dir, "x.csv")},
		{newFile, filepath.Join(dir, "gone"), view, ""},
		{newFile, filepath.Join(dir, "gone") + "/", view, ""},
	} {
		s := newFileSheet(w.Canvas(), c.kind, nil)
		s.home = dir
		s.name.SetText("new.csv")
		var chosen []string
		s.open(view, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
		s.path.SetText(c.typed)
		test.Tap(buttonNamed(s.sheet.Popup.Content, fileWords[c.kind].button))
		if s.folder != c.folder || strings.Join(chosen, ",") != c.want {
			t.Errorf("%s, %q: chosen is %q in %s, want %q in %s", fileWords[c.kind].title, c.typed, chosen, s.folder, c.want, c.folder)
		}
		if said := s.wrong.Text != ""; said != (c.want == "" && c.folder == view) {
			t.Errorf("%s, %q: it says %q", fileWords[c.kind].title, c.typed, s.wrong.Text)
		}
		s.sheet.Close()
	}
}

// A whole path in the name of a file to be written says its folder too.
func TestNameSaysTheFolderToo(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "view/deep/a.txt", "other/c.txt")
	view, other := filepath.Join(dir, "view"), filepath.Join(dir, "other")
	w := test.NewTempWindow(t, NewSection("Models"))
	w.Resize(fyne.NewSize(900, 700))
	for _, c := range []struct{ name, folder, want string }{
		{filepath.Join(other, "n.csv"), other, filepath.Join(other, "n.csv")},
		{"~/other/n.csv", other, filepath.Join(other, "n.csv")},
		{"deep/n.csv", filepath.Join(view, "deep"), filepath.Join(view, "deep", "n.csv")},
		{"n.csv", view, filepath.Join(view, "n.csv")},
		{"deep", filepath.Join(view, "deep"), ""},
		{other + "/", other, ""},
		{filepath.Join(dir, "gone", "n.csv"), view, ""},
		{"gone/", view, ""},
		{" ", view, ""},
	} {
		for _, press := range []string{"Enter", "button"} {
			s := newFileSheet(w.Canvas(), newFile, nil)
			s.home = dir
			var chosen []string
			s.open(view, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
			if s.name.SetText(c.name); press == "Enter" {
				s.name.Submit()
			} else {
				test.Tap(buttonNamed(s.sheet.Popup.Content, "Save"))
			}
			if s.folder != c.folder || strings.Join(chosen, ",") != c.want || (c.want == "") != (s.wrong.Text != "") {
				t.Errorf("%q with %s: chosen is %q in %s, it says %q", c.name, press, chosen, s.folder, s.wrong.Text)
			}
			s.sheet.Close()
		}
	}
}

// A row that is marked after a path was typed is what is meant.
func TestMarkAfterTyping(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "a.txt", "b.txt")
	w := test.NewTempWindow(t, NewSection("Models"))
	w.Resize(fyne.NewSize(900, 700))
	s := newFileSheet(w.Canvas(), oneFile, nil)
	var chosen []string
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	s.path.SetText("nowhere")
	s.list.Clicked(1)
	test.Tap(buttonNamed(s.sheet.Popup.Content, "Open"))
	if !slices.Equal(chosen, []string{filepath.Join(dir, "b.txt")}) {
		t.Errorf("chosen is %q", chosen)
	}
}
