package typeset

import (
	"errors"
	"slices"

	"inglenook/formula"
	"inglenook/formula/mathfont"
)

// Piece is a part of a formula that stays on one line, in its place: from a point on the
// baseline to the right.
type Piece struct {
	Width         float64
	Height, Depth float64 // above and below the baseline
	End           int     // byte of the source up to which it goes

	draws []draw
}

// draw is something to draw. Y grows upwards from the baseline.
type draw struct {
	x, y float64
	ink  formula.Color
	item
}

// Set sets a formula in letters of a size, as a formula of its own or within text. It is cut
// where a line may end. The first font is the one for mathematics; the others have letters that
// it lacks. The error says what no font has.
func Set(f formula.Formula, size float64, display bool, fonts ...*mathfont.Font) ([]Piece, error) {
	if len(fonts) == 0 {
		return nil, errors.New("there is no font for formulas")
	}
	s := &setter{fonts: fonts, em: size}
	l := level{size: 1}
	if display {
		l.size = 0
	}
	var pieces []Piece
	current := &box{}
	end := 0
	flush := func() {
		p := Piece{Width: current.width, Height: current.height, Depth: current.depth, End: end}
		p.flatten(current, 0, 0, formula.Color{})
		pieces = append(pieces, p)
		current = &box{}
	}
	atoms := s.spaced(f.Body, l)
	for i, a := range atoms {
		current.after(a.box)
		end = f.Ends[a.top]
		last := i+1 == len(atoms)
		if !last && atoms[i+1].top != a.top && !a.room && (a.class == formula.Rel || a.class == formula.Bin) {
			flush()
		}
	}
	if flush(); s.err != nil {
		return nil, s.err
	}
	pieces[len(pieces)-1].End = -1
	return pieces, nil
}

// flatten lists what a box draws.
func (p *Piece) flatten(b *box, x, y float64, ink formula.Color) {
	if b.ink.Some {
		ink = b.ink
	}
	for _, it := range b.items {
		if it.box != nil {
			p.flatten(it.box, x+it.x, y+it.y, ink)
			continue
		}
		p.draws = append(p.draws, draw{x + it.x, y + it.y, ink, it})
	}
}

// Inks are the colours of a piece, the first of which is none in particular.
func (p *Piece) Inks() []formula.Color {
	list := []formula.Color{{}}
	for _, d := range p.draws {
		if !slices.Contains(list, d.ink) {
			list = append(list, d.ink)
		}
	}
	return list
}

// Joined is pieces side by side as one.
func Joined(pieces []Piece) Piece {
	var all Piece
	for _, p := range pieces {
		for _, d := range p.draws {
			d.x += all.Width
			all.draws = append(all.draws, d)
		}
		all.Width += p.Width
		all.Height, all.Depth, all.End = max(all.Height, p.Height), max(all.Depth, p.Depth), p.End
	}
	return all
}
