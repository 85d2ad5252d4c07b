package kit

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
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
	Rune      func(rune) bool               // a character; true: done; may be nil
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

// Keys is the keyboard of the window.
func (r *Rows) Keys() *Keyboard { return r.keys }

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
	if r.Rune != nil && r.Rune(c) {
		return
	}
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
	if _, all := s.(*fyne.ShortcutSelectAll); all && r.Several != nil && r.length() > 0 {
		r.chooseAll()
		return
	}
	r.keys.Typed(s)
}

// chooseAll chooses every row, and the one that is selected stays it.
func (r *Rows) chooseAll() {
	r.also = nil
	for i := range r.length() {
		r.addAlso(i)
	}
	if r.Current < 0 {
		r.Current = 0
	}
	r.area.arrange()
	r.Several()
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
