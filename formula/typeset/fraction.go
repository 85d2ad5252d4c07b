package typeset

import "inglenook/formula"

// fraction sets one formula above another one.
func (s *setter) fraction(n formula.Fraction, l level) *box {
	l = styled(n.Style, l)
	c, u := &s.math().Constants, s.unit(l)
	inner := [2]level{l.part(false), l.part(true)}
	if n.Continued {
		inner = [2]level{{0, l.cramped}, {0, true}}
	}
	top, bottom := s.row(n.Above, inner[0]), s.row(n.Below, inner[1])
	width := max(top.width, bottom.width)
	top, bottom = widened(top, width), widened(bottom, width)
	line := 0.0
	if n.Bar {
		line = c.FractionRule * u
	}
	up, down := s.shifts(n.Bar, l, top, bottom)
	side := 0.12 * s.size(l)
	if n.Left != 0 || n.Right != 0 {
		side = 0
	}
	b := &box{width: width + 2*side}
	b.put(top, side, up)
	b.put(bottom, side, -down)
	if n.Bar {
		b.rule(side, c.AxisHeight*u-line/2, width, line)
	}
	if n.Left == 0 && n.Right == 0 {
		return b
	}
	height := 2.39
	if l.size > 0 {
		height = 1.01
	}
	return s.between(b, n.Left, n.Right, max(height*s.size(l), 0), l)
}

// shifts are how far the parts of a fraction lie above and below the baseline.
func (s *setter) shifts(bar bool, l level, top, bottom *box) (up, down float64) {
	c, u := &s.math().Constants, s.unit(l)
	if !bar {
		up, down = c.StackTopShiftUp*u, c.StackBottomShiftDown*u
		gap := c.StackGapMin * u
		if l.size == 0 {
			up, down, gap = c.StackTopDisplayShiftUp*u, c.StackBottomDisplayShiftDown*u, c.StackDisplayGapMin*u
		}
		if have := (up - top.depth) - (bottom.height - down); have < gap {
			up += (gap - have) / 2
			down += (gap - have) / 2
		}
		return up, down
	}
	up, down = c.NumeratorShiftUp*u, c.DenominatorShiftDown*u
	above, below := c.NumeratorGapMin*u, c.DenominatorGapMin*u
	if l.size == 0 {
		up, down = c.NumeratorDisplayShiftUp*u, c.DenominatorDisplayShiftDown*u
		above, below = c.NumeratorDisplayGapMin*u, c.DenominatorDisplayGapMin*u
	}
	axis, half := c.AxisHeight*u, c.FractionRule*u/2
	up = max(up, axis+half+above+top.depth)
	down = max(down, bottom.height+below+half-axis)
	return up, down
}

// root sets a formula below a root.
func (s *setter) root(n formula.Root, l level) *box {
	f := s.math()
	c, u := &f.Constants, s.unit(l)
	body := s.row(n.Body, l.tight())
	line, gap := c.RadicalRule*u, c.RadicalGap*u
	if l.size == 0 {
		gap = c.RadicalDisplayGap * u
	}
	g, ok := f.Glyph('√')
	if !ok {
		s.fail("no font has a root")
		return &box{}
	}
	sign := s.grown(f.Tall(g, (body.height+body.depth+gap+line)/u), true, l)
	if more := sign.height + sign.depth - (body.height + body.depth + gap + line); more > 0 {
		gap += more / 2
	}
	top := body.height + gap + line
	b := &box{}
	if n.Degree != nil {
		degree := s.row(n.Degree, level{3, true})
		total := sign.height + sign.depth
		before := c.RadicalKernBefore * u
		y := top - total + c.RadicalDegreeRaisePercent/100*total
		b.width = max(0, before+degree.width+c.RadicalKernAfter*u)
		b.put(degree, max(0, b.width-c.RadicalKernAfter*u-degree.width), y)
	}
	b.put(sign, b.width, top-sign.height)
	b.width += sign.width
	b.put(body, b.width, 0)
	b.rule(b.width, top-line, body.width, line)
	b.width += body.width
	b.height = max(b.height, top+c.RadicalExtra*u)
	return b
}
