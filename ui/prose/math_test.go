package prose

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"

	"inglenook/markdown"
	"inglenook/ui/glyphs"
	"inglenook/ui/kit"
	"inglenook/ui/master"
)

const mathSample = `The roots of $ax^2 + bx + c = 0$ are

\[
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
\]

- a tall one, $\sum_{i=1}^n \frac{1}{i^2}$, within text
- $$\begin{aligned} a &= b \\ &= c \end{aligned}$$

| sign | meaning |
|---|---|
| $\mu$ | mean |

What is not known stays: $\foo{x}$ costs $5.
`

// maths returns the formulas that are drawn.
func (g *page) maths() (list []*canvas.Raster) {
	for _, r := range g.drawn.maths.all {
		if r.Visible() {
			list = append(list, r)
		}
	}
	return list
}

// mathRuns returns the runs of formulas, and the lines that they are on.
func (g *page) mathRuns() (runs []run, lines []piece) {
	for _, s := range g.sets {
		for _, line := range s.pieces {
			for _, r := range line.runs {
				if r.math != nil {
					line.y += s.top
					runs, lines = append(runs, r), append(lines, line)
				}
			}
		}
	}
	return runs, lines
}

func TestMathMasters(t *testing.T) {
	for name, width := range map[string]float32{"math-wide": 640, "math-narrow": 240} {
		t.Run(name, func(t *testing.T) {
			master.CheckCanvas(t, name, newPage(t, mathSample, width).window.Canvas())
		})
	}
}

// The text is the source, also of a formula that nobody knows, and a formula is selected as a
// whole.
func TestMathIsItsSource(t *testing.T) {
	g := newPage(t, mathSample, 500)
	text := g.plainText()
	for _, want := range []string{"The roots of $ax^2 + bx + c = 0$ are\n\n\\[\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n\\]\n\n", `$\foo{x}$ costs $5.`, "$\\mu$\tmean", `\begin{aligned} a &= b \\ &= c \end{aligned}$$`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the text %q", want, text)
		}
	}
	if words := strings.Join(g.words(), " "); !strings.Contains(words, `\foo`) || strings.Contains(words, `\frac`) {
		t.Errorf("the words drawn are %q", words)
	}
	runs, lines := g.mathRuns()
	for i, r := range runs {
		at := fyne.NewPos(r.x+r.width*0.7, lines[i].y+lines[i].height/2)
		for times := 2; times <= 3; times++ {
			g.press = press{}
			g.click(at, times)
			got := g.SelectedText()
			if r.start == r.end || !strings.Contains(text, got) || strings.Count(got, "$")%2 != 0 && !strings.Contains(got, "$5") || strings.Contains(got, `\[`) != strings.Contains(got, `\]`) {
				t.Errorf("%d clicks select %q", times, got)
			}
		}
	}
	g.Mark = Marked{anchor: spot{0, 0}, head: spot{0, 20}, on: true}
	if got := g.SelectedText(); got != "The roots of $ax^2 + bx + c = 0$" {
		t.Errorf("%q is selected", got)
	}
	g.Draw()
}

// A formula under the pointer can be copied alone.
func TestMathCopy(t *testing.T) {
	g := newPage(t, "so $a+b$ and \\[\nc = d\n\\]", 400)
	runs, lines := g.mathRuns()
	for i, want := range []string{"$a+b$", "$a+b$", "\\[\nc = d\n\\]"} {
		if got := g.formulaUnder(fyne.NewPos(runs[i].x+1, lines[i].y+lines[i].height/2)); got != want {
			t.Errorf("under the pointer is %q, want %q", got, want)
		}
	}
	if got := g.formulaUnder(g.at(t, "so")); got != "" {
		t.Errorf("under the pointer is %q", got)
	}
	for _, item := range g.menu("$a+b$") {
		if item.Label == "Copy formula" {
			item.Action()
		}
	}
	if got := fyne.CurrentApp().Clipboard().Content(); got != "$a+b$" {
		t.Errorf("copied %q", got)
	}
}

// What no font of the program has comes from one of the system, or the formula stays text.
func TestMathWords(t *testing.T) {
	const arrow = '\ue0b0' // in private use: only the font of code has it
	source := "$x_{\\text{" + string(arrow) + "}}$"
	f := &fontsOfMath{list: mathFonts().of("x"), looked: map[string]bool{}}
	if g := newPage(t, source, 400); len(g.maths()) > 0 {
		t.Error("drawn without a font")
	}
	path := filepath.Join(t.TempDir(), "font.ttf")
	if err := os.WriteFile(path, theme.DefaultTextMonospaceFont().Content(), 0o644); err != nil {
		t.Fatal(err)
	}
	one := fontscan.Footprint{Location: fontscan.Location{File: path}, Scripts: fontscan.ScriptSet{language.LookupScript(arrow)}}
	one.Runes.Add(arrow)
	glyphs.Know([]fontscan.Footprint{one})
	defer glyphs.Forget()
	if before, after := len(f.list), len(f.of(source)); after != before+1 {
		t.Errorf("%d fonts, then %d", before, after)
	}
	if len(f.of(source)) != len(f.list) || !f.have(arrow) {
		t.Error("the font is read again, or lacks the character")
	}
}

// Formulas stand on the baseline of their line, within its height and the width of the text,
// and lines do not overlap, in every size of text and width.
func TestMathGeometry(t *testing.T) {
	for _, size := range kit.ReadingSizes {
		for _, width := range []float32{640, 400, 240, 120} {
			t.Run(fmt.Sprintf("%v in %v", size, width), func(t *testing.T) {
				g := newPage(t, "", width)
				fyne.CurrentApp().Settings().SetTheme(kit.NewTheme(kit.ThemeLight).WithReading(size))
				g.Set(markdown.Parse(mathSample))
				g.Resize(fyne.NewSize(width, 600))
				runs, lines := g.mathRuns()
				if len(runs) == 0 && width > 100 {
					t.Fatal("no formula is drawn")
				}
				for i, r := range runs {
					line := lines[i]
					if r.math.above() > line.base+0.01 || line.base+r.math.below() > line.height+0.01 {
						t.Errorf("a formula of %.1f and %.1f in a line of %.1f with its baseline at %.1f", r.math.above(), r.math.below(), line.height, line.base)
					}
					if r.x < -0.01 || r.x+r.width > max(width, narrowest)+0.6 {
						t.Errorf("a formula from %.1f to %.1f of %.1f", r.x, r.x+r.width, width)
					}
				}
				for _, s := range g.sets {
					for i := range s.pieces {
						for k := range i {
							a, b := &s.pieces[i], &s.pieces[k]
							if a.y < b.y+b.height-0.01 && b.y < a.y+a.height-0.01 && a.x < b.x+b.width && b.x < a.x+a.width {
								t.Errorf("lines at %v and %v overlap", a, b)
							}
						}
						if p := s.pieces[i]; p.y+p.height > s.height+0.01 {
							t.Errorf("a line ends at %.1f of %.1f", p.y+p.height, s.height)
						}
					}
				}
			})
		}
	}
}

// The baseline of a formula is the one of the words beside it.
func TestMathBaseline(t *testing.T) {
	g := newPage(t, `before $x$ after`, 400)
	runs, lines := g.mathRuns()
	r := g.maths()[0]
	base := lines[0].y + lines[0].base
	if above := r.Position().Y + ceil(runs[0].math.above()) + mathEdge; above < base-1 || above > base+1 {
		t.Errorf("the formula stands at %.1f, its line at %.1f", above, base)
	}
	m := r.Generator(int(r.Size().Width), int(r.Size().Height))
	last := -1 // row with ink
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if _, _, _, a := m.At(x, y).RGBA(); a > 0x8000 {
				last = y
			}
		}
	}
	if want := int(ceil(runs[0].math.above())) + mathEdge; last != want-1 {
		t.Errorf("the ink of x ends in row %d, the baseline is above row %d", last, want)
	}
}

// Formulas have the colour of the text, in both themes.
func TestMathColours(t *testing.T) {
	g := newPage(t, `$\frac{a}{b}$`, 400)
	for _, choice := range []string{kit.ThemeLight, kit.ThemeDark, kit.ThemeLight} {
		fyne.CurrentApp().Settings().SetTheme(kit.NewTheme(choice))
		g.Refresh()
		r := g.maths()[0]
		m := r.Generator(int(r.Size().Width), int(r.Size().Height))
		want := kit.Themed(theme.ColorNameForeground)
		found := false
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				found = found || m.At(x, y) == want
			}
		}
		if !found {
			t.Errorf("%s: the line of the fraction is not in the colour of the text", choice)
		}
	}
}

// A part of a formula in a colour of its own can be read in both themes, and keeps that colour
// where it can be read already.
func TestMathInk(t *testing.T) {
	g := newPage(t, `$a \textcolor{yellow}{b} {\color{blue} c} \color{black} d$`, 400)
	for _, choice := range []string{kit.ThemeLight, kit.ThemeDark} {
		fyne.CurrentApp().Settings().SetTheme(kit.NewTheme(choice))
		g.Refresh()
		ground := kit.Themed(theme.ColorNameBackground)
		inks := map[color.NRGBA]bool{}
		for _, r := range g.maths() {
			m := r.Generator(int(r.Size().Width), int(r.Size().Height)).(*image.NRGBA)
			for i := 0; i < len(m.Pix); i += 4 {
				if m.Pix[i+3] > 0 {
					inks[color.NRGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], 255}] = true
				}
			}
		}
		if len(inks) < 3 {
			t.Errorf("%s: only the colours %v", choice, inks)
		}
		for c := range inks {
			if kit.Contrast(c, ground) < 4.5 {
				t.Errorf("%s: %v has a contrast of %.1f", choice, c, kit.Contrast(c, ground))
			}
		}
		if pure := kit.Hex(0x0000FFFF); choice == kit.ThemeLight && !inks[pure] {
			t.Errorf("blue is not blue: %v", inks)
		}
	}
}

// The number of a formula stands at the right margin, on its line where there is room and
// below it where there is none.
func TestMathTag(t *testing.T) {
	for width, lines := range map[float32]int{500: 1, 100: 2} {
		g := newPage(t, "\\[\na + b = c + d \\tag{12}\n\\]", width)
		runs, on := g.mathRuns()
		last := runs[len(runs)-1]
		if got := on[len(on)-1]; last.x+last.width < g.width-1 || last.x+last.width > g.width+1 {
			t.Errorf("in %v the number ends at %v of line %+v", width, last.x+last.width, got)
		}
		if below := on[len(on)-1].y > on[0].y; below != (lines == 2) {
			t.Errorf("in %v the number is below: %v", width, below)
		}
		if text := g.plainText(); !strings.HasSuffix(text, "\\tag{12}\n\\]") {
			t.Errorf("the text is %q", text)
		}
		if got := g.formulaUnder(fyne.NewPos(last.x+1, on[len(on)-1].y+on[len(on)-1].height/2)); !strings.Contains(got, "a + b") {
			t.Errorf("under the number is %q", got)
		}
	}
}

// A formula that is much too wide and cannot be cut shows a part of itself, which moves with
// the wheel, the pointer and the keys, and stays there when the message grows.
func TestMathMoves(t *testing.T) {
	wide := "\\[\n\\begin{pmatrix} " + strings.Repeat("1000 & ", 30) + "1 \\end{pmatrix}\n\\]\n\nand more"
	g := newPage(t, wide, 400)
	runs, _ := g.mathRuns()
	if len(runs) != 1 || runs[0].width != g.width || len(g.drawn.movers) != 1 || !g.drawn.movers[0].Visible() {
		t.Fatalf("drawn are %+v", runs)
	}
	part, over := runs[0].math, g.drawn.movers[0]
	draw := func() image.Image {
		r := g.maths()[0]
		return r.Generator(int(r.Size().Width), int(r.Size().Height))
	}
	before := draw().(*image.NRGBA).Pix
	scrolled := 0
	g.Wheel = func(*fyne.ScrollEvent) { scrolled++ }
	over.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -20)})
	if part.shift != 0 || scrolled != 1 {
		t.Errorf("a wheel that goes down moves the formula by %v, the page %d times", part.shift, scrolled)
	}
	over.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(-20, 0)})
	over.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 5)})
	g.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if part.shift != 50+movedByKey || slices.Equal(before, draw().(*image.NRGBA).Pix) {
		t.Errorf("it moved by %v", part.shift)
	}
	at := part.shift
	g.Set(markdown.Parse(wide + " and more"))
	g.window.Resize(fyne.NewSize(380, 600))
	if runs, _ = g.mathRuns(); runs[0].math.shift != at || runs[0].width != g.width || g.width > 380 {
		t.Errorf("in another width it is moved by %v in %v", runs[0].math.shift, runs[0].width)
	}
	for range 200 {
		over.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-30, 0)})
	}
	if end := over.part.shift; end != over.part.most() || end < 1000 {
		t.Errorf("its end is at %v of %v", end, over.part.most())
	}
	g.Set(markdown.Parse("no formula"))
	if over.Visible() {
		t.Error("what moved it is still there")
	}
}

// While a reply arrives, a formula is text until it is closed, and one that is drawn is not
// drawn again.
func TestMathStreams(t *testing.T) {
	g := newPage(t, "", 500)
	var s markdown.Stream
	seen := map[*mathPart]bool{}
	for i := range len(mathSample) {
		s.Write(mathSample[i : i+1])
		g.Stream(s.Blocks())
		for _, word := range g.words() {
			if strings.Contains(word, "\ufffd") {
				t.Fatalf("after %q: %q", mathSample[:i+1], word)
			}
		}
		runs, _ := g.mathRuns()
		for _, r := range runs {
			seen[r.math] = true
		}
	}
	runs, _ := g.mathRuns()
	if len(seen) > len(runs) {
		t.Errorf("%d formulas were drawn, %d are there", len(seen), len(runs))
	}
	whole := newPage(t, mathSample, 500)
	if g.plainText() != whole.plainText() || g.total != whole.total {
		t.Errorf("in the end: %v high, want %v", g.total, whole.total)
	}
}

// Unfinished, a formula is seen as it is written.
func TestMathUnfinished(t *testing.T) {
	for _, source := range []string{`The area \(\pi r^2`, `so $x_1 + y_2`, "thus\n\\[\nx = 1", `$$x = \frac{1}{`} {
		g := newPage(t, source, 600)
		if len(g.maths()) > 0 {
			t.Errorf("%q: a formula is drawn", source)
		}
		if got := strings.ReplaceAll(g.plainText(), "\n\n", "\n"); got != source && got != strings.ReplaceAll(source, `\(`, "(") {
			t.Errorf("%q is shown as %q", source, got)
		}
	}
}

// A formula among words from right to left stays whole.
func TestMathAmongHebrew(t *testing.T) {
	g := newPage(t, "שלום $a + b = c$ עולם", 500)
	runs, _ := g.mathRuns()
	if len(runs) != 3 {
		t.Fatalf("the formula is in %d parts", len(runs))
	}
	if !slices.IsSortedFunc(runs, func(a, b run) int { return int(a.x - b.x) }) {
		t.Errorf("the parts are at %.1f, %.1f, %.1f", runs[0].x, runs[1].x, runs[2].x)
	}
}

// BenchmarkMath lays out an answer with a hundred formulas, as at its first sight.
func BenchmarkMath(b *testing.B) {
	var source strings.Builder
	for i := range 50 {
		fmt.Fprintf(&source, "Term $x_{%d} = \\frac{a_%d}{b_%d}$ and\n\n\\[\n\\sum_{i=1}^{%d} \\sqrt{x_i^2 + y_i^2} \\le \\int_0^{%d} f(t)\\,dt\n\\]\n\n", i, i, i, i, i)
	}
	g := newPage(b, "", 640)
	blocks := markdown.Parse(source.String())
	for b.Loop() {
		g.faces, g.Text.maths, g.sets = faces{}, maths{}, nil
		g.Set(blocks)
	}
}
