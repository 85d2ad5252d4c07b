package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// rowArea is as high as all rows together and holds those in view.
type rowArea struct {
	widget.BaseWidget
	rows *Rows
	pool []*rowView // in view, from the row first on
}

// arrange puts a row at every place in view.
func (a *rowArea) arrange() {
	r := a.rows
	r.stayWithin()
	n := r.length()
	first := r.rowAt(r.Scroll.Offset.Y)
	last := min(n, r.rowAt(r.Scroll.Offset.Y+r.Scroll.Size().Height)+1)
	if r.Scroll.Size().Height <= 0 {
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
		v.Move(fyne.NewPos(0, r.top(i)))
		v.Resize(fyne.NewSize(a.Size().Width, r.heightOf(i)))
		v.Show()
		v.Refresh()
	}
	canvas.Refresh(a)
	if r.Arranged != nil {
		r.Arranged(first, last)
	}
}

// MinSize is the size of all rows.
func (a *rowArea) MinSize() fyne.Size {
	return fyne.NewSize(40, a.rows.top(a.rows.length()))
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
	rows    *Rows
	index   int
	content fyne.CanvasObject
	hovered bool
	onMore  bool // the pointer is on the sign at the end
	clicked time.Time
	last    int // the row that was clicked
}

// moreWidth is the width of the sign at the end of a row.
const moreWidth float32 = 28

// offersMore reports whether the row has a sign at its end.
func (v *rowView) offersMore() bool {
	r := v.rows
	return r.More != "" && r.Secondary != nil && (r.Passive == nil || !r.Passive(v.index))
}

// isMore reports whether a place of the row is on that sign.
func (v *rowView) isMore(at fyne.Position) bool {
	return v.offersMore() && at.X >= v.Size().Width-moreWidth
}

func newRowView(r *Rows) *rowView {
	v := &rowView{rows: r, content: r.create()}
	v.ExtendBaseWidget(v)
	return v
}

// Tapped selects the row; a second click soon after opens it.
func (v *rowView) Tapped(e *fyne.PointEvent) {
	r := v.rows
	r.keys.Explain(v, false, "", "")
	if e != nil && v.isMore(e.Position) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(v)
		r.Secondary(v.index, at.AddXY(v.Size().Width-moreWidth, v.Size().Height))
		return
	}
	r.ring.Click(r)
	again := v.last == v.index && time.Since(v.clicked) < DoubleClick
	v.clicked, v.last = time.Now(), v.index
	if r.pickMore(v.index) {
		return
	}
	if again && r.Opened != nil {
		v.clicked = time.Time{}
		r.Opened(v.index)
		return
	}
	if r.Clicked != nil {
		r.Clicked(v.index)
		return
	}
	r.Pick(v.index)
}

// TappedSecondary asks what can be done with the row.
func (v *rowView) TappedSecondary(e *fyne.PointEvent) {
	if v.rows.Secondary != nil {
		v.rows.Secondary(v.index, e.AbsolutePosition)
	}
}

// MouseIn marks the row.
func (v *rowView) MouseIn(e *desktop.MouseEvent) { v.hover(true, v.isMore(e.Position)) }

// MouseMoved marks the sign at its end.
func (v *rowView) MouseMoved(e *desktop.MouseEvent) {
	if on := v.isMore(e.Position); on != v.onMore {
		v.hover(true, on)
	}
}

// MouseOut takes the marks away.
func (v *rowView) MouseOut() { v.hover(false, false) }

func (v *rowView) hover(on, onMore bool) {
	if v.rows.Hovered != nil && on != v.hovered {
		over := -1
		if on {
			over = v.index
		}
		v.rows.Hovered(over)
	}
	v.hovered, v.onMore = on, onMore
	v.rows.keys.Explain(v, on, v.tip(), "")
	v.Refresh()
}

// tip is what the pointer is told of the row, or of the sign at its end.
func (v *rowView) tip() string {
	if v.onMore {
		return v.rows.More
	}
	return cutTexts(v.content)
}

// CreateRenderer draws background and content.
func (v *rowView) CreateRenderer() fyne.WidgetRenderer {
	r := &rowRenderer{view: v, back: &canvas.Rectangle{CornerRadius: 6}, behind: &canvas.Rectangle{CornerRadius: 5}, more: widget.NewIcon(nil)}
	r.Refresh()
	return r
}

type rowRenderer struct {
	view   *rowView
	back   *canvas.Rectangle
	behind *canvas.Rectangle // the sign at the end
	more   *widget.Icon
}

func (r *rowRenderer) MinSize() fyne.Size { return r.view.content.MinSize() }
func (r *rowRenderer) Destroy()           {}
func (r *rowRenderer) Objects() []fyne.CanvasObject {
	if r.view.rows.More == "" {
		return []fyne.CanvasObject{r.back, r.view.content}
	}
	return []fyne.CanvasObject{r.back, r.view.content, r.behind, r.more}
}

func (r *rowRenderer) Layout(size fyne.Size) {
	r.placeMark(size)
	r.showMore(size)
}

// placeMark places the mark of the row: where it begins may change with what the row shows.
func (r *rowRenderer) placeMark(size fyne.Size) {
	from := float32(0)
	if r.view.rows.MarkFrom != nil {
		from = r.view.rows.MarkFrom(size.Width)
	}
	r.back.Move(fyne.NewPos(from, 1))
	r.back.Resize(size.Subtract(fyne.NewSize(from, 2)))
}

// showMore shows the sign at the end of the row under the pointer; the content leaves it room.
func (r *rowRenderer) showMore(size fyne.Size) {
	const side = 24
	v := r.view
	on := v.hovered && v.offersMore()
	room := size
	if on {
		room.Width -= moreWidth - GapSmall
	}
	v.content.Resize(room)
	if v.rows.More == "" {
		return
	}
	at := fyne.NewPos(size.Width-moreWidth, (size.Height-side)/2)
	r.behind.Move(at)
	r.behind.Resize(fyne.NewSquareSize(side))
	r.more.Move(at.AddXY(3, 3))
	r.more.Resize(fyne.NewSquareSize(side - 6))
	Show(r.more, on)
	Show(r.behind, on && v.onMore)
}

func (r *rowRenderer) Refresh() {
	v := r.view
	if v.rows.MarkFrom != nil {
		r.placeMark(v.Size())
	}
	r.back.StrokeWidth = 0
	switch {
	case v.rows.isChosen(v.index):
		r.back.FillColor = Themed(theme.ColorNameSelection)
		if v.rows.ring.On && v.index == v.rows.Current {
			r.back.StrokeColor, r.back.StrokeWidth = Themed(theme.ColorNamePrimary), 1.5
		}
		r.back.Show()
	case v.hovered && (r.view.rows.Passive == nil || !r.view.rows.Passive(v.index)):
		r.back.FillColor = Themed(theme.ColorNameHover)
		r.back.Show()
	default:
		r.back.Hide()
	}
	if v.rows.More != "" {
		color := ColorMuted
		if v.onMore {
			color = theme.ColorNameForeground
		}
		r.behind.FillColor = Themed(theme.ColorNameHover)
		r.more.SetResource(Colored(theme.MoreHorizontalIcon(), color))
		r.showMore(v.Size())
		canvas.Refresh(r.behind)
	}
	canvas.Refresh(r.back)
	r.view.content.Refresh()
}
