package chart

import (
	"math"

	"fyne.io/fyne/v2"
)

// cellsLeast is how many rows and columns are in view at least.
const cellsLeast = 4

// heatZoom is the part of a matrix that is in view: so many rows and columns, from a first one
// on. Its zero value is all of them.
type heatZoom struct {
	cells     int // 0: all
	top, left int
	dragged   fyne.Delta // of a cell, until it is a whole one
}

// inView is how many rows and columns of the matrix are in view.
func (h *HeatMap) inView() int {
	if n := len(h.matrix); h.zoom.cells == 0 || h.zoom.cells > n {
		return n
	}
	return h.zoom.cells
}

// zoomBy makes the cells larger so many times; the one at a place stays there.
func (h *HeatMap) zoomBy(times float32, at fyne.Position) {
	n, before := len(h.matrix), h.inView()
	if n == 0 {
		return
	}
	after := int(math.Round(float64(before) / float64(times)))
	if after == before && times > 1 {
		after--
	}
	if after == before && times < 1 {
		after++
	}
	after = min(n, max(min(n, cellsLeast), after))
	g := h.Grid(h.Size())
	x, y := share(at.X-g.Left, g.Cell.Width*float32(g.n)), share(at.Y-g.Top, g.Cell.Height*float32(g.n))
	h.zoom.cells = after
	grown := float64(before - after)
	h.show(h.zoom.top+int(math.Round(y*grown)), h.zoom.left+int(math.Round(x*grown)))
}

// share is where a place is in a length, from 0 to 1.
func share(at, length float32) float64 {
	if length <= 0 {
		return 0
	}
	return float64(min(1, max(0, at/length)))
}

// show has the view begin at a row and a column, or as near as there are others behind.
func (h *HeatMap) show(top, left int) {
	last := len(h.matrix) - h.inView()
	h.zoom.top, h.zoom.left = min(last, max(0, top)), min(last, max(0, left))
	h.hoverRow, h.hoverColumn = -1, -1
	h.tellZoom()
	h.Refresh()
}

// reveal brings the chosen cell into view.
func (h *HeatMap) reveal() {
	n := h.inView()
	if n == len(h.matrix) || h.Row < 0 || h.Column < 0 {
		return
	}
	within := func(first, place int) int { return min(place, max(first, place-n+1)) }
	top, left := within(h.zoom.top, h.placeOf(h.Row)), within(h.zoom.left, h.placeOf(h.Column))
	if top != h.zoom.top || left != h.zoom.left {
		h.show(top, left)
	}
}

// The wheel, + and − make the cells larger and smaller so many times.
const heatZoomStep = 1.25

// Scrolled makes the cells larger or smaller around the pointer.
func (h *HeatMap) Scrolled(e *fyne.ScrollEvent) {
	switch {
	case e.Scrolled.DY > 0:
		h.zoomBy(heatZoomStep, e.Position)
	case e.Scrolled.DY < 0:
		h.zoomBy(1/heatZoomStep, e.Position)
	}
}

// Dragged moves the part in view.
func (h *HeatMap) Dragged(e *fyne.DragEvent) {
	g := h.Grid(h.Size())
	if g.n == 0 || g.n == len(h.matrix) {
		return
	}
	d := &h.zoom.dragged
	d.DX, d.DY = d.DX+e.Dragged.DX/g.Cell.Width, d.DY+e.Dragged.DY/g.Cell.Height
	columns, rows := int(d.DX), int(d.DY)
	if columns == 0 && rows == 0 {
		return
	}
	d.DX, d.DY = d.DX-float32(columns), d.DY-float32(rows)
	h.show(h.zoom.top-rows, h.zoom.left-columns)
}

// DragEnd leaves it there.
func (h *HeatMap) DragEnd() { h.zoom.dragged = fyne.Delta{} }

// TypedRune makes the cells larger with +, smaller with −, and shows all of them with 0.
func (h *HeatMap) TypedRune(r rune) {
	g := h.Grid(h.Size())
	middle := fyne.NewPos(g.Left+g.Cell.Width*float32(g.n)/2, g.Top+g.Cell.Height*float32(g.n)/2)
	if h.Row >= 0 && h.Column >= 0 {
		middle = fyne.NewPos(g.Left+(float32(h.placeOf(h.Column)-h.zoom.left)+0.5)*g.Cell.Width, g.Top+(float32(h.placeOf(h.Row)-h.zoom.top)+0.5)*g.Cell.Height)
	}
	switch r {
	case '+', '=':
		h.zoomBy(heatZoomStep, middle)
	case '-', '−':
		h.zoomBy(1/heatZoomStep, middle)
	case '0':
		h.ShowAll()
	}
}
