package typeset

import (
	"fmt"
	"image"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-fonts/latin-modern/lmmath"

	"inglenook/formula"
	"inglenook/formula/mathfont"
)

const em = 20

func testFont(t testing.TB) *mathfont.Font {
	t.Helper()
	f, err := mathfont.Read(lmmath.TTF)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// written are the formulas that package formula is tested with.
func written(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("../testdata/formulas.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if !strings.Contains(line, "速") { // no font here has these
			list = append(list, line)
		}
	}
	return list
}

func set(t testing.TB, f *mathfont.Font, source string, display bool) Piece {
	t.Helper()
	tree, err := formula.Parse(source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	pieces, err := Set(tree, em, display, f)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return Joined(pieces)
}

// ink is the area of something drawn.
type ink struct {
	left, right, bottom, top float64
	rule                     bool
	glyph                    mathfont.Glyph
}

func inks(p Piece) (list []ink) {
	for _, d := range p.draws {
		switch {
		case d.rule:
			list = append(list, ink{d.x, d.x + d.dx, d.y, d.y + d.dy, true, 0})
		case d.stroke > 0:
		default:
			e := d.font.Extent(d.glyph)
			list = append(list, ink{d.x + e.Left*d.scale, d.x + e.Right*d.scale, d.y + e.Bottom*d.scale, d.y + e.Top*d.scale, false, d.glyph})
		}
	}
	return list
}

// TestWritten sets every formula that models typically write: as one of its own and within
// text. Everything drawn lies within the area of the formula.
func TestWritten(t *testing.T) {
	f := testFont(t)
	for _, source := range written(t) {
		for _, display := range []bool{true, false} {
			p := set(t, f, source, display)
			if !(p.Width > 0 && p.Width < 100*em && p.Height+p.Depth > 0 && p.Height+p.Depth < 20*em) {
				t.Errorf("%s: %.1f wide, %.1f high, %.1f deep", source, p.Width, p.Height, p.Depth)
			}
			for _, k := range inks(p) {
				const lean = 0.25 * em // italics and accents reach beyond
				if k.left < -lean || k.right > p.Width+lean || k.top > p.Height+0.01 || k.bottom < -p.Depth-0.01 {
					if strings.Contains(source, `\cancel`) || strings.Contains(source, `\phantom`) {
						continue
					}
					t.Errorf("%s (%v): ink at %+v of %.1f × %.1f + %.1f", source, display, k, p.Width, p.Height, p.Depth)
					break
				}
			}
		}
	}
}

// TestNothingOverlaps has no two signs over each other, except where that is meant.
func TestNothingOverlaps(t *testing.T) {
	f := testFont(t)
	for _, source := range written(t) {
		if strings.Contains(source, `\cancel`) || strings.Contains(source, `\xcancel`) || strings.Contains(source, `\!`) {
			continue
		}
		for _, display := range []bool{true, false} {
			p := set(t, f, source, display)
			list := inks(p)
			for i, a := range list {
				for k, b := range list[:i] {
					if min(a.right, b.right) <= max(a.left, b.left) || min(a.top, b.top) <= max(a.bottom, b.bottom) || a.rule && b.rule {
						continue
					}
					if n := shared(p, p.draws[i], p.draws[k]); n > 12 && !(piece(f, a) && piece(f, b)) {
						t.Errorf("%s (%v): %s and %s have %d pixels in common", source, display, name(f, a), name(f, b), n)
					}
				}
			}
		}
	}
}

// shared counts the pixels that two things have in common, four to a unit.
func shared(p Piece, a, b draw) (count int) {
	const scale = 2
	alone := func(d draw) *image.Alpha {
		one := Piece{draws: []draw{d}}
		return one.Draw(formula.Color{}, int((p.Width+2*em)*scale), int((p.Height+p.Depth+em)*scale), em*scale, (p.Height+em/2)*scale, scale)
	}
	first, second := alone(a), alone(b)
	for i := range first.Pix {
		if first.Pix[i] > 128 && second.Pix[i] > 128 {
			count++
		}
	}
	return count
}

// piece reports whether a glyph is a piece of a sign of any length, which lie over each other.
func piece(f *mathfont.Font, k ink) bool {
	r, ok := names(f)[k.glyph]
	return !k.rule && (!ok || strings.ContainsRune("⎡⎢⎣⎤⎥⎦⎧⎨⎩⎪⎫⎬⎭⎛⎜⎝⎞⎟⎠", r))
}

var known map[mathfont.Glyph]rune

// names are the characters of glyphs that are not pieces of others.
func names(f *mathfont.Font) map[mathfont.Glyph]rune {
	if known == nil {
		known = map[mathfont.Glyph]rune{}
		for r := rune(0x20); r < 0x1D800; r++ {
			if g, ok := f.Glyph(r); ok && g != 0 {
				known[g] = r
				known[f.Small(g, 1)], known[f.Small(g, 2)] = r, r
			}
		}
	}
	return known
}

func name(f *mathfont.Font, k ink) string {
	if k.rule {
		return "a line"
	}
	if r, ok := names(f)[k.glyph]; ok {
		return string(r)
	}
	return fmt.Sprint("glyph ", k.glyph)
}

// where returns the places of a character in a formula, from left to right as drawn.
func where(t testing.TB, f *mathfont.Font, p Piece, r rune) (list []draw) {
	t.Helper()
	for _, d := range p.draws {
		if d.font != nil && names(f)[d.glyph] == r {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		t.Fatalf("%q is not drawn", r)
	}
	return list
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.01 }

func TestScripts(t *testing.T) {
	f := testFont(t)
	p := set(t, f, "x_i^2", true)
	x, i, two := where(t, f, p, '𝑥')[0], where(t, f, p, '𝑖')[0], where(t, f, p, '2')[0]
	if x.y != 0 || i.y >= 0 || two.y <= 0 || i.x < f.Extent(x.glyph).Advance*x.scale-0.01 {
		t.Errorf("x at %.1f, i at %.1f %.1f, 2 at %.1f", x.y, i.x, i.y, two.y)
	}
	if !near(i.scale/x.scale, 0.7) || !near(two.scale/x.scale, 0.7) {
		t.Errorf("scripts are scaled by %.2f", i.scale/x.scale)
	}
	if high := set(t, f, "x^{y^z}", true); !near(where(t, f, high, '𝑧')[0].scale/x.scale, 0.5) {
		t.Error("a script of a script is not half as large")
	}
}

func TestFractions(t *testing.T) {
	f := testFont(t)
	p := set(t, f, `\frac{a+b}{c}`, true)
	var bar ink
	for _, k := range inks(p) {
		if k.rule {
			bar = k
		}
	}
	axis := f.Constants.AxisHeight / f.Units * em
	if !near((bar.bottom+bar.top)/2, axis) {
		t.Errorf("the line is %.2f high, the axis %.2f", (bar.bottom+bar.top)/2, axis)
	}
	a, c := where(t, f, p, '𝑎')[0], where(t, f, p, '𝑐')[0]
	if a.y < bar.top || c.y+f.Extent(c.glyph).Top*c.scale > bar.bottom {
		t.Errorf("above at %.1f, below at %.1f, the line from %.1f to %.1f", a.y, c.y, bar.bottom, bar.top)
	}
	if small := set(t, f, `\frac{a}{b}`, false); !near(where(t, f, small, '𝑎')[0].scale/a.scale, 0.7) {
		t.Error("within text, a fraction is not in small")
	}
}

// Limits of a sum stand above and below it in a formula of its own, and behind it in text.
func TestLimits(t *testing.T) {
	f := testFont(t)
	for source, want := range map[string][2]bool{ // in a formula of its own, within text
		`\sum_a^b x`:              {true, false},
		`\int_a^b x`:              {false, false},
		`\int\limits_a^b x`:       {true, true},
		`\sum\nolimits_a^b x`:     {false, false},
		`\lim_a x`:                {true, false},
		`\operatorname*{foo}_a x`: {true, false},
		`\operatorname{foo}_a x`:  {false, false},
		`\underset{a}{n} x`:       {true, true},
	} {
		for k, display := range []bool{true, false} {
			p := set(t, f, source, display)
			a := where(t, f, p, '𝑎')[0]
			below := true
			for _, d := range p.draws {
				if d.glyph != a.glyph && d.font != nil && names(f)[d.glyph] != '𝑏' && names(f)[d.glyph] != '𝑥' {
					e := f.Extent(d.glyph)
					below = below && a.y+f.Extent(a.glyph).Top*a.scale < d.y+e.Bottom*d.scale
				}
			}
			if below != want[k] {
				t.Errorf("%s (%v): below: %v", source, display, below)
			}
		}
	}
}

func TestBrackets(t *testing.T) {
	f := testFont(t)
	for _, source := range []string{`\left( \frac{\frac{a}{b}}{\frac{c}{d}} \right)`, `\left\{ \sum_{i=1}^n \frac{a}{b} \right\}`, `\begin{vmatrix} a \\ b \\ c \\ d \\ e \\ f \\ g \\ h \end{vmatrix}`, `\left\lfloor \frac{\frac{a}{b}}{c} \right\rfloor`} {
		p := set(t, f, source, true)
		list := inks(p)
		low, high := 0.0, 0.0
		for _, k := range list {
			if k.left < 0.6*em {
				low, high = min(low, k.bottom), max(high, k.top)
			}
		}
		if high < 0.88*p.Height || low > -0.88*p.Depth {
			t.Errorf("%s: the bracket goes from %.1f to %.1f, the formula from %.1f to %.1f", source, low, high, -p.Depth, p.Height)
		}
	}
	one, two := set(t, f, `\big(`, true), set(t, f, `\Bigg(`, true)
	if one.Height+one.Depth < 1.15*em || two.Height+two.Depth < 2.9*em {
		t.Errorf("large brackets are %.1f and %.1f high", one.Height+one.Depth, two.Height+two.Depth)
	}
}

// Columns of equations meet at their signs; those of a matrix are in the middle.
func TestArrays(t *testing.T) {
	f := testFont(t)
	p := set(t, f, `\begin{aligned} aaaa &= b \\ c &= ddd \\ &= e \end{aligned}`, true)
	signs := where(t, f, p, '=')
	for _, s := range signs {
		if !near(s.x, signs[0].x) {
			t.Errorf("signs at %.2f and %.2f", signs[0].x, s.x)
		}
	}
	if len(signs) != 3 || signs[0].y <= signs[1].y || signs[1].y <= signs[2].y {
		t.Error("the lines are not one below the other")
	}
	p = set(t, f, `\begin{matrix} aaa \\ b \end{matrix}`, true)
	a, b := where(t, f, p, '𝑎')[1], where(t, f, p, '𝑏')[0]
	if math.Abs(a.x+f.Extent(a.glyph).Advance*a.scale/2-b.x-f.Extent(b.glyph).Advance*b.scale/2) > 0.5 {
		t.Errorf("the middle of the column is at %.1f and %.1f", a.x, b.x)
	}
	if !near(p.Height-p.Depth, 2*f.Constants.AxisHeight/f.Units*em) {
		t.Errorf("the matrix is %.1f high and %.1f deep", p.Height, p.Depth)
	}
}

// Signs have room by what they are: a + b, but -b, and f(x) without any.
func TestRoom(t *testing.T) {
	f := testFont(t)
	apart := func(source string, left, right rune) float64 {
		p := set(t, f, source, false)
		a, b := where(t, f, p, left)[0], where(t, f, p, right)[0]
		return (b.x - a.x - f.Extent(a.glyph).Advance*a.scale) / em * 18
	}
	for _, c := range []struct {
		source      string
		left, right rune
		mu          float64
	}{
		{"a+b", '+', '𝑏', 4},
		{"-b", '−', '𝑏', 0},
		{"a=b", '=', '𝑏', 5},
		{"a=-b", '−', '𝑏', 0},
		{"(-b)", '−', '𝑏', 0},
		{"a,b", ',', '𝑏', 3},
		{`x\in A`, '∈', '𝐴', 5},
		{"1,234", ',', '2', 0},
		{`a\,b`, '𝑎', '𝑏', 3},
		{`a\quad b`, '𝑎', '𝑏', 18},
		{"2(a)", '2', '(', 0},
		{`a\mathbin{@}b`, '@', '𝑏', 4},
	} {
		if mu := apart(c.source, c.left, c.right); math.Abs(mu-c.mu) > 0.05 {
			t.Errorf("%s: %.2f between %c and %c, want %.0f", c.source, mu, c.left, c.right, c.mu)
		}
	}
}

// A formula may go on in the next line after a sign between two sides or operands, at the
// byte where the source does; not within a bracket or a fraction.
func TestPieces(t *testing.T) {
	f := testFont(t)
	for source, want := range map[string][]string{
		`a+b = c`:                 {"a+", "b =", " c"},
		`f(a+b)`:                  {"f(a+", "b)"},
		`\left(a+b\right)`:        {`\left(a+b\right)`},
		`\frac{a+b}{c} - d`:       {`\frac{a+b}{c} -`, " d"},
		`-a`:                      {"-a"},
		`\displaystyle x = y`:     {`\displaystyle x = y`},
		`a \leq b \text{ and } c`: {`a \leq`, ` b \text{ and } c`},
	} {
		tree, err := formula.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := Set(tree, em, false, f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		at := 0
		for _, p := range pieces {
			end := p.End
			if end < 0 {
				end = len(source)
			}
			got = append(got, source[at:end])
			at = end
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// What no font has is an error and no box.
func TestNoGlyph(t *testing.T) {
	tree, err := formula.Parse(`x + \text{速度}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Set(tree, em, true, testFont(t)); err == nil || !strings.Contains(err.Error(), "速") {
		t.Errorf("the error is %v", err)
	}
}

// A picture has the formula in it: nothing reaches its edge, and the line of a fraction is one
// row of whole pixels, at any scale.
func TestDraw(t *testing.T) {
	f := testFont(t)
	for _, scale := range []float64{1, 1.25, 1.5, 2, 3} {
		for _, source := range []string{`\frac{a}{b}`, `\sqrt{x}`, `\sum_{i=1}^n \hat{f}_i`, `\cancel{x}`, `\begin{cases} a \\ b \end{cases}`} {
			p := set(t, f, source, true)
			const edge = 4
			width, height := int(math.Ceil((p.Width+2*edge)*scale)), int(math.Ceil((p.Height+p.Depth+2*edge)*scale))
			m := p.Draw(formula.Color{}, width, height, edge*scale, math.Round((p.Height+edge)*scale), scale)
			inkOf, full := 0, 0
			for y := range height {
				row := 0
				for x := range width {
					a := m.AlphaAt(x, y).A
					if a > 0 {
						inkOf++
						if x == 0 || y == 0 || x == width-1 || y == height-1 {
							t.Errorf("%s at %v: ink at the edge", source, scale)
						}
					}
					if a == 255 {
						row++
					}
				}
				if float64(row) > 0.5*p.Width*scale {
					full++
				}
			}
			if inkOf == 0 {
				t.Errorf("%s at %v: nothing is drawn", source, scale)
			}
			if source == `\frac{a}{b}` && full != max(1, int(math.Round(0.04*em*scale))) {
				t.Errorf("at %v, the line of the fraction is %d whole rows", scale, full)
			}
		}
	}
	p := set(t, f, "x", true)
	for _, size := range []image.Point{{}, {-1, 5}, {1 << 20, 1 << 20}} {
		if m := p.Draw(formula.Color{}, size.X, size.Y, 0, 0, 1); m.Rect.Dx() != 1 {
			t.Errorf("a picture of %v is %v", size, m.Rect)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, source := range written(f) {
		f.Add(source)
	}
	font := testFont(f)
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := formula.Parse(source)
		if err != nil {
			return
		}
		for _, display := range []bool{true, false} {
			pieces, err := Set(tree, em, display, font)
			if err != nil {
				continue
			}
			p := Joined(pieces)
			if math.IsNaN(p.Width+p.Height+p.Depth) || math.IsInf(p.Width+p.Height+p.Depth, 0) {
				t.Errorf("%q: %v × %v + %v", source, p.Width, p.Height, p.Depth)
			}
			p.Draw(formula.Color{}, int(min(max(p.Width, 1), 500)), 50, 0, 25, 1)
		}
	})
}

func BenchmarkSet(b *testing.B) {
	font := testFont(b)
	list := written(b)
	for b.Loop() {
		for _, source := range list {
			tree, _ := formula.Parse(source)
			_, _ = Set(tree, em, true, font)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(list)), "µs/formula")
}

func BenchmarkDraw(b *testing.B) {
	font := testFont(b)
	var list []Piece
	for _, source := range written(b) {
		list = append(list, set(b, font, source, true))
	}
	for b.Loop() {
		for _, p := range list {
			p.Draw(formula.Color{}, int(p.Width)+8, int(p.Height+p.Depth)+8, 4, p.Height+4, 1)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(list)), "µs/formula")
}
