package typeset

import (
	"slices"

	"inglenook/formula"
)

// array sets formulas in rows and columns.
func (s *setter) array(n formula.Array, l level) *box {
	inner := l
	switch {
	case n.Kind == formula.Small || n.Kind == formula.Stacked:
		inner = level{max(2, l.size), l.cramped}
	case n.Style == formula.DisplayStyle:
		inner = level{0, l.cramped}
	case l.size == 0:
		inner = level{1, l.cramped}
	}
	g := s.grid(n, inner)
	b := g.box(n, s.size(inner))
	b = centred(b, s.math().Constants.AxisHeight*s.unit(l))
	if n.Left == 0 && n.Right == 0 {
		return b
	}
	side := 0.06 * s.size(l)
	padded := &box{width: b.width + 2*side}
	if n.Kind == formula.Cases {
		padded.width -= side
	}
	padded.put(b, side, 0)
	return s.between(padded, n.Left, n.Right, s.cover(b, l), l)
}

// grid is an array whose cells are set.
type grid struct {
	cells         [][]*box
	widths        []float64
	above, below  []float64 // of each row
	apart         []float64 // above each row, beside that
	line, between float64   // thickness of lines; room between two of them
}

// grid sets the cells of an array.
func (s *setter) grid(n formula.Array, l level) *grid {
	em := s.size(l)
	strutAbove, strutBelow, skip := 0.84*em, 0.36*em, 0.1*em
	extra := 0.0
	switch n.Kind {
	case formula.Aligned, formula.Gathered:
		extra = 0.3 * em
	case formula.Cases:
		extra = 0.2 * em
	case formula.Small, formula.Stacked:
		strutAbove, strutBelow, skip = 0.75*em, 0.25*em, 0.1*em
	}
	g := &grid{line: 0.04 * s.em, between: 0.15 * em}
	for i, row := range n.Rows {
		var boxes []*box
		above, below := strutAbove, strutBelow
		for k, cell := range row {
			if n.Kind == formula.Aligned && k%2 == 1 { // a sign at its start stands between two sides
				cell = slices.Concat(formula.Row{formula.Row{}}, cell)
			}
			b := s.row(cell, l)
			if k == len(g.widths) {
				g.widths = append(g.widths, 0)
			}
			if k < 1 || n.Kind != formula.Gathered {
				g.widths[k] = max(g.widths[k], b.width)
			}
			above, below = max(above, b.height+skip/2), max(below, b.depth+skip/2)
			boxes = append(boxes, b)
		}
		apart := 0.0
		if i > 0 {
			apart = extra
		}
		g.cells, g.above, g.below, g.apart = append(g.cells, boxes), append(g.above, above), append(g.below, below), append(g.apart, apart)
	}
	return g
}

// alignment is the side on which the cells of a column stand.
func alignment(n formula.Array, column int) byte {
	switch {
	case n.Kind == formula.Aligned:
		return n.Align[column%2]
	case column < len(n.Align):
		return n.Align[column]
	}
	return n.Align[len(n.Align)-1]
}

// gap is the room before a column.
func gap(n formula.Array, column int, em float64) float64 {
	switch {
	case column == 0:
		return 0
	case n.Kind == formula.Aligned && column%2 == 1:
		return 0
	case n.Kind == formula.Aligned:
		return 2 * em
	case n.Kind == formula.Small:
		return 0.8 * em
	}
	return em
}

// box puts the cells in their places. The upper edge lies on the baseline.
func (g *grid) box(n formula.Array, em float64) *box {
	b := &box{}
	x := 0.0
	lefts := make([]float64, len(g.widths))
	bars := func(column int) (count int) {
		for _, bar := range n.Bars {
			if bar == column {
				count++
			}
		}
		return count
	}
	var places []float64
	for k, w := range g.widths {
		room := gap(n, k, em)
		if count := bars(k); count > 0 {
			if k == 0 {
				room = em / 2
			}
			for i := range count {
				at := x + room/2
				if k == 0 {
					at = x
				}
				places = append(places, at+float64(i)*(g.line+g.between))
			}
			room += float64(count-1) * (g.line + g.between)
		}
		x += room
		lefts[k] = x
		x += w
	}
	if count := bars(len(g.widths)); count > 0 {
		x += em / 2
		for i := range count {
			places = append(places, x+float64(i)*(g.line+g.between))
		}
		x += float64(count)*g.line + float64(count-1)*g.between
	}
	b.width = x
	y := 0.0
	lines := func(row int) {
		for _, at := range n.Lines {
			if at == row {
				b.rule(0, y-g.line, b.width, g.line)
				if y -= g.line; row < len(g.cells) {
					y -= 0.1 * em
				}
			}
		}
	}
	for i, row := range g.cells {
		y -= g.apart[i]
		lines(i)
		y -= g.above[i]
		for k, cell := range row {
			at := lefts[k]
			switch alignment(n, k) {
			case 'c':
				at += (g.widths[k] - cell.width) / 2
			case 'r':
				at += g.widths[k] - cell.width
			}
			b.put(cell, at, y)
		}
		y -= g.below[i]
	}
	lines(len(g.cells))
	b.height, b.depth = 0, -y
	for _, at := range places {
		b.rule(at, y, g.line, -y)
	}
	return b
}
