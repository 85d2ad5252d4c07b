package mathfont

import (
	"bytes"
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

func FuzzTable(f *testing.F) {
	loader, err := opentype.NewLoader(bytes.NewReader(lmmath.TTF))
	if err != nil {
		f.Fatal(err)
	}
	table, err := loader.RawTable(opentype.MustNewTag("MATH"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(table)
	f.Fuzz(func(t *testing.T, table []byte) {
		font := &Font{}
		_ = font.readMath(table)
	})
}
