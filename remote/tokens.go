package remote

import "unicode"

// lettersEach is how many letters of a word make a token.
const lettersEach = 6

// endTokens are those of the ends of a text.
const endTokens = 2

// countTokens estimates how many tokens a text has for a model elsewhere. Asking its
// server would take a request for every few sentences of a document. The estimate is
// meant to be a little too high, so that a passage that fits by it fits: one token for
// six letters of a word or part of them, for each sign and for each character of a
// script without spaces, and those of the ends.
func countTokens(text string) int {
	n, letters := endTokens, 0
	end := func() {
		n += (letters + lettersEach - 1) / lettersEach
		letters = 0
	}
	for _, r := range text {
		switch {
		case r < 0x80 && (unicode.IsLetter(r)):
			letters++
		case unicode.IsSpace(r):
			end()
		case unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			letters += 2 // most models have fewer words of other alphabets
		case unicode.IsMark(r):
			letters++
		default:
			end()
			n++
		}
	}
	end()
	return n
}
