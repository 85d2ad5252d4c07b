package documents

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/find"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// fileList is the sheet that lists the files of a collection, or of all of them.
type fileList struct {
	*Panel
	rows   *kit.Rows
	search *kit.Entry
	by     *kit.Choice // in which order
	count  *kit.Line
	hint   *kit.Line

	all   []listed
	shown []listed // those whose names have what is searched for
}

// listed is a file in the list.
type listed struct {
	documents.File
	of documents.Collection
}

// fileListHeight is that of the list, where the window has room for it.
const fileListHeight, fileListWidth float32 = 420, 680

// showFiles lists the files of the collection in view, or of all of them.
func (p *Panel) showFiles() {
	title, of := "All files", p.session.collections
	if c, ok := p.collection(); ok {
		title, of = "The files of “"+c.Name+"”", []documents.Collection{c}
	}
	p.allFiles(of, func(all []listed) { newFileList(p, all).open(title) })
}

// allFiles asks for the files of collections.
func (s *session) allFiles(of []documents.Collection, then func([]listed)) {
	s.Work(func(ctx context.Context) {
		var all []listed
		for _, c := range of {
			files, err := s.library.Files(ctx, c.ID)
			if err != nil {
				s.Do(func() { s.fail(err) })
				return
			}
			for _, f := range files {
				all = append(all, listed{f, c})
			}
		}
		s.Do(func() { then(all) })
	})
}

func newFileList(p *Panel, all []listed) *fileList {
	l := &fileList{Panel: p, all: all, count: kit.NewCaption(""), hint: kit.NewCaption("")}
	l.search = kit.NewSearch(p.Keys, "Search by name")
	l.search.OnChanged = l.narrow
	l.by = kit.NewChoice(p.Keys, nil, l.sortBy)
	l.hint.Align = fyne.TextAlignCenter
	l.rows = kit.NewRows(p.Keys, func() int { return len(l.shown) }, newFileRow, func(i int, o fyne.CanvasObject) { l.fill(l.shown[i], o) })
	l.rows.More, l.rows.Secondary = "What can be done with this file", l.menu
	l.rows.Clicked = func(i int) { l.rows.Choose(i); l.showFile(l.shown[i]) }
	l.rows.Opened = func(i int) { l.showFile(l.shown[i]) }
	l.rows.Field = l.search
	l.search.Typed = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeyDown || len(l.shown) == 0 {
			return false
		}
		l.rows.Choose(0)
		l.Focus(l.rows)
		return true
	}
	names := make([]string, len(fileOrders))
	for i, o := range fileOrders {
		names[i] = o.name
	}
	by := l.order(p.App.Settings().Documents.FilesBy)
	l.by.Offer(names, by)
	l.arrange(by)
	return l
}

// fileOrder is an order of the list.
type fileOrder struct {
	name    string
	compare func(a, b listed) int // files that are equal by it stand by their names
}

// fileOrders are those that can be chosen; the first is the usual one.
var fileOrders = []fileOrder{
	{"By name", func(a, b listed) int { return 0 }},
	{"Newest first", func(a, b listed) int { return b.Modified.Compare(a.Modified) }},
	{"Largest first", func(a, b listed) int { return cmp.Compare(b.Size, a.Size) }},
	{"By kind", func(a, b listed) int { return strings.Compare(kindName(a.File), kindName(b.File)) }},
	{"By folder", func(a, b listed) int { return strings.Compare(filepath.Dir(a.Path), filepath.Dir(b.Path)) }},
	{"Unreadable first", func(a, b listed) int { return cmp.Compare(readable(a), readable(b)) }},
}

// readable is 1 for a file that is searched, and 0 for one that is not.
func readable(f listed) int {
	if documents.LeftOut(f.File) {
		return 0
	}
	return 1
}

// order is the place of an order with that name; the usual one's, if none has it.
func (l *fileList) order(name string) int {
	return max(0, slices.IndexFunc(fileOrders, func(o fileOrder) bool { return o.name == name }))
}

// sortBy lists the files in another order, also the next time.
func (l *fileList) sortBy(name string) {
	l.Keep(func(s *base.Settings) { s.Documents.FilesBy = name })
	l.arrange(l.order(name))
}

// arrange lists the files in an order.
func (l *fileList) arrange(by int) {
	slices.SortStableFunc(l.all, func(a, b listed) int {
		return cmp.Or(fileOrders[by].compare(a, b),
			strings.Compare(strings.ToLower(nameOf(a.File)), strings.ToLower(nameOf(b.File))), strings.Compare(a.Path, b.Path))
	})
	l.narrow(l.search.Text)
}

// open shows the list in a sheet.
func (l *fileList) open(title string) {
	l.sheet.Width, l.sheet.Height = fileListWidth, fileListHeight
	content := kit.Bordered(kit.GapSmall, container.NewBorder(nil, nil, nil, l.by, l.search), container.NewStack(l.rows, l.hint), l.count)
	l.sheet.Open(title, content, false, kit.SheetButton{Name: "Done", Main: true})
	l.sheet.Width, l.sheet.Height = 0, 0
	l.Focus(l.search)
}

// narrow lists the files whose names have what is searched for.
func (l *fileList) narrow(sought string) {
	l.shown = l.all
	if sought = strings.TrimSpace(sought); sought != "" {
		l.shown = nil
		for _, f := range l.all {
			if len(find.In(nameOf(f.File), sought)) > 0 {
				l.shown = append(l.shown, f)
			}
		}
	}
	l.count.Set(kit.Count(len(l.shown), "file"))
	l.hint.Set("No file has these words in its name.")
	if len(l.all) == 0 {
		l.hint.Set("There are no files yet. Add some, or a folder.")
	}
	kit.Show(l.hint, len(l.shown) == 0)
	l.rows.Current = -1
	l.rows.Scroll.ScrollToTop()
	l.rows.Refresh()
}

func newFileRow() fyne.CanvasObject {
	name := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	state := kit.NewLine("", kit.TextSmall, kit.ColorMuted)
	return kit.Inset(kit.Column(2, name, state), 5, 8)
}

func (l *fileList) fill(f listed, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	lines[0].(*kit.Line).Set(nameOf(f.File))
	about := lines[1].(*kit.Line)
	about.Color = kit.ColorMuted
	if documents.LeftOut(f.File) {
		about.Color = theme.ColorNameWarning
	}
	about.Set(aboutFile(f.File))
}

// aboutFile says in a line what a file is, how large, and whether it is searched.
func aboutFile(f documents.File) string {
	parts := []string{kindName(f), humanize.Bytes(uint64(max(0, f.Size)))}
	if !f.Modified.IsZero() {
		parts = append(parts, f.Modified.Local().Format("2 Jan 2006"))
	}
	switch {
	case documents.LeftOut(f):
		return strings.Join(append(parts, "not searched: "+f.Reason), " · ")
	case documents.Kept(f) && f.Passages == 0:
		parts = append(parts, "still to be read")
	case f.Duplicate != "" && f.Duplicate != f.Path:
		parts = append(parts, "the same as "+filepath.Base(f.Duplicate))
	case f.Pages > 0:
		parts = append(parts, kit.Count(f.Pages, "page"), kit.Count(f.Passages, "passage"))
	default:
		parts = append(parts, kit.Count(f.Passages, "passage"))
	}
	return strings.Join(parts, " · ")
}

// kindName is what people call a file like this.
func kindName(f documents.File) string {
	format := cmp.Or(f.Format, documents.FormatNamed(f.Path))
	if format == "markdown" {
		return "Markdown"
	}
	for _, k := range kinds[1:] {
		if slices.Contains(k.formats, format) {
			return k.one
		}
	}
	if ending := strings.TrimPrefix(filepath.Ext(f.Path), "."); ending != "" {
		return strings.ToUpper(ending)
	}
	return "File"
}

// menu offers what can be done with file i.
func (l *fileList) menu(i int, at fyne.Position) {
	f := l.shown[i]
	c := fyne.CurrentApp().Driver().CanvasForObject(l.rows)
	if c == nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Show", func() { l.showFile(f) }),
		fyne.NewMenuItem("Open in its app", func() { l.openPath(f.Path, 0) }),
	}
	if folder, ok := folderOf(f); ok && !f.of.ReadOnly {
		items = append(items, fyne.NewMenuItem("Remove from “"+f.of.Name+"”", func() { l.leave(f, folder) }))
	}
	kit.ShowMenu(l.Keys, c, items, at, 0)
}

// showFile shows a file as a document. Of one that is not searched the reason is shown.
func (l *fileList) showFile(f listed) {
	l.sheet.Close()
	l.panes.Front(panel.PaneResult)
	l.showDocument(f.File, f.of)
}

// folderOf is what of a collection covers a file.
func folderOf(f listed) (documents.Folder, bool) {
	best, ok := documents.Folder{}, false
	for _, folder := range f.of.Folders {
		within := strings.HasPrefix(f.Path, strings.TrimSuffix(folder.Path, string(filepath.Separator))+string(filepath.Separator))
		if (f.Path == folder.Path || within) && len(folder.Path) >= len(best.Path) {
			best, ok = folder, true
		}
	}
	return best, ok
}

// leave takes a file out of its collection. It stays on the disk.
func (l *fileList) leave(f listed, folder documents.Folder) {
	l.sheet.Close()
	l.leaveOut(f.of, f.Path, folder)
}
