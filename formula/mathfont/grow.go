package mathfont

import "math"

// Placed is a glyph of a sign that was put together: its lower or left end is at the distance
// At from the lower or left end of the sign.
type Placed struct {
	Glyph Glyph
	At    float64
}

// maxRepeats bounds how often a piece of a sign is repeated.
const maxRepeats = 200

// Grown is a sign of some length: one glyph, or several along one direction.
type Grown struct {
	Glyphs []Placed
	Length float64
	Whole  bool // one glyph
	Italic float64
}

// Tall returns a glyph's form that is at least so high, or the highest that the font has.
func (f *Font) Tall(g Glyph, height float64) Grown {
	e := f.Extent(g)
	return f.grow(f.tall[g], g, e.Top-e.Bottom, height)
}

// Wide returns a glyph's form that is at least so wide, or the widest that the font has.
func (f *Font) Wide(g Glyph, width float64) Grown {
	e := f.Extent(g)
	return f.grow(f.wide[g], g, e.Right-e.Left, width)
}

// WidestIn returns the widest form of a glyph, not put together, that is not wider than a width.
func (f *Font) WidestIn(g Glyph, width float64) Glyph {
	best := g
	for _, s := range f.wide[g].sizes {
		if s.length <= width {
			best = s.glyph
		}
	}
	return best
}

// Sizes returns the glyphs of a glyph's tall forms, from small to large.
func (f *Font) Sizes(g Glyph) (glyphs []Glyph) {
	for _, s := range f.tall[g].sizes {
		glyphs = append(glyphs, s.glyph)
	}
	return glyphs
}

func (f *Font) grow(c construction, g Glyph, own, length float64) Grown {
	best := Grown{Glyphs: []Placed{{Glyph: g}}, Length: own, Whole: true, Italic: f.Italic(g)}
	for _, s := range c.sizes {
		if best.Length >= length {
			return best
		}
		best = Grown{Glyphs: []Placed{{Glyph: s.glyph}}, Length: s.length, Whole: true, Italic: f.Italic(s.glyph)}
	}
	if best.Length >= length || len(c.parts) == 0 {
		return best
	}
	return f.assemble(c, length)
}

// assemble repeats the extenders of a sign as often as its length needs, then lets the pieces
// lie over each other as far as they may, so that the length is met.
func (f *Font) assemble(c construction, length float64) Grown {
	fixed, extenders, growth := 0.0, 0, 0.0
	for _, p := range c.parts {
		if p.extender {
			extenders++
			growth += p.length - f.overlap
		} else {
			fixed += p.length - f.overlap
		}
	}
	repeats := 0
	if extenders > 0 && growth > 0 {
		repeats = int(math.Ceil((length - fixed - f.overlap) / growth))
	}
	repeats = min(max(repeats, 0), maxRepeats)
	var list []part
	for _, p := range c.parts {
		n := 1
		if p.extender {
			n = repeats
		}
		for range n {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return Grown{}
	}
	total, slack := list[0].length, 0.0 // with the least overlap
	most := make([]float64, len(list))  // how much more each may lie over the one before
	for i := 1; i < len(list); i++ {
		total += list[i].length - f.overlap
		most[i] = max(0, min(list[i-1].end, list[i].start)-f.overlap)
		slack += most[i]
	}
	share := 0.0
	if slack > 0 {
		share = min(1, max(0, total-length)/slack)
	}
	g := Grown{Italic: c.italic}
	at := 0.0
	for i, p := range list {
		if i > 0 {
			at -= f.overlap + share*most[i]
		}
		g.Glyphs = append(g.Glyphs, Placed{p.glyph, at})
		at += p.length
	}
	g.Length = at
	return g
}
