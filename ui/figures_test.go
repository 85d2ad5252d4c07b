package ui

import (
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
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

// plainApp is an application without a window.
func plainApp(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(themeLight))
}

func TestEllipsize(t *testing.T) {
	plainApp(t)
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
