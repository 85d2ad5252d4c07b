package typeset

import (
	"math"

	"inglenook/formula"
	"inglenook/formula/mathfont"
)

// grown is a sign of any length, upright from the baseline or lying.
func (s *setter) grown(g mathfont.Grown, tall bool, l level) *box {
	f, u := s.math(), s.unit(l)
	b := &box{italic: g.Italic * u}
	for _, p := range g.Glyphs {
		in := s.glyphBox(f, p.Glyph, s.size(l))
		e := f.Extent(p.Glyph)
		if tall {
			y := (p.At - e.Bottom) * u
			b.items = append(b.items, item{y: y, box: in})
			b.height = max(b.height, (p.At+e.Top-e.Bottom)*u)
			b.width = max(b.width, in.width)
			continue
		}
		b.items = append(b.items, item{x: (p.At - e.Left) * u, box: in})
		b.height, b.depth = max(b.height, e.Top*u), max(b.depth, -e.Bottom*u)
		b.width = max(b.width, (p.At+e.Right-e.Left)*u)
	}
	return b
}

// delimiter is a bracket of a least height, with its middle on the axis. 0: none.
func (s *setter) delimiter(r rune, height float64, l level) *box {
	if r == 0 {
		return &box{width: 0.12 * s.size(l)}
	}
	f := s.math()
	g, ok := f.Glyph(r)
	if !ok {
		s.fail("no font has the bracket %q", r)
		return &box{}
	}
	u := s.unit(l)
	if e := f.Extent(g); (e.Top-e.Bottom)*u >= height*0.999 {
		return s.glyphBox(f, g, s.size(l))
	}
	return centred(s.grown(f.Tall(g, height/u*0.999), true, l), f.Constants.AxisHeight*u)
}

// cover is how high a bracket around a formula has to be, as TeX has it: it may be a little
// shorter than the formula.
func (s *setter) cover(in *box, l level) float64 {
	axis := s.math().Constants.AxisHeight * s.unit(l)
	half := max(in.height-axis, in.depth+axis)
	return max(2*half*0.901, 2*half-0.5*s.em)
}

// between sets brackets around a formula.
func (s *setter) between(in *box, left, right rune, height float64, l level) *box {
	b := &box{}
	if left != 0 {
		b.after(s.delimiter(left, height, l))
	}
	b.after(in)
	if right != 0 {
		b.after(s.delimiter(right, height, l))
	}
	return b
}

// fenced sets \left … \right, and \middle between them.
func (s *setter) fenced(n formula.Fenced, l level) *box {
	parts := []formula.Row{nil}
	var middles []rune
	for _, inner := range n.Body {
		if m, ok := inner.(formula.Middle); ok {
			middles = append(middles, m.Rune)
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], inner)
	}
	boxes := make([]*box, len(parts))
	height := 0.0
	for i, part := range parts {
		boxes[i] = s.row(part, l)
		height = max(height, s.cover(boxes[i], l))
	}
	b := &box{}
	b.after(s.delimiter(n.Left, height, l))
	for i, in := range boxes {
		if i > 0 {
			thin := 0.1 * s.size(l)
			b.width += thin
			b.after(s.delimiter(middles[i-1], height, l))
			b.width += thin
		}
		b.after(in)
	}
	b.after(s.delimiter(n.Right, height, l))
	return b
}

// accent sets a sign above a formula.
func (s *setter) accent(n formula.Accent, l level) *box {
	f, u := s.math(), s.unit(l)
	body := s.row(n.Body, l.tight())
	g, ok := f.Glyph(n.Rune)
	if !ok {
		s.fail("no font has the accent %U", n.Rune)
		return &box{}
	}
	if n.Wide {
		g = f.WidestIn(g, body.width/u)
	}
	at := body.width / 2
	if body.single {
		at = body.accent
	}
	e := f.Extent(g)
	b := &box{width: body.width, single: false}
	b.put(body, 0, 0)
	in := s.glyphBox(f, g, s.size(l))
	lift := body.height - min(body.height, f.Constants.AccentBaseHeight*u)
	b.items = append(b.items, item{x: at - f.AccentAt(g)*u, y: lift, box: in})
	b.height = max(b.height, lift+e.Top*u)
	return b
}

// bar sets a line above a formula, or below it.
func (s *setter) bar(n formula.Bar, l level) *box {
	c, u := &s.math().Constants, s.unit(l)
	body := s.row(n.Body, l.tight())
	if body.single {
		body = spacedBox(body, body.italic)
	}
	b := &box{width: body.width}
	b.put(body, 0, 0)
	if n.Under {
		b.rule(0, -body.depth-(c.UnderbarGap+c.UnderbarRule)*u, body.width, c.UnderbarRule*u)
		b.depth += c.UnderbarExtra * u
		return b
	}
	b.rule(0, body.height+c.OverbarGap*u, body.width, c.OverbarRule*u)
	b.height += c.OverbarExtra * u
	return b
}

// stretched sets a brace or an arrow over a formula, or below it.
func (s *setter) stretched(n formula.Stretched, l level) *box {
	f, u := s.math(), s.unit(l)
	body := s.row(n.Body, l)
	g, ok := f.Glyph(n.Rune)
	if !ok {
		s.fail("no font has the sign %q", n.Rune)
		return &box{}
	}
	sign := s.grown(f.Wide(g, body.width/u), false, l)
	e := f.Extent(g)
	width := max(body.width, sign.width)
	b := &box{width: width}
	b.put(body, (width-body.width)/2, 0)
	gap := 0.12 * s.size(l)
	if n.Under {
		y := -body.depth - gap - e.Top*u
		b.put(sign, (width-sign.width)/2, y)
		b.depth = max(b.depth, -y-e.Bottom*u)
		return b
	}
	y := body.height + gap - e.Bottom*u
	b.put(sign, (width-sign.width)/2, y)
	b.height = max(b.height, y+e.Top*u)
	return b
}

// arrow sets an arrow as long as what stands above and below it.
func (s *setter) arrow(n formula.Arrow, l level) *box {
	f, u := s.math(), s.unit(l)
	g, ok := f.Glyph(n.Rune)
	if !ok {
		s.fail("no font has the sign %q", n.Rune)
		return &box{}
	}
	over := s.row(n.Over, l.sup())
	under := s.row(n.Under, l.sub())
	width := math.Max(over.width, under.width) + 0.9*s.size(l)
	sign := s.grown(f.Wide(g, width/u), false, l)
	width = math.Max(width, sign.width)
	b := &box{width: width}
	b.put(sign, (width-sign.width)/2, 0)
	gap := 0.11 * s.size(l)
	if len(n.Over) > 0 {
		b.put(over, (width-over.width)/2, sign.height+gap+over.depth)
	}
	if len(n.Under) > 0 {
		b.put(under, (width-under.width)/2, -sign.depth-gap-under.height)
	}
	return b
}
