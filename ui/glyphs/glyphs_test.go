package glyphs

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/fontscan"
)

// TestDrawable: a character with a glyph stays, and one without becomes U+FFFD, which has a
// glyph.
func TestDrawable(t *testing.T) {
	Know(nil)
	defer Forget()
	for text, want := range map[string]string{
		"":                      "",
		"plain":                 "plain",
		"Größe, Ελλάδα, Москва": "Größe, Ελλάδα, Москва",
		"a\u00a0b\u200dc\ufe0f": "a\u00a0b\u200dc\ufe0f",
		"a\U000F0000b":          "a\ufffdb",
		"雪\n𒀀":                  "\ufffd\n\ufffd",
		"\ufffd…“”–":            "\ufffd…“”–",
	} {
		if got := Drawable(text, fyne.TextStyle{}); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
	if _, ok := known.text[0].NominalGlyph('\ufffd'); !ok {
		t.Error("text has no glyph for U+FFFD")
	}
	if _, ok := known.code[0].NominalGlyph('\ufffd'); !ok {
		t.Error("code has no glyph for U+FFFD")
	}
	snow := fontscan.Footprint{}
	snow.Runes.Add('雪')
	Know([]fontscan.Footprint{snow})
	if got := Drawable("雪𒀀", fyne.TextStyle{Monospace: true}); got != "雪\ufffd" {
		t.Errorf("with a font for it: %q", got)
	}
}
