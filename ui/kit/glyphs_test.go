package kit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/glyphs"
)

// withoutFonts has the test run as on a system with no fonts but those of Fyne.
func withoutFonts(t testing.TB) {
	glyphs.Know(nil)
	t.Cleanup(glyphs.Forget)
}

// rare are so many different characters that no font here has.
func rare(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune('\U000F0000' + rune(i)) // for private use
	}
	return b.String()
}

func isRare(r rune) bool { return r >= '\U000F0000' }

// TestRareCharacters shows texts of characters that no font has: what is laid out holds
// none of them.
func TestRareCharacters(t *testing.T) {
	withoutFonts(t)
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	name := rare(10_000)
	for what, o := range map[string]fyne.CanvasObject{
		"line": NewCaption(name), "paragraph": NewParagraph(name, ColorMuted).Flat,
	} {
		window := app.NewWindow("")
		window.SetContent(o)
		window.Resize(fyne.NewSize(400, 300))
		for _, text := range drawnTexts(o) {
			if strings.ContainsFunc(text, isRare) {
				t.Errorf("%s: drawn is %.40q", what, text)
			}
			if utf8.RuneCountInString(text) < 10 {
				t.Errorf("%s: only %q is drawn", what, text)
			}
		}
		window.Close()
	}
}

// BenchmarkRareCharacters measures how long a line and a paragraph of characters take
// that no font has.
func BenchmarkRareCharacters(b *testing.B) {
	withoutFonts(b)
	app := test.NewTempApp(b)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	for _, n := range []int{1000, 10_000} {
		b.Run(map[int]string{1000: "1000", 10_000: "10000"}[n], func(b *testing.B) {
			for b.Loop() {
				window := app.NewWindow("")
				window.SetContent(NewParagraph(rare(n), ColorMuted).Flat)
				window.Resize(fyne.NewSize(400, 300))
				window.Close()
			}
		})
	}
}
