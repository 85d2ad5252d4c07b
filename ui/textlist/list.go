package textlist

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

// List shows texts, and adds, edits and deletes them.
type List struct {
	host    panel.Host
	reader  Reader
	texts   *Texts
	Changed func()                        // the list is another one
	Chosen  func(id int)                  // a person selected a text; 0: none
	Added   func()                        // a file was added
	Failed  func(error)                   // a file could not be read
	Menu    func(id int) []*fyne.MenuItem // what else a room can do with a text; nil: nothing

	pictures PictureReader // nil: pictures have no place here

	Selected int // id; 0: none
	lines    int // of the field for a new text
	editing  int // id of the text in the composer; 0: a new one

	View     *fyne.Container
	Composer *kit.Entry
	Rows     *kit.Rows
	digits   float32 // width of the highest number
	heading  *kit.Line
	total    *kit.Line
	clearAll *kit.Button
	actions  *fyne.Container
	change   *kit.Button
	detail   *kit.Line
	undoBar  *fyne.Container
	undoText *kit.Paragraph
	undoing  bool
	undoTime time.Duration   // for which it is offered
	undoEnds *time.Timer     // nil: it is not offered, or as long as the ways to cut are
	ways     *fyne.Container // the other ways to cut what was just added
	cuts     *cuts           // nil: there are none
	columns  *columnChoice
	accept   *kit.Button
	dismiss  *kit.Button
	empty    *kit.Hint
}

func NewList(h panel.Host, r Reader, t *Texts) *List {
	k := h.Keys
	l := &List{host: h, reader: r, texts: t, Changed: func() {}, Chosen: func(int) {}, Added: func() {}, Failed: func(error) {}, undoTime: kit.ToastTime}
	l.Rows = kit.NewRows(k, func() int { return len(l.texts.items) }, l.newRow, l.showRow)
	l.Rows.Selected = func(i int) { l.Pick(l.texts.items[i].id) }
	l.Rows.Opened = func(i int) { l.edit(l.texts.items[i].id) }
	l.Rows.Typed = l.listKey
	l.Rows.Secondary = l.menu
	l.Composer = kit.NewEntry(k)
	l.Composer.MultiLine, l.Composer.Wrapping = true, fyne.TextWrapWord
	l.fit(lowList)
	l.Rows.Field = l.Composer
	l.Composer.Submit, l.Composer.Paste, l.Composer.Escape = l.submit, l.pasted, l.StopEditing
	l.accept = kit.NewButton(k, "Add", theme.ContentAddIcon(), l.submit)
	l.dismiss = kit.NewQuietButton(k, "Cancel", nil, func() { l.StopEditing() })
	l.heading = kit.NewSection("Texts")
	l.total = kit.NewLine("", kit.TextSmall, kit.ColorMuted)
	l.clearAll = kit.NewQuietButton(k, "Clear", nil, l.clear)
	openFile := kit.NewQuietButton(k, "Open files…", theme.FolderOpenIcon(), l.OpenFile)
	openFile.Tip = "Text files, tables (.csv) and folders of these"
	l.columns = l.newColumnChoice(k)
	l.detail = kit.NewCaption("")
	l.change = kit.NewQuietButton(k, "Edit", theme.DocumentCreateIcon(), func() { l.edit(l.Selected) })
	l.actions = container.NewBorder(nil, nil, nil, kit.Row(0, l.change,
		kit.NewQuietButton(k, "Delete", theme.DeleteIcon(), func() { l.remove(l.Selected) }),
	), l.detail)
	l.ways = l.newWays(k)
	l.undoText = kit.NewParagraph("", theme.ColorNameForeground)
	undo := container.NewCenter(kit.NewQuietButton(k, "Undo", theme.ContentUndoIcon(), l.Undo))
	l.undoBar = container.NewStack(kit.NewSurface(kit.ColorTint, "", 7),
		kit.Inset(kit.Column(0, container.NewBorder(nil, nil, nil, undo, l.undoText.RichText), l.ways), 0, kit.GapSmall))
	l.empty = kit.NewHint(theme.DocumentIcon())
	l.empty.Say("No texts yet", "Type or paste below, or drop a text file here.")
	header := container.NewBorder(nil, nil, kit.Row(kit.Gap, l.heading, l.total), kit.Row(0, openFile, l.clearAll))
	l.total.Whole = true
	composer := container.NewBorder(nil, nil, nil, kit.Column(kit.GapSmall, l.accept, l.dismiss), l.Composer)
	l.View = kit.ByHeight(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, header, l.columns.view),
		container.NewStack(l.Rows, l.empty.View),
		kit.Column(kit.GapSmall, l.undoBar, l.actions, composer)), l.fit)
	l.undoBar.Hide()
	l.StopEditing()
	l.refresh()
	return l
}

// lowList is the height below which the texts need the room of the second line for a new one.
const lowList float32 = 260

// fit gives the field for a new text as many lines as a list of that height has room for.
func (l *List) fit(height float32) {
	lines := 2
	if height < lowList {
		lines = 1
	}
	if lines != l.lines {
		l.lines = lines
		l.Composer.SetMinRowsVisible(lines)
	}
}

// Show shows id as the selected text, without telling anybody.
func (l *List) Show(id int) {
	l.Selected = id
	i := l.texts.Index(id)
	l.Rows.Choose(i)
	l.describe(i)
}

// Pick selects a text as a person does.
func (l *List) Pick(id int) {
	if id != l.Selected {
		l.Show(id)
		l.Chosen(id)
	}
}

func (l *List) describe(i int) {
	if was := l.actions.Visible(); was != (i >= 0) {
		defer l.View.Refresh() // the buttons come or go, and what stands above them makes room
	}
	if i < 0 {
		l.actions.Hide()
		return
	}
	picture := l.texts.items[i].picture != nil
	if l.change.Hidden = picture; picture {
		l.detail.Set("Picture")
	} else {
		l.detail.Set(fromText(l.texts.items[i].from.Source()) + kit.Count(utf8.RuneCountInString(l.texts.items[i].text), "character"))
	}
	l.actions.Show()
}

// fromText says at the beginning of a line where a text came from; "": a person wrote it.
func fromText(s base.Source) string {
	if s.File == "" {
		return ""
	}
	return panel.FromInWords(s) + " · "
}

// refresh shows the list as it is.
func (l *List) refresh() {
	n := len(l.texts.items)
	l.digits = NumberWidth(n)
	l.heading.Set(map[string]string{"text": "Texts", "picture": "Pictures"}[l.texts.kind()])
	l.total.Set(humanize.Comma(int64(n)))
	l.clearAll.SetEnabled(n > 0)
	if n == 0 {
		l.empty.View.Show()
	} else {
		l.empty.View.Hide()
	}
	if l.texts.Index(l.Selected) < 0 {
		l.Selected = 0
	}
	l.showColumns()
	l.Rows.Refresh()
	l.Show(l.Selected)
	l.View.Refresh()
}

// edited follows a change: undo is offered with what was done.
func (l *List) edited(offerUndo bool) {
	l.hideUndo()
	if offerUndo {
		l.offerUndo()
	}
	l.refresh()
	l.Changed()
}

// Add appends texts and selects the last of them.
func (l *List) Add(lines []string) {
	samples := l.texts.Sampled()
	id := l.texts.Add(lines)
	if id == 0 {
		return
	}
	l.edited(len(lines) > 1 || samples)
	l.Pick(id)
}

// Replace puts other texts in the place of all; undo brings them back.
func (l *List) Replace(lines []string) {
	l.StopEditing()
	l.texts.replace(lines)
	l.edited(true)
	l.Chosen(0)
}

func (l *List) remove(id int) {
	if l.texts.Index(id) < 0 {
		return
	}
	if l.editing == id {
		l.StopEditing()
	}
	next := l.texts.remove(id)
	l.edited(true)
	l.Pick(next)
}

func (l *List) clear() {
	l.StopEditing()
	l.texts.clear()
	l.edited(true)
	l.Chosen(0)
}

// submit takes what is in the composer: a new text, several, or an edited one.
func (l *List) submit() {
	lines := Split(l.Composer.Text)
	if l.editing == 0 {
		l.Composer.SetText("")
		l.Add(lines)
		return
	}
	if len(lines) == 0 {
		l.remove(l.editing)
		return
	}
	was := l.editing
	id := l.texts.edit(was, lines)
	l.StopEditing()
	if id != was {
		l.edited(true)
		l.Pick(id)
	}
}

// Take adds what is typed and was not added yet, before the texts are worked on.
func (l *List) Take() {
	if strings.TrimSpace(l.Composer.Text) != "" {
		l.submit()
	}
	if !l.tookSamples() {
		l.hideUndo()
	}
	l.View.Refresh()
}

// pasted adds several lines at once, or the paragraphs of lines that were broken to a width; one
// line that the text field can hold is left to it.
func (l *List) pasted(text string) bool {
	if l.editing != 0 || len(Split(text)) < 2 && l.Composer.Holds(text) {
		return false
	}
	if typed := l.Composer.Text; strings.TrimSpace(typed) != "" {
		text = typed + "\n\n" + text
		l.Composer.SetText("")
	}
	t := texts.Cut(text)
	l.Add(t.Lines)
	l.offer(&cuts{whole: t.Whole, way: t.Way, n: len(t.Lines)})
	if t.Way == texts.ByParagraph {
		l.tellCut(t.Way, len(t.Lines))
	}
	return true
}

// edit brings a text into the composer.
func (l *List) edit(id int) {
	i := l.texts.Index(id)
	if i < 0 {
		return
	}
	if l.texts.items[i].picture != nil {
		return
	}
	text := l.texts.items[i].text
	if !kit.Editable(text) {
		l.host.Tell(fmt.Sprintf("Text %d has %s, too long to edit in the window; change it in its file and open that again.", i+1, humanize.Bytes(uint64(len(text)))))
		return
	}
	l.editing = id
	l.Composer.SetPlaceHolder("")
	l.Composer.SetText(text)
	l.Composer.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // to the end of the text
	l.accept.SetText("Save")
	l.accept.SetIcon(theme.ConfirmIcon())
	l.dismiss.Show()
	l.host.Focus(l.Composer)
	l.View.Refresh()
}

// StopEditing clears the composer for new texts and reports whether a text was being edited.
func (l *List) StopEditing() bool {
	was := l.editing != 0
	l.editing = 0
	l.dismiss.Hide()
	l.Composer.SetPlaceHolder("Type or paste texts")
	if was {
		l.Composer.SetText("")
	}
	l.accept.SetText("Add")
	l.accept.SetIcon(theme.ContentAddIcon())
	if l.View != nil {
		l.View.Refresh()
	}
	return was
}

func (l *List) listKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyDelete, fyne.KeyBackspace:
		l.remove(l.Selected)
	case fyne.KeyF2:
		l.edit(l.Selected)
	default:
		return false
	}
	return true
}

// newRow is a row of the list: the number and the text.
func (l *List) newRow() fyne.CanvasObject {
	number := kit.NewCaption("")
	number.Align = fyne.TextAlignTrailing
	text := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(5, 5, kit.GapSmall, 10), container.New(&numberedLayout{&l.digits}, number, text, NewThumb()))
}

// NumberWidth is the width of the numbers up to n: of three digits at least, so that
// the texts of a short list stay where they are as it grows.
func NumberWidth(n int) float32 {
	digits := strings.Repeat("0", max(3, len(strconv.Itoa(n))))
	return fyne.MeasureText(digits, kit.TextSmall, fyne.TextStyle{}).Width
}

func (l *List) showRow(i int, o fyne.CanvasObject) {
	inner := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	number, text := inner[0].(*kit.Line), inner[1].(*kit.Line)
	number.Set(strconv.Itoa(i + 1))
	text.Set(l.texts.items[i].text)
	var small image.Image
	if p := l.texts.items[i].picture; p != nil {
		small = p.Small
	}
	SetThumb(inner[2].(*canvas.Image), small, o.(*fyne.Container).Objects[0].(*fyne.Container))
}

// numberedLayout puts a number of that width before a text, and a thumbnail between them.
type numberedLayout struct{ width *float32 }

func (n *numberedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[1].MinSize()
	return fyne.NewSize(*n.width+kit.Gap+m.Width, m.Height)
}

func (n *numberedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(*n.width, size.Height))
	left := *n.width + kit.Gap
	left += PlaceThumb(objects[2].(*canvas.Image), left, size.Height/2)
	objects[1].Move(fyne.NewPos(left, 0))
	objects[1].Resize(fyne.NewSize(max(0, size.Width-left), size.Height))
}
