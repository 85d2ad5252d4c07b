package documents

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// collections is the card at the left: what is searched, and how far it is read.
type collections struct {
	*session
	view   *fyne.Container
	rows   *kit.Rows
	hint   *kit.Hint
	run    *fyne.Container
	stage  *kit.Line
	bar    *kit.Bar
	pauses *kit.Button
	note   *kit.Paragraph
	keeps  *kit.Button
	manage *kit.Button
	why    *kit.Button     // says why files cannot be read
	files  *kit.Button     // lists them
	head   *fyne.Container // over the list
	folder *kit.Button     // adds one
	where  *kit.Paragraph  // where what is added goes

	showDetails   func(documents.Collection)
	confirmRemove func(documents.Collection)
	showFiles     func()
}

func newCollections(s *session, addFiles, addFolder, showFiles, makeNew func(), samples fyne.CanvasObject) *collections {
	c := &collections{session: s, hint: kit.NewHint(documentsIcon(kit.ColorMuted)), showFiles: showFiles}
	c.rows = kit.NewRows(s.Keys, c.length, newCollectionRow, c.fill)
	c.rows.Selected = func(i int) { s.choose(c.idOf(i)) }
	c.rows.Opened = func(i int) { c.details() }
	c.rows.Secondary = c.menu

	c.folder = kit.NewButton(s.Keys, "Add a folder…", theme.FolderOpenIcon(), addFolder)
	file := kit.NewButton(s.Keys, "Add files…", theme.DocumentIcon(), addFiles)

	c.stage, c.bar = kit.NewCaption(""), kit.NewBar(6)
	c.pauses = kit.NewQuietButton(s.Keys, "Pause", theme.MediaPauseIcon(), c.togglePause)
	c.run = kit.Column(0, c.stage, container.NewBorder(nil, nil, nil, c.pauses, kit.Inset(c.bar, 14, 0)))
	c.note = kit.NewParagraph("", theme.ColorNameWarning).Small()
	c.keeps = newKeepButton(s, c.shown)
	c.manage = kit.NewQuietButton(s.Keys, manageName, theme.SettingsIcon(), c.details)
	c.why = kit.NewQuietButton(s.Keys, "", theme.QuestionIcon(), c.details)
	c.files = kit.NewButton(s.Keys, "Show all files", theme.ListIcon(), showFiles)
	c.where = kit.NewParagraph("", kit.ColorMuted).Small()
	anew := kit.NewTextButton(s.Keys, newCollectionName, makeNew)
	anew.Tip = "Folders and files that are searched together, under a name of your own"
	c.head = container.NewBorder(nil, nil, kit.NewName("Search in"), anew)
	c.view = kit.Card(kit.Bordered(kit.Gap, kit.Column(kit.GapSmall, c.folder, file, samples, c.where.Flat, c.head),
		container.NewStack(c.rows, c.hint.View), kit.Column(kit.GapSmall, c.note.Flat, c.run, c.keeps, c.files, c.why, c.manage)))
	c.refresh()
	return c
}

// newCollectionName is that of the button that makes a collection.
const newCollectionName = "New collection…"

// manageName is that of the button that shows what a collection covers.
const manageName = "Manage this collection…"

// length counts the rows: all collections together come first, also over the first one, so that it is plain from the
// beginning what is searched.
func (c *collections) length() int {
	if n := len(c.session.collections); n > 0 {
		return 1 + n
	}
	return 0
}

// at is the collection of row i; false: all of them.
func (c *collections) at(i int) (documents.Collection, bool) {
	if i--; i < 0 || i >= len(c.session.collections) {
		return documents.Collection{}, false
	}
	return c.session.collections[i], true
}

func (c *collections) idOf(i int) string {
	one, _ := c.at(i)
	return one.ID
}

// managed is the collection that can be managed: the chosen one, or the only one.
func (c *collections) managed() (documents.Collection, bool) {
	if one, ok := c.collection(); ok {
		return one, true
	}
	if len(c.session.collections) == 1 {
		return c.session.collections[0], true
	}
	return documents.Collection{}, false
}

// shown is the collection that the foot of the card is about: the one that can be managed, or one
// that is being indexed.
func (c *collections) shown() (documents.Collection, bool) {
	if one, ok := c.managed(); ok {
		return one, true
	}
	for _, one := range c.session.collections {
		if c.state(one) != "" {
			return one, true
		}
	}
	return documents.Collection{}, false
}

func newCollectionRow() fyne.CanvasObject {
	name := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return kit.Inset(kit.Column(2, name, kit.NewCaption("")), 4, 6)
}

func (c *collections) fill(i int, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	name, caption := lines[0].(*kit.Line), lines[1].(*kit.Line)
	one, ok := c.at(i)
	if !ok {
		name.Set(documents.AllName)
		caption.Set(c.allCaption())
		return
	}
	name.Set(one.Name)
	caption.Set(c.caption(one))
}

func (c *collections) details() {
	if one, ok := c.managed(); ok {
		c.showDetails(one)
	}
}

// menu offers what can be done with the collection of row i.
func (c *collections) menu(i int, at fyne.Position) {
	one, ok := c.at(i)
	canvas := fyne.CurrentApp().Driver().CanvasForObject(c.rows)
	if !ok || canvas == nil {
		return
	}
	kit.ShowMenu(c.Keys, canvas, c.actions(one), at, 0)
}

// actions are what can be done with a collection.
func (c *collections) actions(one documents.Collection) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(manageName, func() { c.showDetails(one) }),
		fyne.NewMenuItem("Show its files", func() {
			c.choose(one.ID)
			c.showFiles()
		}),
		fyne.NewMenuItem("Remove the collection…", func() { c.confirmRemove(one) }),
	}
}

func (c *collections) togglePause() {
	if one, ok := c.shown(); ok {
		c.pause(one.ID, !(one.Paused || c.runs[one.ID].paused))
	}
}

// refresh shows the collections as they are now.
func (c *collections) refresh() {
	kit.Show(c.rows, len(c.session.collections) > 0)
	if c.known && len(c.session.collections) == 0 {
		c.hint.Say("No documents yet", "Drop files or a folder here. They stay where they are.")
	} else {
		c.hint.View.Hide()
	}
	kit.Show(c.head, len(c.session.collections) > 0)
	c.lead(len(c.session.collections) == 0)
	c.where.Set(c.goesTo())
	kit.Show(c.where.Flat, len(c.session.collections) > 0)
	c.rows.Current = c.row()
	one, ok := c.shown()
	state := c.state(one)
	managed, manages := c.managed()
	kit.Show(c.manage, manages)
	kit.Show(c.run, ok && state != "")
	kit.Show(c.keeps, one.Next != "")
	kit.Show(c.files, len(c.session.collections) > 0)
	left := managed.Failed + managed.Skipped
	kit.Show(c.why, left > 0)
	c.why.SetText("Why " + unreadable(left) + "…")
	note := cmp.Or(c.notes[one.ID], c.unwatched[one.ID])
	if ok && coversNothing(one) {
		note = "“" + one.Name + "” has no files. Add a folder or files to it with the buttons above."
	}
	c.note.Set(kit.Sentence(note))
	kit.Show(c.note.Flat, ok && note != "")
	c.stage.Set(state)
	c.bar.Set(c.runs[one.ID].share())
	if one.Paused || c.runs[one.ID].paused {
		c.stage.Set("Paused") // the row says the rest
		c.pauses.SetText("Continue")
		c.pauses.SetIcon(theme.MediaPlayIcon())
	} else {
		c.pauses.SetText("Pause")
		c.pauses.SetIcon(theme.MediaPauseIcon())
	}
	c.rows.Refresh()
	c.view.Refresh()
}

// lead has the button that adds a folder stand out while that is the first thing to do. Later the
// search is.
func (c *collections) lead(on bool) {
	importance := widget.MediumImportance
	if on {
		importance = widget.HighImportance
	}
	if c.folder.Importance != importance {
		c.folder.Importance = importance
		c.folder.Refresh()
	}
}

// goesTo says where files and folders go that are added now.
func (s *session) goesTo() string {
	if name := s.takes(); name != "" {
		return "What you add goes to “" + kit.Brief(name) + "”."
	}
	return "A folder that you add becomes a collection of its own."
}

// row is the one of the chosen collection.
func (c *collections) row() int {
	for i := range c.length() {
		if c.idOf(i) == c.chosen {
			return i
		}
	}
	return 0
}
