package prose

import (
	"slices"
	"sync"

	"fyne.io/fyne/v2/theme"
	"github.com/go-fonts/latin-modern/lmmath"

	"inglenook/formula/mathfont"
	"inglenook/ui/glyphs"
)

// fontsOfMath are the fonts of formulas: the one for mathematics, that of the window for words
// that it cannot write, and of the system those that a formula needed.
type fontsOfMath struct {
	mu     sync.Mutex
	list   []*mathfont.Font
	looked map[string]bool // files of the system that were read
}

// mathFonts reads the fonts when the first formula comes.
var mathFonts = sync.OnceValue(func() *fontsOfMath {
	f := &fontsOfMath{looked: map[string]bool{}}
	main, err := mathfont.Read(lmmath.TTF)
	if err != nil {
		return f // no formula is drawn
	}
	f.list = append(f.list, main)
	if words, err := mathfont.ReadText(theme.DefaultTextFont().Content()); err == nil {
		f.list = append(f.list, words)
	}
	return f
})

// of returns the fonts for a formula. A font of the system is read once, for the first
// character that only it has.
func (f *fontsOfMath) of(tex string) []*mathfont.Font {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range tex {
		if r < 0x80 || f.have(r) {
			continue
		}
		path, index, ok := glyphs.File(r)
		if !ok || f.looked[path] {
			continue
		}
		f.looked[path] = true
		if font, err := mathfont.ReadFile(path, index); err == nil {
			f.list = append(f.list, font)
		}
	}
	return slices.Clone(f.list)
}

func (f *fontsOfMath) have(r rune) bool {
	return slices.ContainsFunc(f.list, func(font *mathfont.Font) bool {
		g, ok := font.Glyph(r)
		return ok && g != 0
	})
}
