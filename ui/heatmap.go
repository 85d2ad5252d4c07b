package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Sizes of the heat map.
const (
	cellMost     float32 = 64   // a cell is not higher
	cellWide     float32 = 1.5  // nor wider than so many times its height
	cellTall     float32 = 1.4  // nor higher than so many times its width
	valueCell    float32 = 31   // the width in which a value can be read
	roomyCell    float32 = 44   // the width in which it can be read with ease
	labelCell    float32 = 13   // lower cells have no label of their own
	tickSpace    float32 = 22   // between the numbers along the edge instead
	labelGap     float32 = 8    // between a label and the cells
	labelShare   float32 = 0.42 // of the width, for the labels at most
	labelMin     float32 = 110  // but never less
	labelLeast   float32 = 26   // room for a number
	headerHeight float32 = 18   // room for the numbers of the columns
)

// heatMap draws a square matrix as coloured cells, with the values where they
// fit. A cell is found with the pointer and chosen with a click or the arrow
// keys.
type heatMap struct {
	widget.BaseWidget

	keys   *keyboard
	chosen func(row, column int) // a person chose a cell
	point  func(row, column int) // the pointer is over a cell; -1, -1: over none

	labels []string
	matrix [][]float32 // [n, n]
	scale  *scale

	row, column           int // chosen cell; -1: none
	hoverRow, hoverColumn int
	focused               bool
	current               *heatMapRenderer
}

func newHeatMap(k *keyboard) *heatMap {
	h := &heatMap{keys: k, row: -1, column: -1, hoverRow: -1, hoverColumn: -1}
	h.chosen, h.point = func(int, int) {}, func(int, int) {}
	h.ExtendBaseWidget(h)
	return h
}

// show draws another matrix, one label a row.
func (h *heatMap) show(labels []string, matrix [][]float32) {
	h.labels = make([]string, len(labels))
	for i, l := range labels {
		h.labels[i] = brief(l)
	}
	h.matrix = matrix
	h.row, h.column, h.hoverRow, h.hoverColumn = -1, -1, -1, -1
	h.Refresh()
}

// choose marks a cell without telling anybody; -1, -1: none.
func (h *heatMap) choose(row, column int) {
	h.row, h.column = row, column
	h.marks()
}

// grid is where the cells are.
type grid struct {
	n          int
	left, top  float32 // of the first cell
	cell       fyne.Size
	labelWidth float32
}

// grid fits the cells into size: as large as they can be, not much wider than
// high; what is left over in width goes to the labels.
func (h *heatMap) grid(size fyne.Size) grid {
	g := grid{n: len(h.matrix), top: headerHeight}
	if g.n == 0 {
		return g
	}
	n := float32(g.n)
	g.cell.Height = min(cellMost, (size.Height-g.top)/n)
	if g.cell.Height <= 0 {
		return grid{}
	}
	wanted := labelLeast
	if g.cell.Height >= labelCell {
		for _, l := range h.labels {
			wanted = max(wanted, labelLeast+fyne.MeasureText(l, textSmall, fyne.TextStyle{}).Width)
			if wanted > size.Width {
				break
			}
		}
	}
	// Values that can be read are worth more than long labels.
	good := max(valueCell, min(roomyCell, g.cell.Height*0.75))
	share := min(labelShare*size.Width, max(labelMin, size.Width-labelGap-good*n))
	room := size.Width - min(wanted, share) - labelGap
	g.cell.Width = min(room/n, cellWide*g.cell.Height)
	tall := cellTall
	if g.cell.Width < valueCell/2 {
		tall = 1 // no values: the cells need no room
	}
	g.cell.Height = min(g.cell.Height, tall*g.cell.Width)
	g.labelWidth = min(wanted, size.Width-labelGap-g.cell.Width*n)
	g.left = g.labelWidth + labelGap
	return g
}

// at returns the cell under a position; false: there is none.
func (g grid) at(p fyne.Position) (row, column int, ok bool) {
	if g.n == 0 || p.Y < g.top || p.X < 0 {
		return 0, 0, false
	}
	row = int((p.Y - g.top) / g.cell.Height)
	column = int((p.X - g.left) / g.cell.Width)
	if p.X < g.left {
		column = row // on the label: the text itself
	}
	return row, column, row < g.n && column < g.n
}

// MouseIn finds the cell under the pointer.
func (h *heatMap) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }

// MouseMoved finds the cell under the pointer.
func (h *heatMap) MouseMoved(e *desktop.MouseEvent) {
	row, column, ok := h.grid(h.Size()).at(e.Position)
	if !ok {
		row, column = -1, -1
	}
	h.hover(row, column)
}

// MouseOut forgets the cell.
func (h *heatMap) MouseOut() { h.hover(-1, -1) }

func (h *heatMap) hover(row, column int) {
	if row == h.hoverRow && column == h.hoverColumn {
		return
	}
	h.hoverRow, h.hoverColumn = row, column
	h.marks()
	h.point(row, column)
}

// marks moves the frames and emphasis without drawing the cells anew.
func (h *heatMap) marks() {
	if h.current != nil {
		h.current.mark()
	}
}

// Tapped chooses the cell.
func (h *heatMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(h); c != nil {
		c.Focus(h)
	}
	if row, column, ok := h.grid(h.Size()).at(e.Position); ok {
		h.pick(row, column)
	}
}

func (h *heatMap) pick(row, column int) {
	h.row, h.column = row, column
	h.marks()
	h.chosen(row, column)
}

// FocusGained shows the frame of the keyboard.
func (h *heatMap) FocusGained() {
	h.focused = true
	h.marks()
}

// FocusLost hides it.
func (h *heatMap) FocusLost() {
	h.focused = false
	h.marks()
}

// TypedRune does nothing.
func (h *heatMap) TypedRune(rune) {}

// TypedKey moves the chosen cell.
func (h *heatMap) TypedKey(e *fyne.KeyEvent) {
	n := len(h.matrix)
	if h.keys.key(e) || n == 0 {
		return
	}
	row, column := max(0, h.row), max(0, h.column)
	switch e.Name {
	case fyne.KeyUp:
		row--
	case fyne.KeyDown:
		row++
	case fyne.KeyLeft:
		column--
	case fyne.KeyRight:
		column++
	case fyne.KeyHome:
		column = 0
	case fyne.KeyEnd:
		column = n - 1
	case fyne.KeyPageUp:
		row -= 10
	case fyne.KeyPageDown:
		row += 10
	default:
		return
	}
	h.pick(min(n-1, max(0, row)), min(n-1, max(0, column)))
}

// MinSize leaves room for a few cells.
func (h *heatMap) MinSize() fyne.Size { return fyne.NewSize(120, 100) }
