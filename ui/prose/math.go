package prose

import (
	"strings"
	"unicode/utf8"

	"inglenook/formula"
	"inglenook/formula/typeset"
	"inglenook/markdown"
)

const (
	// mathScale makes the small letters of formulas as tall as those of the text around them.
	mathScale = 1.2
	// A formula on a line of its own that is too wide is made smaller, or cut, or moves sideways.
	slightly   = 0.85
	smallest   = 0.6
	mathAround = 3 // above and below such a formula
)

// mathPart is a part of a formula that stays on one line.
type mathPart struct {
	typeset.Piece
	scale   float32
	smaller *mathPart // as it was wanted last
	place   float32   // the width of which it shows a part; 0: it shows all
	shift   float32   // how far it was moved to the left there
}

// shown is the width that the part takes.
func (m *mathPart) shown() float32 {
	if m.place > 0 {
		return m.place
	}
	return float32(m.Width) * m.scale
}

func (m *mathPart) above() float32 { return float32(m.Height) * m.scale }
func (m *mathPart) below() float32 { return float32(m.Depth) * m.scale }

// scaled is the part in another size.
func (m *mathPart) scaled(by float32) *mathPart {
	if m.smaller == nil || m.smaller.scale != m.scale*by {
		m.smaller = &mathPart{Piece: m.Piece, scale: m.scale * by}
	}
	return m.smaller
}

// setFormula is a formula that was set: as the parts between which a line may end, and as one.
type setFormula struct {
	parts []*mathPart
	whole *mathPart
	tag   *mathPart // for the right margin; nil: none
	moves *mathPart // the whole in a place that is narrower; nil: it was not wanted yet
}

// maths remembers formulas that were set, those that cannot be as nil: a text is laid out many
// times while it comes.
type maths map[mathKey]*setFormula

type mathKey struct {
	tex     string
	size    float32
	display bool
}

// rememberedMaths bounds the formulas of a message that are remembered.
const rememberedMaths = 2000

// get sets a formula; nil: it cannot be drawn.
func (m maths) get(tex string, size float32, display bool) *setFormula {
	key := mathKey{tex, size, display}
	if f, ok := m[key]; ok {
		return f
	}
	if len(m) >= rememberedMaths {
		clear(m)
	}
	m[key] = setMath(key)
	return m[key]
}

func setMath(key mathKey) *setFormula {
	tree, err := formula.Parse(key.tex)
	if err != nil {
		return nil
	}
	if tree.Tag.Text != "" && !key.display {
		tree.Body, tree.Ends = append(tree.Body, formula.Row{formula.Space{Em: 2}, tree.Tag}), append(tree.Ends, len(key.tex))
	}
	fonts, size := mathFonts().of(key.tex), float64(key.size)*mathScale
	pieces, err := typeset.Set(tree, size, key.display, fonts...)
	if err != nil {
		return nil
	}
	f := &setFormula{whole: &mathPart{Piece: typeset.Joined(pieces), scale: 1}}
	if tree.Tag.Text != "" && key.display {
		tag, err := typeset.Set(formula.Formula{Body: formula.Row{tree.Tag}, Ends: []int{len(key.tex)}}, size, false, fonts...)
		if err != nil {
			return nil
		}
		f.tag = &mathPart{Piece: typeset.Joined(tag), scale: 1}
	}
	for _, p := range pieces {
		f.parts = append(f.parts, &mathPart{Piece: p, scale: 1})
	}
	return f
}

// math writes a formula within text, as its parts. What cannot be drawn is text.
func (s *setter) math(b *breaker, m markdown.Math, base look) {
	base = s.styled(base, m.Style)
	f := s.maths.get(m.TeX, base.face.size, m.Display)
	if f == nil {
		s.write(b, m.Source, base)
		return
	}
	b.addMath(m, f.parts, s.text.Len(), base)
	s.out.maths = append(s.out.maths, [2]int{s.text.Len(), s.text.Len() + len(m.Source)})
	s.text.WriteString(m.Source)
}

// addMath adds the parts of a formula, whose source is bytes from start on of the block's text.
func (b *breaker) addMath(m markdown.Math, parts []*mathPart, start int, l look) {
	b.widen(len(b.atoms)-1, func(before atom) bool { return before.kind == spaceAtom })
	within := max(0, strings.Index(m.Source, m.TeX))
	at := 0
	for i, p := range parts {
		end := len(m.Source)
		if i+1 < len(parts) {
			end = min(within+p.End, end)
			for end < len(m.Source) && !utf8.RuneStart(m.Source[end]) {
				end++
			}
		}
		a := atom{look: l, start: start + at, end: start + max(end, at), width: p.shown(), free: i > 0 || b.opens("x")}
		a.math = p
		b.atoms = append(b.atoms, a)
		at = max(end, at)
	}
	b.last = 'x'
}

// mathRoom is how much wider a space beside a formula is: letters of text have more room at
// their sides than signs of formulas have.
const mathRoom = 1

// widen adds to the room between a formula and what stands beside it.
func (b *breaker) widen(i int, which func(atom) bool) {
	if i >= 0 && which(b.atoms[i]) {
		b.atoms[i].width += mathRoom
	}
}

// apart splits text at the first formula that has a line of its own. nil: there is none.
func (s *setter) apart(text []markdown.Inline, base look) (before []markdown.Inline, formula *markdown.Math, after []markdown.Inline) {
	for i, n := range text {
		m, ok := n.(markdown.Math)
		if !ok || !m.Display || s.maths.get(m.TeX, base.face.size, true) == nil {
			continue
		}
		before, after = text[:i], text[i+1:]
		for len(before) > 0 && blankEnd(before[len(before)-1]) {
			before = before[:len(before)-1]
		}
		for len(after) > 0 && blankEnd(after[0]) {
			after = after[1:]
		}
		if len(after) > 0 {
			if t, ok := after[0].(markdown.Text); ok {
				after = append([]markdown.Inline{markdown.Text{Text: strings.TrimLeft(t.Text, " "), Style: t.Style}}, after[1:]...)
			}
		}
		return before, &m, after
	}
	return nil, nil, nil
}

// blankEnd reports whether an inline text shows nothing at the edge of a line.
func blankEnd(n markdown.Inline) bool {
	switch n := n.(type) {
	case markdown.Break:
		return true
	case markdown.Text:
		return strings.Trim(n.Text, " ") == ""
	}
	return false
}

// display lays out a formula on a line of its own, in the middle. One that is a little too
// wide is made smaller; one that is much too wide goes on in the next line, where it may, and
// else shows a part of itself, which can be moved.
func (s *setter) display(m markdown.Math, x, width float32, base look) {
	base = s.styled(base, m.Style)
	f := s.maths.get(m.TeX, base.face.size, true)
	widest := float32(0)
	for _, p := range f.parts {
		widest = max(widest, float32(p.Width))
	}
	parts, align, hang := f.parts, markdown.AlignLeft, 2*base.face.size
	switch {
	case widest*smallest > width:
		parts, hang = []*mathPart{f.within(width)}, 0
		s.out.moving = append(s.out.moving, movingMath{part: parts[0], x: x, y: s.y + mathAround})
	case float32(f.whole.Width)*slightly <= width || len(parts) == 1:
		parts, align, hang = []*mathPart{f.whole}, markdown.AlignCentre, 0
	}
	var b breaker
	start := s.text.Len()
	b.addMath(m, parts, start, base)
	s.text.WriteString(m.Source)
	s.out.maths = append(s.out.maths, [2]int{start, s.text.Len()})
	s.y += mathAround
	lines := b.lines(s.text.String(), x, s.y, width, s.linePitch, hang)
	for i := range lines {
		lines[i].arrange(s.text.String(), x, width, align, false, false)
	}
	if f.tag != nil {
		lines = s.tag(lines, f.tag, x, width, base)
	}
	s.out.pieces = append(s.out.pieces, lines...)
	s.y += heightOf(lines) + mathAround
	if parts[0].place > 0 {
		s.y += moveBar
		s.out.moving[len(s.out.moving)-1].height = heightOf(lines) + moveBar
	}
}

// tag puts the number of a formula into the right margin of its last line, or below it where
// there is no room. The byte at its end is where the number stands when it is selected.
func (s *setter) tag(lines []piece, tag *mathPart, x, width float32, base look) []piece {
	last := &lines[len(lines)-1]
	base.math = tag
	r := run{look: base, x: x + width - float32(tag.Width), width: float32(tag.Width), start: last.end, end: last.end}
	if last.x+last.width+base.face.size > r.x {
		below := piece{x: r.x, y: last.y + last.height, height: s.linePitch, start: last.end, end: last.end}
		below.base = (s.linePitch-base.face.height)/2 + base.face.base
		below.runs = []run{r}
		return append(lines, below)
	}
	last.runs = append(last.runs, r)
	return lines
}

// formulaAt is the formula around a byte, or twice the byte itself.
func (s *set) formulaAt(at int) (from, to int) {
	for _, m := range s.maths {
		if at > m[0] && at < m[1] {
			return m[0], m[1]
		}
	}
	return at, at
}
