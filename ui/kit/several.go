package kit

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/regular"
)

// severalHeight is that of the list of files, where the window has room for it.
const severalHeight float32 = 380

// several lets a person mark files and folders, which may lie in different places. A
// click marks; a double click or Enter goes into a folder.
type several struct {
	sheet  *Sheet
	path   *Entry
	list   *Rows
	marks  *Line
	wrong  *Line
	folder string
	here   []os.DirEntry
	marked []string // paths, in the order of marking
}

// OpenSeveral asks for files and folders.
func (w WindowDialogs) OpenSeveral(chosen func(paths []string)) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = string(filepath.Separator)
	}
	s := newSeveral(w.Window.Canvas())
	s.open(home, w.dialogSize(), chosen)
}

// newSeveral has keys of its own: Escape closes it, and the panel below is not asked.
func newSeveral(c fyne.Canvas) *several {
	k := &Keyboard{}
	s := &several{sheet: &Sheet{keys: k, on: func() fyne.Canvas { return c }}, path: NewEntry(k), marks: NewCaption(""), wrong: NewLine("", TextSmall, theme.ColorNameWarning)}
	s.path.Submit = func() { s.enter(s.path.Text) }
	k.Escape, k.Tell = func() { s.sheet.Close() }, s.wrong.Set
	s.path.Escape = s.sheet.Close
	s.list = NewRows(k, func() int { return len(s.here) }, newFileRow, s.fill)
	s.list.Selected = func(int) {}
	s.list.Clicked = func(i int) { s.list.Choose(i); s.mark(i) }
	s.list.Opened = s.into
	s.list.Typed = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeySpace:
			s.mark(s.list.Current)
		case fyne.KeyBackspace:
			s.enter(filepath.Dir(s.folder))
		default:
			return false
		}
		return true
	}
	return s
}

// open shows the sheet at a folder.
func (s *several) open(folder string, size fyne.Size, chosen func([]string)) {
	up := NewIconButton(s.list.keys, theme.MoveUpIcon(), "The folder that this one is in", func() { s.enter(filepath.Dir(s.folder)) })
	places := Row(0, NewQuietButton(s.list.keys, "Home", theme.HomeIcon(), func() { s.enter(folder) }))
	for _, name := range []string{"Desktop", "Documents", "Downloads"} {
		path := filepath.Join(folder, name)
		if _, err := listed(path); err == nil {
			places.Add(NewQuietButton(s.list.keys, name, theme.FolderIcon(), func() { s.enter(path) }))
		}
	}
	room := container.New(&FixedHeight{max(120, min(severalHeight, size.Height-200))}, s.list)
	top := Column(GapSmall, container.NewHScroll(places), container.NewBorder(nil, nil, up, nil, s.path))
	s.enter(folder)
	s.sheet.Width = min(size.Width, 680)
	s.sheet.Open("Add files and folders", Bordered(Gap, top, room, Column(2, s.marks, s.wrong)), false,
		SheetButton{Name: "Cancel"}, SheetButton{Name: "Add what is marked", Main: true, Run: func() {
			if len(s.marked) > 0 {
				chosen(s.marked)
			}
		}})
	s.sheet.on().Focus(s.list)
}

// enter shows another folder. Where it cannot be read, the one in view stays.
func (s *several) enter(folder string) {
	here, err := listed(folder)
	s.wrong.Set("")
	if err != nil {
		s.wrong.Set("That folder cannot be opened. Check its name and your rights.")
	} else {
		s.folder, s.here = filepath.Clean(folder), visible(here)
		s.path.SetText(s.folder)
		s.list.Scroll.ScrollToTop()
		s.list.Choose(-1)
	}
	s.refresh()
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

func (s *several) at(i int) string { return filepath.Join(s.folder, s.here[i].Name()) }

// mark marks row i, or takes its mark away.
func (s *several) mark(i int) {
	if i < 0 || i >= len(s.here) {
		return
	}
	if at := slices.Index(s.marked, s.at(i)); at >= 0 {
		s.marked = slices.Delete(s.marked, at, at+1)
	} else {
		s.marked = append(s.marked, s.at(i))
	}
	s.refresh()
}

// into goes into the folder of row i. The first click of two has marked it, which was
// not meant. Of a file the mark was meant.
func (s *several) into(i int) {
	if !s.here[i].IsDir() {
		if !slices.Contains(s.marked, s.at(i)) {
			s.mark(i)
		}
		return
	}
	path := s.at(i)
	s.marked = slices.DeleteFunc(s.marked, func(p string) bool { return p == path })
	s.enter(path)
}

func (s *several) refresh() {
	switch len(s.marked) {
	case 0:
		s.marks.Set("Click on what you want to add. A double click opens a folder.")
	case 1:
		s.marks.Set("Marked: " + filepath.Base(s.marked[0]))
	default:
		s.marks.Set(humanize.Comma(int64(len(s.marked))) + " are marked, the last is " + filepath.Base(s.marked[len(s.marked)-1]))
	}
	Show(s.wrong, s.wrong.Text != "")
	s.list.Refresh()
}

// newFileRow is a row: a box, an icon, a name.
func newFileRow() fyne.CanvasObject {
	icons := Row(GapSmall, widget.NewIcon(theme.CheckButtonIcon()), widget.NewIcon(theme.FileIcon()))
	return Inset(container.NewBorder(nil, nil, icons, nil, NewLine("", TextBody, theme.ColorNameForeground)), 3, 6)
}

func (s *several) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects // a border keeps its centre first
	icons := parts[1].(*fyne.Container).Objects
	box, kind := theme.CheckButtonIcon(), theme.FileIcon()
	if slices.Contains(s.marked, s.at(i)) {
		box = theme.CheckButtonCheckedIcon()
	}
	if s.here[i].IsDir() {
		kind = theme.FolderIcon()
	}
	icons[0].(*widget.Icon).SetResource(box)
	icons[1].(*widget.Icon).SetResource(kind)
	parts[0].(*Line).Set(s.here[i].Name())
}
