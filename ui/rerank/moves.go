package rerank

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// moves draws the lines of a picture over its rows: for each text with a row in view, in
// one of the orders.
type moves struct {
	widget.BaseWidget
	picture     *picture
	first, last int // the rows in view
	lines       []*canvas.Line
}

func newMoves(p *picture) *moves {
	m := &moves{picture: p}
	m.ExtendBaseWidget(m)
	return m
}

// show draws the lines for the rows [first, last).
func (m *moves) show(first, last int) {
	m.first, m.last = first, last
	m.Refresh()
}

// lay places the lines, and hides those that are not needed.
func (m *moves) lay() {
	p, used := m.picture, 0
	view := m.Size()
	x0, x1 := p.columns(view.Width)
	height, top := p.rows.Height, p.rows.Scroll.Offset.Y
	draw := func(text int) {
		if !p.draws(text) {
			return
		}
		from, to := p.left.rows[text], p.right.rows[text]
		y0, y1 := (float32(from)+0.5)*height-top, (float32(to)+0.5)*height-top
		a, b, seen := clipped(fyne.NewPos(x0, y0), fyne.NewPos(x1, y1), view.Height)
		if !seen {
			return
		}
		if used == len(m.lines) {
			m.lines = append(m.lines, &canvas.Line{})
		}
		l := m.lines[used]
		used++
		l.Position1, l.Position2 = a, b
		p.dress(l, text)
		l.Show()
	}
	last := min(m.last, len(p.right.Texts))
	for row := m.first; row < last; row++ {
		draw(p.right.Texts[row])
		text := p.left.Texts[row]
		if now := p.right.rows[text]; now < m.first || now >= last {
			draw(text)
		}
	}
	for _, l := range m.lines[used:] {
		l.Hide()
	}
}

// dress gives a line the colour and the width of a text's movement.
func (p *picture) dress(l *canvas.Line, text int) {
	l.StrokeColor, l.StrokeWidth = kit.Themed(colorOf(p.moved[text])), 1.5
	if p.moved[text] == 0 {
		l.StrokeColor = kit.Themed(kit.ColorLine)
	}
	if text == p.selected || text == p.pointed {
		l.StrokeWidth = 3.5
	}
}

// clipped cuts a line to the part of it between the heights 0 and height; false: there is
// none. A line between places thousands of rows apart is drawn no further than it is seen.
func clipped(a, b fyne.Position, height float32) (fyne.Position, fyne.Position, bool) {
	if a.Y < 0 && b.Y < 0 || a.Y > height && b.Y > height {
		return a, b, false
	}
	at := func(y float32) fyne.Position { return fyne.NewPos(a.X+(b.X-a.X)*(y-a.Y)/(b.Y-a.Y), y) }
	cut := func(p fyne.Position) fyne.Position {
		if y := min(height, max(0, p.Y)); y != p.Y {
			return at(y)
		}
		return p
	}
	return cut(a), cut(b), true
}

// MinSize is nothing: the rows below decide.
func (m *moves) MinSize() fyne.Size { return fyne.Size{} }

// CreateRenderer draws the lines.
func (m *moves) CreateRenderer() fyne.WidgetRenderer { return movesRenderer{m} }

type movesRenderer struct{ moves *moves }

func (r movesRenderer) Destroy()           {}
func (r movesRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r movesRenderer) Layout(fyne.Size)   { r.moves.lay() }

func (r movesRenderer) Refresh() {
	r.moves.lay()
	canvas.Refresh(r.moves)
}

func (r movesRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(r.moves.lines))
	for i, l := range r.moves.lines {
		objects[i] = l
	}
	return objects
}
