package prose

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// face is a font in one size. It remembers how wide words are: a text is laid
// out many times while it comes and when the window changes.
type face struct {
	size   float32
	style  fyne.TextStyle
	height float32 // of a line of text
	base   float32 // from its top to the baseline
	widths map[string]float32
}

// Words beyond these are measured each time, or all forgotten.
const (
	rememberedWord  = 40     // bytes
	rememberedWords = 20_000 // of a face
)

func (f *face) width(s string) float32 {
	if w, ok := f.widths[s]; ok {
		return w
	}
	w := f.measured(s)
	if len(s) <= rememberedWord {
		if len(f.widths) >= rememberedWords {
			clear(f.widths)
		}
		f.widths[strings.Clone(s)] = w
	}
	return w
}

// measured is the width of text that is not worth remembering.
func (f *face) measured(s string) float32 {
	size, _ := fyne.CurrentApp().Driver().RenderedTextSize(s, f.size, f.style, nil)
	return size.Width
}

// fitting is the length in bytes of the longest start of s that is at most
// width wide and tears no character apart; at least one character.
func (f *face) fitting(s string, width float32) int {
	runes := []rune(s)
	fits, over := 1, len(runes)+1
	for fits+1 < over {
		middle := (fits + over) / 2
		if f.measured(string(runes[:middle])) <= width {
			fits = middle
		} else {
			over = middle
		}
	}
	for fits > 1 && kit.Joins(runes, fits) {
		fits--
	}
	for fits < len(runes) && kit.Joins(runes, fits) {
		fits++
	}
	n := 0
	for _, r := range runes[:fits] {
		n += utf8.RuneLen(r)
	}
	return n
}

// faces are the fonts in use.
type faces map[faceKey]*face

type faceKey struct {
	size  float32
	style fyne.TextStyle
}

func (f faces) get(size float32, style fyne.TextStyle) *face {
	key := faceKey{size, style}
	if have, ok := f[key]; ok {
		return have
	}
	measured, base := fyne.CurrentApp().Driver().RenderedTextSize("Ág", size, style, nil)
	f[key] = &face{size: size, style: style, height: measured.Height, base: base, widths: map[string]float32{}}
	return f[key]
}
