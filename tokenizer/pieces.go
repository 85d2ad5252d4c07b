package tokenizer

import "unicode/utf8"

// Native memory grows with the longest text that the library was ever given,
// by some hundred bytes a byte, and its time on a text without spaces can be
// quadratic. So long texts go in pieces. A piece ends where the tokenizer
// would itself begin a new word whatever surrounds it, so that the ids of the
// pieces, one after the other, are the ids of the whole; cutter.go says where
// that is. A text that offers no such place is cut at hardBytes, and there the
// ids may differ from the uncut text's by a token or two.
const (
	softBytes = 16 << 10 // pieces aim at this
	hardBytes = 64 << 10 // and never exceed this
)

// next returns the length of the first piece of text, aiming at soft bytes.
func (c cutter) next(text string, soft int) int {
	if len(text) <= soft {
		return len(text)
	}
	for i := soft; i > soft/2; i-- {
		if c.safe(text, i) {
			return i
		}
	}
	hard := min(len(text), max(soft, c.hard))
	for i := soft + 1; i < hard; i++ {
		if c.safe(text, i) {
			return i
		}
	}
	for hard < len(text) && !utf8.RuneStart(text[hard]) {
		hard--
	}
	return hard
}

// window is how much of a text is prepared at once: the next piece, but if it
// would end inside a word of which only the beginning matters, all of that word,
// which preparing makes short.
func (c cutter) window(text string) int {
	n := c.next(text, c.soft)
	if c.longest == 0 {
		return n
	}
	// What is no part of a word stays, so of that there can't be too much.
	for spare := 4 * hardBytes; spare > 0 && n < len(text); {
		if isAlnum(rune(text[n])) {
			n++
			continue
		}
		if c.safe(text, n) {
			break
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if !wordRune(r) {
			spare -= size
		}
		n += size
	}
	return n
}

// all returns the starts of all windows, and the end of the last.
func (c cutter) all(text string) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		at += c.window(text[at:])
		starts = append(starts, at)
	}
	return starts
}
