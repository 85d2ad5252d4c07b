package documents

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// kind is a sort of files as people call it.
type kind struct {
	name    string
	files   string   // such files, in a sentence
	one     string   // one of them
	formats []string // as documents.File has them
}

// kinds are the sorts of files; the first is all of them.
var kinds = []kind{
	{name: "Any kind", files: "files"},
	{"PDF", "PDF files", "PDF", []string{"pdf"}},
	{"Word and e-books", "Word files or e-books", "Text document", []string{"docx", "odt", "rtf", "epub"}},
	{"Tables", "tables", "Table", documents.TableFormats},
	{"Slides", "slides", "Slides", []string{"pptx", "odp"}},
	{"Web pages", "web pages", "Web page", []string{"html"}},
	{"E-mail", "e-mails", "E-mail", []string{"mail"}},
	{"Notes and plain text", "notes", "Plain text", []string{"text", "markdown", "subtitles"}},
	{"Program code", "program files", "Program code", []string{"source", "json"}},
}

// span is a time in which a file was changed.
type span struct {
	name string
	from func(now time.Time) time.Time
}

// spans are the times that can be chosen; the first is any.
var spans = []span{
	{"Any time", func(time.Time) time.Time { return time.Time{} }},
	{"Today", func(now time.Time) time.Time { return midnight(now) }},
	{"The last 7 days", func(now time.Time) time.Time { return midnight(now).AddDate(0, 0, -6) }},
	{"The last 30 days", func(now time.Time) time.Time { return midnight(now).AddDate(0, 0, -29) }},
	{"This year", func(now time.Time) time.Time { return time.Date(now.Year(), 1, 1, 0, 0, 0, 0, now.Location()) }},
	{"The last 3 years", func(now time.Time) time.Time { return midnight(now).AddDate(-3, 0, 0) }},
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// filtered is what a search leaves out, as it was chosen.
type filtered struct {
	kind, span int
	folder     string // "": all
}

// filter is what the application knows of it.
func (f filtered) filter(now time.Time) documents.Filter {
	return documents.Filter{Formats: kinds[f.kind].formats, Since: spans[f.span].from(now), Folder: f.folder}
}

// words say what is chosen; "": everything is searched.
func (f filtered) words() string {
	var parts []string
	if f.kind > 0 {
		parts = append(parts, kinds[f.kind].files)
	}
	if f.span > 0 {
		parts = append(parts, f.when())
	}
	if f.folder != "" {
		parts = append(parts, base.ShortPath(f.folder))
	}
	return strings.Join(parts, ", ")
}

// when is the time that is chosen, in a sentence.
func (f filtered) when() string {
	return strings.ToLower(spans[f.span].name[:1]) + spans[f.span].name[1:]
}

// missed says that nothing that is left answers, in a place.
func (f filtered) missed(where string) string {
	files := kinds[f.kind].files
	if f.span > 0 {
		files += " from " + f.when()
	}
	if f.folder != "" {
		where = "“" + base.ShortPath(f.folder) + "”"
	}
	return "No " + files + " in " + where + " match."
}

// brief says what is chosen in a few words, for a button.
func (f filtered) brief() string {
	n := 0
	for _, on := range []bool{f.kind > 0, f.span > 0, f.folder != ""} {
		if on {
			n++
		}
	}
	switch {
	case n == 0:
		return "Filter"
	case n > 1:
		return fmt.Sprintf("Filter: %d", n)
	case f.folder != "":
		return "Filter: one folder"
	}
	return "Filter: " + kit.Ellipsize(f.words(), briefWidth, kit.TextBody, fyne.TextStyle{Bold: true})
}

// briefWidth is how wide the words of a filter are at most in its button.
const briefWidth float32 = 130

// choiceWidth is the least width of a choice.
const choiceWidth float32 = 150

// The first and the last choice of a folder.
const (
	allFolders    = "All folders"
	anotherFolder = "Another folder…"
)

// filters is the row with which a person narrows a search. It is hidden until the
// button is pressed.
type filters struct {
	*session
	button *kit.Button
	row    *fyne.Container
	kind   *kit.Choice
	span   *kit.Choice
	folder *kit.Choice
	clear  *kit.Button

	folders []string // that can be chosen
	offered []int    // of kinds: those that can be chosen
	open    bool
	opens   func() // what else stands there is to close
	telling bool   // the choices are being set, not chosen
}

func newFilters(s *session) *filters {
	f := &filters{session: s, opens: func() {}}
	f.button = kit.NewQuietButton(s.Keys, "Filter", theme.MenuDropDownIcon(), f.toggle)
	f.kind = kit.NewChoice(s.Keys, nil, func(string) { f.choose(func() { f.narrow.kind = f.offered[max(0, f.kind.SelectedIndex())] }) })
	f.span = kit.NewChoice(s.Keys, nil, func(string) { f.choose(func() { f.narrow.span = max(0, f.span.SelectedIndex()) }) })
	f.folder = kit.NewChoice(s.Keys, nil, func(string) { f.choose(f.chooseFolder) })
	f.clear = kit.NewQuietButton(s.Keys, "Clear", theme.ContentClearIcon(), s.clearFilter)
	f.row = container.NewBorder(nil, nil, nil, container.NewCenter(f.clear), container.New(&kit.Cells{Least: choiceWidth}, f.kind, f.span, f.folder))
	f.refresh()
	return f
}

// toggle shows or hides the row.
func (f *filters) toggle() {
	if f.open = !f.open; f.open {
		f.opens()
		f.learnFormats()
	}
	f.changed(lists)
}

// learnFormats finds out of which formats the files are, so that no kind is offered that there is
// none of.
func (s *session) learnFormats() {
	s.allFiles(s.collections, func(all []listed) {
		s.formats = map[string]map[string]bool{}
		for _, f := range all {
			if s.formats[f.of.ID] == nil {
				s.formats[f.of.ID] = map[string]bool{}
			}
			s.formats[f.of.ID][f.Format] = true
		}
		s.changed(lists)
	})
}

// there reports whether what is searched has files of a kind, or may have.
func (s *session) there(k kind) bool {
	if s.formats == nil || len(k.formats) == 0 {
		return true
	}
	for id, formats := range s.formats {
		if (s.chosen == "" || s.chosen == id) && slices.ContainsFunc(k.formats, func(f string) bool { return formats[f] }) {
			return true
		}
	}
	return false
}

// close hides the row; false: it was hidden.
func (f *filters) close() bool {
	if !f.open {
		return false
	}
	f.toggle()
	return true
}

// choose applies a choice and searches again.
func (f *filters) choose(take func()) {
	if f.telling {
		return
	}
	before := f.narrow
	take()
	if f.narrow != before {
		f.again()
	}
	f.changed(lists)
}

// clearFilter searches everything again.
func (s *session) clearFilter() {
	if s.narrow != (filtered{}) {
		s.narrow = filtered{}
		s.again()
	}
	s.changed(lists)
}

func (f *filters) chooseFolder() {
	switch i := f.folder.SelectedIndex(); {
	case i == len(f.folders)+1:
		f.Files().OpenFolder(func(path string) { f.choose(func() { f.narrow.folder = path }) })
	case i > 0:
		f.narrow.folder = f.folders[i-1]
	default:
		f.narrow.folder = ""
	}
}

// refresh offers what there is to choose.
func (f *filters) refresh() {
	f.telling = true
	defer func() { f.telling = false }()
	var names []string
	f.offered = nil
	for i, k := range kinds {
		if i == f.narrow.kind || f.there(k) {
			names, f.offered = append(names, k.name), append(f.offered, i)
		}
	}
	f.kind.Offer(names, slices.Index(f.offered, f.narrow.kind))
	names = nil
	for _, s := range spans {
		names = append(names, s.name)
	}
	f.span.Offer(names, f.narrow.span)
	f.offerFolders()
	kit.Show(f.clear, f.narrow != filtered{})
	kit.Show(f.row, f.open)
	f.button.SetText(f.narrow.brief())
	f.button.SetIcon(theme.MenuDropDownIcon())
	if f.open {
		f.button.SetIcon(theme.MenuDropUpIcon())
	}
}

func (f *filters) offerFolders() {
	f.folders = nil
	for _, c := range f.collections {
		if f.chosen != "" && c.ID != f.chosen {
			continue
		}
		for _, folder := range c.Folders {
			f.folders = append(f.folders, folder.Path)
		}
	}
	if f.narrow.folder != "" {
		f.folders = append(f.folders, f.narrow.folder)
	}
	slices.Sort(f.folders)
	f.folders = slices.Compact(f.folders)
	names := []string{allFolders}
	for _, path := range f.folders {
		names = append(names, base.ShortPath(path))
	}
	f.folder.Offer(append(names, anotherFolder), slices.Index(f.folders, f.narrow.folder)+1)
}
