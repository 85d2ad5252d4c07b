package kit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
)

// FileDialogs asks a person for files and folders.
type FileDialogs interface {
	OpenFile(extensions []string, chosen func(path string))
	OpenFolder(chosen func(path string))
	OpenSeveral(chosen func(paths []string))
	Save(name string, chosen func(fyne.URIWriteCloser))
}

// WindowDialogs are the dialogs over a window.
type WindowDialogs struct {
	Window fyne.Window
	Failed func(error)
	Opened string                          // the folder of what was opened last, where the next dialog for that begins; "": at home
	Saved  string                          // the same of what was saved; "": in the person's documents, or at home
	Ended  func(folder string, saved bool) // told in which folder lies what was chosen; nil: it is forgotten
	Home   func()                          // [Keyboard.Home]
}

// dialogSize is that of a file dialog in a window that has room for it.
func (w WindowDialogs) dialogSize() fyne.Size {
	have := w.Window.Canvas().Size()
	return fyne.NewSize(min(860, have.Width-40), min(600, have.Height-40))
}

// show shows a sheet where the last file of its kind was chosen, or else at home.
func (w WindowDialogs) show(s *fileSheet, chosen func(paths []string)) {
	folder, err := os.UserHomeDir()
	if err != nil {
		folder = string(filepath.Separator)
	}
	s.home = folder
	better := []string{w.Opened}
	if s.kind == newFile { // never where models or documents were opened: what is saved is something else
		better = []string{w.Saved, filepath.Join(s.home, "Documents")}
	}
	for _, b := range better {
		if b != "" && isFolderPath(b) {
			folder = b
			break
		}
	}
	s.open(folder, w.dialogSize(), func(paths []string) {
		ended := s.folder
		if s.kind == oneFolder { // the next one often lies beside it
			ended = filepath.Dir(paths[0])
		}
		if w.Ended != nil {
			w.Ended(ended, s.kind == newFile)
		}
		chosen(paths)
	})
}

// OpenFile asks for a file with one of these extensions; none: any file.
func (w WindowDialogs) OpenFile(extensions []string, chosen func(path string)) {
	s := newFileSheet(w.Window.Canvas(), oneFile, w.Home)
	s.extensions = extensions
	w.show(s, func(paths []string) { chosen(paths[0]) })
}

// OpenFolder asks for a folder.
func (w WindowDialogs) OpenFolder(chosen func(path string)) {
	w.show(newFileSheet(w.Window.Canvas(), oneFolder, w.Home), func(paths []string) { chosen(paths[0]) })
}

// OpenSeveral asks for files and folders.
func (w WindowDialogs) OpenSeveral(chosen func(paths []string)) {
	w.show(newFileSheet(w.Window.Canvas(), severalFiles, w.Home), chosen)
}

// Save asks where to write a file. One that is there already is replaced only if the person
// says so.
func (w WindowDialogs) Save(name string, chosen func(fyne.URIWriteCloser)) {
	s := newFileSheet(w.Window.Canvas(), newFile, w.Home)
	s.name.SetText(name)
	write := func(path string) {
		f, err := storage.Writer(storage.NewFileURI(path))
		if err != nil {
			w.Failed(fmt.Errorf("%s cannot be written there; choose another folder or name", filepath.Base(path)))
			return
		}
		chosen(f)
	}
	w.show(s, func(paths []string) {
		path := paths[0]
		if _, err := os.Lstat(path); err != nil {
			write(path)
			return
		}
		text := NewParagraph("There is a file with this name in the folder "+Brief(filepath.Base(filepath.Dir(path)))+" already.", theme.ColorNameForeground).Flat
		s.sheet.Open("Replace "+Brief(filepath.Base(path))+"?", text, false,
			SheetButton{Name: "Cancel", Main: true, Run: func() {
				w.Saved = filepath.Dir(path)
				w.Save(filepath.Base(path), chosen)
			}}, SheetButton{Name: "Replace it", Run: func() { write(path) }})
	})
}

// takes reports whether a file has one of these extensions; none: any file has.
func takes(extensions []string, name string) bool {
	for _, e := range extensions {
		if strings.HasSuffix(strings.ToLower(name), strings.ToLower(e)) {
			return true
		}
	}
	return len(extensions) == 0
}
