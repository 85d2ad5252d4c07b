package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/plain"
	"inglenook/ui/kit"
)

// explained is how many letters of a cut cell the pointer is told; a click shows all.
const explained = 400

// forBar is the room behind the rows for a bar that scrolls them.
const forBar float32 = 12

// area is as large as the table and draws the cells in view. Over them stand the names of the columns,
// and the first column.
type area struct {
	widget.BaseWidget
	grid         *Grid
	body, over   layer
	side, corner layer // the first column of both, where it stays in view
	hovered      Place
}

func newArea(g *Grid) *area {
	a := &area{grid: g, hovered: None}
	a.ExtendBaseWidget(a)
	return a
}

// layers are all layers, what stands over others last.
func (a *area) layers() [4]*layer { return [...]*layer{&a.body, &a.side, &a.over, &a.corner} }

// MinSize is that of all rows, with room for the bars that scroll them.
func (a *area) MinSize() fyne.Size {
	width := float32(0)
	for i := range a.grid.sections {
		s := &a.grid.sections[i]
		width = max(width, s.left(len(s.widths)))
	}
	return fyne.NewSize(width+forBar, float32(a.grid.rows.Length())*rowHeight()+forBar)
}

// draw draws what is in view.
func (g *Grid) draw() {
	a, size, high := g.area, g.Scroll.Size(), rowHeight()
	for _, l := range a.layers() {
		l.begin()
	}
	seen := map[int][]Cell{}
	cells := func(i int) []Cell {
		if seen[i] = g.seen[i]; seen[i] == nil {
			seen[i] = g.rows.Cells(i)
		}
		return seen[i]
	}
	if n := g.rows.Length(); n > 0 && size.Height > 0 {
		first := min(n-1, max(0, int(g.Scroll.Offset.Y/high)))
		for i := first; i < n && float32(i)*high < g.Scroll.Offset.Y+size.Height; i++ {
			row := g.rowAt(i)
			g.drawRow(&a.body, &a.side, row, cells(row), float32(i)*high)
		}
		if row, y := g.pinned(first); row >= 0 {
			g.drawRow(&a.over, &a.corner, row, cells(row), y)
		}
	}
	g.seen = seen
	for _, l := range a.layers() {
		l.end()
	}
	canvas.Refresh(a)
}

// pinned is the row that names the columns of the first row in view, where it stands over the others, and its
// upper edge. The next section pushes it away. -1: no row stands there.
func (g *Grid) pinned(first int) (row int, y float32) {
	s, high := g.sectionOf(first), rowHeight()
	if s.names < 0 || float32(s.names)*high >= g.Scroll.Offset.Y {
		return -1, 0
	}
	return s.names, min(g.Scroll.Offset.Y, float32(s.to-1)*high)
}

// drawRow draws a row with its upper edge at a height, its first cell into side where that stays in view.
func (g *Grid) drawRow(l, side *layer, i int, cells []Cell, y float32) {
	s := g.sectionOf(i)
	from, to := g.Scroll.Offset.X, g.Scroll.Offset.X+g.Scroll.Size().Width
	g.drawGround(l, i, from, y, to-from, "")
	if g.rows.Kind(i) == Title {
		g.drawCell(l, Place{i, 0}, cells, fyne.NewPos(from, y), to-from)
		return
	}
	kept := s.kept(to - from)
	x := float32(0)
	for c, w := range s.widths {
		switch {
		case c == 0 && kept > 0 && from > 0:
			g.drawGround(side, i, from, y, kept, kit.ColorCard)
			side.rect(from+w-2, y, 2, rowHeight(), 0, kit.ColorLine, "")
			g.drawCell(side, Place{i, 0}, cells, fyne.NewPos(from, y), w)
		case x < to && x+w > from:
			g.drawCell(l, Place{i, c}, cells, fyne.NewPos(x, y), w)
			if c+1 < len(s.widths) {
				l.rect(x+w-1, y, 1, rowHeight(), 0, kit.ColorLine, "")
			}
		}
		x += w
	}
	if i == g.Best {
		side.rect(from, y, 4, rowHeight(), 0, theme.ColorNamePrimary, "")
	}
}

// drawGround draws what is behind the cells of a row, from a place on and so wide: of rows that are like
// most others the colour of that name, or nothing.
func (g *Grid) drawGround(l *layer, i int, x, y, width float32, ground fyne.ThemeColorName) {
	switch high := rowHeight(); {
	case g.rows.Kind(i) == Names:
		l.rect(x, y, width, high, 0, kit.ColorRail, "")
	case g.rows.Found(i):
		l.rect(x, y, width, high, 0, kit.ColorTint, "")
	case ground != "":
		l.rect(x, y, width, high, 0, ground, "")
	}
	l.rect(x, y+rowHeight()-1, width, 1, 0, kit.ColorLine, "")
}

// drawCell draws a cell with its upper left corner at a place.
func (g *Grid) drawCell(l *layer, p Place, cells []Cell, at fyne.Position, width float32) {
	if p == g.Current {
		ring := kit.ColorLine
		if g.focused {
			ring = theme.ColorNamePrimary
		}
		l.rect(at.X, at.Y, width, rowHeight()-1, 3, "", ring)
	}
	if p.Column >= len(cells) {
		return
	}
	cell, kind := cells[p.Column], g.rows.Kind(p.Row)
	text, bold := oneLine(cell.Text), kind != Values
	if kind == Names {
		if arrow := g.sectionOf(p.Row).sorted.arrow(p.Column); arrow != "" {
			l.text(arrow, fyne.TextStyle{Bold: true}, kit.ColorAccent, at.X+width-inCell/2-forArrow, at.Y+4)
		}
		width -= forArrow
	}
	room, x, y := width-2*inCell, at.X+inCell, at.Y+4
	spans := cell.spans(len(text), bold)
	if s := g.sectionOf(p.Row); kind != Title && p.Column < len(s.numbers) && s.numbers[p.Column] {
		whole := float32(0)
		for _, sp := range spans {
			whole += sp.measure(text[sp.from:sp.to])
		}
		x += max(0, room-whole)
	}
	if g.find != nil {
		for n, part := range g.find(cell.Text) {
			g.drawPart(l, text, spans, part, fyne.NewPos(x, y), at.X+width, p == g.here && n == g.part)
		}
	}
	end := at.X + width - inCell
	for _, sp := range spans {
		shown := kit.Ellipsize(text[sp.from:sp.to], end-x, kit.TextBody, sp.style())
		if cut := len(text) < len(cell.Text); cut && sp.to == len(text) && shown == text[sp.from:sp.to] {
			shown += "…"
		}
		colour := theme.ColorNameForeground
		if sp.strong {
			colour = kit.ColorAccent
		}
		x += l.text(shown, sp.style(), colour, x, y)
		if shown != text[sp.from:sp.to] {
			return
		}
	}
}

// drawPart marks a part of a cell's text, which begins at a place.
func (g *Grid) drawPart(l *layer, text string, spans []span, part [2]int, at fyne.Position, end float32, here bool) {
	left, right := at.X, at.X
	for _, sp := range spans {
		left += sp.measure(text[sp.from:max(sp.from, min(sp.to, part[0]))])
		right += sp.measure(text[sp.from:max(sp.from, min(sp.to, part[1]))])
	}
	left, right = min(left, end-12), min(right, end)
	stroke := kit.ColorFound
	if here {
		stroke = theme.ColorNamePrimary
	}
	l.rect(left-1, at.Y, max(6, right-left+2), rowHeight()-8, 3, kit.ColorFound, stroke)
}

// span is a part of a cell's text in one style.
type span struct {
	from, to     int
	bold, strong bool
}

func (s span) style() fyne.TextStyle { return fyne.TextStyle{Bold: s.bold} }

func (s span) measure(text string) float32 {
	if text == "" {
		return 0
	}
	return fyne.MeasureText(text, kit.TextBody, s.style()).Width
}

// spans are the parts of the first bytes of a cell, as many as are drawn.
func (c Cell) spans(n int, bold bool) (list []span) {
	at := 0
	add := func(to int, strong bool) {
		if to = min(to, n); at < to {
			list = append(list, span{at, to, bold || strong, strong})
			at = to
		}
	}
	for _, part := range c.Strong {
		add(part[0], false)
		add(part[1], true)
	}
	add(n, false)
	return list
}

// placeAt is the cell at a place of the area, as it is drawn.
func (a *area) placeAt(at fyne.Position) Place {
	g, high := a.grid, rowHeight()
	row := g.rowAt(int(at.Y / high))
	if over, y := g.pinned(int(g.Scroll.Offset.Y / high)); over >= 0 && at.Y >= y && at.Y < y+high {
		row = over
	}
	if row < 0 || row >= g.rows.Length() {
		return None
	}
	if g.rows.Kind(row) == Title {
		return Place{row, 0}
	}
	s, from := g.sectionOf(row), g.Scroll.Offset.X
	if at.X < from+s.kept(g.Scroll.Size().Width) && at.X >= from {
		return Place{row, 0}
	}
	return Place{row, s.columnAt(at.X)}
}

// Tapped picks a cell; a click on the picked one picks none, and one on the name of a column sorts by it.
func (a *area) Tapped(e *fyne.PointEvent) {
	g := a.grid
	g.hush()
	if c := fyne.CurrentApp().Driver().CanvasForObject(g); c != nil {
		g.clicked = true
		c.Focus(g)
		g.clicked = false
	}
	p := a.placeAt(e.Position)
	if s := g.sectionOf(p.Row); p.Row >= 0 && p.Row == s.names {
		g.sortBy(s, p.Column)
		return
	}
	if p == g.Current {
		p = None
	}
	g.Current = p
	g.tell()
	g.draw()
}

// MouseIn tells what is in a cell that is cut.
func (a *area) MouseIn(e *desktop.MouseEvent) { a.MouseMoved(e) }

// MouseMoved tells what is in a cell that is cut.
func (a *area) MouseMoved(e *desktop.MouseEvent) {
	p := a.placeAt(e.Position)
	if p == a.hovered || a.grid.keys == nil || a.grid.keys.Tip == nil {
		return
	}
	a.hovered = p
	text := textOf(a.grid.seen[p.Row], p.Column)
	if a.grid.fits(p, text) {
		text = ""
	}
	if p.Row >= 0 && p.Row == a.grid.sectionOf(p.Row).names {
		text = plain.Cut(text, explained) + " (click to sort)"
	}
	a.grid.keys.Tip.Say(plain.Cut(text, explained), e.AbsolutePosition)
}

// MouseOut ends that.
func (a *area) MouseOut() {
	a.hovered = None
	a.grid.hush()
}

// fits reports whether the whole text of a cell is in view.
func (g *Grid) fits(p Place, text string) bool {
	line := oneLine(text)
	room := g.sectionOf(p.Row).width(p.Column)
	if p.Row >= 0 && g.rows.Kind(p.Row) == Names {
		room -= forArrow
	}
	if p.Row >= 0 && g.rows.Kind(p.Row) == Title {
		room = g.Scroll.Size().Width
	}
	sp := span{bold: p.Row >= 0 && g.rows.Kind(p.Row) != Values}
	return len(line) == len(text) && sp.measure(line) <= room-2*inCell
}

// CreateRenderer draws the cells.
func (a *area) CreateRenderer() fyne.WidgetRenderer { return &areaRenderer{a} }

type areaRenderer struct{ area *area }

func (r *areaRenderer) MinSize() fyne.Size { return r.area.MinSize() }
func (r *areaRenderer) Layout(fyne.Size)   {}
func (r *areaRenderer) Refresh()           {}
func (r *areaRenderer) Destroy()           {}
func (r *areaRenderer) Objects() []fyne.CanvasObject {
	var all []fyne.CanvasObject
	for _, l := range r.area.layers() {
		all = l.addTo(all)
	}
	return all
}
