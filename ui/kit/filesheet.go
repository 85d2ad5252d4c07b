package kit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/regular"
)

// fileListHeight is that of the list of files, where the window has room for it.
const fileListHeight float32 = 380

// What a file sheet asks for.
const (
	severalFiles = iota // files and folders, which may lie in different places
	filesAlone          // the same without folders
	oneFile
	oneFolder
	newFile // one to be written
)

// usualFolders are those that everybody has at home.
var usualFolders = []string{"Desktop", "Documents", "Downloads"}

// fileWords is what a file sheet says for each kind.
var fileWords = []struct{ title, button, hint string }{
	severalFiles: {"Add files and folders", "Add", "Click on what you want to add. A double click opens a folder, or adds the file."},
	filesAlone:   {"Attach files", "Attach", "Click on one file or more. A double click attaches the file, or opens the folder."},
	oneFile:      {"Open a file", "Open", "Click on a file. A double click opens a folder or takes the file."},
	oneFolder:    {"Open a folder", "Choose this folder", "Enter or a double click opens a folder. Choose takes the marked folder, or this one."},
	newFile:      {"Save as", "Save", "A double click opens a folder."},
}

// fileEntry is what a folder holds.
type fileEntry struct {
	os.DirEntry
	folder bool // it is a folder, or leads to one
}

// fileSheet lets a person choose files or a folder. A click marks; a double click or Enter
// goes into a folder.
type fileSheet struct {
	kind       int
	extensions []string // of the files that are offered; none: all are
	sheet      *Sheet
	path       *Entry
	name       *Entry // of a file to be written
	list       *Rows
	empty      *Paragraph      // in place of the list
	room       *fyne.Container // of the list, or of what stands in its place
	marks      *Line
	wrong      *Line
	home       string
	folder     string
	here       []fileEntry
	files      int                    // of the folder, where only folders are offered
	recent     []string               // folders that were used last, the last one first
	types      *Choice                // of the files that are shown
	only       string                 // the type that was chosen: ".pdf"; "": all
	making     *Entry                 // the name of a new folder, in the place of path while it is typed
	marked     []string               // paths, in the order of marking
	refused    string                 // the path that was typed and tried last
	letters    letters                // typed in the list
	stats      map[string]os.FileInfo // of files that were in view, by path; nil: they cannot be seen
	chosen     func(paths []string)
}

// newFileSheet has keys of its own: Escape closes it, and the panel below is not asked. home is
// [Keyboard.Home].
func newFileSheet(c fyne.Canvas, kind int, home func()) *fileSheet {
	k := &Keyboard{Home: home}
	s := &fileSheet{kind: kind, sheet: &Sheet{keys: k, on: func() fyne.Canvas { return c }}, path: NewEntry(k), name: NewEntry(k), empty: NewParagraph("", ColorMuted).Small(), marks: NewCaption(""), wrong: NewLine("", TextSmall, theme.ColorNameWarning)}
	s.path.Submit = func() {
		if s.kind == oneFolder && s.pathOf(s.path.Text) == s.folder { // it is in view
			s.take()
			return
		}
		s.refused = strings.TrimSpace(s.path.Text)
		if s.goTo(s.path.Text) && s.kind == filesAlone {
			s.take() // no folder is meant, so nothing else is to be chosen
		}
	}
	s.name.Submit = s.take
	s.making = NewEntry(k)
	s.making.SetPlaceHolder("Name of the new folder, then Enter")
	s.making.Submit, s.making.Escape = s.makeFolder, func() bool { s.askFolder(false); return true }
	s.making.Hide()
	s.types = NewChoice(k, nil, func(string) { s.showType() })
	k.Escape, k.Tell = func() { s.sheet.Close() }, s.wrong.Set
	s.path.Escape, s.name.Escape = s.sheet.Close, s.sheet.Close
	s.empty.Segment.Style.Alignment = fyne.TextAlignCenter
	s.list = NewRows(k, func() int { return len(s.here) }, func() fyne.CanvasObject { return newFileRow(s.several()) }, s.fill)
	s.list.Selected = func(int) {}
	s.list.Clicked = func(i int) { s.list.Choose(i); s.mark(i) }
	s.list.Opened, s.list.Rune = s.into, s.typed
	s.path.OnChanged = func(string) { s.allow() }
	s.list.Pasted = func(text string) { s.goTo(text) }
	s.list.Typed = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeySpace:
			s.mark(s.list.Current)
		case fyne.KeyBackspace:
			s.enter(filepath.Dir(s.folder))
		case fyne.KeyReturn, fyne.KeyEnter:
			if s.kind != oneFolder || s.list.Current >= 0 {
				return false
			}
			s.take() // no other folder is meant than the one in view
		default:
			return false
		}
		return true
	}
	return s
}

// several reports whether more than one can be marked.
func (s *fileSheet) several() bool { return s.kind == severalFiles || s.kind == filesAlone }

// open shows the sheet at a folder.
func (s *fileSheet) open(folder string, size fyne.Size, chosen func(paths []string)) {
	s.chosen = chosen
	if s.home == "" {
		s.home = folder
	}
	up := NewIconButton(s.list.keys, theme.MoveUpIcon(), "The folder that this one is in", func() { s.enter(filepath.Dir(s.folder)) })
	places := Row(0, NewQuietButton(s.list.keys, "Home", theme.HomeIcon(), func() { s.enter(s.home) }))
	for _, name := range usualFolders {
		path := filepath.Join(s.home, name)
		if _, err := listed(path); err == nil {
			places.Add(NewQuietButton(s.list.keys, name, theme.FolderIcon(), func() { s.enter(path) }))
		}
	}
	rest := float32(200) // that the sheet needs beside the list
	if s.kind == newFile {
		rest = 270
	}
	s.room = container.New(&FixedHeight{max(100, min(fileListHeight, size.Height-rest))}, container.NewStack(s.list, container.NewVBox(layout.NewSpacer(), s.empty.Flat, layout.NewSpacer())))
	s.addRecent(places)
	s.types.Hide()
	maker := NewIconButton(s.list.keys, theme.FolderNewIcon(), "New folder", func() { s.askFolder(!s.making.Visible()) })
	Show(maker, s.kind == newFile || s.kind == oneFolder)
	top := Column(GapSmall, container.NewBorder(nil, nil, nil, s.types, container.NewHScroll(places)), container.NewBorder(nil, nil, up, maker, container.NewStack(s.path, s.making)))
	foot := Column(2, s.marks, s.wrong)
	if s.kind == newFile {
		foot = Column(GapSmall, container.NewBorder(nil, nil, container.NewCenter(NewName("Name")), nil, s.name), s.marks, s.wrong)
	}
	s.enter(folder)
	s.sheet.Width = min(size.Width, 680)
	words := fileWords[s.kind]
	s.sheet.Open(words.title, Bordered(Gap, top, s.room, foot), false, SheetButton{Name: "Cancel"}, SheetButton{Name: words.button, Main: true, Stays: true, Run: s.button})
	s.allow()
	if s.kind == newFile {
		s.name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		s.sheet.on().Focus(s.name)
	} else {
		s.sheet.on().Focus(s.list)
	}
}

// say tells what is wrong.
func (s *fileSheet) say(wrong string) {
	s.wrong.Set(wrong)
	s.refresh()
}

// goTo goes where a path leads that was typed or pasted: into a folder, or to a file, which is
// taken where one is asked for. It reports whether the path is that of a file that can be chosen.
func (s *fileSheet) goTo(typed string) bool {
	path := s.pathOf(typed)
	info := statOf(path)
	switch {
	case info == nil && s.newName(typed, path):
	case info == nil || info.IsDir():
		s.enter(path)
		return false
	case s.kind == oneFolder:
		s.say("That is a file. Choose the folder that it is in, or another one.")
		return false
	case !takes(s.extensions, path):
		s.say("A file of this kind cannot be opened here.")
		return false
	}
	s.enter(filepath.Dir(path))
	if s.kind == newFile {
		s.name.SetText(filepath.Base(path))
		return true
	}
	if !slices.Contains(s.marked, path) {
		s.marked = append(s.marked, path)
	}
	if s.kind == oneFile {
		s.take()
		return true
	}
	s.list.Choose(slices.IndexFunc(s.here, func(e fileEntry) bool { return e.Name() == filepath.Base(path) }))
	s.refresh()
	return true
}

// pathOf is a path as people and other programs write it: in quotes, as an address, or below
// their home.
func (s *fileSheet) pathOf(typed string) string {
	path := strings.Trim(strings.TrimSpace(typed), "\"'")
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
		path = u.Path
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = filepath.Join(s.home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.folder, path)
	}
	return filepath.Clean(path)
}

func isFolderPath(path string) bool {
	_, err := listed(path)
	return err == nil
}

// enter shows another folder. Where it cannot be read, the one in view stays, which it says.
func (s *fileSheet) enter(folder string) bool {
	here, err := listed(folder)
	s.wrong.Set("")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.wrong.Set(noFolder)
	case err != nil:
		s.wrong.Set("That folder cannot be opened. Check its name and your rights.")
	default:
		s.folder, s.stats = filepath.Clean(folder), map[string]os.FileInfo{}
		entries := s.entries(here)
		s.offerTypes(entries)
		s.here = s.offered(entries)
		s.path.SetText(s.folder)
		s.list.Scroll.ScrollToTop()
		s.list.Choose(-1)
		if !s.several() {
			s.marked = nil
		}
	}
	s.refresh()
	return err == nil
}

// entries are those of the folder in view that are not hidden.
func (s *fileSheet) entries(all []os.DirEntry) (list []fileEntry) {
	for _, e := range visible(all) {
		list = append(list, fileEntry{e, isFolder(s.folder, e)})
	}
	return list
}

// offered leaves out what cannot be chosen, and leads nowhere.
func (s *fileSheet) offered(all []fileEntry) (list []fileEntry) {
	s.files = 0
	for _, e := range all {
		if !e.folder {
			s.files++
		}
		if e.folder || s.kind != oneFolder && takes(s.extensions, e.Name()) && (s.only == "" || typeOf(e.Name()) == s.only) {
			list = append(list, e)
		}
	}
	return list
}

// isFolder reports whether an entry of a folder is a folder, or leads to one.
func isFolder(dir string, e os.DirEntry) bool {
	if e.Type()&os.ModeSymlink == 0 {
		return e.IsDir()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	info, err := regular.Stat(ctx, filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// patience is how long the window waits for a disk that sleeps.
const patience = time.Second

func listed(folder string) ([]os.DirEntry, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return regular.ReadDir(ctx, folder)
}

// visible leaves out hidden files. Folders come first.
func visible(all []os.DirEntry) []os.DirEntry {
	all = slices.DeleteFunc(all, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	slices.SortStableFunc(all, func(a, b os.DirEntry) int {
		if a.IsDir() != b.IsDir() {
			if a.IsDir() {
				return -1
			}
			return 1
		}
		return cmp.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	})
	return all
}

func (s *fileSheet) at(i int) string { return filepath.Join(s.folder, s.here[i].Name()) }

// mark marks row i, or takes its mark away.
func (s *fileSheet) mark(i int) {
	if i < 0 || i >= len(s.here) {
		return
	}
	path := s.at(i)
	s.path.SetText(s.folder) // what was typed and not gone to is not meant any more
	at := slices.Index(s.marked, path)
	switch {
	case s.kind == newFile:
		if !s.here[i].folder {
			s.name.SetText(s.here[i].Name())
		}
		return
	case (s.kind == oneFile || s.kind == filesAlone) && s.here[i].folder:
		return
	case at >= 0 && s.several():
		s.marked = slices.Delete(s.marked, at, at+1)
	case s.several():
		s.marked = append(s.marked, path)
	default:
		s.marked = []string{path}
	}
	s.wrong.Set("")
	s.refresh()
}

// into goes into the folder of row i. The first click of two has marked it, which was not
// meant. A file is taken, with others that are marked.
func (s *fileSheet) into(i int) {
	path := s.at(i)
	switch {
	case s.here[i].folder:
		s.marked = slices.DeleteFunc(s.marked, func(p string) bool { return p == path })
		s.enter(path)
	default:
		if !slices.Contains(s.marked, path) {
			s.mark(i)
		}
		s.take()
	}
}

func (s *fileSheet) refresh() {
	hint := fileWords[s.kind].hint
	if s.kind == oneFolder && s.files > 0 {
		hint = Count(s.files, "file") + " in here. " + hint
	}
	switch len(s.marked) {
	case 0:
		s.marks.Set(hint)
	case 1:
		s.marks.Set("Marked: " + filepath.Base(s.marked[0]))
	default:
		s.marks.Set(humanize.Comma(int64(len(s.marked))) + " are marked, the last is " + filepath.Base(s.marked[len(s.marked)-1]))
	}
	Show(s.wrong, s.wrong.Text != "")
	s.empty.Set(s.nothing())
	if none := len(s.here) == 0; none != s.empty.Flat.Visible() {
		Show(s.empty.Flat, none)
		s.room.Refresh() // it has no place until now
	}
	s.allow()
	s.list.Refresh()
}

// nothing says what is missing in a folder that has nothing to choose.
func (s *fileSheet) nothing() string {
	switch {
	case s.kind == oneFolder && s.files > 0:
		return Count(s.files, "file") + " and no folders in here. Press Enter to choose this folder."
	case s.kind == oneFolder:
		return "No folders in here. Press Enter to choose this folder."
	case len(s.extensions) > 0:
		return "Nothing in here can be opened. Go up, or to another folder."
	}
	return "This folder is empty."
}

// newFileRow is a row: a box where several can be marked, an icon, a name, and how large and how old the file is.
func newFileRow(boxes bool) fyne.CanvasObject {
	icons := Row(GapSmall, widget.NewIcon(theme.CheckButtonIcon()), widget.NewIcon(theme.FileIcon()))
	Show(icons.Objects[0], boxes)
	size, when := NewCaption(""), NewCaption("")
	size.Whole, when.Whole = true, true
	size.Align = fyne.TextAlignTrailing
	facts := Row(Gap, container.New(&FixedWidth{Width: 70}, size), container.New(&FixedWidth{Width: 92}, when))
	return Inset(container.NewBorder(nil, nil, icons, container.NewCenter(facts), NewLine("", TextBody, theme.ColorNameForeground)), 3, 6)
}

func (s *fileSheet) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects // a border keeps its centre first
	icons := parts[1].(*fyne.Container).Objects
	box, kind := theme.CheckButtonIcon(), theme.FileIcon()
	if slices.Contains(s.marked, s.at(i)) {
		box = theme.CheckButtonCheckedIcon()
	}
	if s.here[i].folder {
		kind = theme.FolderIcon()
	}
	if s.here[i].folder && s.kind == filesAlone { // it leads somewhere, and cannot be marked
		box = nil
	}
	icons[0].(*widget.Icon).SetResource(box)
	icons[1].(*widget.Icon).SetResource(kind)
	parts[0].(*Line).Set(s.here[i].Name())
	facts := parts[2].(*fyne.Container).Objects[0].(*fyne.Container).Objects
	size, when := s.facts(i, time.Now())
	facts[0].(*fyne.Container).Objects[0].(*Line).Set(size)
	facts[1].(*fyne.Container).Objects[0].(*Line).Set(when)
}

// button does what the sheet's button says. A path that was typed and not gone to yet is what is
// meant: it counts before what is in view.
func (s *fileSheet) button() {
	typed := strings.TrimSpace(s.path.Text)
	gaveUp := typed == s.refused && len(s.marked) > 0 // it was told, and other things are marked
	if typed != "" && typed != s.folder && !gaveUp {
		s.takeTyped(typed)
		s.refused = typed
		return
	}
	s.take()
}

// takeTyped takes what a typed path leads to, or goes there, or says that there is nothing.
func (s *fileSheet) takeTyped(typed string) {
	path := s.pathOf(typed)
	info := statOf(path)
	switch {
	case info == nil || !info.IsDir():
		if s.goTo(typed) && s.kind != oneFile { // which goTo takes itself
			s.take()
		}
	case s.kind == severalFiles:
		if !slices.Contains(s.marked, path) {
			s.marked = append(s.marked, path)
		}
		s.take()
	default:
		if s.enter(path) && s.kind != oneFile && s.kind != filesAlone {
			s.take()
		}
	}
}

// take ends the sheet with what is chosen. Where nothing is, it says so and stays.
func (s *fileSheet) take() {
	paths := s.marked
	switch {
	case s.kind == oneFolder && len(paths) == 0:
		paths = []string{s.folder}
	case s.kind == newFile:
		path := s.named()
		if path == "" {
			return
		}
		paths = []string{path}
	case len(paths) == 0:
		s.say("Nothing is marked yet.")
		return
	}
	s.sheet.Close()
	s.chosen(paths)
}

// named is the file that the name says, which may say its folder too; "": it says none, which the
// person was told.
func (s *fileSheet) named() string {
	name := strings.TrimSpace(s.name.Text)
	if name == "" {
		s.say("Give the file a name.")
		return ""
	}
	path := s.pathOf(name)
	if info := statOf(path); info != nil && info.IsDir() {
		if s.enter(path) {
			s.say("That is a folder. Give the file a name too.")
		}
		return ""
	}
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		s.say(noFolder)
		return ""
	}
	if folder := filepath.Dir(path); folder != s.folder {
		if !s.enter(folder) {
			return ""
		}
		s.name.SetText(filepath.Base(path))
	}
	return path
}

// newName reports whether a path that leads nowhere says a new file and no folder: its folder is
// there, and it ends like the name that was proposed.
func (s *fileSheet) newName(typed, path string) bool {
	if s.kind != newFile || strings.HasSuffix(strings.TrimSpace(typed), "/") || !isFolderPath(filepath.Dir(path)) {
		return false
	}
	have := filepath.Ext(strings.TrimSpace(s.name.Text))
	return have == "" || strings.EqualFold(filepath.Ext(path), have)
}

// statOf is what lies at a path; nil: nothing that can be seen.
func statOf(path string) os.FileInfo {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	info, err := regular.Stat(ctx, path)
	if err != nil {
		return nil
	}
	return info
}

// noFolder is said of a path that leads nowhere.
const noFolder = "There is nothing at that place. Check how it is written."
