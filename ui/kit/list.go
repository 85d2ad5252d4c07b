package kit

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
	// flowRounds bounds how often rows are measured at once. Each round that is not the
	// last measures a row that had a guessed height.
	flowRounds = 200
)

// List is a scrolled column of rows of any height, of which only those in view
// exist: the others have a guessed height until they come into view. At its end
// it stays there as rows grow, until a person scrolls up.
type List struct {
	widget.BaseWidget

	keys   *Keyboard
	rows   ListRows                  // without Mark no row can be selected, and arrow keys scroll
	Typed  func(*fyne.KeyEvent) bool // any key first; true: done
	Moved  func(atEnd bool)          // it was scrolled, or the rows grew
	Has    func(keyboard bool)       // it got the keyboard, or lost it
	chosen func(i int)               // a person went to row i by key; -1: to none

	Current int // -1: none
	focused bool
	Stick   bool // at the end, and stays there
	busy    bool // within arrange

	width   float32
	reading float32 // size of the text in the rows
	ids     []int64
	tops    []float32         // where each row begins; one more for the end
	known   map[int64]float32 // heights of rows that were in view, at this width
	views   map[int64]*listView
	recent  []int64 // ids of views, those not used for long first
	Scroll  *container.Scroll
	area    *listArea
}

// ListRows are the rows that a flow shows.
type ListRows struct {
	Length func() int
	ID     func(i int) int64
	Create func(i int) fyne.CanvasObject
	Drop   func(id int64)                       // the view of a row is gone; may be nil
	Guess  func(i int, width float32) float32   // height of a row never seen
	Seen   func(i int, top, bottom float32)     // which part of a row is in view; may be nil
	Mark   func(o fyne.CanvasObject, mark bool) // whether a row is the selected one; may be nil
}

// listView is a row that exists.
type listView struct {
	object   fyne.CanvasObject
	measured bool
}

func NewList(k *Keyboard, r ListRows) *List {
	f := &List{
		keys: k, rows: r, Current: -1, Stick: true,
		Typed: func(*fyne.KeyEvent) bool { return false }, Moved: func(bool) {}, Has: func(bool) {}, chosen: func(int) {},
		known: map[int64]float32{}, views: map[int64]*listView{}, reading: Reading(),
	}
	f.area = &listArea{flow: f}
	f.area.ExtendBaseWidget(f.area)
	f.Scroll = container.NewVScroll(f.area)
	f.Scroll.OnScrolled = func(fyne.Position) { f.scrolled() }
	f.ExtendBaseWidget(f)
	return f
}

// Reload shows other rows, or the same ones in another order. Views of rows that
// stay are kept.
func (f *List) Reload() {
	n := f.rows.Length()
	f.ids = f.ids[:0]
	stays := make(map[int64]bool, len(f.views))
	for i := range n {
		id := f.rows.ID(i)
		f.ids = append(f.ids, id)
		if f.views[id] != nil {
			stays[id] = true
		}
	}
	for id := range f.views {
		if !stays[id] {
			f.Forget(id)
		}
	}
	if f.Current >= n {
		f.Current = -1
	}
	f.place()
	f.arrange()
}

// Reset forgets all views and heights: the rows are of something else.
func (f *List) Reset() {
	for id := range f.views {
		f.Forget(id)
	}
	clear(f.known)
	f.Current, f.Stick = -1, true
	f.Scroll.Offset = fyne.Position{}
	f.Reload()
}

// Grown says that the content of a row has another height.
func (f *List) Grown(id int64) {
	if v := f.views[id]; v != nil {
		v.measured = false
		f.arrange()
	}
}

func (f *List) Forget(id int64) {
	delete(f.views, id)
	f.recent = slices.DeleteFunc(f.recent, func(r int64) bool { return r == id })
	if f.rows.Drop != nil {
		f.rows.Drop(id)
	}
}

// place computes where each row begins.
func (f *List) place() {
	f.tops = append(f.tops[:0], 0)
	y := float32(0)
	for i, id := range f.ids {
		h, ok := f.known[id]
		if !ok {
			h = f.rows.Guess(i, f.width)
		}
		y += h
		f.tops = append(f.tops, y)
	}
}

func (f *List) total() float32 {
	if len(f.tops) == 0 {
		return 0
	}
	return f.tops[len(f.tops)-1]
}

// first is the row at a height.
func (f *List) first(y float32) int {
	i := sort.Search(len(f.ids), func(i int) bool { return f.tops[i+1] > y })
	return min(i, max(0, len(f.ids)-1))
}

// scrolled follows a person's scrolling.
func (f *List) scrolled() {
	if f.busy {
		return
	}
	f.Stick = f.atEnd()
	f.arrange()
}

func (f *List) atEnd() bool {
	return f.Scroll.Offset.Y+f.Scroll.Size().Height >= f.total()-flowNear
}

// arrange puts a view at every place in sight, and measures those whose height
// is not known. What is above the place in sight may turn out higher or lower
// than guessed: then the place moves with it, so that nothing jumps.
func (f *List) arrange() {
	height := f.Scroll.Size().Height
	if f.busy || height <= 0 || f.width <= 0 {
		return
	}
	f.busy = true
	defer func() { f.busy = false }()
	if f.Stick {
		f.Scroll.Offset.Y = max(0, f.total()-height)
	}
	from, to := 0, 0
	for range flowRounds {
		from, to = f.measure(height)
		settled := !f.Stick || f.Scroll.Offset.Y == max(0, f.total()-height)
		if f.Stick {
			f.Scroll.Offset.Y = max(0, f.total()-height)
		} else if end := max(0, f.total()-height); f.Scroll.Offset.Y > end {
			f.Scroll.Offset.Y = end
		}
		if settled && f.inSight(height, from, to) {
			break
		}
	}
	f.area.from, f.area.to = from, to
	for id, v := range f.views {
		Show(v.object, slices.Contains(f.ids[from:to], id))
	}
	for i := from; i < to; i++ {
		o := f.views[f.ids[i]].object
		o.Move(fyne.NewPos(0, f.tops[i]))
		if f.rows.Mark != nil {
			f.rows.Mark(o, i == f.Current && f.focused)
		}
		if f.rows.Seen != nil {
			f.rows.Seen(i, f.Scroll.Offset.Y-f.tops[i], f.Scroll.Offset.Y-f.tops[i]+height)
		}
	}
	f.trim(to - from)
	// The scroll takes its bounds from the size that its content has.
	f.area.Resize(fyne.NewSize(f.width, max(f.total(), height)))
	f.Scroll.Refresh()
	canvas.Refresh(f.area)
	f.Moved(f.Stick)
}

// inSight reports whether the rows from..to cover what is in sight.
func (f *List) inSight(height float32, from, to int) bool {
	y := f.Scroll.Offset.Y
	return len(f.ids) == 0 || f.tops[from] <= y && (to == len(f.ids) || f.tops[to] >= y+height)
}

// measure makes the views in sight and takes their heights; it returns their range.
func (f *List) measure(height float32) (from, to int) {
	if len(f.ids) == 0 {
		return 0, 0
	}
	from = f.first(f.Scroll.Offset.Y)
	changed := false
	y := f.tops[from]
	for to = from; to < len(f.ids) && y < f.Scroll.Offset.Y+height; to++ {
		before := f.tops[to+1] - f.tops[to]
		h, first := f.heightOf(to)
		if h != before {
			changed = true
			if first && to == from && !f.Stick {
				f.Scroll.Offset.Y = max(0, f.Scroll.Offset.Y+h-before)
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
func (f *List) heightOf(i int) (height float32, first bool) {
	id := f.ids[i]
	v := f.views[id]
	if v == nil {
		v = &listView{object: f.rows.Create(i)}
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
func (f *List) trim(visible int) {
	for _, id := range f.ids[f.area.from:f.area.to] {
		f.recent = slices.DeleteFunc(f.recent, func(r int64) bool { return r == id })
		f.recent = append(f.recent, id)
	}
	for len(f.recent) > visible+flowSpare {
		f.Forget(f.recent[0])
	}
}

// ToEnd goes to the end and stays there.
func (f *List) ToEnd() {
	f.Stick = true
	f.arrange()
}

// Begin shows row i from its beginning where it is higher than what is in sight, and else what is in sight.
func (f *List) Begin(i int) {
	if i >= 0 && i < len(f.ids) && f.tops[i+1]-f.tops[i] > f.Scroll.Size().Height {
		f.reveal(i)
	}
}

// reveal scrolls to the beginning of row i where it is not in sight.
func (f *List) reveal(i int) {
	if i < 0 || i >= len(f.ids) {
		return
	}
	top, height := f.tops[i], f.Scroll.Size().Height
	if y := f.Scroll.Offset.Y; top >= y && f.tops[i+1] <= y+height {
		f.arrange()
		return
	}
	f.Stick = false
	f.Scroll.Offset.Y = max(0, min(top-Gap, f.total()-height))
	f.arrange()
	f.Stick = f.atEnd()
}

// InSight is the first row of which something is in sight; -1: there is none.
func (f *List) InSight() int {
	if len(f.ids) == 0 || len(f.tops) == 0 {
		return -1
	}
	return f.first(f.Scroll.Offset.Y)
}

// Reveal brings into sight what stands between two heights, counted from the upper edge of what is
// in sight now.
func (f *List) Reveal(from, to float32) {
	switch height := f.Scroll.Size().Height; {
	case from < Gap:
		f.by(from - height/4)
	case to > height-Gap:
		f.by(from - height/3)
	}
}

// by scrolls by so many points.
func (f *List) by(dy float32) {
	f.Stick = false
	f.Scroll.Offset.Y = max(0, min(f.Scroll.Offset.Y+dy, f.total()-f.Scroll.Size().Height))
	f.Stick = f.atEnd()
	f.arrange()
}

// Choose marks row i, -1 none, and brings it into sight.
func (f *List) Choose(i int) {
	f.Current = i
	if i < 0 {
		f.arrange()
		return
	}
	f.reveal(i)
}

// Resize lays the rows out for another width.
func (f *List) Resize(size fyne.Size) {
	if size == f.Size() {
		return
	}
	whole := f.seesCurrent()
	f.busy = true // what the scroll does by itself is nobody's scrolling
	f.BaseWidget.Resize(size)
	f.busy = false
	if size.Width != f.width {
		f.width = size.Width
		f.remeasure()
	}
	f.arrange()
	if whole && !f.seesCurrent() {
		f.reveal(f.Current)
	}
}

// seesCurrent reports whether the selected row is wholly in sight.
func (f *List) seesCurrent() bool {
	if f.Current < 0 || f.Current >= len(f.ids) {
		return false
	}
	y := f.Scroll.Offset.Y
	return f.tops[f.Current] >= y && f.tops[f.Current+1] <= y+f.Scroll.Size().Height
}

// Refresh draws the list again. Where the text in its rows has another size, they are
// measured anew.
func (f *List) Refresh() {
	if size := Reading(); size != f.reading {
		f.reading = size
		f.remeasure()
		f.arrange()
	}
	f.BaseWidget.Refresh()
}

// remeasure forgets the heights of the rows. What was in sight stays there.
func (f *List) remeasure() {
	anchor, part := -1, float32(0)
	if len(f.ids) > 0 && !f.Stick {
		anchor = f.first(f.Scroll.Offset.Y)
		part = (f.Scroll.Offset.Y - f.tops[anchor]) / max(1, f.tops[anchor+1]-f.tops[anchor])
	}
	clear(f.known)
	for _, v := range f.views {
		v.measured = false
	}
	f.place()
	if anchor >= 0 {
		if f.width > 0 { // its own height is known at once, so that it does not move as it turns out
			f.heightOf(anchor)
			f.place()
		}
		f.Scroll.Offset.Y = f.tops[anchor] + part*(f.tops[anchor+1]-f.tops[anchor])
	}
}

// FocusGained marks the selected row.
func (f *List) FocusGained() {
	f.focused = true
	if f.Current < 0 && len(f.ids) > 0 {
		f.Current = len(f.ids) - 1
	}
	f.chosen(f.Current)
	f.Has(true)
	f.arrange()
}

// FocusLost takes the mark away.
func (f *List) FocusLost() {
	f.focused = false
	f.chosen(-1)
	f.Has(false)
	f.arrange()
}

// TypedRune does nothing: rows take no text.
func (f *List) TypedRune(rune) {}

// TypedKey goes from row to row, or scrolls.
func (f *List) TypedKey(e *fyne.KeyEvent) {
	page := max(flowKey, f.Scroll.Size().Height-flowKey)
	switch {
	case f.keys.Key(e) || f.Typed(e):
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
		f.ToEnd()
	}
}

// step goes to the next row, or scrolls within one that is higher than what is
// in sight.
func (f *List) step(d int) {
	if len(f.ids) == 0 {
		return
	}
	if f.rows.Mark == nil {
		f.by(float32(d) * flowKey)
		return
	}
	if i := f.Current; i >= 0 && i < len(f.ids) {
		y, height := f.Scroll.Offset.Y, f.Scroll.Size().Height
		hidden := d > 0 && f.tops[i+1] > y+height+1 && f.tops[i] <= y+height || d < 0 && f.tops[i] < y-1 && f.tops[i+1] >= y
		if hidden {
			f.by(float32(d) * flowKey)
			return
		}
	}
	f.pick(min(len(f.ids)-1, max(0, f.Current+d)))
}

func (f *List) pick(i int) {
	f.Choose(i)
	f.chosen(i)
}

// CreateRenderer draws the scrolled area.
func (f *List) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.Scroll) }

// listArea is as high as all rows together and holds those in sight.
type listArea struct {
	widget.BaseWidget
	flow     *List
	from, to int
}

// MinSize is the size of all rows.
func (a *listArea) MinSize() fyne.Size { return fyne.NewSize(40, a.flow.total()) }

// CreateRenderer draws the rows in sight.
func (a *listArea) CreateRenderer() fyne.WidgetRenderer { return &listAreaRenderer{a} }

type listAreaRenderer struct{ area *listArea }

func (r *listAreaRenderer) MinSize() fyne.Size { return r.area.MinSize() }
func (r *listAreaRenderer) Layout(fyne.Size)   {}
func (r *listAreaRenderer) Refresh()           {}
func (r *listAreaRenderer) Destroy()           {}

func (r *listAreaRenderer) Objects() []fyne.CanvasObject {
	f := r.area.flow
	objects := make([]fyne.CanvasObject, 0, r.area.to-r.area.from)
	for i := r.area.from; i < r.area.to && i < len(f.ids); i++ {
		if v := f.views[f.ids[i]]; v != nil {
			objects = append(objects, v.object)
		}
	}
	return objects
}
