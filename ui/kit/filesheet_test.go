package kit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	s := newFileSheet(w.Canvas(), severalFiles, nil)
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
	test.Tap(buttonNamed(s.sheet.Popup.Content, "Add"))
	want := []string{filepath.Join(dir, "A.pdf"), filepath.Join(dir, "photos"), filepath.Join(dir, "letters", "aunt.txt")}
	if !slices.Equal(chosen, want) {
		t.Errorf("chosen %q, want %q", chosen, want)
	}
}

// folderOf makes empty files in a folder.
func folderOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// rowsOf are the names in view.
func (s *fileSheet) rowsOf() (names []string) {
	for _, e := range s.here {
		names = append(names, e.Name())
	}
	return names
}

// One file is asked for by its extension, a folder among folders; both are taken with a double
// click, and with the button.
func TestOneFileOrFolder(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "models/a.gguf", "models/b.txt", "C.GGUF", "notes.txt")
	if err := os.Symlink(filepath.Join(dir, "models"), filepath.Join(dir, "link")); err != nil {
		t.Skip("links cannot be made here")
	}
	w := test.NewTempWindow(t, NewSection("Models"))
	w.Resize(fyne.NewSize(900, 700))
	var chosen []string
	open := func(kind int, extensions ...string) *fileSheet {
		s := newFileSheet(w.Canvas(), kind, nil)
		s.extensions = extensions
		s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
		return s
	}
	s := open(oneFile, ".gguf")
	if got := s.rowsOf(); !slices.Equal(got, []string{"models", "C.GGUF", "link"}) {
		t.Fatalf("listed %q", got)
	}
	if !buttonNamed(s.sheet.Popup.Content, "Open").Disabled() {
		t.Fatal("with nothing marked the sheet can end")
	}
	if s.take(); s.sheet.Popup == nil || !s.wrong.Visible() || chosen != nil {
		t.Fatal("with nothing marked the sheet ends")
	}
	s.list.Clicked(2)
	s.list.Opened(2) // a link to a folder leads into it
	if got := s.rowsOf(); !slices.Equal(got, []string{"a.gguf"}) {
		t.Fatalf("in the folder are %q", got)
	}
	s.list.Opened(0)
	if s.sheet.Popup != nil || len(chosen) != 1 || filepath.Base(chosen[0]) != "a.gguf" {
		t.Errorf("chosen %q", chosen)
	}
	s = open(oneFolder)
	if got := s.rowsOf(); !slices.Equal(got, []string{"models", "link"}) {
		t.Errorf("folders are %q", got)
	}
	test.Tap(buttonNamed(s.sheet.Popup.Content, "Choose this folder"))
	if !slices.Equal(chosen, []string{dir}) {
		t.Errorf("the folder in view is %q", chosen)
	}
	s = open(oneFolder)
	s.list.Clicked(0)
	test.Tap(buttonNamed(s.sheet.Popup.Content, "Choose this folder"))
	if !slices.Equal(chosen, []string{filepath.Join(dir, "models")}) {
		t.Errorf("the marked folder is %q", chosen)
	}
}

// Enter goes into the marked folder; where none is, it chooses the one in view. In the path it goes
// where that leads, and then chooses it.
func TestEnterChoosesAFolder(t *testing.T) {
	test.NewTempApp(t)
	dir := folderOf(t, "models/deep/a.gguf")
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	var chosen []string
	open := func() *fileSheet {
		s := newFileSheet(w.Canvas(), oneFolder, func() {})
		s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
		return s
	}
	enter := &fyne.KeyEvent{Name: fyne.KeyReturn}
	s := open()
	s.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if s.list.TypedKey(enter); s.folder != filepath.Join(dir, "models") || chosen != nil {
		t.Fatalf("in view is %s, chosen %q", s.folder, chosen)
	}
	if s.list.TypedKey(enter); !slices.Equal(chosen, []string{filepath.Join(dir, "models")}) {
		t.Errorf("chosen %q", chosen)
	}
	s, chosen = open(), nil
	s.path.SetText(filepath.Join(dir, "models", "deep"))
	if s.path.Submit(); s.folder != filepath.Join(dir, "models", "deep") || chosen != nil {
		t.Fatalf("in view is %s, chosen %q", s.folder, chosen)
	}
	if s.path.Submit(); !slices.Equal(chosen, []string{s.folder}) {
		t.Errorf("chosen %q", chosen)
	}
}

// After a folder was chosen, the next dialog begins where it lies.
func TestFolderDialogEndsBesideItsFolder(t *testing.T) {
	test.NewTempApp(t)
	dir := folderOf(t, "models/a.gguf")
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	chosen, ended := "", ""
	d := WindowDialogs{Window: w, Folders: map[string]string{ForModels: filepath.Join(dir, "models")}, Ended: func(_, folder string) { ended = folder }}
	d.OpenFolder(func(path string) { chosen = path })
	w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if chosen != filepath.Join(dir, "models") || ended != dir {
		t.Errorf("chosen is %q, the next dialog begins in %q", chosen, ended)
	}
}

// What is saved is never proposed to lie where something was opened, nor the other way round.
func TestSavingHasItsOwnFolder(t *testing.T) {
	test.NewTempApp(t)
	home, opened := folderOf(t, "Documents/letter.txt"), folderOf(t, "models/a.gguf")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	enter := func() { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	for _, c := range []struct{ saved, want string }{
		{"", filepath.Join(home, "Documents")}, {filepath.Join(home, "gone"), filepath.Join(home, "Documents")}, {home, home},
	} {
		wrote, folder := "", ""
		d := WindowDialogs{Window: w, Folders: map[string]string{ForModels: opened, ForExports: c.saved}}
		d.Save("new.csv", func(f fyne.URIWriteCloser) { wrote = f.URI().Path(); _ = f.Close() })
		if enter(); wrote != filepath.Join(c.want, "new.csv") {
			t.Errorf("after %q, it is saved as %q", c.saved, wrote)
		}
		_ = os.Remove(wrote)
		d.OpenFolder(func(path string) { folder = path })
		if enter(); folder != opened {
			t.Errorf("after %q, %q is opened", c.saved, folder)
		}
	}
}

// Escape closes each of the window's file dialogs, wherever the keyboard is in it.
func TestEscapeClosesFileDialogs(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	t.Setenv("HOME", folderOf(t, "a.gguf"))
	w := test.NewTempWindow(t, NewSection("Models"))
	w.Resize(fyne.NewSize(900, 700))
	d := WindowDialogs{Window: w, Failed: func(err error) { t.Error(err) }}
	for name, open := range map[string]func(){
		"a file": func() { d.OpenFile(nil, func(string) {}) }, "a folder": func() { d.OpenFolder(func(string) {}) },
		"several": func() { d.OpenSeveral(func([]string) {}) }, "files": func() { d.OpenFiles(func([]string) {}) }, "saving": func() { d.Save("x.csv", func(fyne.URIWriteCloser) {}) },
	} {
		open()
		stops := 0
		for first := w.Canvas().Focused(); ; stops++ {
			if w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}); w.Canvas().Overlays().Top() != nil {
				t.Fatalf("%s: Escape leaves it open at stop %d", name, stops)
			}
			open()
			for range stops + 1 {
				w.Canvas().FocusNext()
			}
			if w.Canvas().Focused() == first || stops > 12 {
				break
			}
		}
		if stops < 4 {
			t.Errorf("%s: only %d places were tried", name, stops)
		}
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

// Each sheet fits the smallest window, with its buttons.
func TestFileSheetsFit(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "a.gguf")
	for _, size := range []fyne.Size{fyne.NewSize(640, 480), fyne.NewSize(800, 600), fyne.NewSize(1240, 800)} {
		for kind, words := range fileWords {
			w := test.NewTempWindow(t, NewSection("Models"))
			w.SetPadded(false)
			w.Resize(size)
			s := newFileSheet(w.Canvas(), kind, nil)
			s.open(dir, WindowDialogs{Window: w}.dialogSize(), func([]string) {})
			b := buttonNamed(s.sheet.Popup.Content, words.button)
			if end := fyne.CurrentApp().Driver().AbsolutePositionForObject(b).Y + b.Size().Height; end > size.Height-Gap {
				t.Errorf("%q in %v: its button ends at %v", words.title, size, end)
			}
			s.sheet.Close()
		}
	}
}

// A file that is there is replaced only after a question; a name in a folder that is not there is none.
func TestSaveSheet(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "x.csv", "deep/y.csv")
	w := test.NewTempWindow(t, NewSection("Similarity"))
	w.Resize(fyne.NewSize(900, 700))
	ended, wrote := "", ""
	d := WindowDialogs{Window: w, Failed: func(err error) { t.Error(err) }, Folders: map[string]string{ForExports: dir}, Ended: func(purpose, folder string) {
		if ended = folder; purpose != ForExports {
			t.Errorf("%s is kept as a folder of %s", folder, purpose)
		}
	}}
	save := func(name string) {
		d.Save(name, func(f fyne.URIWriteCloser) { wrote = f.URI().Path(); _ = f.Close() })
	}
	enter := func() { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	press := func(label string) {
		t.Helper()
		b := buttonNamed(w.Canvas().Overlays().Top().(*Float).Content, label)
		if b == nil {
			t.Fatalf("there is no button %q", label)
		}
		test.Tap(b)
	}
	save("new.csv")
	if enter(); wrote != filepath.Join(dir, "new.csv") || w.Canvas().Overlays().Top() != nil || ended != dir {
		t.Fatalf("wrote %q, the dialog ended in %q", wrote, ended)
	}
	save(filepath.Join(dir, "deep", "new.csv"))
	if enter(); wrote != filepath.Join(dir, "deep", "new.csv") {
		t.Fatalf("with a folder before the name it wrote %q", wrote)
	}
	wrote = ""
	save("x.csv")
	enter()
	press("Cancel")
	if wrote != "" || w.Canvas().Overlays().Top() == nil {
		t.Fatalf("wrote %q although it was cancelled", wrote)
	}
	enter() // the name is in the field again
	press("Replace it")
	if wrote != filepath.Join(dir, "x.csv") {
		t.Errorf("wrote %q", wrote)
	}
	wrote = ""
	save("nowhere/y.csv")
	if enter(); wrote != "" || w.Canvas().Overlays().Top() == nil {
		t.Errorf("a name in a folder that is not there wrote %q", wrote)
	}
	w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
}

// buttonNamed returns the button with a label.
func buttonNamed(o fyne.CanvasObject, label string) *Button {
	switch o := o.(type) {
	case *Button:
		if o.Text == label {
			return o
		}
	case *container.Scroll:
		return buttonNamed(o.Content, label)
	case *fyne.Container:
		for _, below := range o.Objects {
			if b := buttonNamed(below, label); b != nil {
				return b
			}
		}
	}
	return nil
}

// A path that is pasted leads to its folder, or to the file itself.
func TestPastedPath(t *testing.T) {
	a := test.NewTempApp(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "my letters"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "my letters", "aunt.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := test.NewTempWindow(t, NewSection("Documents"))
	w.Resize(fyne.NewSize(900, 700))
	paste := func(s *fileSheet, text string) {
		a.Clipboard().SetContent(text)
		w.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutPaste{Clipboard: a.Clipboard()})
	}
	for _, c := range []struct {
		kind         int
		pasted       string
		folder, want string // "": nothing is chosen
	}{
		{oneFile, file, filepath.Dir(file), file},
		{oneFile, "\"" + file + "\"\n", filepath.Dir(file), file},
		{oneFile, "file://" + strings.ReplaceAll(file, " ", "%20"), filepath.Dir(file), file},
		{oneFile, "~/my letters/aunt.txt", filepath.Dir(file), file},
		{oneFile, filepath.Dir(file), filepath.Dir(file), ""},
		{oneFolder, filepath.Dir(file), filepath.Dir(file), ""},
		{oneFolder, file, dir, ""},
		{severalFiles, file, filepath.Dir(file), ""},
		{severalFiles, filepath.Join(dir, "nothing"), dir, ""},
	} {
		s := newFileSheet(w.Canvas(), c.kind, nil)
		var chosen []string
		s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
		paste(s, c.pasted)
		if s.folder != c.folder || strings.Join(chosen, ",") != c.want {
			t.Errorf("%q leads to %s, chosen is %q", c.pasted, s.folder, chosen)
		}
		if c.kind == severalFiles && c.pasted == file && (!slices.Equal(s.marked, []string{file}) || s.list.Current != 0) {
			t.Errorf("marked is %q", s.marked)
		}
		if said := s.wrong.Text != ""; said != (c.folder == dir) {
			t.Errorf("%q: it says %q", c.pasted, s.wrong.Text)
		}
		s.sheet.Close()
	}
}

// Where a folder is asked for, the files of the one in view are counted: it is not empty.
func TestFolderSaysHowManyFilesItHas(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(800, 600))
	folder := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt", ".hidden"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newFileSheet(w.Canvas(), oneFolder, func() {})
	s.open(folder, fyne.NewSize(800, 600), func([]string) {})
	if got := s.empty.Segment.Text; got != "2 files and no folders in here. Press Enter to choose this folder." {
		t.Errorf("it says %q", got)
	}
	if err := os.Mkdir(filepath.Join(folder, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.enter(folder)
	if got := s.marks.Text; len(s.here) != 1 || !strings.HasPrefix(got, "2 files in here. Enter or") {
		t.Errorf("beside a folder it says %q", got)
	}
	s.sheet.Close()
}

// A folder with nothing to choose says so.
func TestEmptyFolderSaysSo(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(800, 600))
	folder := t.TempDir()
	for kind, want := range map[int]string{oneFolder: "No folders in here. Press Enter to choose this folder.", severalFiles: "This folder is empty."} {
		s := newFileSheet(w.Canvas(), kind, func() {})
		s.open(folder, fyne.NewSize(800, 600), func([]string) {})
		if !s.empty.Flat.Visible() || s.empty.Segment.Text != want || s.empty.Flat.Size().Width < 200 {
			t.Errorf("kind %d says %q, %v wide", kind, s.empty.Segment.Text, s.empty.Flat.Size().Width)
		}
		s.sheet.Close()
	}
	s := newFileSheet(w.Canvas(), oneFolder, func() {})
	s.open(filepath.Dir(folder), fyne.NewSize(800, 600), func([]string) {})
	if s.empty.Flat.Visible() {
		t.Error("a folder with folders says that there are none")
	}
}

// A folder is made where something is saved, and the dialog is in it then.
func TestNewFolder(t *testing.T) {
	test.NewTempApp(t)
	dir := folderOf(t, "old/x.csv")
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	s := newFileSheet(w.Canvas(), newFile, nil)
	s.open(dir, fyne.NewSize(860, 600), func([]string) {})
	s.askFolder(true)
	if w.Canvas().Focused() != s.making || s.path.Visible() {
		t.Fatal("the name of the folder is not asked for")
	}
	s.making.SetText("   ")
	if s.making.Submit(); !s.wrong.Visible() {
		t.Error("a folder without a name is not said to be wrong")
	}
	s.making.SetText("old/x.csv/deep")
	if s.making.Submit(); s.folder != dir || !s.wrong.Visible() {
		t.Error("a folder in a file is made")
	}
	s.making.SetText("tables")
	s.making.Submit()
	if info, err := os.Stat(filepath.Join(dir, "tables")); err != nil || !info.IsDir() || s.folder != filepath.Join(dir, "tables") || w.Canvas().Focused() != s.name || s.making.Visible() {
		t.Errorf("in view is %s, %v", s.folder, err)
	}
	s.askFolder(true)
	s.making.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.making.Visible() || s.sheet.Popup == nil {
		t.Error("Escape does not end the question alone")
	}
	s.sheet.Close()
}

// The types of a folder's files are offered, and those of one type shown; folders stay.
func TestFilesOfOneType(t *testing.T) {
	test.NewTempApp(t)
	dir := folderOf(t, "deep/x.csv", "a.pdf", "B.PDF", "c.txt", "d")
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	s := newFileSheet(w.Canvas(), severalFiles, nil)
	s.open(dir, fyne.NewSize(860, 600), func([]string) {})
	if !s.types.Visible() || !slices.Equal(s.types.Options, []string{everyType, ".pdf", ".txt"}) || len(s.here) != 5 {
		t.Fatalf("offered are %q", s.types.Options)
	}
	s.types.SetSelectedIndex(1)
	if got := s.rowsOf(); !slices.Equal(got, []string{"deep", "a.pdf", "B.PDF"}) {
		t.Errorf("of one type there are %q", got)
	}
	s.enter(filepath.Join(dir, "deep"))
	if s.types.Visible() || len(s.here) != 1 {
		t.Error("where there are no such files, the others are hidden")
	}
	s.sheet.Close()
}

// Each purpose has a folder of its own, and what was used last is offered.
func TestFoldersByPurpose(t *testing.T) {
	test.NewTempApp(t)
	dir := folderOf(t, "models/a.gguf", "letters/a.txt", "pictures/a.png", "tables/a.csv")
	home := folderOf(t, "Documents/x", "Downloads/x")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	w := test.NewTempWindow(t, NewLine("", TextBody, ""))
	w.Resize(fyne.NewSize(900, 700))
	at := func(name string) string { return filepath.Join(dir, name) }
	d := WindowDialogs{
		Window: w, Folders: map[string]string{ForModels: at("models"), ForDocuments: at("letters"), ForPictures: at("pictures"), ForExports: at("tables")},
		Recent: []string{at("letters"), filepath.Join(home, "Documents"), at("gone"), at("tables")},
	}
	for want, open := range map[string]func(){
		"models":   func() { d.OpenFile([]string{".safetensors", ".gguf"}, func(string) {}) },
		"letters":  func() { d.OpenSeveral(func([]string) {}) },
		"pictures": func() { d.Save("map.png", func(fyne.URIWriteCloser) {}) },
		"tables":   func() { d.Save("x.csv", func(fyne.URIWriteCloser) {}) },
	} {
		open()
		content := w.Canvas().Overlays().Top().(*Float).Content
		if path := entryWith(content, at(want)); path == nil {
			t.Errorf("for %s it begins elsewhere", want)
		}
		for name, offered := range map[string]bool{"letters": true, "tables": true, "gone": false} {
			if b := buttonNamed(content, name); (b != nil) != offered {
				t.Errorf("%s is offered: %v", name, b != nil)
			}
		}
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

// entryWith is the field with a text; nil: there is none.
func entryWith(o fyne.CanvasObject, text string) *Entry {
	switch o := o.(type) {
	case *Entry:
		if o.Text == text {
			return o
		}
	case *fyne.Container:
		for _, below := range o.Objects {
			if e := entryWith(below, text); e != nil {
				return e
			}
		}
	}
	return nil
}

// Several files are marked in different folders, and no folder among them.
func TestFilesWithoutFolders(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	dir := folderOf(t, "a.txt", "b.txt", "deep/c.txt")
	w := test.NewTempWindow(t, NewSection("Chat"))
	w.Resize(fyne.NewSize(900, 700))
	s := newFileSheet(w.Canvas(), filesAlone, nil)
	var chosen []string
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	s.list.Clicked(0) // the folder
	s.list.Clicked(1)
	s.list.Opened(0)
	s.list.Clicked(0)
	if s.takeTyped(filepath.Join(dir, "deep")); chosen != nil {
		t.Errorf("a typed folder ends it with %q", chosen)
	}
	s.path.SetText(s.folder)
	s.button()
	if want := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "deep", "c.txt")}; !slices.Equal(chosen, want) {
		t.Errorf("chosen are %q, not %q", chosen, want)
	}
}

// Enter after the path of a file attaches it, as it opens one; one that leads to a folder goes there.
func TestEnterAttachesATypedFile(t *testing.T) {
	dir := folderOf(t, "a.txt", "deep/c.txt")
	s := newFileSheet(test.NewTempWindow(t, NewSection("Chat")).Canvas(), filesAlone, nil)
	var chosen []string
	s.open(dir, fyne.NewSize(860, 600), func(paths []string) { chosen = paths })
	s.path.SetText(filepath.Join(dir, "deep"))
	if s.path.Submit(); chosen != nil || s.folder != filepath.Join(dir, "deep") {
		t.Errorf("a folder: %q is chosen, in %s", chosen, s.folder)
	}
	s.path.SetText(filepath.Join(dir, "a.txt"))
	if s.path.Submit(); !slices.Equal(chosen, []string{filepath.Join(dir, "a.txt")}) {
		t.Errorf("chosen are %q", chosen)
	}
}
