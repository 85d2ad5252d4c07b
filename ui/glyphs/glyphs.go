// Package glyphs gives the theme fonts in which every character has a glyph: U+FFFD
// where no font here knows it.
//
// Fyne looks for a font for each character that the ones at hand lack, each time
// anew, and keeps what it is given. So the time to lay out such a text grows with
// the square of its length: 43 seconds for 1,000 characters. Where the theme's own
// font has every character that nothing else has, Fyne never looks in vain.
package glyphs

import (
	"bytes"
	"slices"
	"sync"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

// Know says which fonts this system has, besides those that Fyne brings. It comes
// before the first text is measured.
func Know(system []fontscan.Footprint) { known.set(system) }

// Forget undoes Know, for tests.
func Forget() { known.forget() }

// Complete returns a font that also has the characters that neither Fyne nor the
// system has a font for. They look like U+FFFD; the others look as they did. Before
// [Know], and where a font cannot be read, it returns the font itself.
func Complete(of fyne.Resource) fyne.Resource { return known.complete(of) }

// File returns the file of a font of this system that has a character, and the place of the
// font in it: an upright one of usual weight where there is one. false: there is none.
func File(r rune) (path string, index int, ok bool) { return known.file(r) }

// known are the fonts of this system.
var known fonts

// fonts knows what the system has, and keeps what was made.
type fonts struct {
	mu     sync.Mutex
	ready  bool
	system fontscan.RuneSet // characters that a font of the system has
	list   []fontscan.Footprint
	made   map[fyne.Resource]fyne.Resource
}

func (f *fonts) set(system []fontscan.Footprint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ready, f.system, f.list, f.made = true, union(system), system, map[fyne.Resource]fyne.Resource{}
}

func (f *fonts) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ready, f.system, f.list, f.made = false, nil, nil, nil
}

func (f *fonts) complete(of fyne.Resource) fyne.Resource {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready || of == nil {
		return of
	}
	if made, ok := f.made[of]; ok {
		return made
	}
	made := of
	if data, err := withEvery(of.Content(), f.elsewhere()); err == nil {
		made = fyne.NewStaticResource("every character, "+of.Name(), data)
	}
	f.made[of] = made
	return made
}

func (f *fonts) file(r rune) (path string, index int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	script := language.LookupScript(r)
	for i := range f.list {
		one := &f.list[i]
		if !slices.Contains(one.Scripts, script) || !one.Runes.Contains(r) {
			continue
		}
		usual := one.Aspect.Style != font.StyleItalic && one.Aspect.Weight == font.WeightNormal
		if !ok || usual {
			path, index, ok = one.Location.File, int(one.Location.Index), true
		}
		if usual {
			break
		}
	}
	return path, index, ok
}

// elsewhere reports whether another font than the theme's has a character.
func (f *fonts) elsewhere() func(r rune) bool {
	var emoji *font.Face // a build may be without them
	if file := theme.DefaultEmojiFont(); file != nil {
		emoji, _ = font.ParseTTF(bytes.NewReader(file.Content()))
	}
	return func(r rune) bool {
		if emoji != nil {
			if _, ok := emoji.NominalGlyph(r); ok {
				return true
			}
		}
		return f.system.Contains(r)
	}
}

// union returns the characters that any of the fonts has, as Fyne would find them: by
// the script of the character. It looks only for characters that have a meaning, or
// that are for private use.
func union(list []fontscan.Footprint) (all fontscan.RuneSet) {
	byScript := map[language.Script][]fontscan.RuneSet{}
	for _, f := range list {
		for _, script := range f.Scripts {
			byScript[script] = append(byScript[script], f.Runes)
		}
	}
	for r := range rune(unicode.MaxRune + 1) {
		script := language.LookupScript(r)
		if script == language.Unknown && !unicode.Is(unicode.Co, r) {
			continue
		}
		for _, runes := range byScript[script] {
			if runes.Contains(r) {
				all.Add(r)
				break
			}
		}
	}
	return all
}
