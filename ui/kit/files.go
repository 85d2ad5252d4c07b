package kit

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"
)

// FileDialogs asks a person for files and folders.
type FileDialogs interface {
	OpenFile(extensions []string, chosen func(path string))
	OpenFiles(chosen func(paths []string)) // one or more
	OpenFolder(chosen func(path string))
	OpenSeveral(chosen func(paths []string))
	Save(name string, chosen func(fyne.URIWriteCloser))
}

// WindowDialogs are the dialogs over a window.
type WindowDialogs struct {
	Window fyne.Window
	Failed func(error)

	Folders map[string]string            // by a purpose, where the last dialog for it ended, and the next one begins
	Recent  []string                     // folders in which something was chosen, the last one first
	Opens   string                       // the purpose of the folders that are opened; "": models
	Ended   func(purpose, folder string) // told in which folder lies what was chosen; nil: it is forgotten
	Home    func()                       // [Keyboard.Home]
}

// The purposes of file dialogs: each remembers its own folder.
const (
	ForModels    = "models"
	ForDocuments = "documents"
	ForPictures  = "pictures"
	ForExports   = "exports"
)

// purposeOf is what files of these kinds are for.
func purposeOf(extensions ...string) string {
	for _, e := range extensions {
		switch strings.ToLower(e) {
		case ".safetensors", ".gguf":
			return ForModels
		case ".png", ".jpg", ".jpeg", ".svg":
			return ForPictures
		case ".csv", ".json", ".md", ".html", ".jsonl", ".txt":
			return ForExports
		}
	}
	return ForDocuments
}

// dialogSize is that of a file dialog in a window that has room for it.
func (w WindowDialogs) dialogSize() fyne.Size {
	have := w.Window.Canvas().Size()
	return fyne.NewSize(min(860, have.Width-40), min(600, have.Height-40))
}

// show shows a sheet where the last file for the same purpose was chosen, or else at home.
func (w WindowDialogs) show(s *fileSheet, purpose string, chosen func(paths []string)) {
	folder, err := os.UserHomeDir()
	if err != nil {
		folder = string(filepath.Separator)
	}
	s.home = folder
	s.recent = w.Recent
	better := []string{w.Folders[purpose]}
	if s.kind == newFile { // never where models or documents were opened: what is saved is something else
		if purpose == ForPictures {
			better = append(better, filepath.Join(s.home, "Pictures"))
		}
		better = append(better, filepath.Join(s.home, "Documents"))
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
			w.Ended(purpose, ended)
		}
		chosen(paths)
	})
}

// OpenFile asks for a file with one of these extensions; none: any file.
func (w WindowDialogs) OpenFile(extensions []string, chosen func(path string)) {
	s := newFileSheet(w.Window.Canvas(), oneFile, w.Home)
	s.extensions = extensions
	w.show(s, purposeOf(extensions...), func(paths []string) { chosen(paths[0]) })
}

// OpenFiles asks for files of any kind.
func (w WindowDialogs) OpenFiles(chosen func(paths []string)) {
	w.show(newFileSheet(w.Window.Canvas(), filesAlone, w.Home), ForDocuments, chosen)
}

// OpenFolder asks for a folder.
func (w WindowDialogs) OpenFolder(chosen func(path string)) {
	w.show(newFileSheet(w.Window.Canvas(), oneFolder, w.Home), cmp.Or(w.Opens, ForModels), func(paths []string) { chosen(paths[0]) })
}

// OpenSeveral asks for files and folders.
func (w WindowDialogs) OpenSeveral(chosen func(paths []string)) {
	w.show(newFileSheet(w.Window.Canvas(), severalFiles, w.Home), ForDocuments, chosen)
}

// Save asks where to write a file. One that is there already is replaced only if the person
// says so. A name with a folder before it asks there first.
func (w WindowDialogs) Save(name string, chosen func(fyne.URIWriteCloser)) {
	purpose := ForExports
	if purposeOf(filepath.Ext(name)) == ForPictures {
		purpose = ForPictures
	}
	if filepath.IsAbs(name) {
		w.Folders = map[string]string{purpose: filepath.Dir(name)}
		name = filepath.Base(name)
	}
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
	w.show(s, purpose, func(paths []string) {
		path := paths[0]
		if _, err := os.Lstat(path); err != nil {
			write(path)
			return
		}
		text := NewParagraph("There is a file with this name in the folder "+Brief(filepath.Base(filepath.Dir(path)))+" already.", theme.ColorNameForeground).Flat
		s.sheet.Open("Replace "+Brief(filepath.Base(path))+"?", text, false,
			SheetButton{Name: "Cancel", Main: true, Run: func() {
				w.Folders = map[string]string{purpose: filepath.Dir(path)}
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

// recentMost is how many folders a dialog offers that were used last.
const recentMost = 4

// addRecent offers the folders that were used last, behind the places that everybody has.
func (s *fileSheet) addRecent(places *fyne.Container) {
	known := []string{s.home}
	for _, name := range usualFolders {
		known = append(known, filepath.Join(s.home, name))
	}
	most := len(known) + recentMost
	for _, folder := range s.recent {
		if slices.Contains(known, folder) || len(known) >= most || !isFolderPath(folder) {
			continue
		}
		known = append(known, folder)
		b := NewQuietButton(s.list.keys, filepath.Base(folder), theme.HistoryIcon(), func() { s.enter(folder) })
		b.Tip = folder
		places.Add(b)
	}
}

// typeOf is the type of a file, by which files are told apart: ".pdf"; "": it has none.
func typeOf(name string) string { return strings.ToLower(filepath.Ext(name)) }

// everyType is said where files of all types are shown.
const everyType = "All types"

// offerTypes offers the types of the files of a folder, where there are several.
func (s *fileSheet) offerTypes(all []fileEntry) {
	var types []string
	for _, e := range all {
		if t := typeOf(e.Name()); t != "" && !e.folder && takes(s.extensions, e.Name()) && !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	slices.Sort(types)
	if !slices.Contains(types, s.only) {
		s.only = ""
	}
	s.types.Offer(append([]string{everyType}, types...), 1+slices.Index(types, s.only))
	Show(s.types, s.kind != oneFolder && len(types) > 1)
}

// showType shows the files of the type that was chosen.
func (s *fileSheet) showType() {
	s.only = strings.TrimPrefix(s.types.Selected, everyType)
	s.enter(s.folder)
}

// askFolder asks for the name of a new folder in the place of the path, or no more.
func (s *fileSheet) askFolder(on bool) {
	Show(s.making, on)
	Show(s.path, !on)
	s.making.SetText("")
	switch c := s.sheet.on(); {
	case on:
		c.Focus(s.making)
	case s.kind == newFile:
		c.Focus(s.name)
	default:
		c.Focus(s.list)
	}
}

// makeFolder makes the folder of that name, and goes into it.
func (s *fileSheet) makeFolder() {
	name := strings.TrimSpace(s.making.Text)
	if name == "" {
		s.say("Give the folder a name.")
		return
	}
	path := filepath.Join(s.folder, name)
	if err := os.Mkdir(path, 0o777); err != nil && !isFolderPath(path) {
		s.say("A folder with that name cannot be made here. Choose another name, or another place.")
		return
	}
	s.askFolder(false)
	s.enter(path)
}

// facts are how large the file of row i is and when it was changed last, in a few characters; a folder has no
// size. A disk is asked once.
func (s *fileSheet) facts(i int, now time.Time) (size, when string) {
	info, known := s.stats[s.at(i)]
	if !known {
		info = statOf(s.at(i))
		s.stats[s.at(i)] = info
	}
	if info == nil {
		return "", ""
	}
	if info.Mode().IsRegular() {
		size = humanize.Bytes(uint64(info.Size()))
	}
	switch at := info.ModTime().Local(); {
	case at.IsZero():
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		when = "today " + at.Format("15:04")
	case at.Year() == now.Year():
		when = at.Format("2 Jan 15:04")
	default:
		when = at.Format("2 Jan 2006")
	}
	return size, when
}

// letters are the beginning of a name that is being typed.
type letters struct {
	text string
	last time.Time
}

// letterPause is the longest time between two letters of one name.
const letterPause = time.Second

// typed goes to the next file or folder whose name begins with what is typed. The same letter again leads to the
// next one.
func (s *fileSheet) typed(c rune) bool {
	if c == ' ' { // which marks
		return true
	}
	now, from := time.Now(), max(0, s.list.Current)
	if now.Sub(s.letters.last) > letterPause {
		s.letters.text = ""
	}
	if s.letters.text == "" || s.letters.text == string(unicode.ToLower(c)) {
		s.letters.text, from = "", s.list.Current+1
	}
	s.letters.text, s.letters.last = s.letters.text+string(unicode.ToLower(c)), now
	for n := range s.here {
		i := (from + n) % len(s.here)
		if strings.HasPrefix(strings.ToLower(s.here[i].Name()), s.letters.text) {
			s.list.Choose(i)
			break
		}
	}
	return true
}

// allow has the button of the sheet take a press where there is something to take.
func (s *fileSheet) allow() {
	if s.sheet.main == nil {
		return
	}
	typed := strings.TrimSpace(s.path.Text)
	switch s.kind {
	case oneFolder, newFile: // there always is: the folder in view, or a name to be given
	default:
		s.sheet.main.SetEnabled(len(s.marked) > 0 || typed != "" && typed != s.folder)
	}
}
