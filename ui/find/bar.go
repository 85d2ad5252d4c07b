package find

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
)

// Bar is a field for words to find, how many places have them, and buttons that lead from one to
// the next.
type Bar struct {
	View  *fyne.Container
	Field *kit.Entry
	Count *kit.Line
	Back  *kit.Button
	Next  *kit.Button
}

// BarHost is what a bar asks of what it looks through.
type BarHost struct {
	Keys    *kit.Keyboard
	Hint    string       // in the empty field
	Changed func()       // something else is sought
	Step    func(by int) // to the next place, or with -1 to the one before
	Close   func() bool  // false: it was closed
}

// NewBar is hidden until something is to be found.
func NewBar(h BarHost) *Bar {
	b := &Bar{Count: kit.NewCaption(""), Field: kit.NewEntry(h.Keys)}
	b.Count.Whole = true
	b.Field.SetPlaceHolder(h.Hint)
	b.Field.OnChanged = func(string) { h.Changed() }
	b.Field.Escape = h.Close
	b.Field.Submit = func() {
		if keys, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && keys.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
			h.Step(-1)
			return
		}
		h.Step(1)
	}
	b.Field.Typed = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyUp:
			h.Step(-1)
		case fyne.KeyDown:
			h.Step(1)
		default:
			return false
		}
		return true
	}
	b.Back = kit.NewIconButton(h.Keys, theme.MoveUpIcon(), "The place before (Shift+Enter)", func() { h.Step(-1) })
	b.Next = kit.NewIconButton(h.Keys, theme.MoveDownIcon(), "The next place (Enter)", func() { h.Step(1) })
	shut := kit.NewIconButton(h.Keys, theme.CancelIcon(), "End finding (Esc)", func() { h.Close() })
	b.View = container.NewBorder(nil, nil, nil, kit.Row(0, container.NewCenter(b.Count), b.Back, b.Next, shut), b.Field)
	b.View.Hide()
	return b
}

// Has reports whether the field has the keyboard.
func (b *Bar) Has() bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(b.Field)
	return c != nil && c.Focused() == b.Field
}

// Say tells how many places there are, and which of them was gone to; -1: none.
func (b *Bar) Say(places, here int) {
	switch {
	case places == 0:
		b.Count.Set("Not found")
	case here < 0:
		b.Count.Set(kit.Count(places, "place"))
	default:
		b.Count.Set(humanize.Comma(int64(here+1)) + " of " + humanize.Comma(int64(places)))
	}
	b.Back.SetEnabled(places > 0)
	b.Next.SetEnabled(places > 0)
}

// Step is the place after another one, or with -1 the one before; behind the last comes the first.
// here is -1 where none was gone to.
func Step(here, by, places int) int {
	if here < 0 && by < 0 {
		here = 0
	}
	return (here + by + places) % places
}
