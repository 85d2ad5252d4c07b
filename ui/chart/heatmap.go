package chart

import (
	"image"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Sizes of the heat map.
const (
	cellMost     float32 = 64   // a cell is not higher
	cellWide     float32 = 1.5  // nor wider than so many times its height
	cellTall     float32 = 1.4  // nor higher than so many times its width
	bareTall     float32 = 1.8  // which may be more where cells have no values: a large figure is worth more than square cells
	valueCell    float32 = 31   // the width in which a value can be read
	roomyCell    float32 = 44   // the width in which it can be read with ease
	labelCell    float32 = 13   // lower cells have no label of their own
	tickSpace    float32 = 22   // between the numbers along the edge instead
	labelGap     float32 = 8    // between a label and the cells
	labelShare   float32 = 0.42 // of the width, for the labels at most
	labelMin     float32 = 110  // but never less
	labelLeast   float32 = 26   // room for a number
	labelPicture float32 = 44   // room for a picture
	headerHeight float32 = 18   // room for the numbers of the columns
)

// HeatMap draws a square matrix as coloured cells, with the values where they
// fit. A cell is found with the pointer and chosen with a click or the arrow
// keys. The wheel, + and − show fewer of them, larger.
type HeatMap struct {
	widget.BaseWidget

	keys   *kit.Keyboard
	Chosen func(row, column int)                   // a person chose a cell
	Point  func(row, column int)                   // the pointer is over a cell; -1, -1: over none
	Asked  func(row, column int, at fyne.Position) // a click with the other button; may be nil
	Partly func(bool)                              // only a part of the matrix is in view now, or all of it

	labels []string
	small  []image.Image // in place of labels; nil: none
	matrix [][]float32   // [n, n]
	scale  *Scale
	order  []int   // the text of each row from above, and of each column; nil: as they are
	place  []int   // of each text in it
	blocks []Block // of that order, from above
	zoom   heatZoom
	partly bool // as Partly was told

	Row, Column           int // chosen cell, by its texts; -1: none
	hoverRow, hoverColumn int
	focused               bool
	current               *heatMapRenderer
}

func NewHeatMap(k *kit.Keyboard) *HeatMap {
	h := &HeatMap{keys: k, Row: -1, Column: -1, hoverRow: -1, hoverColumn: -1}
	h.Chosen, h.Point, h.Partly = func(int, int) {}, func(int, int) {}, func(bool) {}
	h.ExtendBaseWidget(h)
	return h
}

// Set draws another matrix, one label a row.
func (h *HeatMap) Set(labels []string, matrix [][]float32) {
	h.labels = make([]string, len(labels))
	for i, l := range labels {
		h.labels[i] = kit.Brief(l)
	}
	h.matrix, h.zoom = matrix, heatZoom{}
	h.Row, h.Column, h.hoverRow, h.hoverColumn = -1, -1, -1, -1
	h.tellZoom()
	h.Refresh()
}

// SetPictures draws pictures in the place of the labels that have one. It comes before Set.
func (h *HeatMap) SetPictures(small []image.Image) { h.small = small }

// Block are texts that stand together in the order in which a matrix is drawn.
type Block struct {
	Size   int
	Text   int    // the one that stands for all of them, where the rows are too low for labels of their own
	Name   string // what they have in common; "": that text stands for them
	Framed bool   // a frame is around their cells
}

// SetOrder draws the texts in another order, block after block; nil: in their own.
func (h *HeatMap) SetOrder(order []int, blocks []Block) {
	h.order, h.place, h.blocks = order, make([]int, len(order)), blocks
	h.zoom = heatZoom{}
	for k, i := range order {
		h.place[i] = k
	}
	h.hoverRow, h.hoverColumn = -1, -1
	h.tellZoom()
	h.Refresh()
}

// ordered reports whether the matrix is drawn in another order.
func (h *HeatMap) ordered() bool { return len(h.order) == len(h.matrix) && len(h.order) > 0 }

// textAt is the text of row or column k of the whole matrix.
func (h *HeatMap) textAt(k int) int {
	if h.ordered() && k >= 0 && k < len(h.order) {
		return h.order[k]
	}
	return k
}

// placeOf is the row and column of text i in the whole matrix.
func (h *HeatMap) placeOf(i int) int {
	if h.ordered() && i >= 0 && i < len(h.place) {
		return h.place[i]
	}
	return i
}

// rowText and columnText are the texts of row and column k of those in view.
func (h *HeatMap) rowText(k int) int    { return h.textAt(h.zoom.top + k) }
func (h *HeatMap) columnText(k int) int { return h.textAt(h.zoom.left + k) }

// value is that of the cell in a row and a column of those in view.
func (h *HeatMap) value(row, column int) float32 {
	return h.matrix[h.rowText(row)][h.columnText(column)]
}

// Choose marks a cell without telling anybody; -1, -1: none.
func (h *HeatMap) Choose(row, column int) {
	h.Row, h.Column = row, column
	h.reveal()
	h.marks()
}

// grid is where the cells are.
type grid struct {
	n          int
	Left, Top  float32 // of the first cell
	Cell       fyne.Size
	labelWidth float32
}

// Grid fits the cells into size: as large as they can be, not much wider than
// high; what is left over in width goes to the labels.
func (h *HeatMap) Grid(size fyne.Size) grid {
	g := grid{n: h.inView(), Top: headerHeight}
	if g.n == 0 {
		return g
	}
	n := float32(g.n)
	g.Cell.Height = min(cellMost, (size.Height-g.Top)/n)
	if g.Cell.Height <= 0 {
		return grid{}
	}
	number := fyne.MeasureText(strconv.Itoa(len(h.labels)), kit.TextSmall, fyne.TextStyle{Bold: true}).Width
	wanted := max(labelLeast, number+kit.GapSmall)
	if g.Cell.Height >= labelCell {
		for i, l := range h.labels {
			if of(h.small, i) != nil {
				wanted = max(wanted, labelLeast+labelPicture)
				continue
			}
			wanted = max(wanted, labelLeast+fyne.MeasureText(kit.Brief(l), kit.TextSmall, fyne.TextStyle{}).Width)
			if wanted > size.Width {
				break
			}
		}
	} else if h.ordered() && len(h.blocks) > 0 {
		wanted = max(wanted, labelMin)
	}
	// Values that can be read are worth more than long labels.
	good := max(valueCell, min(roomyCell, g.Cell.Height*0.75))
	share := min(labelShare*size.Width, max(labelMin, size.Width-labelGap-good*n))
	room := size.Width - min(wanted, share) - labelGap
	g.Cell.Width = min(room/n, cellWide*g.Cell.Height)
	tall := cellTall
	if g.Cell.Width < valueCell/2 {
		tall = bareTall
	}
	g.labelWidth = min(wanted, size.Width-labelGap-g.Cell.Width*n)
	least := float32(0)
	if g.Cell.Width >= valueCell/2 && wanted > g.labelWidth { // labels are cut, and two lines of them say more
		least = 2*fyne.MeasureText("Ág", kit.TextSmall, fyne.TextStyle{Bold: true}).Height + 2
	}
	g.Cell.Height = min(g.Cell.Height, max(least, tall*g.Cell.Width))
	g.Left = g.labelWidth + labelGap
	return g
}

// at returns the texts of the cell under a position, of a label its text twice; false: there is
// none.
func (h *HeatMap) at(p fyne.Position) (row, column int, ok bool) {
	g := h.Grid(h.Size())
	if g.n == 0 || p.Y < g.Top || p.X < 0 {
		return -1, -1, false
	}
	i, j := int((p.Y-g.Top)/g.Cell.Height), int((p.X-g.Left)/g.Cell.Width)
	switch {
	case i >= g.n || j >= g.n:
		return -1, -1, false
	case p.X < g.Left:
		return h.rowText(i), h.rowText(i), true
	}
	return h.rowText(i), h.columnText(j), true
}

// MouseIn finds the cell under the pointer.
func (h *HeatMap) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }

// MouseMoved finds the cell under the pointer.
func (h *HeatMap) MouseMoved(e *desktop.MouseEvent) {
	row, column, _ := h.at(e.Position)
	h.hover(row, column)
}

// MouseOut forgets the cell.
func (h *HeatMap) MouseOut() { h.hover(-1, -1) }

func (h *HeatMap) hover(row, column int) {
	if row == h.hoverRow && column == h.hoverColumn {
		return
	}
	h.hoverRow, h.hoverColumn = row, column
	h.marks()
	h.Point(row, column)
}

// marks moves the frames and emphasis without redrawing the cells.
func (h *HeatMap) marks() {
	if h.current != nil {
		h.current.mark()
	}
}

// Tapped chooses the cell.
func (h *HeatMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(h); c != nil {
		c.Focus(h)
	}
	if row, column, ok := h.at(e.Position); ok {
		h.Pick(row, column)
	}
}

// TappedSecondary asks what can be done with the cell.
func (h *HeatMap) TappedSecondary(e *fyne.PointEvent) {
	if row, column, ok := h.at(e.Position); ok && h.Asked != nil {
		h.Pick(row, column)
		h.Asked(row, column, e.AbsolutePosition)
	}
}

func (h *HeatMap) Pick(row, column int) {
	h.Choose(row, column)
	h.Chosen(row, column)
}

// FocusGained shows the frame of the keyboard.
func (h *HeatMap) FocusGained() {
	h.focused = true
	h.marks()
}

// FocusLost hides it.
func (h *HeatMap) FocusLost() {
	h.focused = false
	h.marks()
}

// TypedKey moves the chosen cell.
func (h *HeatMap) TypedKey(e *fyne.KeyEvent) {
	n := len(h.matrix)
	if h.keys.Key(e) || n == 0 {
		return
	}
	row, column := max(0, h.placeOf(h.Row)), max(0, h.placeOf(h.Column))
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
	h.Pick(h.textAt(min(n-1, max(0, row))), h.textAt(min(n-1, max(0, column))))
}

// MinSize leaves room for a few cells.
func (h *HeatMap) MinSize() fyne.Size { return fyne.NewSize(120, 100) }
