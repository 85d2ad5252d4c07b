package mathfont

import (
	"encoding/binary"
	"errors"
)

// Constants are the distances of formulas, in units of the font, in the order of the table
// "MathConstants" from its third value on, and percentages before that.
// https://learn.microsoft.com/typography/opentype/spec/math
type Constants struct {
	ScriptPercent, ScriptScriptPercent float64

	DelimitedMinHeight, DisplayOperatorMinHeight float64

	MathLeading, AxisHeight, AccentBaseHeight, FlattenedAccentBaseHeight                            float64
	SubscriptShiftDown, SubscriptTopMax, SubscriptBaselineDropMin                                   float64
	SuperscriptShiftUp, SuperscriptShiftUpCramped, SuperscriptBottomMin, SuperscriptBaselineDropMax float64
	SubSuperscriptGapMin, SuperscriptBottomMaxWithSubscript, SpaceAfterScript                       float64
	UpperLimitGapMin, UpperLimitBaselineRiseMin, LowerLimitGapMin, LowerLimitBaselineDropMin        float64
	StackTopShiftUp, StackTopDisplayShiftUp, StackBottomShiftDown, StackBottomDisplayShiftDown      float64
	StackGapMin, StackDisplayGapMin                                                                 float64
	StretchTopShiftUp, StretchBottomShiftDown, StretchGapAboveMin, StretchGapBelowMin               float64
	NumeratorShiftUp, NumeratorDisplayShiftUp, DenominatorShiftDown, DenominatorDisplayShiftDown    float64
	NumeratorGapMin, NumeratorDisplayGapMin, FractionRule, DenominatorGapMin                        float64
	DenominatorDisplayGapMin, SkewedHorizontalGap, SkewedVerticalGap                                float64
	OverbarGap, OverbarRule, OverbarExtra, UnderbarGap, UnderbarRule, UnderbarExtra                 float64
	RadicalGap, RadicalDisplayGap, RadicalRule, RadicalExtra                                        float64
	RadicalKernBefore, RadicalKernAfter, RadicalDegreeRaisePercent                                  float64
}

// values lists those of Constants that are records of 4 bytes, in the table's order.
func (c *Constants) values() []*float64 {
	return []*float64{
		&c.MathLeading, &c.AxisHeight, &c.AccentBaseHeight, &c.FlattenedAccentBaseHeight,
		&c.SubscriptShiftDown, &c.SubscriptTopMax, &c.SubscriptBaselineDropMin,
		&c.SuperscriptShiftUp, &c.SuperscriptShiftUpCramped, &c.SuperscriptBottomMin, &c.SuperscriptBaselineDropMax,
		&c.SubSuperscriptGapMin, &c.SuperscriptBottomMaxWithSubscript, &c.SpaceAfterScript,
		&c.UpperLimitGapMin, &c.UpperLimitBaselineRiseMin, &c.LowerLimitGapMin, &c.LowerLimitBaselineDropMin,
		&c.StackTopShiftUp, &c.StackTopDisplayShiftUp, &c.StackBottomShiftDown, &c.StackBottomDisplayShiftDown,
		&c.StackGapMin, &c.StackDisplayGapMin,
		&c.StretchTopShiftUp, &c.StretchBottomShiftDown, &c.StretchGapAboveMin, &c.StretchGapBelowMin,
		&c.NumeratorShiftUp, &c.NumeratorDisplayShiftUp, &c.DenominatorShiftDown, &c.DenominatorDisplayShiftDown,
		&c.NumeratorGapMin, &c.NumeratorDisplayGapMin, &c.FractionRule, &c.DenominatorGapMin,
		&c.DenominatorDisplayGapMin, &c.SkewedHorizontalGap, &c.SkewedVerticalGap,
		&c.OverbarGap, &c.OverbarRule, &c.OverbarExtra, &c.UnderbarGap, &c.UnderbarRule, &c.UnderbarExtra,
		&c.RadicalGap, &c.RadicalDisplayGap, &c.RadicalRule, &c.RadicalExtra,
		&c.RadicalKernBefore, &c.RadicalKernAfter,
	}
}

// part is a piece of a sign of any length.
type part struct {
	glyph      Glyph
	start, end float64 // how much of it may lie over the piece before and after it
	length     float64
	extender   bool // may be left out, or repeated
}

// construction is how a glyph grows.
type construction struct {
	sizes  []size // from small to large
	parts  []part
	italic float64 // of what is put together
}

type size struct {
	glyph  Glyph
	length float64
}

// reader reads numbers of a table. Beyond its end there are zeros, and an error.
type reader struct {
	data []byte
	err  error
}

var errShort = errors.New("the table ends too early")

func (r *reader) u16(at int) int {
	if at < 0 || at+2 > len(r.data) {
		r.err = errShort
		return 0
	}
	return int(binary.BigEndian.Uint16(r.data[at:]))
}

func (r *reader) i16(at int) float64 { return float64(int16(r.u16(at))) }

// maxGlyphs is how many glyphs a font can have.
const maxGlyphs = 1 << 16

// coverage lists the glyphs that the coverage table at a place is about.
func (r *reader) coverage(at int) (glyphs []Glyph) {
	n := r.u16(at + 2)
	for i := range n {
		if r.err != nil {
			return nil
		}
		if r.u16(at) == 1 {
			glyphs = append(glyphs, Glyph(r.u16(at+4+2*i)))
			continue
		}
		for g := r.u16(at + 4 + 6*i); g <= r.u16(at+6+6*i) && r.err == nil && len(glyphs) < maxGlyphs; g++ {
			glyphs = append(glyphs, Glyph(g))
		}
	}
	return glyphs
}

// readMath reads the table MATH.
func (f *Font) readMath(table []byte) error {
	r := &reader{data: table}
	constants, info, variants := r.u16(4), r.u16(6), r.u16(8)
	c := &f.Constants
	c.ScriptPercent, c.ScriptScriptPercent = r.i16(constants), r.i16(constants+2)
	c.DelimitedMinHeight, c.DisplayOperatorMinHeight = float64(r.u16(constants+4)), float64(r.u16(constants+6))
	at := constants + 8
	for _, value := range c.values() {
		*value = r.i16(at)
		at += 4
	}
	c.RadicalDegreeRaisePercent = r.i16(at)

	f.italics = r.values(info + r.u16(info))
	f.accents = r.values(info + r.u16(info+2))
	f.overlap = float64(r.u16(variants))
	tall, wide := r.u16(variants+6), r.u16(variants+8)
	f.tall = r.constructions(variants, r.u16(variants+2), 10, tall)
	f.wide = r.constructions(variants, r.u16(variants+4), 10+2*tall, wide)
	return r.err
}

// values reads a table of one number for each of some glyphs.
func (r *reader) values(at int) map[Glyph]float64 {
	values := map[Glyph]float64{}
	for i, g := range r.coverage(at + r.u16(at)) {
		values[g] = r.i16(at + 4 + 4*i)
	}
	return values
}

// constructions reads how glyphs grow in one direction.
func (r *reader) constructions(variants, coverage, first, count int) map[Glyph]construction {
	all := map[Glyph]construction{}
	if coverage == 0 {
		return all
	}
	for i, g := range r.coverage(variants + coverage) {
		if i >= count || r.err != nil {
			break
		}
		at := variants + r.u16(variants+first+2*i)
		var c construction
		for k := range r.u16(at + 2) {
			c.sizes = append(c.sizes, size{Glyph(r.u16(at + 4 + 4*k)), float64(r.u16(at + 6 + 4*k))})
		}
		if assembly := r.u16(at); assembly != 0 {
			assembly += at
			c.italic = r.i16(assembly)
			for k := range r.u16(assembly + 4) {
				p := assembly + 6 + 10*k
				c.parts = append(c.parts, part{
					glyph: Glyph(r.u16(p)), start: float64(r.u16(p + 2)), end: float64(r.u16(p + 4)),
					length: float64(r.u16(p + 6)), extender: r.u16(p+8)&1 != 0,
				})
			}
		}
		all[g] = c
	}
	return all
}
