package kit

import (
	"bytes"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-text/typesetting/font"

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

// TestRareCharacters types and pastes characters that no font has. Fyne would look for
// a font for each of them, which takes hours; the theme's fonts have a glyph for each,
// and the text stays what it is.
func TestRareCharacters(t *testing.T) {
	withoutFonts(t)
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	long := rare(50_000)
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}} {
		face, err := font.ParseTTF(bytes.NewReader(app.Settings().Theme().Font(style).Content()))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range long {
			if _, ok := face.NominalGlyph(r); !ok {
				t.Fatalf("%+v: no glyph for %U", style, r)
			}
		}
	}
	for _, lines := range []bool{false, true} {
		entry := NewEntry(&Keyboard{})
		text := rare(editBytes / 4)
		if entry.MultiLine = lines; lines {
			entry.Wrapping = fyne.TextWrapWord
			text = rare(1000) // the time to wrap one line grows with the square of its length, whatever is in it
		}
		window := app.NewWindow("")
		window.SetContent(entry)
		window.Resize(fyne.NewSize(400, 300))
		app.Clipboard().SetContent(text)
		entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: app.Clipboard()})
		if entry.Text != text {
			t.Errorf("pasted %d bytes, there are %d", len(text), len(entry.Text))
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
