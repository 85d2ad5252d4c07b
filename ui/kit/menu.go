package kit

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// menuItemHeight is that of an item; a line between items takes less.
const menuItemHeight, menuLineHeight float32 = 30, 9

// ShowMenu offers some things to do at a place of a window. It has the keyboard: arrows go
// from item to item, Enter takes one, Escape takes none. It is at least so wide.
func ShowMenu(k *Keyboard, c fyne.Canvas, items []*fyne.MenuItem, at fyne.Position, width float32) *Float {
	m := &menu{keys: k, at: -1}
	column := Column(0)
	for i, item := range items {
		row := &menuRow{menu: m, item: item, index: i}
		row.ExtendBaseWidget(row)
		m.rows = append(m.rows, row)
		column.Add(row)
		if item.Checked {
			m.at = i
		}
	}
	m.scroll = container.NewVScroll(column)
	m.ExtendBaseWidget(m)
	m.float = NewFloat(k, m, c)
	natural := column.MinSize()
	size := fyne.NewSize(max(natural.Width, width), natural.Height).AddWidthHeight(2*floatInset, 2*floatInset)
	room := c.Size().SubtractWidthHeight(2*Gap, 2*Gap)
	m.float.SizeContent(size.Min(room))
	m.float.ShowAt(fyne.NewPos(min(at.X, Gap+room.Width-size.Width), at.Y))
	c.Focus(m)
	return m.float
}

// ShowMenuBelow offers some things to do below an object in view, and is at least so wide. The items are made
// only then.
func ShowMenuBelow(k *Keyboard, o fyne.CanvasObject, items func() []*fyne.MenuItem, width float32) {
	driver := fyne.CurrentApp().Driver()
	if c := driver.CanvasForObject(o); c != nil {
		ShowMenu(k, c, items(), driver.AbsolutePositionForObject(o).AddXY(0, o.Size().Height+2), width)
	}
}

// MenuHeight is how high the menu of some items is, where there is room for it.
func MenuHeight(items []*fyne.MenuItem) float32 {
	height := 2 * floatInset
	for _, item := range items {
		if item.IsSeparator {
			height += menuLineHeight
		} else {
			height += menuItemHeight
		}
	}
	return height
}

// menu is the items of a menu, one of which may be marked.
type menu struct {
	widget.BaseWidget
	keys   *Keyboard
	float  *Float
	scroll *container.Scroll
	rows   []*menuRow
	at     int // the marked item; -1: none
}

// CreateRenderer draws the items.
func (m *menu) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(m.scroll) }

// FocusGained is of no interest: the menu shows what is marked.
func (m *menu) FocusGained() {}

// FocusLost is of no interest.
func (m *menu) FocusLost() {}

// TypedRune goes to the next item that begins with a letter.
func (m *menu) TypedRune(c rune) {
	for i := range m.rows {
		k := (m.at + 1 + i) % len(m.rows)
		if first := []rune(m.rows[k].item.Label); len(first) > 0 && m.rows[k].takes() && sameLetter(first[0], c) {
			m.mark(k)
			return
		}
	}
}

// TypedKey goes from item to item and takes one.
func (m *menu) TypedKey(e *fyne.KeyEvent) {
	switch {
	case m.keys.Key(e):
	case e.Name == fyne.KeyDown:
		m.step(m.at, 1)
	case e.Name == fyne.KeyUp:
		m.step(m.at, -1)
	case e.Name == fyne.KeyHome:
		m.step(-1, 1)
	case e.Name == fyne.KeyEnd:
		m.step(len(m.rows), -1)
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		if m.at >= 0 {
			m.rows[m.at].take()
		}
	}
}

// step marks the next item that can be taken.
func (m *menu) step(from, by int) {
	if from < 0 && by < 0 {
		from = len(m.rows)
	}
	for i := from + by; i >= 0 && i < len(m.rows); i += by {
		if m.rows[i].takes() {
			m.mark(i)
			return
		}
	}
}

func (m *menu) mark(i int) {
	m.at = i
	row := m.rows[i]
	top, seen := row.Position().Y, m.scroll.Size().Height
	if offset := m.scroll.Offset.Y; top < offset || top+row.Size().Height > offset+seen {
		m.scroll.ScrollToOffset(fyne.NewPos(0, max(0, top-seen/2)))
	}
	for _, r := range m.rows {
		r.Refresh()
	}
}

func sameLetter(a, b rune) bool { return unicode.ToLower(a) == unicode.ToLower(b) }

// menuRow is an item of a menu, or a line between items.
type menuRow struct {
	widget.BaseWidget
	menu  *menu
	item  *fyne.MenuItem
	index int
}

func (r *menuRow) takes() bool { return !r.item.Disabled && !r.item.IsSeparator }

func (r *menuRow) take() {
	if r.takes() {
		r.menu.float.Hide()
		if r.item.Action != nil {
			r.item.Action()
		}
	}
}

// Tapped takes the item.
func (r *menuRow) Tapped(*fyne.PointEvent) { r.take() }

// MouseIn marks the item.
func (r *menuRow) MouseIn(*desktop.MouseEvent) {
	if r.takes() {
		r.menu.mark(r.index)
	}
}

// MouseMoved is of no interest.
func (r *menuRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut leaves the mark, from where the arrows go on.
func (r *menuRow) MouseOut() {}

// CreateRenderer draws the item.
func (r *menuRow) CreateRenderer() fyne.WidgetRenderer {
	d := &menuRowRenderer{
		row: r, back: &canvas.Rectangle{CornerRadius: floatCorner - floatInset}, line: &canvas.Rectangle{},
		tick: widget.NewIcon(nil), name: NewLine(r.item.Label, TextBody, theme.ColorNameForeground),
	}
	d.name.Whole = true
	d.Refresh()
	return d
}

type menuRowRenderer struct {
	row        *menuRow
	back, line *canvas.Rectangle
	tick       *widget.Icon
	name       *Line
}

func (r *menuRowRenderer) Destroy() {}
func (r *menuRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.line, r.tick, r.name}
}

// ticks reports whether an item of the menu has room for a tick.
func (r *menuRowRenderer) ticks() bool {
	for _, other := range r.row.menu.rows {
		if other.item.Checked {
			return true
		}
	}
	return false
}

func (r *menuRowRenderer) MinSize() fyne.Size {
	if r.row.item.IsSeparator {
		return fyne.NewSize(40, menuLineHeight)
	}
	width := r.name.MinSize().Width + 24
	if r.ticks() {
		width += 22
	}
	return fyne.NewSize(width, menuItemHeight)
}

func (r *menuRowRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.line.Move(fyne.NewPos(Gap, size.Height/2))
	r.line.Resize(fyne.NewSize(size.Width-2*Gap, 1))
	x := float32(12)
	r.tick.Move(fyne.NewPos(x, (size.Height-16)/2))
	r.tick.Resize(fyne.NewSquareSize(16))
	if r.ticks() {
		x += 22
	}
	h := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(x, (size.Height-h)/2))
	r.name.Resize(fyne.NewSize(size.Width-x-12, h))
}

func (r *menuRowRenderer) Refresh() {
	row := r.row
	Show(r.line, row.item.IsSeparator)
	Show(r.name, !row.item.IsSeparator)
	Show(r.tick, row.item.Checked)
	Show(r.back, row.menu.at == row.index && row.takes())
	r.line.FillColor, r.back.FillColor = Themed(ColorLine), Themed(theme.ColorNameHover)
	r.tick.SetResource(Colored(theme.ConfirmIcon(), ColorAccent))
	r.name.Color = theme.ColorNameForeground
	if row.item.Disabled {
		r.name.Color = theme.ColorNameDisabled
	}
	r.name.Refresh()
	canvas.Refresh(r.back)
	canvas.Refresh(r.line)
}
