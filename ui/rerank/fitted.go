package rerank

import "fyne.io/fyne/v2"

// leastPane is the height that a pane is laid out in at least: that of the smallest window. What it
// shows where it is higher must not keep the window from getting that small.
const leastPane float32 = 330

// fitted tells the height that a container has before it is laid out, so that it leaves out what
// there is no room for. It asks for leastPane at most.
type fitted struct {
	whole fyne.Layout
	tell  func(height float32)
}

// fit has a container be laid out so.
func fit(c *fyne.Container, tell func(height float32)) *fyne.Container {
	c.Layout = &fitted{c.Layout, tell}
	return c
}

func (l *fitted) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := l.whole.MinSize(o)
	return fyne.NewSize(m.Width, min(m.Height, leastPane))
}

func (l *fitted) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.tell(size.Height)
	l.whole.Layout(o, size)
}
