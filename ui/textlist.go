package ui

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"github.com/dustin/go-humanize"
)

// textList shows the texts, and adds, edits and deletes them.
type textList struct {
	keys    *keyboard
	texts   *texts
	changed func()       // the list is another one
	chosen  func(id int) // a person selected a text; 0: none
	open    func()       // the button "Open file…"
	tell    func(message string)

	selected int // id; 0: none
	editing  int // id of the text in the composer; 0: a new one

	view     *fyne.Container
	list     *rows
	total    *line
	clearAll *button
	actions  *fyne.Container
	detail   *line
	undoBar  *fyne.Container
	undoText *line
	composer *entry
	accept   *button
	dismiss  *button
	empty    *hint
}

func newTextList(k *keyboard, t *texts) *textList {
	l := &textList{keys: k, texts: t, changed: func() {}, chosen: func(int) {}, open: func() {}, tell: func(string) {}}
	l.list = newRows(k, func() int { return len(l.texts.items) }, l.newRow, l.showRow)
	l.list.selected = func(i int) { l.pick(l.texts.items[i].id) }
	l.list.opened = func(i int) { l.edit(l.texts.items[i].id) }
	l.list.typed = l.listKey
	l.composer = newEntry(k)
	l.composer.MultiLine, l.composer.Wrapping = true, fyne.TextWrapWord
	l.composer.SetMinRowsVisible(2)
	l.composer.submit, l.composer.paste, l.composer.escape = l.submit, l.pasted, l.stopEditing
	l.accept = newButton(k, "Add", theme.ContentAddIcon(), l.submit)
	l.dismiss = quiet(k, "Cancel", nil, func() { l.stopEditing() })
	l.total = newLine("", textSmall, colorMuted)
	l.clearAll = quiet(k, "Clear", nil, l.clear)
	openFile := quiet(k, "Open file…", theme.FolderOpenIcon(), func() { l.open() })
	l.detail = newCaption("")
	l.actions = container.NewBorder(nil, nil, nil, row(0,
		quiet(k, "Edit", theme.DocumentCreateIcon(), func() { l.edit(l.selected) }),
		quiet(k, "Delete", theme.DeleteIcon(), func() { l.remove(l.selected) }),
	), l.detail)
	l.undoText = newLine("", textBody, theme.ColorNameForeground)
	l.undoBar = container.NewStack(newSurface(colorTint, "", 7),
		inset(container.NewBorder(nil, nil, nil, quiet(k, "Undo", theme.ContentUndoIcon(), l.undo), l.undoText), 0, gap))
	l.empty = newHint(theme.DocumentIcon())
	l.empty.say("No texts yet", "Type or paste below, or drop a text file here.")
	header := container.NewBorder(nil, nil, row(gap, newSection("Texts"), l.total), row(0, openFile, l.clearAll))
	l.total.whole = true
	composer := container.NewBorder(nil, nil, nil, column(gapSmall, l.accept, l.dismiss), l.composer)
	l.view = bordered(gapSmall, header,
		container.NewStack(l.list, l.empty.view),
		column(gapSmall, l.actions, l.undoBar, composer))
	l.undoBar.Hide()
	l.stopEditing()
	l.refresh()
	return l
}

// show shows id as the selected text, without telling anybody.
func (l *textList) show(id int) {
	l.selected = id
	i := l.texts.index(id)
	l.list.choose(i)
	l.describe(i)
}

func (l *textList) pick(id int) {
	if id != l.selected {
		l.show(id)
		l.chosen(id)
	}
}

func (l *textList) describe(i int) {
	if i < 0 {
		l.actions.Hide()
		return
	}
	l.detail.set(count(utf8.RuneCountInString(l.texts.items[i].text), "character"))
	l.actions.Show()
}

// refresh shows the list as it is.
func (l *textList) refresh() {
	n := len(l.texts.items)
	l.total.set(humanize.Comma(int64(n)))
	l.clearAll.setEnabled(n > 0)
	if n == 0 {
		l.empty.view.Show()
	} else {
		l.empty.view.Hide()
	}
	if l.texts.index(l.selected) < 0 {
		l.selected = 0
	}
	l.list.Refresh()
	l.show(l.selected)
	l.view.Refresh()
}

// edited follows a change: undo is offered with what was done.
func (l *textList) edited(offerUndo bool) {
	if offerUndo {
		l.undoText.set(l.texts.lastChange() + ".")
		l.undoBar.Show()
	} else {
		l.undoBar.Hide()
	}
	l.refresh()
	l.changed()
}

// add appends texts and selects the last of them.
func (l *textList) add(lines []string) {
	id := l.texts.add(lines)
	if id == 0 {
		return
	}
	l.edited(len(lines) > 1)
	l.pick(id)
}

func (l *textList) remove(id int) {
	if l.texts.index(id) < 0 {
		return
	}
	if l.editing == id {
		l.stopEditing()
	}
	next := l.texts.remove(id)
	l.edited(true)
	l.pick(next)
}

func (l *textList) clear() {
	l.stopEditing()
	l.texts.clear()
	l.edited(true)
	l.chosen(0)
}

func (l *textList) undo() {
	if l.texts.undo() {
		l.stopEditing()
		l.edited(false)
		l.chosen(l.selected)
	}
}

// submit takes what is in the composer: a new text, several, or an edited one.
func (l *textList) submit() {
	lines := splitTexts(l.composer.Text)
	if l.editing == 0 {
		l.composer.SetText("")
		l.add(lines)
		return
	}
	if len(lines) == 0 {
		l.remove(l.editing)
		return
	}
	was := l.editing
	id := l.texts.edit(was, lines)
	l.stopEditing()
	if id != was {
		l.edited(true)
		l.pick(id)
	}
}

// pasted adds several lines at once; one line is left to the text field.
func (l *textList) pasted(text string) bool {
	lines := splitTexts(text)
	if l.editing != 0 || len(lines) < 2 && len(text) <= editLimit {
		return false
	}
	if typed := splitTexts(l.composer.Text); len(typed) > 0 {
		lines = append(typed, lines...)
		l.composer.SetText("")
	}
	l.add(lines)
	return true
}

// edit brings a text into the composer.
func (l *textList) edit(id int) {
	i := l.texts.index(id)
	if i < 0 {
		return
	}
	text := l.texts.items[i].text
	if len(text) > editLimit {
		l.tell(fmt.Sprintf("Text %d has %s, too long to edit in the window; change it in its file and open that again.", i+1, humanize.Bytes(uint64(len(text)))))
		return
	}
	l.editing = id
	l.composer.SetPlaceHolder("")
	l.composer.SetText(text)
	l.composer.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // to the end of the text
	l.accept.SetText("Save")
	l.accept.SetIcon(theme.ConfirmIcon())
	l.dismiss.Show()
	l.focus(l.composer)
	l.view.Refresh()
}

// stopEditing gives the composer back to new texts; false: it had them.
func (l *textList) stopEditing() bool {
	was := l.editing != 0
	l.editing = 0
	l.dismiss.Hide()
	l.composer.SetPlaceHolder("Type or paste texts")
	if was {
		l.composer.SetText("")
	}
	l.accept.SetText("Add")
	l.accept.SetIcon(theme.ContentAddIcon())
	if l.view != nil {
		l.view.Refresh()
	}
	return was
}

func (l *textList) focus(f fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(l.view); c != nil {
		c.Focus(f)
	}
}

func (l *textList) listKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyDelete, fyne.KeyBackspace:
		l.remove(l.selected)
	case fyne.KeyF2:
		l.edit(l.selected)
	default:
		return false
	}
	return true
}

// textRow is a row of the list: the number and the text.
type textRow struct {
	*fyne.Container
	number, text *line
}

func (l *textList) newRow() fyne.CanvasObject {
	r := newTextRow()
	return r.Container
}

func newTextRow() textRow {
	number := newCaption("")
	number.align = fyne.TextAlignTrailing
	text := newLine("", textBody, theme.ColorNameForeground)
	width := fyne.MeasureText("000", textSmall, fyne.TextStyle{}).Width
	return textRow{container.New(layout.NewCustomPaddedLayout(5, 5, gapSmall, 10), container.New(&numberedLayout{width}, number, text)), number, text}
}

func (l *textList) showRow(i int, o fyne.CanvasObject) {
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	number, text := inner[0].(*line), inner[1].(*line)
	number.set(strconv.Itoa(i + 1))
	text.set(l.texts.items[i].text)
}

// numberedLayout puts a number of fixed width before a text.
type numberedLayout struct{ width float32 }

func (n *numberedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[1].MinSize()
	return fyne.NewSize(n.width+gap+m.Width, m.Height)
}

func (n *numberedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(n.width, size.Height))
	objects[1].Move(fyne.NewPos(n.width+gap, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-n.width-gap), size.Height))
}
