package rerank

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// leastPane is the height that a pane is laid out in at least: that of the smallest window. What it
// shows where it is higher must not keep the window from getting that small.
const leastPane float32 = 330

// fitted is a layout that asks for a height of leastPane at most.
type fitted struct{ whole fyne.Layout }

// fit has a function told the height of a container before each layout, as kit.ByHeight does, and
// has the container ask for leastPane at most.
func fit(c *fyne.Container, tell func(height float32)) *fyne.Container {
	kit.ByHeight(c, tell)
	c.Layout = fitted{c.Layout}
	return c
}

func (f fitted) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := f.whole.MinSize(o)
	return fyne.NewSize(m.Width, min(m.Height, leastPane))
}

func (f fitted) Layout(o []fyne.CanvasObject, size fyne.Size) { f.whole.Layout(o, size) }
