package typeset

import "inglenook/formula"

// atom is a part of a row: a box with its class, or room.
type atom struct {
	class formula.Class
	room  bool // not of a class
	box   *box
	level level
	top   int // its place in the row
}

// row sets formulas side by side.
func (s *setter) row(row formula.Row, l level) *box {
	if len(row) == 1 { // one sign stays one
		if _, ok := row[0].(formula.Symbol); ok {
			return s.node(row[0], l)
		}
		if inner, ok := row[0].(formula.Row); ok {
			return s.row(inner, l)
		}
	}
	b := &box{}
	for _, a := range s.spaced(row, l) {
		b.after(a.box)
	}
	return b
}

// spaced sets the parts of a row, with the room between them.
func (s *setter) spaced(row formula.Row, l level) []atom {
	var atoms []atom
	for i, n := range row {
		atoms = s.atoms(atoms, n, l, i)
	}
	classify(atoms)
	out := make([]atom, 0, len(atoms))
	last := -1 // of out: the last with a class
	for _, a := range atoms {
		if !a.room {
			if last >= 0 {
				if mu := between(out[last].class, a.class, a.level.size >= 2); mu > 0 {
					// At the end of what comes before: a line may end there.
					out[len(out)-1].box = spacedBox(out[len(out)-1].box, mu*s.size(a.level)/18)
				}
			}
			last = len(out)
		}
		out = append(out, a)
	}
	return out
}

// spacedBox is a box with room behind it.
func spacedBox(in *box, room float64) *box {
	b := *in
	b.width += room
	b.single = false
	return &b
}

// atoms sets one node of a row. What is in another size or colour goes on as a part of the row.
func (s *setter) atoms(atoms []atom, n formula.Node, l level, top int) []atom {
	switch n := n.(type) {
	case formula.Styled:
		for _, inner := range n.Body {
			atoms = s.atoms(atoms, inner, styled(n.Style, l), top)
		}
		return atoms
	case formula.Colored:
		first := len(atoms)
		for _, inner := range n.Body {
			atoms = s.atoms(atoms, inner, l, top)
		}
		for i := first; i < len(atoms); i++ {
			atoms[i].box = inked(atoms[i].box, n.Color)
		}
		return atoms
	case formula.Space:
		return append(atoms, atom{room: true, box: s.node(n, l), level: l, top: top})
	}
	b := s.node(n, l)
	if b.single && b.italic > 0 {
		b = spacedBox(b, b.italic)
	}
	return append(atoms, atom{class: classOf(n), box: b, level: l, top: top})
}

// classOf is the class of a node in a row.
func classOf(n formula.Node) formula.Class {
	switch n := n.(type) {
	case formula.Symbol:
		return n.Class
	case formula.Operator:
		return formula.Op
	case formula.Script:
		return classOf(n.Base)
	case formula.Fenced:
		return formula.Inner
	case formula.Delimiter:
		return n.Class
	case formula.Stack:
		return n.Class
	case formula.Arrow, formula.Middle:
		return formula.Rel
	case formula.Classed:
		return n.Class
	}
	return formula.Ord
}

// classify makes signs between operands ordinary where an operand is missing, as in -1.
func classify(atoms []atom) {
	before := -1
	for i := range atoms {
		a := &atoms[i]
		if a.room {
			continue
		}
		if a.class == formula.Bin {
			if before < 0 {
				a.class = formula.Ord
			} else {
				switch atoms[before].class {
				case formula.Bin, formula.Op, formula.Rel, formula.Open, formula.Punct:
					a.class = formula.Ord
				}
			}
		}
		if before >= 0 && atoms[before].class == formula.Bin {
			switch a.class {
			case formula.Rel, formula.Close, formula.Punct:
				atoms[before].class = formula.Ord
			}
		}
		before = i
	}
	if before >= 0 && atoms[before].class == formula.Bin {
		atoms[before].class = formula.Ord
	}
}

// rooms are the distances between classes: 1 thin, 2 medium, 3 thick; those below zero are
// left out in scripts.
var rooms = [8][8]int{
	formula.Ord:   {0, 1, -2, -3, 0, 0, 0, -1},
	formula.Op:    {1, 1, 0, -3, 0, 0, 0, -1},
	formula.Bin:   {-2, -2, 0, 0, -2, 0, 0, -2},
	formula.Rel:   {-3, -3, 0, 0, -3, 0, 0, -3},
	formula.Open:  {0, 0, 0, 0, 0, 0, 0, 0},
	formula.Close: {0, 1, -2, -3, 0, 0, 0, -1},
	formula.Punct: {-1, -1, 0, -1, -1, -1, -1, -1},
	formula.Inner: {-1, 1, -2, -3, -1, 0, -1, -1},
}

// between is the room between two classes, in 18ths of an em.
func between(a, b formula.Class, small bool) float64 {
	room := rooms[a][b]
	if room < 0 {
		if small {
			return 0
		}
		room = -room
	}
	return [...]float64{0, 3, 4, 5}[room]
}
