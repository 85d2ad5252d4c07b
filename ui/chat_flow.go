package ui

import (
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

const (
	// flowSpare is how many views out of sight are kept for their return.
	flowSpare = 16
	// flowNear is how close to the end, in points, still counts as at the end.
	flowNear float32 = 12
	// flowKey is how far an arrow key scrolls where no row can be selected.
	flowKey float32 = 60
)

// flow is a scrolled column of rows of any height, of which only those in view
// exist: the others have a guessed height until they come into view. At its end
// it stays there as rows grow, until a person scrolls up.
type flow struct {
	widget.BaseWidget

	keys   *keyboard
	rows   flowRows
	typed  func(*fyne.KeyEvent) bool // any key first; true: done
	moved  func(atEnd bool)          // it was scrolled, or the rows grew
	chosen func(i int)               // a person went to row i by key; -1: to none

	current int // -1: none
	focused bool
	stick   bool // at the end, and stays there
	busy    bool // within arrange

	width  float32
	ids    []int64
	tops   []float32         // where each row begins; one more for the end
	known  map[int64]float32 // heights of rows that were in view, at this width
	views  map[int64]*flowView
	recent []int64 // ids of views, those not used for long first
	scroll *container.Scroll
	area   *flowArea
}

// flowRows are the rows that a flow shows.
type flowRows struct {
	length func() int
	id     func(i int) int64
	create func(i int) fyne.CanvasObject
	drop   func(id int64)                       // the view of a row is gone; may be nil
	guess  func(i int, width float32) float32   // height of a row never seen
	seen   func(i int, top, bottom float32)     // which part of a row is in view; may be nil
	mark   func(o fyne.CanvasObject, mark bool) // whether a row is the selected one; may be nil
}

// flowView is a row that exists.
type flowView struct {
	object   fyne.CanvasObject
	measured bool
}

func newFlow(k *keyboard, r flowRows) *flow {
	f := &flow{
		keys: k, rows: r, current: -1, stick: true,
		typed: func(*fyne.KeyEvent) bool { return false }, moved: func(bool) {}, chosen: func(int) {},
		known: map[int64]float32{}, views: map[int64]*flowView{},
	}
	f.area = &flowArea{flow: f}
	f.area.ExtendBaseWidget(f.area)
	f.scroll = container.NewVScroll(f.area)
	f.scroll.OnScrolled = func(fyne.Position) { f.scrolled() }
	f.ExtendBaseWidget(f)
	return f
}

// reload shows other rows, or the same ones in another order. Views of rows that
// stay are kept.
func (f *flow) reload() {
	n := f.rows.length()
	f.ids = f.ids[:0]
	stays := make(map[int64]bool, len(f.views))
	for i := range n {
		id := f.rows.id(i)
		f.ids = append(f.ids, id)
		if f.views[id] != nil {
			stays[id] = true
		}
	}
	for id := range f.views {
		if !stays[id] {
			f.forget(id)
		}
	}
	if f.current >= n {
		f.current = -1
	}
	f.place()
	f.arrange()
}

// reset forgets all views and heights: the rows are of something else.
func (f *flow) reset() {
	for id := range f.views {
		f.forget(id)
	}
	clear(f.known)
	f.current, f.stick = -1, true
	f.scroll.Offset = fyne.Position{}
	f.reload()
}

// grown says that the content of a row has another height.
func (f *flow) grown(id int64) {
	if v := f.views[id]; v != nil {
		v.measured = false
		f.arrange()
	}
}

func (f *flow) forget(id int64) {
	delete(f.views, id)
	f.recent = slices.DeleteFunc(f.recent, func(r int64) bool { return r == id })
	if f.rows.drop != nil {
		f.rows.drop(id)
	}
}

// place computes where each row begins.
func (f *flow) place() {
	f.tops = append(f.tops[:0], 0)
	y := float32(0)
	for i, id := range f.ids {
		h, ok := f.known[id]
		if !ok {
			h = f.rows.guess(i, f.width)
		}
		y += h
		f.tops = append(f.tops, y)
	}
}

func (f *flow) total() float32 {
	if len(f.tops) == 0 {
		return 0
	}
	return f.tops[len(f.tops)-1]
}

// first is the row at a height.
func (f *flow) first(y float32) int {
	i := sort.Search(len(f.ids), func(i int) bool { return f.tops[i+1] > y })
	return min(i, max(0, len(f.ids)-1))
}

// scrolled follows a person's scrolling.
func (f *flow) scrolled() {
	if f.busy {
		return
	}
	f.stick = f.atEnd()
	f.arrange()
}

func (f *flow) atEnd() bool {
	return f.scroll.Offset.Y+f.scroll.Size().Height >= f.total()-flowNear
}

// arrange puts a view at every place in sight, and measures those whose height
// is not known. What is above the place in sight may turn out higher or lower
// than guessed: then the place moves with it, so that nothing jumps.
func (f *flow) arrange() {
	height := f.scroll.Size().Height
	if f.busy || height <= 0 || f.width <= 0 {
		return
	}
	f.busy = true
	defer func() { f.busy = false }()
	if f.stick {
		f.scroll.Offset.Y = max(0, f.total()-height)
	}
	from, to := 0, 0
	for range 6 {
		from, to = f.measure(height)
		settled := !f.stick || f.scroll.Offset.Y == max(0, f.total()-height)
		if f.stick {
			f.scroll.Offset.Y = max(0, f.total()-height)
		} else if end := max(0, f.total()-height); f.scroll.Offset.Y > end {
			f.scroll.Offset.Y = end
		}
		if settled && f.inSight(height, from, to) {
			break
		}
	}
	f.area.from, f.area.to = from, to
	for id, v := range f.views {
		show(v.object, slices.Contains(f.ids[from:to], id))
	}
	for i := from; i < to; i++ {
		o := f.views[f.ids[i]].object
		o.Move(fyne.NewPos(0, f.tops[i]))
		if f.rows.mark != nil {
			f.rows.mark(o, i == f.current && f.focused)
		}
		if f.rows.seen != nil {
			f.rows.seen(i, f.scroll.Offset.Y-f.tops[i], f.scroll.Offset.Y-f.tops[i]+height)
		}
	}
	f.trim(to - from)
	// The scroll takes its bounds from the size that its content has.
	f.area.Resize(fyne.NewSize(f.width, max(f.total(), height)))
	f.scroll.Refresh()
	canvas.Refresh(f.area)
	f.moved(f.stick)
}

// inSight reports whether the rows from..to cover what is in sight.
func (f *flow) inSight(height float32, from, to int) bool {
	y := f.scroll.Offset.Y
	return len(f.ids) == 0 || f.tops[from] <= y && (to == len(f.ids) || f.tops[to] >= y+height)
}

// measure makes the views in sight and takes their heights; it gives their range.
func (f *flow) measure(height float32) (from, to int) {
	if len(f.ids) == 0 {
		return 0, 0
	}
	from = f.first(f.scroll.Offset.Y)
	changed := false
	y := f.tops[from]
	for to = from; to < len(f.ids) && y < f.scroll.Offset.Y+height; to++ {
		before := f.tops[to+1] - f.tops[to]
		h, first := f.heightOf(to)
		if h != before {
			changed = true
			if first && to == from && !f.stick {
				f.scroll.Offset.Y = max(f.tops[from], f.scroll.Offset.Y+h-before)
			}
		}
		y += h
	}
	if changed {
		f.place()
	}
	return from, to
}

// heightOf measures row i, making its view where there is none; first: it was a
// guess before.
func (f *flow) heightOf(i int) (height float32, first bool) {
	id := f.ids[i]
	v := f.views[id]
	if v == nil {
		v = &flowView{object: f.rows.create(i)}
		f.views[id] = v
		f.recent = append(f.recent, id)
	}
	if v.measured {
		return f.known[id], false
	}
	_, had := f.known[id]
	// A wrapped text knows its height only once it has its width.
	v.object.Resize(fyne.NewSize(f.width, max(v.object.Size().Height, 1)))
	height = v.object.MinSize().Height
	v.object.Resize(fyne.NewSize(f.width, height))
	if again := v.object.MinSize().Height; again != height {
		height = again
		v.object.Resize(fyne.NewSize(f.width, height))
	}
	v.measured = true
	f.known[id] = height
	return height, !had
}

// trim drops views out of sight beyond the spare ones.
func (f *flow) trim(visible int) {
	for _, id := range f.ids[f.area.from:f.area.to] {
		f.recent = slices.DeleteFunc(f.recent, func(r int64) bool { return r == id })
		f.recent = append(f.recent, id)
	}
	for len(f.recent) > visible+flowSpare {
		f.forget(f.recent[0])
	}
}

// toEnd goes to the end and stays there.
func (f *flow) toEnd() {
	f.stick = true
	f.arrange()
}

// reveal scrolls to the beginning of row i where it is not in sight.
func (f *flow) reveal(i int) {
	if i < 0 || i >= len(f.ids) {
		return
	}
	top, height := f.tops[i], f.scroll.Size().Height
	if y := f.scroll.Offset.Y; top >= y && f.tops[i+1] <= y+height {
		f.arrange()
		return
	}
	f.stick = false
	f.scroll.Offset.Y = max(0, min(top-gap, f.total()-height))
	f.arrange()
	f.stick = f.atEnd()
}

// by scrolls by so many points.
func (f *flow) by(dy float32) {
	f.stick = false
	f.scroll.Offset.Y = max(0, min(f.scroll.Offset.Y+dy, f.total()-f.scroll.Size().Height))
	f.stick = f.atEnd()
	f.arrange()
}

// choose marks row i, -1 none, and brings it into sight.
func (f *flow) choose(i int) {
	f.current = i
	if i < 0 {
		f.arrange()
		return
	}
	f.reveal(i)
}

// Resize lays the rows out for another width.
func (f *flow) Resize(size fyne.Size) {
	if size == f.Size() {
		return
	}
	f.busy = true // what the scroll does by itself is nobody's scrolling
	f.BaseWidget.Resize(size)
	f.busy = false
	if size.Width != f.width {
		anchor, part := -1, float32(0)
		if len(f.ids) > 0 && !f.stick {
			anchor = f.first(f.scroll.Offset.Y)
			part = (f.scroll.Offset.Y - f.tops[anchor]) / max(1, f.tops[anchor+1]-f.tops[anchor])
		}
		f.width = size.Width
		clear(f.known)
		for _, v := range f.views {
			v.measured = false
		}
		f.place()
		if anchor >= 0 {
			f.scroll.Offset.Y = f.tops[anchor] + part*(f.tops[anchor+1]-f.tops[anchor])
		}
	}
	f.arrange()
}

// FocusGained marks the selected row.
func (f *flow) FocusGained() {
	f.focused = true
	if f.current < 0 && len(f.ids) > 0 {
		f.current = len(f.ids) - 1
	}
	f.chosen(f.current)
	f.arrange()
}

// FocusLost takes the mark away.
func (f *flow) FocusLost() {
	f.focused = false
	f.chosen(-1)
	f.arrange()
}

// TypedRune does nothing: rows take no text.
func (f *flow) TypedRune(rune) {}

// TypedKey goes from row to row, or scrolls.
func (f *flow) TypedKey(e *fyne.KeyEvent) {
	page := max(flowKey, f.scroll.Size().Height-flowKey)
	switch {
	case f.keys.key(e) || f.typed(e):
	case e.Name == fyne.KeyUp:
		f.step(-1)
	case e.Name == fyne.KeyDown:
		f.step(1)
	case e.Name == fyne.KeyPageUp:
		f.by(-page)
	case e.Name == fyne.KeyPageDown:
		f.by(page)
	case e.Name == fyne.KeyHome && len(f.ids) > 0:
		f.pick(0)
	case e.Name == fyne.KeyEnd && len(f.ids) > 0:
		f.pick(len(f.ids) - 1)
		f.toEnd()
	}
}

// step goes to the next row, or scrolls within one that is higher than what is
// in sight.
func (f *flow) step(d int) {
	if len(f.ids) == 0 {
		return
	}
	if i := f.current; i >= 0 && i < len(f.ids) {
		y, height := f.scroll.Offset.Y, f.scroll.Size().Height
		hidden := d > 0 && f.tops[i+1] > y+height+1 && f.tops[i] <= y+height || d < 0 && f.tops[i] < y-1 && f.tops[i+1] >= y
		if hidden {
			f.by(float32(d) * flowKey)
			return
		}
	}
	f.pick(min(len(f.ids)-1, max(0, f.current+d)))
}

func (f *flow) pick(i int) {
	f.choose(i)
	f.chosen(i)
}

// CreateRenderer draws the scrolled area.
func (f *flow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.scroll) }

// flowArea is as high as all rows together and holds those in sight.
type flowArea struct {
	widget.BaseWidget
	flow     *flow
	from, to int
}

// MinSize is the size of all rows.
func (a *flowArea) MinSize() fyne.Size { return fyne.NewSize(40, a.flow.total()) }

// CreateRenderer draws the rows in sight.
func (a *flowArea) CreateRenderer() fyne.WidgetRenderer { return &flowAreaRenderer{a} }

type flowAreaRenderer struct{ area *flowArea }

func (r *flowAreaRenderer) MinSize() fyne.Size { return r.area.MinSize() }
func (r *flowAreaRenderer) Layout(fyne.Size)   {}
func (r *flowAreaRenderer) Refresh()           {}
func (r *flowAreaRenderer) Destroy()           {}

func (r *flowAreaRenderer) Objects() []fyne.CanvasObject {
	f := r.area.flow
	objects := make([]fyne.CanvasObject, 0, r.area.to-r.area.from)
	for i := r.area.from; i < r.area.to && i < len(f.ids); i++ {
		if v := f.views[f.ids[i]]; v != nil {
			objects = append(objects, v.object)
		}
	}
	return objects
}
