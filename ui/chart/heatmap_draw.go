package chart

import (
	"cmp"
	"image"
	"image/color"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// CreateRenderer draws cells, labels, values and marks.
func (h *HeatMap) CreateRenderer() fyne.WidgetRenderer {
	r := &heatMapRenderer{
		heatMap: h, cells: canvas.NewRaster(h.paint),
		chosen: canvas.NewRectangle(color.Transparent), hover: canvas.NewRectangle(color.Transparent),
	}
	r.cells.ScaleMode = canvas.ImageScalePixels
	h.current = r
	r.Refresh()
	return r
}

// paint fills the cells, w by h pixels.
func (h *HeatMap) paint(w, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, height))
	n := h.inView()
	if n == 0 || w == 0 || height == 0 || h.scale == nil {
		return m
	}
	edge := func(k, size int) int { return k * size / n }
	gapPixels := 0
	switch cell := min(w, height) / n; {
	case cell >= 24:
		gapPixels = 2
	case cell >= 9:
		gapPixels = 1
	}
	radius := min(4, min(w, height)/n/7)
	for i := range n {
		y0, y1 := edge(i, height), edge(i+1, height)
		for j := range n {
			x0, x1 := edge(j, w), edge(j+1, w)
			kit.FillRounded(m, image.Rect(x0, y0, max(x0, x1-gapPixels), max(y0, y1-gapPixels)), radius, h.scale.at(h.value(i, j)))
		}
	}
	return m
}

type heatMapRenderer struct {
	heatMap *HeatMap
	cells   *canvas.Raster
	chosen  *canvas.Rectangle
	hover   *canvas.Rectangle
	blocks  []*canvas.Rectangle // around texts that belong together
	values  kit.TextPool        // row by row; none where they do not fit
	rows    kit.TextPool        // labels
	columns kit.TextPool

	pictures thumbs // beside the rows
	rowOf    []int  // which row or column a label belongs to
	colOf    []int
}

func (r *heatMapRenderer) MinSize() fyne.Size { return r.heatMap.MinSize() }
func (r *heatMapRenderer) Destroy()           {}

func (r *heatMapRenderer) Objects() []fyne.CanvasObject {
	objects := r.values.AddTo([]fyne.CanvasObject{r.cells})
	objects = r.pictures.addTo(r.columns.AddTo(r.rows.AddTo(objects)))
	for _, b := range r.blocks {
		objects = append(objects, b)
	}
	return append(objects, r.hover, r.chosen)
}

// Refresh redraws everything.
func (r *heatMapRenderer) Refresh() {
	h := r.heatMap
	h.scale = NewScale(h.matrix, kit.InDark())
	r.Layout(h.Size())
	canvas.Refresh(r.cells)
	canvas.Refresh(h)
}

// Layout places the cells and writes what fits.
func (r *heatMapRenderer) Layout(size fyne.Size) {
	h := r.heatMap
	g := h.Grid(size)
	n := float32(g.n)
	r.cells.Move(fyne.NewPos(g.Left, g.Top))
	r.cells.Resize(fyne.NewSize(g.Cell.Width*n, g.Cell.Height*n))
	r.values.Begin()
	r.rows.Begin()
	r.columns.Begin()
	r.pictures.begin()
	r.rowOf, r.colOf = nil, nil
	if g.n > 0 && g.Cell.Height > 0 {
		r.writeLabels(g)
		r.writeValues(g)
	}
	r.frameBlocks(g)
	r.values.End()
	r.rows.End()
	r.columns.End()
	r.pictures.end()
	r.mark()
}

// seenBlock is a block with its rows and columns of those in view, the last ones not included.
type seenBlock struct {
	Block
	top, bottom, left, right int
}

// inBlocks are the blocks with rows in view.
func (h *HeatMap) inBlocks(g grid) (list []seenBlock) {
	if !h.ordered() || g.n == 0 || g.Cell.Height <= 0 {
		return nil
	}
	first := 0
	for _, b := range h.blocks {
		seen := seenBlock{Block: b}
		part := func(from int) (int, int) { return min(g.n, max(0, first-from)), min(g.n, max(0, first+b.Size-from)) }
		seen.top, seen.bottom = part(h.zoom.top)
		seen.left, seen.right = part(h.zoom.left)
		if first += b.Size; seen.top < seen.bottom {
			list = append(list, seen)
		}
	}
	return list
}

// frameBlocks frames the cells of texts that belong together.
func (r *heatMapRenderer) frameBlocks(g grid) {
	h := r.heatMap
	used := 0
	for _, block := range h.inBlocks(g) {
		if !block.Framed || block.left == block.right {
			continue
		}
		if used == len(r.blocks) {
			r.blocks = append(r.blocks, canvas.NewRectangle(color.Transparent))
		}
		b := r.blocks[used]
		c := kit.Themed(theme.ColorNameForeground)
		c.A = 150
		b.StrokeColor, b.StrokeWidth, b.CornerRadius = c, 1.5, 4
		b.Move(fyne.NewPos(g.Left+float32(block.left)*g.Cell.Width-1, g.Top+float32(block.top)*g.Cell.Height-1))
		b.Resize(fyne.NewSize(float32(block.right-block.left)*g.Cell.Width+1, float32(block.bottom-block.top)*g.Cell.Height+1))
		b.Show()
		canvas.Refresh(b)
		used++
	}
	for _, b := range r.blocks[used:] {
		b.Hide()
	}
}

// writeLabels writes number and text before each row and the number over each
// column, or only some numbers where the cells are small.
func (r *heatMapRenderer) writeLabels(g grid) {
	step := tickStep(g.Cell.Height)
	if step > 1 && r.heatMap.ordered() {
		r.writeBlocks(g)
	}
	full := g.Cell.Height >= labelCell
	// Numbers far apart say nothing where they are not in order.
	for k := 0; k < g.n && (step == 1 || !r.heatMap.ordered()); k += step {
		i := r.heatMap.rowText(k)
		text := strconv.Itoa(i + 1)
		small := of(r.heatMap.small, i)
		if small != nil && full && g.labelWidth >= labelLeast+labelPicture {
			high := min(g.Cell.Height-4, labelPicture*0.8)
			r.pictures.put(small, fyne.NewPos(labelLeast+labelPicture/2, g.Top+(float32(k)+0.5)*g.Cell.Height), fyne.NewSize(labelPicture, high))
		} else if full && g.labelWidth > 2*labelLeast {
			text += "   " + r.heatMap.labels[i]
		}
		middle := g.Top + (float32(k)+0.5)*g.Cell.Height
		if small == nil && full && g.labelWidth > 2*labelLeast && r.writeTwoLines(text, strconv.Itoa(i+1)+"   ", middle, g) {
			r.rowOf = append(r.rowOf, i, i)
			continue
		}
		// The label of the chosen row is bold, and wider then.
		t := r.rows.Next(kit.Ellipsize(text, g.labelWidth, kit.TextSmall, fyne.TextStyle{Bold: true}), kit.TextSmall, fyne.TextStyle{}, kit.Themed(kit.ColorMuted))
		if !full || g.labelWidth <= 2*labelLeast {
			t.Alignment = fyne.TextAlignTrailing
		}
		height := t.MinSize().Height
		t.Move(fyne.NewPos(0, middle-height/2))
		t.Resize(fyne.NewSize(g.labelWidth, height))
		r.rowOf = append(r.rowOf, i)
	}
	for k, step := 0, tickStep(g.Cell.Width); k < g.n && (step == 1 || !r.heatMap.ordered()); k += step {
		j := r.heatMap.columnText(k)
		t := r.columns.Next(strconv.Itoa(j+1), kit.TextSmall, fyne.TextStyle{}, kit.Themed(kit.ColorMuted))
		size := t.MinSize()
		t.Move(fyne.NewPos(g.Left+(float32(k)+0.5)*g.Cell.Width-size.Width/2, 0))
		t.Resize(size)
		r.colOf = append(r.colOf, j)
	}
}

// writeTwoLines writes a label that is too long for a line in two, the second below what follows the number; false: it
// has room in one, or its row is too low.
func (r *heatMapRenderer) writeTwoLines(text, number string, middle float32, g grid) bool {
	bold := fyne.TextStyle{Bold: true} // as that of the chosen row
	wide := func(s string) float32 { return fyne.MeasureText(s, kit.TextSmall, bold).Width }
	high := fyne.MeasureText(text, kit.TextSmall, bold).Height
	if wide(text) <= g.labelWidth || g.Cell.Height < 2*high {
		return false
	}
	end := 0
	for at, c := range text {
		if c == ' ' && at >= len(number) {
			if wide(text[:at]) > g.labelWidth {
				break
			}
			end = at
		}
	}
	if end == 0 { // its first word alone is too long
		return false
	}
	indent := wide(number)
	for line, s := range []string{text[:end], text[end+1:]} {
		left := indent * float32(line)
		t := r.rows.Next(kit.Ellipsize(s, g.labelWidth-left, kit.TextSmall, bold), kit.TextSmall, fyne.TextStyle{}, kit.Themed(kit.ColorMuted))
		t.Move(fyne.NewPos(left, middle+high*float32(line-1)))
		t.Resize(fyne.NewSize(g.labelWidth-left, high))
	}
	return true
}

// writeBlocks writes before the rows of each block, where there is room for a line, its name, or the text that
// stands for it.
func (r *heatMapRenderer) writeBlocks(g grid) {
	for _, b := range r.heatMap.inBlocks(g) {
		high := float32(b.bottom-b.top) * g.Cell.Height
		if high < labelCell || b.Size < 2 {
			continue
		}
		t := r.rows.Next(kit.Ellipsize(cmp.Or(b.Name, r.heatMap.labels[b.Text]), g.labelWidth, kit.TextSmall, fyne.TextStyle{Bold: true}), kit.TextSmall, fyne.TextStyle{}, kit.Themed(kit.ColorMuted))
		t.Alignment = fyne.TextAlignTrailing
		height := t.MinSize().Height
		t.Move(fyne.NewPos(0, g.Top+float32(b.top)*g.Cell.Height+(high-height)/2))
		t.Resize(fyne.NewSize(g.labelWidth, height))
		r.rowOf = append(r.rowOf, b.Text)
	}
}

// tickStep is how many cells lie between two numbers on the edge: 1 where each
// cell has room for its own.
func tickStep(cell float32) int {
	if cell >= labelCell {
		return 1
	}
	for _, step := range []int{5, 10, 20, 50, 100, 200, 500, 1000} {
		if float32(step)*cell >= tickSpace {
			return step
		}
	}
	return 5000
}

// writeValues writes the values into the cells, shorter where they are narrow,
// not at all where they do not fit.
func (r *heatMapRenderer) writeValues(g grid) {
	h := r.heatMap
	size := min(14, max(10, g.Cell.Height*0.32))
	if g.Cell.Width < 16 || g.Cell.Height < size*1.5 {
		return
	}
	write := kit.Cosine
	if widestValue(h.matrix, write, size)+4 > g.Cell.Width {
		size = 10
		if write = shortCosine; widestValue(h.matrix, write, size)+3 > g.Cell.Width {
			return
		}
	}
	for i := range g.n {
		for j := range g.n {
			v := h.value(i, j)
			t := r.values.Next(write(v), size, fyne.TextStyle{}, ink(h.scale.at(v)))
			box := t.MinSize()
			t.Move(fyne.NewPos(g.Left+(float32(j)+0.5)*g.Cell.Width-box.Width/2-0.5, g.Top+(float32(i)+0.5)*g.Cell.Height-box.Height/2-0.5))
			t.Resize(box)
		}
	}
}

// widestValue is the width of the widest value as it is written.
func widestValue(matrix [][]float32, write func(float32) string, size float32) float32 {
	widest := float32(0)
	seen := map[string]bool{}
	for _, row := range matrix {
		for _, v := range row {
			if s := write(v); !seen[s] {
				seen[s] = true
				widest = max(widest, fyne.MeasureText(s, size, fyne.TextStyle{}).Width)
			}
		}
	}
	return widest
}

// shortCosine drops the zero before the point: ".42"; one is "1".
func shortCosine(v float32) string {
	s := kit.Cosine(v)
	if s == "1.00" {
		return "1"
	}
	return strings.Replace(s, "0.", ".", 1)
}

// mark frames the cell under the pointer and the chosen one, and emphasizes
// their labels.
func (r *heatMapRenderer) mark() {
	h := r.heatMap
	g := h.Grid(h.Size())
	frame := func(rect *canvas.Rectangle, row, column int, width float32) {
		if g.n == 0 || row < 0 || column < 0 || row >= g.n || column >= g.n {
			rect.Hide()
			return
		}
		// A frame must be seen around the smallest cells too.
		w, height := max(g.Cell.Width, 8), max(g.Cell.Height, 8)
		x := g.Left + (float32(column)+0.5)*g.Cell.Width - w/2
		y := g.Top + (float32(row)+0.5)*g.Cell.Height - height/2
		rect.StrokeColor, rect.StrokeWidth, rect.CornerRadius = kit.Themed(theme.ColorNameForeground), width, min(5, height/4)
		rect.Move(fyne.NewPos(x-width, y-width))
		rect.Resize(fyne.NewSize(w+2*width-1, height+2*width-1))
		rect.Show()
		canvas.Refresh(rect)
	}
	frame(r.hover, h.placeOf(h.hoverRow)-h.zoom.top, h.placeOf(h.hoverColumn)-h.zoom.left, 1)
	width := float32(2)
	if h.focused {
		width = 3
	}
	frame(r.chosen, h.placeOf(h.Row)-h.zoom.top, h.placeOf(h.Column)-h.zoom.left, width)
	emphasize(r.rows.Lent(), r.rowOf, h.Row, h.hoverRow)
	emphasize(r.columns.Lent(), r.colOf, h.Column, h.hoverColumn)
}

// emphasize colours the labels of the chosen index and of the one under the
// pointer.
func emphasize(labels []*canvas.Text, of []int, chosen, hovered int) {
	for k, t := range labels {
		c, bold := kit.Themed(kit.ColorMuted), false
		switch of[k] {
		case chosen:
			c, bold = kit.Themed(kit.ColorAccent), true
		case hovered:
			c = kit.Themed(theme.ColorNameForeground)
		}
		if t.Color != c || t.TextStyle.Bold != bold {
			t.Color, t.TextStyle.Bold = c, bold
			canvas.Refresh(t)
		}
	}
}
