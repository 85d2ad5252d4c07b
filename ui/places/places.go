// Package places says where in a window things stand that have a name, so that a script can click on
// a button whose place nobody wrote down.
package places

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// Place is the middle of something in view, in the pixels of the window.
type Place struct {
	Name string
	X, Y int
}

// In lists what has a name in a window, in the order in which it is drawn. Where something lies over
// the rest, as a menu does, it lists that alone.
func In(c fyne.Canvas) []Place {
	top := c.Overlays().Top()
	if top == nil {
		top = c.Content()
	}
	var w walk
	w.see(top, fyne.Position{}, area{to: fyne.NewPos(c.Size().Width, c.Size().Height)})
	return w.found
}

// walk collects places.
type walk struct{ found []Place }

// see notes an object and what is in it: at is where its parent stands, in is what of the window can
// be seen there.
func (w *walk) see(o fyne.CanvasObject, at fyne.Position, in area) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	if name, size := named(o); name != "" {
		w.note(name, in.cut(area{at, at.Add(size)}))
	}
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			w.see(child, at, in)
		}
	case *container.Scroll:
		w.see(o.Content, at, in.cut(area{at, at.Add(o.Size())}))
	case *kit.Button, *kit.TextButton, *kit.Check, *kit.Choice, *kit.Entry: // what they draw has their name
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			w.see(child, at, in)
		}
	}
}

// note adds what can be seen of something.
func (w *walk) note(name string, seen area) {
	if width, height := seen.to.X-seen.from.X, seen.to.Y-seen.from.Y; width >= 1 && height >= 1 {
		w.found = append(w.found, Place{name, int(seen.from.X + width/2), int(seen.from.Y + height/2)})
	}
}

// named is how a person would call an object, and how large it is where a click counts; "": it has
// no name of its own.
func named(o fyne.CanvasObject) (name string, size fyne.Size) {
	size = o.Size()
	switch o := o.(type) {
	case *kit.Line:
		name = o.Text
	case *kit.Button:
		if name = o.Text; name == "" {
			name = o.Tip
		}
	case *kit.TextButton:
		if name = o.Line.Text; name == "" {
			name = o.Tip
		}
	case *kit.Check:
		name, size = o.Text, o.MinSize() // right of its words a click is for nothing
	case *kit.Choice:
		name = o.Selected
	case *kit.Entry:
		name = o.PlaceHolder
	}
	return name, size
}

// area is a part of the window.
type area struct{ from, to fyne.Position }

// cut is what two areas have in common.
func (a area) cut(b area) area {
	return area{
		fyne.NewPos(max(a.from.X, b.from.X), max(a.from.Y, b.from.Y)),
		fyne.NewPos(min(a.to.X, b.to.X), min(a.to.Y, b.to.Y)),
	}
}
