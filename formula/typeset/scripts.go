package typeset

import "inglenook/formula"

// operator sets a big sign, or the name of a function.
func (s *setter) operator(n formula.Operator, l level) *box {
	switch {
	case n.Rune == 0 && n.Name != "":
		return s.word(n.Name, l)
	case n.Rune == 0:
		return s.row(n.Body, l)
	}
	f := s.math()
	g, ok := f.Glyph(n.Rune)
	if !ok {
		s.fail("no font has the character %q", n.Rune)
		return &box{}
	}
	u := s.unit(l)
	if l.size == 0 {
		g = f.Tall(g, f.Constants.DisplayOperatorMinHeight).Glyphs[0].Glyph
	}
	in := s.glyphBox(f, g, s.size(l))
	e := f.Extent(g)
	in.height, in.depth = e.Top*u, -e.Bottom*u
	b := centred(in, f.Constants.AxisHeight*u)
	b.italic = in.italic
	return b
}

// above reports whether the scripts of a formula stand above and below it.
func above(n formula.Node, l level) bool {
	switch n := n.(type) {
	case formula.Operator:
		return n.Limits == formula.Always || n.Limits == formula.Display && l.size == 0
	case formula.Stretched:
		return n.Rune != '→' && n.Rune != '←' && n.Rune != '↔'
	case formula.Row:
		return len(n) == 1 && above(n[0], l)
	case formula.Stack:
		return n.Class == formula.Op && l.size == 0
	}
	return false
}

// script sets a formula with its scripts.
func (s *setter) script(n formula.Script, l level) *box {
	base := s.node(n.Base, l)
	if above(n.Base, l) {
		return s.limits(base, base.italic, n.Sub, n.Sup, l)
	}
	_, big := n.Base.(formula.Operator)
	c, u := &s.math().Constants, s.unit(l)
	var sub, sup *box
	if n.Sub != nil {
		sub = s.row(n.Sub, l.sub())
	}
	if n.Sup != nil {
		sup = s.row(n.Sup, l.sup())
	}
	up, down := 0.0, 0.0
	if !base.single {
		small := s.unit(l.sup())
		up, down = base.height-c.SuperscriptBaselineDropMax*small, base.depth+c.SubscriptBaselineDropMin*small
	}
	if sup != nil {
		shift := c.SuperscriptShiftUp
		if l.cramped {
			shift = c.SuperscriptShiftUpCramped
		}
		up = max(up, shift*u, sup.depth+c.SuperscriptBottomMin*u)
	}
	if sub != nil {
		down = max(down, c.SubscriptShiftDown*u)
		if sup == nil {
			down = max(down, sub.height-c.SubscriptTopMax*u)
		} else if gap := up - sup.depth - (sub.height - down); gap < c.SubSuperscriptGapMin*u {
			down += c.SubSuperscriptGapMin*u - gap
			if lift := c.SuperscriptBottomMaxWithSubscript*u - (up - sup.depth); lift > 0 {
				up += lift
				down -= lift
			}
		}
	}
	b := &box{width: base.width}
	b.put(base, 0, 0)
	at, end := base.width, base.width
	if big { // the lower end of an integral is further left
		at -= base.italic
	}
	if sup != nil {
		x := base.width
		if !big {
			x += base.italic
		}
		b.put(sup, x, up)
		end = max(end, x+sup.width)
	}
	if sub != nil {
		b.put(sub, at, -down)
		end = max(end, at+sub.width)
	}
	b.width = end + c.SpaceAfterScript*u
	return b
}

// limits sets formulas below and above another one; lean is how far that leans to the right.
func (s *setter) limits(base *box, lean float64, under, over formula.Row, l level) *box {
	c, u := &s.math().Constants, s.unit(l)
	var below, top *box
	width := base.width
	if under != nil {
		below = s.row(under, l.sub())
		width = max(width, below.width)
	}
	if over != nil {
		top = s.row(over, l.sup())
		width = max(width, top.width)
	}
	b := &box{width: width}
	b.put(base, (width-base.width)/2, 0)
	if top != nil {
		gap := max(c.UpperLimitGapMin*u, c.UpperLimitBaselineRiseMin*u-top.depth)
		b.put(top, (width-top.width+lean)/2, base.height+gap+top.depth)
	}
	if below != nil {
		gap := max(c.LowerLimitGapMin*u, c.LowerLimitBaselineDropMin*u-below.height)
		b.put(below, (width-below.width-lean)/2, -base.depth-gap-below.height)
	}
	return b
}
