package glyphs

import (
	"bytes"
	"slices"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

// themed are the fonts that a theme is asked for.
var themed = []fyne.Resource{
	theme.DefaultTextFont(), theme.DefaultTextBoldFont(), theme.DefaultTextItalicFont(),
	theme.DefaultTextBoldItalicFont(), theme.DefaultTextMonospaceFont(),
}

func parse(t testing.TB, file fyne.Resource) *font.Face {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(file.Content()))
	if err != nil {
		t.Fatal(file.Name(), err)
	}
	return face
}

// scriptsOf returns the scripts of a text, sorted and each once, as a Footprint has them.
func scriptsOf(text string) (scripts fontscan.ScriptSet) {
	for _, r := range text {
		scripts = append(scripts, language.LookupScript(r))
	}
	slices.Sort(scripts)
	return slices.Compact(scripts)
}

// TestComplete has every character of Unicode in one font, so that Fyne never looks for
// one in vain: in the theme's, with the glyph it had or U+FFFD's, in the one with
// emoji, or in the system's.
func TestComplete(t *testing.T) {
	snow := fontscan.Footprint{}
	for _, r := range "雪\uE001" {
		snow.Runes.Add(r)
	}
	snow.Scripts = scriptsOf("雪\uE001")
	Know([]fontscan.Footprint{snow})
	defer Forget()
	emoji := parse(t, theme.DefaultEmojiFont())
	for _, file := range themed {
		own, all := parse(t, file), parse(t, Complete(file))
		unknown, _ := own.NominalGlyph(unicode.ReplacementChar)
		if unknown == 0 {
			t.Errorf("%s has no glyph for U+FFFD", file.Name())
		}
		for r := range rune(unicode.MaxRune + 1) {
			if r > 0x40000 && r%101 != 0 { // nothing has these
				continue
			}
			want, ok := own.NominalGlyph(r)
			_, coloured := emoji.NominalGlyph(r)
			elsewhere := !ok && (coloured || snow.Runes.Contains(r))
			if !ok && !elsewhere {
				want = unknown
			}
			if got, has := all.NominalGlyph(r); has == elsewhere || got != want {
				t.Fatalf("%s: %U has glyph %d (%v), want %d and elsewhere: %v", file.Name(), r, got, has, want, elsewhere)
			}
		}
		if Complete(file) != Complete(file) {
			t.Error("made anew each time")
		}
	}
}

// TestCompleteOfNothing returns a font as it is where nothing is known, or where it is
// none.
func TestCompleteOfNothing(t *testing.T) {
	if Complete(theme.DefaultTextFont()) != theme.DefaultTextFont() {
		t.Error("nothing is known yet")
	}
	Know(nil)
	defer Forget()
	none := fyne.NewStaticResource("none", []byte("no font"))
	if Complete(none) != fyne.Resource(none) || Complete(nil) != nil {
		t.Error("a font was made of none")
	}
}

// BenchmarkKnow measures what a start takes longer on a system with many fonts.
func BenchmarkKnow(b *testing.B) {
	defer Forget()
	text := parse(b, theme.DefaultTextFont())
	one := fontscan.Footprint{}
	var all []rune
	for r := range rune(unicode.MaxRune + 1) {
		if _, ok := text.NominalGlyph(r); ok || r >= 0xE000 && r < 0xE100 {
			one.Runes.Add(r)
			all = append(all, r)
		}
	}
	one.Scripts = scriptsOf(string(all))
	system := make([]fontscan.Footprint, 800)
	for i := range system {
		system[i] = one
	}
	for b.Loop() {
		Know(system)
		for _, file := range themed {
			Complete(file)
		}
	}
}
