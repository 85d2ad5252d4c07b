// Package pieces cuts long texts for the native library, and replaces what cannot be
// passed to it, without changing the ids of the whole.
package pieces

import (
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// Native memory grows with the longest text that the library was ever given,
// by some hundred bytes a byte, and its time on a text without spaces can be
// quadratic. So long texts are encoded in pieces. A piece ends where the
// tokenizer itself would begin a new word in any context, so that the ids of
// the pieces, joined, are the ids of the whole; cutter.go determines where
// that is. A text without such a place is cut at hardBytes; there the ids may
// differ from those of the uncut text by a token or two.
const (
	softBytes = 16 << 10 // a piece should have these
	hardBytes = 64 << 10 // and never exceeds these
)

// Next returns the length of the first piece of text, which should be near
// soft bytes.
func (c Cutter) Next(text string, soft int) int {
	if len(text) <= soft {
		return len(text)
	}
	for i := soft; i > soft/2; i-- {
		if c.safe(text, i) {
			return i
		}
	}
	hard := min(len(text), max(soft, c.Hard))
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

// Window returns how much of a text to prepare at once: the next piece, or, if
// that would end inside a word of which only the beginning counts, all of that
// word, which preparing shortens.
func (c Cutter) Window(text string) int {
	n := c.Next(text, c.Soft)
	if c.Longest == 0 {
		return n
	}
	// Preparing keeps what is not part of a word, so limit its length.
	for spare := 4 * hardBytes; spare > 0 && n < len(text); {
		if definition.IsAlnum(rune(text[n])) {
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

// All returns the starts of all windows, and the end of the last.
func (c Cutter) All(text string) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		at += c.Window(text[at:])
		starts = append(starts, at)
	}
	return starts
}
