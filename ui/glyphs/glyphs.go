// Package glyphs knows which characters can be drawn here: those of the fonts that
// Fyne brings, and of the system's.
package glyphs

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/harfbuzz"
)

// Know says which fonts this system has, besides those that Fyne brings. Until
// then every character counts as one that can be drawn.
func Know(system []fontscan.Footprint) { known.set(system) }

// Forget undoes Know, for tests.
func Forget() { known.forget() }

// Drawable returns a text with U+FFFD for each character that no font here has. Fyne
// looks for a font for each such character again and keeps what it is given, so the
// time to lay out a text grows with the square of their number: 43 seconds for 1,000.
// Drawable is for what is drawn; what is copied or kept stays as it is.
func Drawable(text string, style fyne.TextStyle) string {
	if isASCII(text) {
		return text
	}
	return known.drawable(text, style.Monospace)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// known are the fonts of this system.
var known fonts

// fonts remember which characters they have.
type fonts struct {
	mu     sync.Mutex
	system []fontscan.Footprint
	ready  bool

	text, code []*font.Face // that Fyne brings, for either kind of text
	found      map[glyph]bool
}

type glyph struct {
	r    rune
	code bool
}

// foundMost bounds what is remembered: text from outside may hold every character.
const foundMost = 100_000

func (f *fonts) set(system []fontscan.Footprint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system, f.ready, f.found = system, true, map[glyph]bool{}
	f.text = faces(theme.DefaultTextFont(), theme.DefaultEmojiFont())
	f.code = faces(theme.DefaultTextMonospaceFont(), theme.DefaultEmojiFont())
}

func (f *fonts) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system, f.ready = nil, false
}

// faces reads fonts; one that cannot be read has no characters.
func faces(files ...fyne.Resource) (list []*font.Face) {
	for _, file := range files {
		if file == nil { // a build without emoji
			continue
		}
		if face, err := font.ParseTTF(bytes.NewReader(file.Content())); err == nil {
			list = append(list, face)
		}
	}
	return list
}

func (f *fonts) drawable(text string, code bool) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || f.has(glyph{r, code}) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// has reports whether a character can be drawn, or draws nothing and needs no font.
func (f *fonts) has(c glyph) bool {
	has, ok := f.found[c]
	if ok {
		return has
	}
	if len(f.found) >= foundMost {
		clear(f.found)
	}
	has = f.lookup(c)
	f.found[c] = has
	return has
}

func (f *fonts) lookup(c glyph) bool {
	if unicode.In(c.r, unicode.Cc, unicode.Z) && c.r != '\u1680' || harfbuzz.IsDefaultIgnorable(c.r) {
		return true
	}
	bundled := f.text
	if c.code {
		bundled = f.code
	}
	for _, face := range bundled {
		if _, ok := face.NominalGlyph(c.r); ok {
			return true
		}
	}
	for _, file := range f.system {
		if file.Runes.Contains(c.r) {
			return true
		}
	}
	return false
}
