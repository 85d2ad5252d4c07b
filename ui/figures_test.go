package ui

import (
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		duration(340 * time.Microsecond):  "0.3 ms",
		duration(34 * time.Millisecond):   "34 ms",
		duration(2430 * time.Millisecond): "2.4 s",
		duration(42 * time.Second):        "42 s",
		duration(185 * time.Second):       "3 min 5 s",
		rate(42.46):                       "42.4",
		rate(1830.4):                      "1,830",
		parameters(7_400_000):             "7.4 M parameters",
		parameters(1_100_000_000):         "1.1 B parameters",
		parameters(912):                   "912 parameters",
		count(1, "text"):                  "1 text",
		count(1200, "text"):               "1,200 texts",
		cosine(-0.001):                    "0.00",
		cosine(-0.126):                    "-0.13",
		shortCosine(0.42):                 ".42",
		shortCosine(-0.05):                "-.05",
		shortCosine(1):                    "1",
		sentence("the file is gone"):      "The file is gone.",
		sentence("notes.txt is empty"):    "notes.txt is empty.",
		sentence("corpora was not added"): "corpora was not added.",
		sentence("Done."):                 "Done.",
		sentence(" "):                     "",
		brief("a\n\tb\x00c  d "):          "a b c d",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := len([]rune(brief(strings.Repeat("x", 1<<22)))); n != briefRunes+1 {
		t.Errorf("brief has %d characters", n)
	}
}

func TestEllipsize(t *testing.T) {
	lightApp(t)
	family := "👩\u200d👩\u200d👧"
	for _, text := range []string{"The quick brown fox", "déjà vu, e\u0301e\u0301e\u0301e\u0301", strings.Repeat(family, 5), "這是中文的一個句子", "هذا نص عربي"} {
		whole := fyne.MeasureText(text, textBody, fyne.TextStyle{}).Width
		if got := ellipsize(text, whole+1, textBody, fyne.TextStyle{}); got != text {
			t.Errorf("%q was cut to %q although it fits", text, got)
		}
		for width := float32(0); width < whole; width += whole / 17 {
			got := ellipsize(text, width, textBody, fyne.TextStyle{})
			if got != "…" && fyne.MeasureText(got, textBody, fyne.TextStyle{}).Width > width {
				t.Errorf("%q is wider than %v", got, width)
			}
			kept := []rune(strings.TrimSuffix(got, "…"))
			if n := len(kept); n > 0 && n < len([]rune(text)) && joins([]rune(text), n) {
				t.Errorf("%q was torn apart: %q", text, got)
			}
		}
	}
}

// Every text colour stands out from every background that it is used on.
func TestContrast(t *testing.T) {
	for name, p := range map[string]palette{"light": light, "dark": dark} {
		for text, grounds := range map[fyne.ThemeColorName][]fyne.ThemeColorName{
			theme.ColorNameForeground:          {theme.ColorNameBackground, colorCard, colorRail, colorTint, colorTrack, colorNotice, colorAlert, theme.ColorNameSelection, theme.ColorNameButton, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground},
			colorMuted:                         {theme.ColorNameBackground, colorCard, colorRail, colorTrack, theme.ColorNameSelection, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground},
			colorAccent:                        {colorCard, colorTint, colorTrack, theme.ColorNameBackground},
			theme.ColorNamePlaceHolder:         {theme.ColorNameInputBackground, colorCard},
			theme.ColorNameWarning:             {theme.ColorNameBackground, colorCard, theme.ColorNameOverlayBackground, colorNotice},
			theme.ColorNameError:               {theme.ColorNameBackground, colorCard, colorAlert},
			theme.ColorNameForegroundOnPrimary: {theme.ColorNamePrimary},
			theme.ColorNameBackground:          {theme.ColorNameForeground},
		} {
			for _, ground := range grounds {
				if c := contrast(p[text], p[ground]); c < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, text, ground, c)
				}
			}
		}
	}
}

func TestScale(t *testing.T) {
	for _, isDark := range []bool{false, true} {
		s := newScale([][]float32{{1, -0.04}, {-0.04, 1}}, isDark)
		if s.lo != -0.1 || s.hi != 1 {
			t.Errorf("the scale spans %v to %v", s.lo, s.hi)
		}
		for i, c := range s.colors {
			if contrast(ink(c), c) < 4.5 {
				t.Errorf("a value on colour %d has a contrast of %.2f", i, contrast(ink(c), c))
			}
			if i == 0 {
				continue
			}
			if brighter := luminance(c) > luminance(s.colors[i-1]); luminance(c) != luminance(s.colors[i-1]) && brighter != isDark {
				t.Errorf("colour %d goes the wrong way", i)
			}
		}
		if s.at(2) != s.at(1) || s.at(float32(math.Inf(-1))) != s.at(-0.1) {
			t.Error("values outside have no colour")
		}
	}
	if s := newScale([][]float32{{1, 0.7}}, false); s.lo != 0.7 {
		t.Errorf("from 0.7 on, the scale begins at %v", s.lo)
	}
	if s := newScale([][]float32{{1, 1}}, false); s.hi-s.lo < 0.09 {
		t.Error("the scale of equal texts has no width")
	}
}

func TestDiscs(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	fillDisc(m, 20, 20, 10, hex(0xFF0000FF))
	area := 0.0
	for i := 3; i < len(m.Pix); i += 4 {
		area += float64(m.Pix[i]) / 255
	}
	if want := math.Pi * 100; math.Abs(area-want) > 5 {
		t.Errorf("the disc covers %.1f pixels, want %.1f", area, want)
	}
	fillDisc(m, -5, 45, 10, hex(0x00FF00FF)) // beyond the edge
	fillRounded(m, image.Rect(0, 0, 0, 0), 3, hex(0x00FF00FF))
}

func TestLabelsDoNotOverlap(t *testing.T) {
	p := &labelPlacer{area: box{0, 0, 400, 300}}
	var points []fyne.Position
	for i := range 60 {
		at := fyne.NewPos(float32(i*53%400), float32(i*97%300))
		points = append(points, at)
		p.points = append(p.points, around(at, pointRadius))
	}
	placed := 0
	for _, at := range points {
		if _, ok := p.place(at, fyne.NewSize(60, 14)); ok {
			placed++
		}
	}
	if placed < 10 {
		t.Errorf("only %d of 60 labels found a place", placed)
	}
	for i, a := range p.placed {
		if !a.within(p.area) {
			t.Errorf("label %d is outside", i)
		}
		for j, b := range p.placed {
			if i != j && a.overlaps(b) {
				t.Errorf("labels %d and %d overlap", i, j)
			}
		}
	}
}
