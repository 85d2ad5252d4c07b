package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Edge is the edge of a list. It can be dragged, which makes the list wider or narrower.
type Edge struct {
	widget.BaseWidget
	moved   func(by float32)
	ended   func()
	hovered bool
	dragged bool
}

// NewEdge makes one; moved gets how far it was dragged to the right since the last time.
func NewEdge(moved func(by float32), ended func()) *Edge {
	e := &Edge{moved: moved, ended: ended}
	e.ExtendBaseWidget(e)
	return e
}

// Dragged moves the edge.
func (e *Edge) Dragged(d *fyne.DragEvent) {
	e.dragged = true
	e.moved(d.Dragged.DX)
}

// DragEnd keeps it where it is.
func (e *Edge) DragEnd() {
	e.dragged = false
	e.ended()
	e.Refresh()
}

// Cursor shows that the edge can be dragged.
func (e *Edge) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// MouseIn marks it.
func (e *Edge) MouseIn(*desktop.MouseEvent) { e.hovered = true; e.Refresh() }

// MouseMoved is of no interest.
func (e *Edge) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (e *Edge) MouseOut() { e.hovered = false; e.Refresh() }

// CreateRenderer draws a short line, while the pointer is there.
func (e *Edge) CreateRenderer() fyne.WidgetRenderer {
	r := &edgeRenderer{edge: e, line: &canvas.Rectangle{CornerRadius: 2}}
	r.Refresh()
	return r
}

type edgeRenderer struct {
	edge *Edge
	line *canvas.Rectangle
}

func (r *edgeRenderer) Destroy()                     {}
func (r *edgeRenderer) MinSize() fyne.Size           { return fyne.NewSize(8, 40) }
func (r *edgeRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.line} }

func (r *edgeRenderer) Layout(size fyne.Size) {
	const width, height = 4, 56
	r.line.Move(fyne.NewPos((size.Width-width)/2, (size.Height-height)/2))
	r.line.Resize(fyne.NewSize(width, height))
}

func (r *edgeRenderer) Refresh() {
	kit.Show(r.line, r.edge.hovered || r.edge.dragged)
	r.line.FillColor = kit.Themed(kit.ColorMuted)
	if r.edge.dragged {
		r.line.FillColor = kit.Themed(theme.ColorNamePrimary)
	}
	canvas.Refresh(r.line)
}
