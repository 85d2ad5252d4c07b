package similarity

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"

	"github.com/dustin/go-humanize"
)

// textList shows the texts, and adds, edits and deletes them.
type textList struct {
	keys    *kit.Keyboard
	texts   *editedTexts
	changed func()       // the list is another one
	chosen  func(id int) // a person selected a text; 0: none
	open    func()       // the button "Open file…"
	tell    func(message string)

	selected int // id; 0: none
	editing  int // id of the text in the composer; 0: a new one

	view     *fyne.Container
	list     *kit.Rows
	digits   float32 // width of the highest number
	total    *kit.Line
	clearAll *kit.Button
	actions  *fyne.Container
	detail   *kit.Line
	undoBar  *fyne.Container
	undoText *kit.Line
	composer *kit.Entry
	accept   *kit.Button
	dismiss  *kit.Button
	empty    *kit.Hint
}

func newTextList(k *kit.Keyboard, t *editedTexts) *textList {
	l := &textList{keys: k, texts: t, changed: func() {}, chosen: func(int) {}, open: func() {}, tell: func(string) {}}
	l.list = kit.NewRows(k, func() int { return len(l.texts.items) }, l.newRow, l.showRow)
	l.list.Selected = func(i int) { l.pick(l.texts.items[i].id) }
	l.list.Opened = func(i int) { l.edit(l.texts.items[i].id) }
	l.list.Typed = l.listKey
	l.composer = kit.NewEntry(k)
	l.composer.MultiLine, l.composer.Wrapping = true, fyne.TextWrapWord
	l.composer.SetMinRowsVisible(2)
	l.composer.Submit, l.composer.Paste, l.composer.Escape = l.submit, l.pasted, l.stopEditing
	l.accept = kit.NewButton(k, "Add", theme.ContentAddIcon(), l.submit)
	l.dismiss = kit.NewQuietButton(k, "Cancel", nil, func() { l.stopEditing() })
	l.total = kit.NewLine("", kit.TextSmall, kit.ColorMuted)
	l.clearAll = kit.NewQuietButton(k, "Clear", nil, l.clear)
	openFile := kit.NewQuietButton(k, "Open file…", theme.FolderOpenIcon(), func() { l.open() })
	l.detail = kit.NewCaption("")
	l.actions = container.NewBorder(nil, nil, nil, kit.Row(0,
		kit.NewQuietButton(k, "Edit", theme.DocumentCreateIcon(), func() { l.edit(l.selected) }),
		kit.NewQuietButton(k, "Delete", theme.DeleteIcon(), func() { l.remove(l.selected) }),
	), l.detail)
	l.undoText = kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	l.undoBar = container.NewStack(kit.NewSurface(kit.ColorTint, "", 7),
		kit.Inset(container.NewBorder(nil, nil, nil, kit.NewQuietButton(k, "Undo", theme.ContentUndoIcon(), l.undo), l.undoText), 0, kit.Gap))
	l.empty = kit.NewHint(theme.DocumentIcon())
	l.empty.Say("No texts yet", "Type or paste below, or drop a text file here.")
	header := container.NewBorder(nil, nil, kit.Row(kit.Gap, kit.NewSection("Texts"), l.total), kit.Row(0, openFile, l.clearAll))
	l.total.Whole = true
	composer := container.NewBorder(nil, nil, nil, kit.Column(kit.GapSmall, l.accept, l.dismiss), l.composer)
	l.view = kit.Bordered(kit.GapSmall, header,
		container.NewStack(l.list, l.empty.View),
		kit.Column(kit.GapSmall, l.actions, l.undoBar, composer))
	l.undoBar.Hide()
	l.stopEditing()
	l.refresh()
	return l
}

// show shows id as the selected text, without telling anybody.
func (l *textList) show(id int) {
	l.selected = id
	i := l.texts.index(id)
	l.list.Choose(i)
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
	l.detail.Set(kit.Count(utf8.RuneCountInString(l.texts.items[i].text), "character"))
	l.actions.Show()
}

// refresh shows the list as it is.
func (l *textList) refresh() {
	n := len(l.texts.items)
	l.digits = numberWidth(n)
	l.total.Set(humanize.Comma(int64(n)))
	l.clearAll.SetEnabled(n > 0)
	if n == 0 {
		l.empty.View.Show()
	} else {
		l.empty.View.Hide()
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
		l.undoText.Set(l.texts.lastChange() + ".")
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

// pasted adds several lines at once; one line that the text field can hold is left to it.
func (l *textList) pasted(text string) bool {
	lines := splitTexts(text)
	if l.editing != 0 || len(lines) < 2 && l.composer.Holds(text) {
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
	if !kit.Editable(text) {
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

// stopEditing clears the composer for new texts and reports whether a text was being edited.
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
	number, text *kit.Line
}

func (l *textList) newRow() fyne.CanvasObject {
	r := newTextRow(&l.digits)
	return r.Container
}

// newTextRow is a row whose number is as wide as digits says.
func newTextRow(digits *float32) textRow {
	number := kit.NewCaption("")
	number.Align = fyne.TextAlignTrailing
	text := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return textRow{container.New(layout.NewCustomPaddedLayout(5, 5, kit.GapSmall, 10), container.New(&numberedLayout{digits}, number, text)), number, text}
}

// numberWidth is the width of the numbers up to n: of three digits at least, so that
// the texts of a short list stay where they are as it grows.
func numberWidth(n int) float32 {
	digits := strings.Repeat("0", max(3, len(strconv.Itoa(n))))
	return fyne.MeasureText(digits, kit.TextSmall, fyne.TextStyle{}).Width
}

func (l *textList) showRow(i int, o fyne.CanvasObject) {
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	number, text := inner[0].(*kit.Line), inner[1].(*kit.Line)
	number.Set(strconv.Itoa(i + 1))
	text.Set(l.texts.items[i].text)
}

// numberedLayout puts a number of that width before a text.
type numberedLayout struct{ width *float32 }

func (n *numberedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[1].MinSize()
	return fyne.NewSize(*n.width+kit.Gap+m.Width, m.Height)
}

func (n *numberedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(*n.width, size.Height))
	objects[1].Move(fyne.NewPos(*n.width+kit.Gap, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-*n.width-kit.Gap), size.Height))
}
