package documents

import (
	_ "embed"
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

//go:embed documents.svg
var documentsSVG []byte

// documentsIcon is drawn in the colour of that name.
func documentsIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("documents.svg", documentsSVG), name)
}

// Panel is the room of documents.
type Panel struct {
	*session
	view        *fyne.Container
	panes       *panel.Panes
	pair        *fyne.Container
	notice      *kit.Notice
	field       *kit.Entry
	modes       *kit.Segments
	filters     *filters
	sorting     *sorting
	collections *collections
	results     *results
	viewer      *viewer
	samples     *kit.Button
	sheet       *kit.Sheet
	toast       *kit.Toast
	back        func()                                       // brings back what the toast says was taken away
	asking      func(id, name string) (chats int, err error) // how many ask a collection
	openPath    func(path string, page int)
	entered     bool
	fronted     bool // the pane that a person needs first was brought into view
}

// New builds the room. m are the models that can be had; asking counts the chats that ask a collection; openPath shows a file, at a page where that can be, in
// the system's own program for it.
func New(d panel.Host, l Library, m Models, asking func(id, name string) (int, error), openPath func(path string, page int)) *Panel {
	s := newSession(d, l)
	p := &Panel{session: s, notice: kit.NewNotice(d.Keys), asking: asking, openPath: openPath}
	p.toast = kit.NewToast(d.Keys, d.Do)
	s.failed, s.changed, s.removed = p.ShowError, p.refresh, p.toast.Hide
	p.sheet = kit.NewSheet(d.Keys, func() fyne.CanvasObject { return p.view })
	p.samples = kit.NewButton(d.Keys, "Try three sample documents", theme.FileTextIcon(), p.TrySamples)
	p.collections = newCollections(s, p.askFiles, p.askFolder, p.showFiles, p.newCollection, p.samples)
	p.collections.showDetails, p.collections.confirmRemove = p.showDetails, p.confirmRemove
	p.results = newResults(s)
	p.results.examples.ask = p.askExample
	p.results.openDoc = openPath
	p.results.read = func() { p.Focus(p.viewer.reads()) }
	p.viewer = newViewer(s, openPath, p.closePassage)
	p.viewer.searchFor = p.searchFor
	p.viewer.unlock = func(c documents.Collection, f documents.File) { p.askPassword(c, f, false) }
	p.buildSearch(m)
	p.buildView()
	p.refresh(lists)
	p.refresh(finds)
	p.refresh(viewed)
	return p
}

func (p *Panel) buildSearch(m Models) {
	p.field = kit.NewEntry(p.Keys)
	p.field.SetIcon(theme.SearchIcon())
	p.field.SetText(p.query) // of the last time: Enter searches for it again
	p.field.OnChanged = func(query string) {
		if query != "" { // what is found stays in view where the window becomes narrow
			p.panes.Front(panel.PaneResult)
		}
		p.ask(query)
	}
	p.field.Undo = p.undo
	p.field.Escape = func() bool {
		if p.filters.close() || p.sorting.close() {
			return true
		}
		if p.picked >= 0 { // what was asked stays
			p.closePassage()
			return true
		}
		empty := p.field.Text == ""
		p.field.SetText("")
		return !empty
	}
	first := func() bool {
		if !p.lead() {
			return false
		}
		if len(p.found) > 0 {
			p.results.enter()
		}
		return true
	}
	p.field.Typed = func(e *fyne.KeyEvent) bool { return e.Name == fyne.KeyDown && first() }
	p.field.Submit = func() { // beside a passage the field keeps the keyboard, for the next question
		p.panes.Front(panel.PaneResult)
		leads := p.picked < 0 || p.busy || p.led
		if p.canSearch() {
			p.search()
		}
		if leads {
			p.lead()
		}
		if p.alone && len(p.found) > 0 {
			p.results.enter()
		}
	}
	p.results.rows.Field = p.field
	p.modes = kit.NewSegments(p.Keys, []string{bothWays, "Meaning", "Words"}, func(i int) {
		p.mode = i
		p.search()
	})
	p.modes.Select(p.mode)
	p.filters = newFilters(p.session)
	p.sorting = newSorting(p.session, m)
	p.readersListed = p.sorting.getter.arrived
	p.filters.opens, p.sorting.opens = func() { p.sorting.open = false }, func() { p.filters.open = false }
}

func (p *Panel) buildView() {
	how := container.New(&howLayout{modes: p.modes}, p.modes, kit.Row(0, p.sorting.button, p.filters.button))
	search := kit.Column(kit.GapSmall, p.field, how, p.sorting.row, p.filters.row)
	pairs := &pairLayout{second: func() bool { return p.picked >= 0 }, narrow: func(on bool) {
		p.alone = on
		kit.Show(p.viewer.back, on)
	}}
	pairs.share = p.App.Settings().Documents.ListShare
	edge := panel.NewEdge(func(by float32) {
		pairs.drag(by)
		p.pair.Refresh()
	}, func() {
		p.Keep(func(s *base.Settings) { s.Documents.ListShare = pairs.share })
	})
	p.pair = container.New(pairs, p.results.view, p.viewer.view, edge)
	right := kit.Bordered(kit.Gap, kit.Bordered(kit.Gap, p.notice.View, search, nil), p.pair, nil)
	p.panes = panel.NewPanes(p.Keys, p.collections.view, right, [2]string{"Files", "Search"})
	p.panes.Slim = true
	room := kit.Inset(kit.Bordered(10, p.panes.Head(kit.NewTitleWhole("Documents")), p.panes.View, nil), 12, kit.GapWide)
	p.view = container.NewStack(room, p.toast.At(kit.Gap))
}

// Info is how the rail presents the room.
func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Documents, Name: "Documents", About: "Find passages in your files by what they mean", Icon: documentsIcon}
}

// Content is the room's content.
func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Enter gives the search the keyboard and lists the collections. A question of the last time is selected: typing replaces
// it.
func (p *Panel) Enter() {
	first := !p.entered
	if first {
		p.entered = true
		p.list()
		p.listReaders()
	}
	p.Focus(p.field)
	if first && p.field.Text != "" {
		p.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// ShowPassage shows a passage to which another room leads, in its document.
func (p *Panel) ShowPassage(r documents.Result, from string) {
	p.ShowError(nil)
	p.panes.Front(panel.PaneResult)
	p.query = "" // what was searched before has nothing to do with it, and is not searched again
	p.field.SetText("")
	p.ledFrom = from
	p.showOne(r)
	p.Focus(p.results.rows)
}

// SearchFor searches a collection for a question; "": all collections.
func (p *Panel) SearchFor(collection, question string) {
	p.ShowError(nil)
	p.session.chosen = collection
	p.query = "" // the same question is asked again
	p.field.SetText("")
	p.field.SetText(question)
	p.refresh(lists)
	p.focusField()
}

// searchFor searches for words that stand in a document.
func (p *Panel) searchFor(words string) {
	p.field.SetText(words)
	p.focusField()
}

// askExample asks a question as if a person had typed it, and shows the best passage.
func (p *Panel) askExample(question string) {
	p.field.SetText(question)
	p.lead()
	p.Focus(p.field)
}

// WritesIn is the field of the search.
func (p *Panel) WritesIn() fyne.Focusable { return p.field }

// Leave does nothing: indexing goes on.
func (p *Panel) Leave() {}

// focusField gives the search the keyboard.
func (p *Panel) focusField() {
	p.panes.Front(panel.PaneResult)
	p.Focus(p.field)
}

// lookFor gives the keyboard to what looks for words in the document in view. Where there is none, or
// that has the keyboard, it is the search.
func (p *Panel) lookFor() {
	find := p.viewer.find
	if find.open.Visible() && p.shows && !find.Has() {
		find.show()
		return
	}
	p.askAnew()
}

// askAnew gives the search the keyboard, with the question selected: typing replaces it.
func (p *Panel) askAnew() {
	p.focusField()
	p.field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// searches says what the field searches.
func (p *Panel) searches() string {
	if c, ok := p.collection(); ok {
		return "Search “" + c.Name + "”"
	}
	return "Search your documents"
}

// closePassage goes back from a document to what was found. Where both stand beside each other,
// the field gets the keyboard, else the list.
func (p *Panel) closePassage() {
	i := p.picked
	p.pick(-1)
	if !p.alone || i >= len(p.found) {
		p.Focus(p.field)
		return
	}
	p.results.rows.Choose(p.results.rowOf(i))
	p.Focus(p.results.rows)
}

// Escape closes a sheet, the document or a notice.
func (p *Panel) Escape() {
	switch {
	case p.sheet.Close(), p.viewer.page.large.Close():
	case p.filters.close(), p.sorting.close():
	case p.viewer.find.close():
	case p.like != nil && p.leads: // the best passage like one was opened with them, and goes with them
		p.leads = false
		p.search()
	case p.picked >= 0:
		p.closePassage()
	case p.like != nil:
		p.search()
	default:
		p.ShowError(nil)
	}
}

// Takes every file and folder that is not a model.
func (p *Panel) Takes(d panel.Dropped) bool { return len(d.Models) == 0 }

// Shortcuts are the keys of the room.
func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyF, "Find in the document, or search all of them", "F", p.lookFor),
		kit.NewShortcut(fyne.KeyO, "Add a folder", "O", p.askFolder),
		kit.NewShiftShortcut(fyne.KeyO, "Add files and folders", "O", p.askFiles),
		kit.NewShiftShortcut(fyne.KeyC, "Copy the passage with its source", "C", p.viewer.copy),
		kit.NewShortcut(fyne.KeyL, "Find more passages like this one", "L", p.moreLike),
		kit.NewShortcut(fyne.KeyZ, "Bring back what was removed", "Z", func() { p.undo() }),
		kit.NewShortcut(fyne.KeyReturn, "Open the file in its app", "Enter", p.openPicked),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.openPicked),
	}
}

// ModelsChanged asks anew which models can read what was found.
func (p *Panel) ModelsChanged() {
	if p.entered {
		p.listReaders()
	}
}

// Watch keeps the collections in step with their files while the window is open. The
// room that the window opened with gets the keyboard now: before, there was no window.
func (p *Panel) Watch() {
	if p.entered {
		p.Focus(p.field)
	}
	p.watch()
}

// ShowError shows what went wrong; nil hides it.
func (p *Panel) ShowError(err error) {
	if err == nil {
		p.notice.Hide()
	} else {
		p.App.Log().Warn("documents", slog.Any("error", err))
		p.notice.Fail(kit.Sentence(err.Error()))
	}
	p.view.Refresh()
}

func (p *Panel) refresh(what part) {
	switch what {
	case lists:
		p.collections.refresh()
		p.filters.refresh()
		p.sorting.refresh()
		kit.Show(p.samples, p.known && len(p.session.collections) == 0)
		p.field.SetPlaceHolder(p.searches())
		p.frontOnce()
		p.results.refresh()
	case paged:
		p.viewer.makeRoom()
		return
	case finds, viewed: // the passage in view may have been found anew, for other reasons
		p.results.refresh()
		p.viewer.refresh()
	}
	p.pair.Refresh()
	p.view.Refresh()
}

// frontOnce brings the search into view where there is something to search.
func (p *Panel) frontOnce() {
	if p.known && !p.fronted {
		p.fronted = true
		if len(p.session.collections) > 0 {
			p.panes.Front(panel.PaneResult)
		}
	}
}

func (p *Panel) askFolder() {
	p.Files().OpenFolder(func(path string) { p.addPaths([]string{path}) })
}

func (p *Panel) askFiles() {
	p.Files().OpenSeveral(p.addPaths)
}

// openPicked opens the file of the passage in view in the system's own program.
func (p *Panel) openPicked() {
	if h, ok := p.hit(); ok {
		p.openPath(h.file.File.Path, p.viewer.pageInView(h))
	}
}
