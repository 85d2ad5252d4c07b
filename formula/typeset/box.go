// Package typeset sets formulas as TeX does, from the tree of package formula to glyphs and
// lines in their places, and draws them into a picture. The rules are those of the TeXbook's
// appendix G, with the distances that a font has in its table MATH.
package typeset

import (
	"inglenook/formula"
	"inglenook/formula/mathfont"
)

// box is something set: an area with a baseline, and what is in it. Y grows upwards.
type box struct {
	width, height, depth float64
	items                []item

	italic float64 // of one glyph: how far its upper end leans over the width
	accent float64 // of one glyph: where an accent stands
	single bool    // one glyph

	ink formula.Color // of what is in it and has none of its own
}

// item is a part of a box, or something that is drawn.
type item struct {
	x, y float64
	box  *box // nil: one of those below

	font  *mathfont.Font // of a glyph
	glyph mathfont.Glyph
	scale float64 // units of the font to ours

	rule   bool // an area, from x and y to the right and upwards
	dx, dy float64
	stroke float64 // of a line from x and y to x+dx and y+dy; 0: none
}

// put places a box within another one.
func (b *box) put(in *box, x, y float64) {
	b.items = append(b.items, item{x: x, y: y, box: in})
	b.height = max(b.height, in.height+y)
	b.depth = max(b.depth, in.depth-y)
}

// rule places an area within a box.
func (b *box) rule(x, y, width, height float64) {
	b.items = append(b.items, item{x: x, y: y, rule: true, dx: width, dy: height})
	b.height = max(b.height, y+height)
	b.depth = max(b.depth, -y)
}

// after places a box at the right end of another one.
func (b *box) after(in *box) {
	b.put(in, b.width, 0)
	b.width += in.width
}

// raised is a box moved upwards.
func raised(in *box, by float64) *box {
	b := &box{width: in.width, height: in.height + by, depth: in.depth - by}
	b.items = []item{{y: by, box: in}}
	return b
}

// centred is a box whose middle lies on the axis, a distance above the baseline.
func centred(in *box, axis float64) *box {
	return raised(in, axis-(in.height-in.depth)/2)
}

// widened is a box of at least a width, with what it has in the middle.
func widened(in *box, width float64) *box {
	if in.width >= width {
		return in
	}
	b := &box{width: width, height: in.height, depth: in.depth}
	b.items = []item{{x: (width - in.width) / 2, box: in}}
	return b
}

// level is the size of a formula; cramped: scripts are not raised so far.
type level struct {
	size    int // 0: a formula of its own, 1: within text, 2 and 3: scripts
	cramped bool
}

func (l level) sup() level   { return level{max(2, min(3, l.size+1)), l.cramped} }
func (l level) sub() level   { return level{max(2, min(3, l.size+1)), true} }
func (l level) tight() level { return level{l.size, true} }

// part is the level of the upper part of a fraction, or of the lower one.
func (l level) part(below bool) level { return level{min(3, l.size+1), l.cramped || below} }
