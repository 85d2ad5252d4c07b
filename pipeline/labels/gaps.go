package labels

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// gaps are how a person may write a gap in a text, beside a model's own word for it.
var gaps = []string{"[MASK]", "<mask>", "[mask]", "<MASK>", "___"}

// Gaps returns a text with the model's word for a gap in the place of each gap, and how many
// there are. A longer line of underscores is one gap.
func Gaps(text, mask string) (string, int) {
	var out strings.Builder
	n := 0
	for len(text) > 0 {
		gap := ""
		for _, g := range append([]string{mask}, gaps...) {
			if gap == "" && strings.HasPrefix(text, g) {
				gap = g
			}
		}
		if gap == "" {
			out.WriteByte(text[0])
			text = text[1:]
			continue
		}
		if text = text[len(gap):]; gap == "___" {
			text = strings.TrimLeft(text, "_")
		}
		out.WriteString(mask)
		n++
	}
	return out.String(), n
}

// continues is how vocabularies mark a piece that goes on with the word before it.
const continues = "##"

// Whole is a word for a gap as it is read: a piece that goes on with the word before the gap is shown
// with that word. gap counts from 0.
func Whole(text string, gap int, word string) string {
	piece, ok := strings.CutPrefix(word, continues)
	if !ok || piece == "" {
		return word
	}
	marked, n := Gaps(text, "\x00")
	if gap >= n {
		return piece
	}
	before := strings.TrimRightFunc(strings.Split(marked, "\x00")[gap], unicode.IsSpace)
	if i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); i >= 0 {
		_, size := utf8.DecodeRuneInString(before[i:])
		before = before[i+size:]
	}
	return before + piece
}
