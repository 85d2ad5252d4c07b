package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// title is the title of the conversation in view; a click changes it.
type title struct {
	widget.BaseWidget

	keys    *kit.Keyboard
	line    *kit.Line
	entry   *kit.Entry
	renamed func(title string)
	named   bool // there is something to name
}

func newTitle(k *kit.Keyboard, renamed func(string)) *title {
	t := &title{keys: k, line: kit.NewLine("", 16, theme.ColorNameForeground), entry: kit.NewEntry(k), renamed: renamed}
	t.line.Style.Bold = true
	t.entry.Submit = func() { t.end(true) }
	t.entry.Escape = func() bool { t.end(false); return true }
	t.entry.Lost = func() { t.end(true) }
	t.entry.Hide()
	t.ExtendBaseWidget(t)
	return t
}

func (t *title) show(title string, named bool) {
	t.named = named
	t.line.Set(title)
}

// begin lets the person type another title.
func (t *title) begin() {
	if !t.named || t.entry.Visible() {
		return
	}
	t.line.Hide()
	t.entry.SetText(t.line.Text)
	t.entry.Show()
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t.entry)
	}
	t.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// end takes the typed title, or leaves the old one.
func (t *title) end(take bool) {
	if !t.entry.Visible() {
		return
	}
	t.entry.Hide()
	t.line.Show()
	if title := kit.Brief(t.entry.Text); take && title != t.line.Text {
		t.renamed(title)
	}
}

// Tapped begins to rename.
func (t *title) Tapped(*fyne.PointEvent) { t.begin() }

// Cursor shows that the title is text that can be changed.
func (t *title) Cursor() desktop.Cursor {
	if t.named {
		return desktop.TextCursor
	}
	return desktop.DefaultCursor
}

// MouseIn tells the whole title where it is cut, or else how to change it.
func (t *title) MouseIn(*desktop.MouseEvent) {
	tip := ""
	if t.named {
		tip = "Rename the chat"
	}
	if t.line.Cut() {
		tip = t.line.Text
	}
	t.keys.Explain(t, tip != "", tip, "")
}

// MouseMoved is of no interest.
func (t *title) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes that away.
func (t *title) MouseOut() { t.keys.Explain(t, false, "", "") }

// CreateRenderer draws the title, or the field in its place.
func (t *title) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(middleRow{}, t.line, t.entry))
}

// middleRow gives each object the whole width, in the middle of the height.
type middleRow struct{}

func (middleRow) MinSize(o []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, c := range o {
		size = size.Max(c.MinSize())
	}
	return size
}

func (middleRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, c := range o {
		h := c.MinSize().Height
		c.Move(fyne.NewPos(0, (size.Height-h)/2))
		c.Resize(fyne.NewSize(size.Width, h))
	}
}
