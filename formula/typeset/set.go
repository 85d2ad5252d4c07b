package typeset

import (
	"fmt"

	"inglenook/formula"
	"inglenook/formula/mathfont"
)

// maxGlyphs bounds what one formula draws.
const maxGlyphs = 20_000

// setter sets one formula.
type setter struct {
	fonts  []*mathfont.Font // the first is the one for mathematics
	em     float64
	glyphs int
	err    error
}

func (s *setter) math() *mathfont.Font { return s.fonts[0] }

func (s *setter) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// size is the size of the letters of a level.
func (s *setter) size(l level) float64 {
	switch c := &s.math().Constants; l.size {
	case 2:
		return s.em * c.ScriptPercent / 100
	case 3:
		return s.em * c.ScriptScriptPercent / 100
	}
	return s.em
}

// unit is the length of a unit of the font at a level.
func (s *setter) unit(l level) float64 { return s.size(l) / s.math().Units }

// glyphBox is one glyph.
func (s *setter) glyphBox(f *mathfont.Font, g mathfont.Glyph, size float64) *box {
	if s.glyphs++; s.glyphs > maxGlyphs {
		s.fail("the formula has more than %d signs", maxGlyphs)
	}
	scale := size / f.Units
	e := f.Extent(g)
	return &box{
		width: e.Advance * scale, height: max(0, e.Top*scale), depth: max(0, -e.Bottom*scale),
		items:  []item{{font: f, glyph: g, scale: scale}},
		italic: f.Italic(g) * scale, accent: f.AccentAt(g) * scale, single: true,
	}
}

// char is one character, from the first font that has it.
func (s *setter) char(r rune, l level) *box {
	for i, f := range s.fonts {
		g, ok := f.Glyph(r)
		if !ok || g == 0 {
			continue
		}
		if i == 0 && l.size >= 2 {
			g = f.Small(g, l.size-1)
		}
		return s.glyphBox(f, g, s.size(l))
	}
	s.fail("no font has the character %q", r)
	return &box{}
}

// word is letters side by side, as in text.
func (s *setter) word(text string, l level) *box {
	b := &box{}
	for _, r := range text {
		switch r {
		case ' ', '\u00a0', '\u3000':
			b.width += 0.333 * s.size(l)
		case '\u2009':
			b.width += s.size(l) / 6
		default:
			b.after(s.char(r, l))
		}
	}
	return b
}

// node sets one formula.
func (s *setter) node(n formula.Node, l level) *box {
	if s.err != nil || n == nil {
		return &box{}
	}
	switch n := n.(type) {
	case formula.Row:
		return s.row(n, l)
	case formula.Symbol:
		return s.char(n.Rune, l)
	case formula.Operator:
		return s.operator(n, l)
	case formula.Text:
		return s.word(formula.Letters(n.Text, n.Face), level{max(1, l.size), l.cramped})
	case formula.Space:
		return &box{width: n.Em * s.size(l)}
	case formula.Script:
		return s.script(n, l)
	case formula.Fraction:
		return s.fraction(n, l)
	case formula.Root:
		return s.root(n, l)
	case formula.Fenced:
		return s.fenced(n, l)
	case formula.Middle:
		return s.delimiter(n.Rune, 0, l)
	case formula.Delimiter:
		return s.delimiter(n.Rune, float64(n.Size)*0.6*s.em+0.59*s.em, l)
	case formula.Accent:
		return s.accent(n, l)
	case formula.Bar:
		return s.bar(n, l)
	case formula.Stretched:
		return s.stretched(n, l)
	case formula.Stack:
		return s.limits(s.node(n.Base, l), 0, n.Under, n.Over, l)
	case formula.Arrow:
		return s.arrow(n, l)
	case formula.Array:
		return s.array(n, l)
	case formula.Styled:
		return s.row(n.Body, styled(n.Style, l))
	case formula.Colored:
		return inked(s.row(n.Body, l), n.Color)
	case formula.Phantom:
		return s.phantom(n, l)
	case formula.Boxed:
		return s.boxed(n, l)
	case formula.Struck:
		return s.struck(n, l)
	case formula.Classed:
		return s.row(n.Body, l)
	}
	s.fail("a formula of the type %T cannot be set", n)
	return &box{}
}

// styled is the level of a style.
func styled(to formula.Style, l level) level {
	if to == formula.Own {
		return l
	}
	return level{int(to - formula.DisplayStyle), l.cramped}
}

// inked is a box whose parts have a colour where they had none.
func inked(in *box, c formula.Color) *box {
	b := *in
	if !b.ink.Some {
		b.ink = c
	}
	return &b
}

// phantom takes room, or only some of it.
func (s *setter) phantom(n formula.Phantom, l level) *box {
	in := s.row(n.Body, l)
	b := &box{}
	if n.Shown {
		b.items = []item{{box: in}}
	}
	if n.Width {
		b.width = in.width
	}
	if n.Height {
		b.height, b.depth = in.height, in.depth
	}
	return b
}

// boxed draws a frame around a formula.
func (s *setter) boxed(n formula.Boxed, l level) *box {
	in := s.row(n.Body, l)
	room, line := 0.3*s.em, 0.045*s.em
	b := &box{width: in.width + 2*(room+line)}
	b.put(in, room+line, 0)
	top, bottom := in.height+room, -in.depth-room
	b.rule(0, top, b.width, line)
	b.rule(0, bottom-line, b.width, line)
	b.rule(0, bottom, line, top-bottom)
	b.rule(b.width-line, bottom, line, top-bottom)
	return b
}

// struck draws lines through a formula.
func (s *setter) struck(n formula.Struck, l level) *box {
	in := s.row(n.Body, l)
	b := &box{width: in.width, height: in.height, depth: in.depth}
	b.items = []item{{box: in}}
	line := 0.05 * s.size(l)
	over := 0.06 * s.size(l)
	if n.Up {
		b.items = append(b.items, item{x: -over, y: -in.depth - over, dx: in.width + 2*over, dy: in.height + in.depth + 2*over, stroke: line})
	}
	if n.Down {
		b.items = append(b.items, item{x: -over, y: in.height + over, dx: in.width + 2*over, dy: -in.height - in.depth - 2*over, stroke: line})
	}
	if n.Across {
		b.rule(0, (in.height-in.depth)/2-line/2, in.width, line)
	}
	return b
}
