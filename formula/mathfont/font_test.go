package mathfont

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/go-fonts/latin-modern/lmmath"
	"github.com/go-text/typesetting/font/opentype"
)

func testFont(t testing.TB) *Font {
	t.Helper()
	f, err := Read(lmmath.TTF)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func glyph(t testing.TB, f *Font, r rune) Glyph {
	t.Helper()
	g, ok := f.Glyph(r)
	if !ok {
		t.Fatalf("the font has no %q", r)
	}
	return g
}

// The distances of Latin Modern Math are those that TeX's fonts have: an axis of 0.25 em, lines
// of 0.04 em, scripts of 70 and 50 %.
func TestConstants(t *testing.T) {
	f := testFont(t)
	c := f.Constants
	for name, v := range map[string][2]float64{
		"units": {f.Units, 1000}, "axis": {c.AxisHeight, 250}, "line": {c.FractionRule, 40}, "script": {c.ScriptPercent, 70}, "script of a script": {c.ScriptScriptPercent, 50},
		"numerator": {c.NumeratorDisplayShiftUp, 677}, "denominator": {c.DenominatorDisplayShiftDown, 686}, "superscript": {c.SuperscriptShiftUp, 363},
		"line of a root": {c.RadicalRule, 40}, "degree": {c.RadicalDegreeRaisePercent, 60},
	} {
		if v[0] != v[1] {
			t.Errorf("%s: %v, want %v", name, v[0], v[1])
		}
	}
	if f.Italic(glyph(t, f, '𝑓')) <= 0 || f.Italic(glyph(t, f, '+')) != 0 {
		t.Error("f leans over, + does not")
	}
	if f.Small(glyph(t, f, '𝑥'), 1) == glyph(t, f, '𝑥') || f.Small(glyph(t, f, '𝑥'), 3) != f.Small(glyph(t, f, '𝑥'), 2) {
		t.Error("x has no form for scripts")
	}
}

// Signs grow: by larger glyphs, then by pieces that meet the length.
func TestGrow(t *testing.T) {
	f := testFont(t)
	for _, r := range "()[]{}|‖√⌊⌉" {
		g := glyph(t, f, r)
		before := 0.0
		for height := 500.0; height < 20_000; height *= 1.2 {
			grown := f.Tall(g, height)
			if grown.Length < before || grown.Length < height && grown.Length < 3000 || !grown.Whole && grown.Length > 1.25*height {
				t.Errorf("%q for %.0f is %.0f high", r, height, grown.Length)
			}
			for i, p := range grown.Glyphs {
				if i > 0 && p.At <= grown.Glyphs[i-1].At {
					t.Errorf("%q for %.0f: the pieces are at %v", r, height, grown.Glyphs)
				}
				if len(f.Outline(p.Glyph)) == 0 {
					t.Errorf("%q has a piece without an outline", r)
				}
			}
			before = grown.Length
		}
	}
	if wide := f.Wide(glyph(t, f, '→'), 5000); wide.Length < 5000 || wide.Whole {
		t.Errorf("an arrow for 5000 is %.0f wide", wide.Length)
	}
	if g := glyph(t, f, 'x'); f.Tall(g, 5000).Glyphs[0].Glyph != g {
		t.Error("x grows")
	}
}

// A table MATH that is cut at any byte is an error or a smaller one, and no panic.
func TestTruncated(t *testing.T) {
	loader, err := opentype.NewLoader(bytes.NewReader(lmmath.TTF))
	if err != nil {
		t.Fatal(err)
	}
	table, err := loader.RawTable(opentype.MustNewTag("MATH"))
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	for n := 0; n < len(table); n += step {
		f := &Font{}
		if err := f.readMath(table[:n]); err == nil && n < 1000 {
			t.Errorf("a table of %d bytes is one", n)
		}
		if n > 2000 {
			step = 97
		}
	}
}

func TestNoFont(t *testing.T) {
	for _, file := range [][]byte{nil, []byte("no font"), lmmath.TTF[:1000]} {
		if _, err := Read(file); err == nil {
			t.Errorf("%d bytes are a font", len(file))
		}
	}
}

// smallTable is a table MATH of one glyph that leans over and one that grows, by a larger glyph
// and by two pieces. It is short, so that a fuzzer gets far with it.
func smallTable() []byte {
	var out []byte
	put := func(values ...int) {
		for _, v := range values {
			out = binary.BigEndian.AppendUint16(out, uint16(v))
		}
	}
	constants := 8 + 4*len((&Constants{}).values()) + 2
	const head, info = 10, 22
	put(1, 0, head, head+constants, head+constants+info)
	put(make([]int, constants/2)...)
	put(8, 0, 0, 0)            // italics are there, accents are not
	put(8, 1, 25, 0)           // their coverage, and one number
	put(1, 1, 7)               // a list with glyph 7
	put(30, 10+2, 0, 1, 0, 18) // variants: overlap, coverage, one that grows upwards
	put(1, 1, 9)               // a list with glyph 9
	put(8, 1, 10, 900)         // its pieces, and a larger glyph
	put(0, 0, 2)               // two pieces
	put(11, 0, 40, 500, 0, 12, 40, 0, 300, 1)
	return out
}

// The table that the fuzzer begins with is one.
func TestSmallTable(t *testing.T) {
	f := &Font{}
	if err := f.readMath(smallTable()); err != nil {
		t.Fatal(err)
	}
	c := f.tall[9]
	if f.Italic(7) != 25 || len(f.accents) != 0 || f.overlap != 30 || len(c.sizes) != 1 || c.sizes[0].glyph != 10 || len(c.parts) != 2 || !c.parts[1].extender {
		t.Errorf("italics %v, accents %v, overlap %v, tall %+v", f.italics, f.accents, f.overlap, f.tall)
	}
}

func FuzzTable(f *testing.F) {
	f.Add(smallTable())
	f.Fuzz(func(t *testing.T, table []byte) {
		if len(table) > 4096 {
			t.Skip("fonts have larger ones; what is in them comes in small ones, too")
		}
		font := &Font{}
		_ = font.readMath(table)
	})
}
