package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// doubleClick is the longest time between the two clicks that open a row.
const doubleClick = 400 * time.Millisecond

// rows is a list of rows of equal height, of which only the visible ones
// exist. One row may be selected: with a click or with the arrow keys.
type rows struct {
	widget.BaseWidget

	keys      *keyboard
	length    func() int
	create    func() fyne.CanvasObject
	update    func(i int, o fyne.CanvasObject)
	selected  func(i int)                   // a person selected row i
	passive   func(i int) bool              // rows that cannot be selected; may be nil
	secondary func(i int, at fyne.Position) // a click with the other button; may be nil
	clicked   func(i int)                   // instead of selected where a click means more than an arrow key
	opened    func(i int)                   // Enter or a double click; nil: they do nothing
	typed     func(*fyne.KeyEvent) bool     // any other key; true: done

	current int // -1: none
	focused bool
	height  float32
	scroll  *container.Scroll
	area    *rowArea
}

func newRows(k *keyboard, length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *rows {
	r := &rows{keys: k, length: length, create: create, update: update, current: -1}
	r.selected = func(int) {}
	r.typed = func(*fyne.KeyEvent) bool { return false }
	r.height = create().MinSize().Height
	r.area = &rowArea{rows: r}
	r.area.ExtendBaseWidget(r.area)
	r.scroll = container.NewVScroll(r.area)
	r.scroll.OnScrolled = func(fyne.Position) { r.area.arrange() }
	r.ExtendBaseWidget(r)
	return r
}

// choose shows row i as selected and in view, without telling anybody; -1:
// none.
func (r *rows) choose(i int) {
	r.current = i
	if i >= 0 {
		r.reveal(i)
	}
	r.area.arrange()
}

// reveal scrolls as little as brings row i into view.
func (r *rows) reveal(i int) {
	top, bottom := float32(i)*r.height, float32(i+1)*r.height
	offset, seen := r.scroll.Offset.Y, r.scroll.Size().Height
	switch {
	case seen <= 0:
		return
	case top < offset:
		offset = top
	case bottom > offset+seen:
		offset = bottom - seen
	default:
		return
	}
	r.scroll.ScrollToOffset(fyne.NewPos(0, offset))
}

// pick selects row i as a person does.
func (r *rows) pick(i int) {
	n := r.length()
	if n == 0 {
		return
	}
	step := 1
	if i < r.current {
		step = -1
	}
	i = min(n-1, max(0, i))
	for at := i; r.passive != nil && r.passive(i); {
		if i += step; i < 0 || i >= n {
			step, i = -step, at-step // past the end: the nearest one on the other side
			if i < 0 || i >= n || r.passive(i) {
				return
			}
		}
	}
	r.choose(i)
	r.selected(i)
}

// Refresh shows the rows anew.
func (r *rows) Refresh() {
	r.scroll.Refresh()
	r.area.arrange()
	r.BaseWidget.Refresh()
}

// Resize keeps the selected row in view.
func (r *rows) Resize(size fyne.Size) {
	if size == r.Size() {
		return
	}
	r.BaseWidget.Resize(size)
	if r.current >= 0 {
		r.reveal(r.current)
	}
}

// FocusGained marks the selected row.
func (r *rows) FocusGained() {
	r.focused = true
	r.area.arrange()
}

// FocusLost takes the mark away.
func (r *rows) FocusLost() {
	r.focused = false
	r.area.arrange()
}

// TypedRune does nothing: rows take no text.
func (r *rows) TypedRune(rune) {}

// TypedKey moves the selection.
func (r *rows) TypedKey(e *fyne.KeyEvent) {
	page := max(1, int(r.scroll.Size().Height/r.height)-1)
	switch {
	case r.keys.key(e) || r.typed(e):
	case e.Name == fyne.KeyDown:
		r.pick(r.current + 1)
	case e.Name == fyne.KeyUp:
		r.pick(r.current - 1)
	case e.Name == fyne.KeyPageDown:
		r.pick(r.current + page)
	case e.Name == fyne.KeyPageUp:
		r.pick(r.current - page)
	case e.Name == fyne.KeyHome:
		r.pick(0)
	case e.Name == fyne.KeyEnd:
		r.pick(r.length() - 1)
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		if r.opened != nil && r.current >= 0 && r.current < r.length() {
			r.opened(r.current)
		}
	}
}

// CreateRenderer draws the scrolled area.
func (r *rows) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.scroll) }

// MinSize leaves room for one row.
func (r *rows) MinSize() fyne.Size {
	return fyne.NewSize(r.scroll.MinSize().Width, r.height)
}

// rowArea is as high as all rows together and holds those in view.
type rowArea struct {
	widget.BaseWidget
	rows *rows
	pool []*rowView // in view, from the row first on
}

// arrange puts a row at every place in view.
func (a *rowArea) arrange() {
	r := a.rows
	n := r.length()
	first := min(n, max(0, int(r.scroll.Offset.Y/r.height)))
	last := min(n, int((r.scroll.Offset.Y+r.scroll.Size().Height)/r.height)+1)
	if r.scroll.Size().Height <= 0 {
		last = first
	}
	for len(a.pool) < last-first {
		a.pool = append(a.pool, newRowView(r))
	}
	for k, v := range a.pool {
		i := first + k
		if i >= last {
			v.Hide()
			continue
		}
		v.index = i
		r.update(i, v.content)
		v.Move(fyne.NewPos(0, float32(i)*r.height))
		v.Resize(fyne.NewSize(a.Size().Width, r.height))
		v.Show()
		v.Refresh()
	}
	canvas.Refresh(a)
}

// MinSize is the size of all rows.
func (a *rowArea) MinSize() fyne.Size {
	return fyne.NewSize(40, float32(a.rows.length())*a.rows.height)
}

// CreateRenderer draws the rows in view.
func (a *rowArea) CreateRenderer() fyne.WidgetRenderer { return &rowAreaRenderer{a} }

type rowAreaRenderer struct{ area *rowArea }

func (r *rowAreaRenderer) MinSize() fyne.Size { return r.area.MinSize() }
func (r *rowAreaRenderer) Layout(fyne.Size)   { r.area.arrange() }
func (r *rowAreaRenderer) Refresh()           {}
func (r *rowAreaRenderer) Destroy()           {}

func (r *rowAreaRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(r.area.pool))
	for i, v := range r.area.pool {
		objects[i] = v
	}
	return objects
}

// rowView is one row in view: its content on a background that shows whether
// it is selected or under the pointer.
type rowView struct {
	widget.BaseWidget
	rows    *rows
	index   int
	content fyne.CanvasObject
	hovered bool
	clicked time.Time
	last    int // the row that was clicked
}

func newRowView(r *rows) *rowView {
	v := &rowView{rows: r, content: r.create()}
	v.ExtendBaseWidget(v)
	return v
}

// Tapped selects the row; a second click soon after opens it.
func (v *rowView) Tapped(*fyne.PointEvent) {
	r := v.rows
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		c.Focus(r)
	}
	again := v.last == v.index && time.Since(v.clicked) < doubleClick
	v.clicked, v.last = time.Now(), v.index
	if again && r.opened != nil {
		v.clicked = time.Time{}
		r.opened(v.index)
		return
	}
	if r.clicked != nil {
		r.clicked(v.index)
		return
	}
	r.pick(v.index)
}

// TappedSecondary asks what can be done with the row.
func (v *rowView) TappedSecondary(e *fyne.PointEvent) {
	if v.rows.secondary != nil {
		v.rows.secondary(v.index, e.AbsolutePosition)
	}
}

// MouseIn marks the row.
func (v *rowView) MouseIn(*desktop.MouseEvent) { v.hover(true) }

// MouseMoved is of no interest.
func (v *rowView) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (v *rowView) MouseOut() { v.hover(false) }

func (v *rowView) hover(on bool) {
	v.hovered = on
	v.Refresh()
}

// CreateRenderer draws background and content.
func (v *rowView) CreateRenderer() fyne.WidgetRenderer {
	r := &rowRenderer{view: v, back: &canvas.Rectangle{CornerRadius: 6}}
	r.Refresh()
	return r
}

type rowRenderer struct {
	view *rowView
	back *canvas.Rectangle
}

func (r *rowRenderer) MinSize() fyne.Size { return r.view.content.MinSize() }
func (r *rowRenderer) Destroy()           {}
func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.view.content}
}

func (r *rowRenderer) Layout(size fyne.Size) {
	r.back.Move(fyne.NewPos(0, 1))
	r.back.Resize(size.Subtract(fyne.NewSize(0, 2)))
	r.view.content.Resize(size)
}

func (r *rowRenderer) Refresh() {
	v := r.view
	r.back.StrokeWidth = 0
	switch {
	case v.index == v.rows.current:
		r.back.FillColor = themed(theme.ColorNameSelection)
		if v.rows.focused {
			r.back.StrokeColor, r.back.StrokeWidth = themed(theme.ColorNamePrimary), 1.5
		}
		r.back.Show()
	case v.hovered && (r.view.rows.passive == nil || !r.view.rows.passive(v.index)):
		r.back.FillColor = themed(theme.ColorNameHover)
		r.back.Show()
	default:
		r.back.Hide()
	}
	canvas.Refresh(r.back)
	r.view.content.Refresh()
}
