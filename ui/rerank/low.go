package rerank

import "fyne.io/fyne/v2"

// lowPane is the height below which a pane leaves out what is seldom needed, so that the texts
// have room.
const lowPane float32 = 400

// lowLayout tells before each layout whether there is little height.
type lowLayout struct {
	whole fyne.Layout
	low   func(bool)
}

// heed has a container tell low about its height.
func heed(c *fyne.Container, low func(bool)) *fyne.Container {
	c.Layout = &lowLayout{c.Layout, low}
	return c
}

func (l *lowLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return l.whole.MinSize(o) }

func (l *lowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.low(size.Height < lowPane)
	l.whole.Layout(o, size)
}
