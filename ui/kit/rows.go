package kit

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// DoubleClick is the longest time between the two clicks that open a row.
const DoubleClick = 400 * time.Millisecond

// Rows is a list of rows, of which only the visible ones exist. They are of equal height but
// for those that are low. One row may be selected: with a click or with the arrow keys.
type Rows struct {
	widget.BaseWidget

	keys      *Keyboard
	length    func() int
	create    func() fyne.CanvasObject
	update    func(i int, o fyne.CanvasObject)
	Selected  func(i int)                   // a person selected row i
	Passive   func(i int) bool              // rows that cannot be selected; may be nil
	Low       func(i int) bool              // rows of LowHeight, in a list of some dozens; nil: there are none
	Secondary func(i int, at fyne.Position) // a click with the other button; may be nil
	More      string                        // what a sign at the end of the row under the pointer does: the same as that button; "": there is none
	Hovered   func(i int)                   // the pointer is over row i now; -1: over none; may be nil
	Clicked   func(i int)                   // instead of selected where a click means more than an arrow key
	Opened    func(i int)                   // Enter or a double click; nil: they do nothing
	Typed     func(*fyne.KeyEvent) bool     // any other key; true: done
	Arranged  func(first, last int)         // rows [first, last) are in view now; may be nil
	Pasted    func(text string)             // what is done with a text that is pasted; nil: nothing
	Field     *Entry                        // in which typing goes on; nil: rows take no text

	Several func() // a person chose several rows, as [Rows.Chosen] tells, or one less; nil: there is one at most

	also    map[int]bool // chosen beside the current one
	from    int          // where a choice with Shift began
	Current int          // -1: none
	ring    Ring
	Height  float32

	LowHeight float32
	MarkFrom  func(width float32) float32 // where the mark of a row begins in one of that width; nil: at its left
	Scroll    *container.Scroll
	area      *rowArea
}

func NewRows(k *Keyboard, length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *Rows {
	r := &Rows{keys: k, length: length, create: create, update: update, Current: -1, from: -1}
	r.Selected = func(int) {}
	r.Typed = func(*fyne.KeyEvent) bool { return false }
	r.Height = create().MinSize().Height
	r.area = &rowArea{rows: r}
	r.area.ExtendBaseWidget(r.area)
	r.Scroll = container.NewVScroll(r.area)
	r.Scroll.OnScrolled = func(fyne.Position) { r.area.arrange() }
	r.ExtendBaseWidget(r)
	return r
}

// Choose shows row i as selected and in view, without telling anybody; -1:
// none.
func (r *Rows) Choose(i int) {
	r.Current = i
	if i >= 0 {
		r.reveal(i)
	}
	r.area.arrange()
}

// reveal scrolls as little as brings row i into view.
func (r *Rows) reveal(i int) {
	top, bottom := r.top(i), r.top(i+1)
	offset, seen := r.Scroll.Offset.Y, r.Scroll.Size().Height
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
	r.Scroll.ScrollToOffset(fyne.NewPos(0, offset))
}

// ToTop shows the first rows, wherever the chosen one is.
func (r *Rows) ToTop() {
	r.Scroll.ScrollToOffset(fyne.NewPos(0, 0))
	r.area.arrange()
}

// top is where row i begins; that of the row after the last one is the height of all.
func (r *Rows) top(i int) float32 {
	if r.Low == nil {
		return float32(i) * r.Height
	}
	y := float32(0)
	for k := range i {
		y += r.heightOf(k)
	}
	return y
}

func (r *Rows) heightOf(i int) float32 {
	if r.Low != nil && r.Low(i) {
		return r.LowHeight
	}
	return r.Height
}

// rowAt is the row at a height of the list, and the number of rows below all of them.
func (r *Rows) rowAt(y float32) int {
	n := r.length()
	if r.Low == nil {
		return min(n, max(0, int(y/r.Height)))
	}
	i := 0
	for end := float32(0); i < n; i++ {
		if end += r.heightOf(i); y < end {
			break
		}
	}
	return i
}

// Pick selects row i as a person does.
func (r *Rows) Pick(i int) {
	n := r.length()
	if n == 0 {
		return
	}
	step := 1
	if i < r.Current {
		step = -1
	}
	i = min(n-1, max(0, i))
	for at := i; r.Passive != nil && r.Passive(i); {
		if i += step; i < 0 || i >= n {
			step, i = -step, at-step // past the end: the nearest one on the other side
			if i < 0 || i >= n || r.Passive(i) {
				return
			}
		}
	}
	r.Choose(i)
	r.Selected(i)
}

// Refresh redraws the rows.
func (r *Rows) Refresh() {
	r.Scroll.Refresh()
	r.area.arrange()
	r.BaseWidget.Refresh()
}

// Resize fills what is in view with rows, and keeps the selected one there.
func (r *Rows) Resize(size fyne.Size) {
	if size == r.Size() {
		return
	}
	r.BaseWidget.Resize(size)
	if r.Current >= 0 {
		r.reveal(r.Current)
	}
	r.area.arrange()
}

// stayWithin scrolls back to the last rows where there are no longer as many, or there
// is room for more of them: the scroll itself moves only when a person moves it.
func (r *Rows) stayWithin() {
	end := max(0, r.top(r.length())-r.Scroll.Size().Height)
	if r.Scroll.Offset.Y > end {
		r.Scroll.Offset.Y = end
		r.Scroll.Refresh()
	}
}

// FocusGained marks the selected row.
func (r *Rows) FocusGained() {
	r.ring.Gained()
	r.area.arrange()
}

// FocusLost takes the mark away.
func (r *Rows) FocusLost() {
	r.ring.Lost()
	r.area.arrange()
}

// TypedRune has the field that belongs to the rows go on with what is typed.
func (r *Rows) TypedRune(c rune) {
	if r.toField() {
		r.Field.TypedRune(c)
	}
}

// TypedShortcut gives what is pasted to whom it is for, and the window's shortcuts to the window.
func (r *Rows) TypedShortcut(s fyne.Shortcut) {
	if paste, ok := s.(*fyne.ShortcutPaste); ok && r.Pasted != nil {
		r.Pasted(paste.Clipboard.Content())
		return
	}
	r.keys.Typed(s)
}

// toField gives the keyboard to the field that belongs to the rows, at the end of its text;
// false: there is none.
func (r *Rows) toField() bool {
	if r.Field == nil {
		return false
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		c.Focus(r.Field)
	}
	r.Field.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	return true
}

// TypedKey moves the selection.
func (r *Rows) TypedKey(e *fyne.KeyEvent) {
	r.ring.Gained() // from now on the keyboard is in use
	page := max(1, int(r.Scroll.Size().Height/r.Height)-1)
	switch {
	case r.keys.Key(e) || r.Typed(e):
	case e.Name == fyne.KeyBackspace:
		if r.toField() {
			r.Field.TypedKey(e)
		}
	case (e.Name == fyne.KeyDown || e.Name == fyne.KeyUp) && r.pickMore(r.Current+map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: -1}[e.Name]):
	case e.Name == fyne.KeyDown:
		r.Pick(r.Current + 1)
	case e.Name == fyne.KeyUp:
		r.Pick(r.Current - 1)
	case e.Name == fyne.KeyPageDown:
		r.Pick(r.Current + page)
	case e.Name == fyne.KeyPageUp:
		r.Pick(r.Current - page)
	case e.Name == fyne.KeyHome:
		r.Pick(0)
	case e.Name == fyne.KeyEnd:
		r.Pick(r.length() - 1)
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
		if r.Opened != nil && r.Current >= 0 && r.Current < r.length() {
			r.Opened(r.Current)
		}
	}
}

// heldKeys are the keys held down that change what a click means: Shift, Ctrl, and Cmd of a Mac.
var heldKeys = func() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// ToChoose is what a person holds down to choose one row more.
const ToChoose = fyne.KeyModifierShortcutDefault

// Chosen are the rows that a person chose, in order: with Shift or Ctrl there may be several.
func (r *Rows) Chosen() (list []int) {
	for i := range r.also {
		if i < r.length() && i != r.Current {
			list = append(list, i)
		}
	}
	if r.Current >= 0 && r.Current < r.length() {
		list = append(list, r.Current)
	}
	slices.Sort(list)
	return list
}

// ChooseAlso shows these rows as chosen beside the selected one, without telling anybody; nil: none.
func (r *Rows) ChooseAlso(rows []int) {
	r.also = nil
	for _, i := range rows {
		r.addAlso(i)
	}
	r.area.arrange()
}

func (r *Rows) addAlso(i int) {
	if r.also == nil {
		r.also = map[int]bool{}
	}
	r.also[i] = true
}

// isChosen reports whether row i is, alone or with others.
func (r *Rows) isChosen(i int) bool { return i == r.Current || r.also[i] }

// pickMore is a click on row i, or an arrow key that leads there, with keys held down: Shift chooses all rows up to
// it, Ctrl that one more or less. false: it means what it always does, and then only that row is chosen.
func (r *Rows) pickMore(i int) bool {
	keys := heldKeys()
	i = min(r.length()-1, i)
	if r.Several == nil || i < 0 || r.Current < 0 || keys&(fyne.KeyModifierShift|ToChoose) == 0 {
		if r.also != nil {
			r.also = nil
			r.area.arrange()
		}
		return false
	}
	switch {
	case keys&fyne.KeyModifierShift != 0:
		if r.from < 0 || len(r.also) == 0 {
			r.from = r.Current
		}
		r.also = nil
		for k := min(r.from, i); k <= max(r.from, i); k++ {
			r.addAlso(k)
		}
		r.Choose(i)
		r.Several()
		return true
	case r.also[i] && i != r.Current:
		delete(r.also, i)
	case i == r.Current:
		delete(r.also, i)
		if others := r.Chosen(); len(others) > 1 { // another one is shown in its place
			next := others[0]
			if next == i {
				next = others[1]
			}
			r.Choose(next)
		}
	default:
		r.addAlso(r.Current)
		r.addAlso(i)
		r.Choose(i)
	}
	r.area.arrange()
	r.Several()
	return true
}

// CreateRenderer draws the scrolled area.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.Scroll) }

// MinSize leaves room for one row.
func (r *Rows) MinSize() fyne.Size {
	return fyne.NewSize(r.Scroll.MinSize().Width, r.Height)
}

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
	from := float32(0)
	if r.view.rows.MarkFrom != nil {
		from = r.view.rows.MarkFrom(size.Width)
	}
	r.back.Move(fyne.NewPos(from, 1))
	r.back.Resize(size.Subtract(fyne.NewSize(from, 2)))
	r.showMore(size)
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
		r.more.SetResource(theme.NewColoredResource(theme.MoreHorizontalIcon(), color))
		r.showMore(v.Size())
		canvas.Refresh(r.behind)
	}
	canvas.Refresh(r.back)
	r.view.content.Refresh()
}
