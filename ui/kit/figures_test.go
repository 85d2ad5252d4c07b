package kit

import (
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Duration(340 * time.Microsecond):  "0.3 ms",
		Duration(34 * time.Millisecond):   "34 ms",
		Duration(2430 * time.Millisecond): "2.4 s",
		Duration(42 * time.Second):        "42 s",
		Duration(185 * time.Second):       "3 min 5 s",
		Rate(42.46):                       "42.5",
		Rate(1830.4):                      "1,830",
		WordsPerSecond(4 / 3.0):           "1 word a second",
		WordsPerSecond(20):                "15 words a second",
		Words(2):                          "about 2 words",
		Words(127):                        "about 95 words",
		Words(1024):                       "about 770 words",
		Words(4096):                       "about 3,070 words",
		Words(262144):                     "about 197,000 words",
		Parameters(7_400_000):             "7.4 M parameters",
		Parameters(1_100_000_000):         "1.1 B parameters",
		Parameters(912):                   "912 parameters",
		Count(1, "text"):                  "1 text",
		Count(1200, "text"):               "1,200 texts",
		Cosine(-0.001):                    "0.00",
		Cosine(-0.126):                    "-0.13",
		Sentence("the file is gone"):      "The file is gone.",
		Sentence("notes.txt is empty"):    "notes.txt is empty.",
		Sentence("corpora was not added"): "corpora was not added.",
		Sentence("Done."):                 "Done.",
		Sentence(" "):                     "",
		Brief("a\n\tb\x00c  d "):          "a b⟨U+0000⟩c d",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := len([]rune(Brief(strings.Repeat("x", 1<<22)))); n != lineRunes {
		t.Errorf("brief has %d characters", n)
	}
}

// plainApp is an application without a window.
func plainApp(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
}

func TestEllipsize(t *testing.T) {
	plainApp(t)
	family := "👩\u200d👩\u200d👧"
	for _, text := range []string{"The quick brown fox", "déjà vu, e\u0301e\u0301e\u0301e\u0301", strings.Repeat(family, 5), "這是中文的一個句子", "هذا نص عربي"} {
		whole := fyne.MeasureText(text, TextBody, fyne.TextStyle{}).Width
		if got := Ellipsize(text, whole+1, TextBody, fyne.TextStyle{}); got != text {
			t.Errorf("%q was cut to %q although it fits", text, got)
		}
		for width := float32(0); width < whole; width += whole / 17 {
			got := Ellipsize(text, width, TextBody, fyne.TextStyle{})
			if got != "…" && fyne.MeasureText(got, TextBody, fyne.TextStyle{}).Width > width {
				t.Errorf("%q is wider than %v", got, width)
			}
			kept := []rune(strings.TrimSuffix(got, "…"))
			if n := len(kept); n > 0 && n < len([]rune(text)) && Joins([]rune(text), n) {
				t.Errorf("%q was torn apart: %q", text, got)
			}
		}
	}
}

// Every text colour has enough contrast with every background that it is used on.
func TestContrast(t *testing.T) {
	for name, p := range map[string]Palette{"light": Light, "dark": Dark} {
		for text, grounds := range map[fyne.ThemeColorName][]fyne.ThemeColorName{
			theme.ColorNameForeground:          {theme.ColorNameBackground, ColorCard, ColorRail, ColorTint, ColorFound, ColorTrack, colorNotice, colorAlert, theme.ColorNameSelection, theme.ColorNameButton, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground},
			ColorMuted:                         {theme.ColorNameBackground, ColorCard, ColorRail, ColorTrack, theme.ColorNameSelection, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground},
			ColorAccent:                        {ColorCard, ColorTint, ColorTrack, theme.ColorNameBackground},
			theme.ColorNamePlaceHolder:         {theme.ColorNameInputBackground, ColorCard},
			theme.ColorNameWarning:             {theme.ColorNameBackground, ColorCard, theme.ColorNameOverlayBackground, colorNotice},
			theme.ColorNameError:               {theme.ColorNameBackground, ColorCard, colorAlert},
			theme.ColorNameForegroundOnPrimary: {theme.ColorNamePrimary},
			theme.ColorNameBackground:          {theme.ColorNameForeground},
		} {
			for _, ground := range grounds {
				if c := Contrast(p[text], p[ground]); c < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, text, ground, c)
				}
			}
		}
	}
}

// What shows that a widget has the keyboard stands out from everything that it is drawn on.
func TestFocusContrast(t *testing.T) {
	for name, p := range map[string]Palette{"light": Light, "dark": Dark} {
		for ring, grounds := range map[fyne.ThemeColorName][]fyne.ThemeColorName{
			ringColor():                        {theme.ColorNameBackground, ColorCard, ColorRail, ColorTint, ColorTrack, colorNotice, colorAlert, theme.ColorNameSelection, theme.ColorNameButton, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground},
			theme.ColorNameForegroundOnPrimary: {theme.ColorNamePrimary},
			ColorMuted:                         {ColorCard, theme.ColorNameBackground, theme.ColorNameOverlayBackground}, // marks under the pointer
		} {
			for _, ground := range grounds {
				if c := Contrast(p[ring], p[ground]); c < 3 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, ring, ground, c)
				}
			}
		}
	}
}

// A box stands out from everything that it is drawn on, ticked and not.
func TestBoxesStandOut(t *testing.T) {
	for name, p := range map[string]Palette{ThemeLight: Light, ThemeDark: Dark} {
		test.NewTempApp(t).Settings().SetTheme(NewTheme(name))
		for _, ticked := range []bool{false, true} {
			c := NewCheck(&Keyboard{}, "A box", nil)
			c.SetChecked(!ticked)
			test.NewTempWindow(t, c)
			c.SetChecked(ticked)
			c.MouseIn(&desktop.MouseEvent{}) // has it drawn anew
			var frame fyne.ThemeColorName
			for _, o := range test.WidgetRenderer(c).Objects() {
				if icon, is := o.(*canvas.Image); is { // the last one lies on top
					frame = icon.Resource.(*theme.ThemedResource).ColorName
				}
			}
			for _, ground := range []fyne.ThemeColorName{theme.ColorNameBackground, ColorCard, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground} {
				if got := Contrast(p[frame], p[ground]); got < 3 {
					t.Errorf("%s, ticked %v: %s on %s has a contrast of %.2f", name, ticked, frame, ground, got)
				}
			}
		}
	}
}

func TestDiscs(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	FillDisc(m, 20, 20, 10, Hex(0xFF0000FF))
	area := 0.0
	for i := 3; i < len(m.Pix); i += 4 {
		area += float64(m.Pix[i]) / 255
	}
	if want := math.Pi * 100; math.Abs(area-want) > 5 {
		t.Errorf("the disc covers %.1f pixels, want %.1f", area, want)
	}
	FillDisc(m, -5, 45, 10, Hex(0x00FF00FF)) // beyond the edge
	FillRounded(m, image.Rect(0, 0, 0, 0), 3, Hex(0x00FF00FF))
}
