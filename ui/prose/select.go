package prose

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/ui/kit"
)

// spot is a place in the text of a message.
type spot struct {
	set    int
	offset int // bytes
}

func (s spot) before(o spot) bool { return s.set < o.set || s.set == o.set && s.offset < o.offset }

// unit is what a selection grows by.
type unit int

const (
	byCharacter unit = iota
	byWord
	byBlock
)

// Marked is the selected text: from where the button went down to where the
// pointer is, in whole units.
type Marked struct {
	anchor, head spot
	unit         unit
	on           bool
}

// clip keeps a selection within a message that changed.
func (m *Marked) clip(sets []*set) {
	if !m.on {
		return
	}
	for _, s := range []*spot{&m.anchor, &m.head} {
		if s.set >= len(sets) {
			*m = Marked{}
			return
		}
		s.offset = min(s.offset, len(sets[s.set].text))
		for s.offset > 0 && s.offset < len(sets[s.set].text) && !utf8.RuneStart(sets[s.set].text[s.offset]) {
			s.offset--
		}
	}
}

// selection is the selected part in order; false: none is.
func (p *Text) selection() (from, to spot, ok bool) {
	m := p.Mark
	if !m.on || len(p.sets) == 0 {
		return spot{}, spot{}, false
	}
	from, to = m.anchor, m.head
	if to.before(from) {
		from, to = to, from
	}
	text := p.sets[to.set].text
	switch m.unit {
	case byWord:
		from.offset, _ = wordAt(p.sets[from.set].text, from.offset)
		_, to.offset = wordAt(text, to.offset)
	case byBlock:
		from.offset, to.offset = 0, len(text)
	}
	if from.before(to) {
		from.offset, _ = p.sets[from.set].formulaAt(from.offset)
		_, to.offset = p.sets[to.set].formulaAt(to.offset)
	}
	return from, to, from.before(to)
}

// wordAt is the word around a byte of a text.
func wordAt(text string, at int) (from, to int) {
	kind := func(r rune) int {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r):
			return 0
		case unicode.IsSpace(r):
			return 1
		}
		return 2
	}
	if text == "" {
		return 0, 0
	}
	if at >= len(text) {
		_, size := utf8.DecodeLastRuneInString(text)
		at = len(text) - size
	}
	first, _ := utf8.DecodeRuneInString(text[at:])
	from, to = at, at
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if kind(r) != kind(first) {
			break
		}
		from -= size
	}
	for to < len(text) {
		r, size := utf8.DecodeRuneInString(text[to:])
		if kind(r) != kind(first) {
			break
		}
		to += size
	}
	return from, to
}

// SelectedText is what is selected, as plain text.
func (p *Text) SelectedText() string {
	from, to, ok := p.selection()
	if !ok {
		return ""
	}
	return p.textBetween(from, to)
}

// plainText is the whole message as plain text.
func (p *Text) plainText() string {
	p.ensure()
	if len(p.sets) == 0 {
		return ""
	}
	last := len(p.sets) - 1
	return p.textBetween(spot{}, spot{last, len(p.sets[last].text)})
}

// ensure lays the message out, at any width, if it never was.
func (p *Text) ensure() {
	if p.width == 0 {
		p.layOut(600)
	}
}

func (p *Text) textBetween(from, to spot) string {
	var b strings.Builder
	for i := from.set; i <= to.set; i++ {
		text, start, end := p.sets[i].text, 0, len(p.sets[i].text)
		if i == from.set {
			start = from.offset
		} else {
			b.WriteString("\n\n")
		}
		if i == to.set {
			end = to.offset
		}
		b.WriteString(text[start:end])
	}
	return b.String()
}

// selectAll selects the whole message.
func (p *Text) selectAll() {
	p.ensure()
	if len(p.sets) == 0 {
		return
	}
	last := len(p.sets) - 1
	p.Mark = Marked{head: spot{last, len(p.sets[last].text)}, on: true}
	p.Selects()
	p.Draw()
}

// spotAt is the place in the text nearest to a point.
func (p *Text) spotAt(x, y float32) spot {
	if len(p.sets) == 0 {
		return spot{}
	}
	i := max(0, sort.Search(len(p.sets), func(i int) bool { return p.sets[i].top > y })-1)
	if i+1 < len(p.sets) && y-(p.sets[i].top+p.sets[i].height) > p.sets[i+1].top-y {
		i++
	}
	s := p.sets[i]
	best, distance := -1, float32(0)
	for k := range s.pieces {
		if d := s.pieces[k].distance(x, y-s.top); best < 0 || d < distance {
			best, distance = k, d
		}
	}
	if best < 0 {
		if y > s.top+s.height/2 {
			return spot{i, len(s.text)}
		}
		return spot{i, 0}
	}
	return spot{i, s.pieces[best].offsetAt(s.text, x)}
}

// distance tells lines apart by how near they are to a point: above all by
// their height, among those side by side by their sides.
func (p *piece) distance(x, y float32) float32 {
	dx := max(p.x-x, x-p.x-p.width, 0)
	dy := max(p.y-y, y-p.y-p.height, 0)
	return dy*1000 + dx
}

// offsetAt is the byte nearest to x on a line.
func (p *piece) offsetAt(text string, x float32) int {
	if len(p.runs) == 0 {
		return p.start
	}
	best, distance := 0, float32(0)
	for i := range p.runs {
		r := &p.runs[i]
		if d := max(r.x-x, x-r.x-r.width, 0); i == 0 || d < distance {
			best, distance = i, d
		}
	}
	r := &p.runs[best]
	part := text[r.start:r.end]
	if r.left {
		x = r.x + r.width - (x - r.x)
	}
	if x <= r.x || part == "" || r.math != nil && x < r.x+r.width/2 {
		return r.start
	}
	if x >= r.x+r.width || r.math != nil {
		return r.end
	}
	return r.start + nearest(r.face, part, x-r.x)
}

// nearest is the byte of text before which x lies, to the nearest character.
func nearest(f *face, text string, x float32) int {
	runes := []rune(text)
	wide := func(n int) float32 { return f.measured(string(runes[:n])) }
	n := sort.Search(len(runes), func(n int) bool { return wide(n+1) > x })
	if n < len(runes) && x-wide(n) > wide(n+1)-x {
		n++
	}
	for n < len(runes) && n > 0 && kit.Joins(runes, n) {
		n++
	}
	return len(string(runes[:n]))
}

// extent is where the part of a line between two bytes lies; false: nowhere.
func (p *piece) extent(text string, from, to int) (left, right float32, ok bool) {
	for i := range p.runs {
		r := &p.runs[i]
		a, b := max(from, r.start), min(to, r.end)
		if a >= b {
			continue
		}
		x0, x1 := r.x, r.x+r.width
		if !r.silent && r.math == nil {
			if a > r.start {
				x0 = r.x + r.face.measured(text[r.start:a])
			}
			if b < r.end {
				x1 = r.x + r.face.measured(text[r.start:b])
			}
		}
		if r.left {
			x0, x1 = 2*r.x+r.width-x1, 2*r.x+r.width-x0
		}
		if !ok {
			left, right, ok = x0, x1, true
		} else {
			left, right = min(left, x0), max(right, x1)
		}
	}
	return left, right, ok
}
