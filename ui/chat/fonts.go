package chat

import (
	"bytes"
	"image"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"

	"inglenook/app/chat"
	"inglenook/markdown"
	"inglenook/ui/kit"
)

// scriptsRead is how many bytes of a message are looked through for scripts.
const scriptsRead = 20_000

// eastAsian are the scripts of the package fonts-noto-cjk; fonts-noto-core has the
// other ones.
var eastAsian = []string{"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"}

// fontCheck finds out for which scripts this system has no font.
type fontCheck struct {
	missing map[string]bool // by script, those that were looked at
	blank   []byte          // how a character without a glyph looks
}

// missingIn says which scripts of a message cannot be drawn here, and what
// brings their fonts; "": all can.
func (f *fontCheck) missingIn(m chat.Message) string {
	text := m.Text()
	text = text[:min(len(text), scriptsRead)]
	var none []string
	for _, script := range markdown.Scripts(text) {
		if f.lacks(script, text) {
			none = append(none, script)
		}
	}
	if len(none) == 0 {
		return ""
	}
	sentence := "This system has no font for " + strings.Join(none, ", ") + ", so these characters appear as boxes"
	if runtime.GOOS != "linux" {
		return sentence + "; install a font that has them."
	}
	pack := "fonts-noto-core"
	if slices.Contains(eastAsian, none[0]) {
		pack = "fonts-noto-cjk"
	}
	return sentence + "; the package " + pack + " brings one."
}

// lacks reports whether a script that occurs in a text cannot be drawn.
func (f *fontCheck) lacks(script, text string) bool {
	if script == "Latin" {
		return false
	}
	if known, ok := f.missing[script]; ok {
		return known
	}
	if f.missing == nil {
		f.missing, f.blank = map[string]bool{}, drawnRune(unicode.ReplacementChar)
	}
	table := unicode.Scripts[script]
	at := strings.IndexFunc(text, func(r rune) bool { return unicode.Is(table, r) && unicode.IsLetter(r) })
	if at < 0 {
		return false
	}
	sample := []rune(text[at:min(len(text), at+8)])[0]
	f.missing[script] = bytes.Equal(drawnRune(sample), f.blank)
	return f.missing[script]
}

// drawnRune is how a character looks: one without a glyph looks as the sign for
// that.
func drawnRune(r rune) []byte {
	c := software.NewCanvas()
	c.SetPadded(false)
	text := canvas.NewText(string(r), kit.Themed(kit.ColorMuted))
	text.TextSize = kit.TextBody
	c.SetContent(text)
	c.Resize(fyne.NewSquareSize(24))
	if m, ok := c.Capture().(*image.NRGBA); ok {
		return m.Pix
	}
	return nil
}
