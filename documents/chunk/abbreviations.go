package chunk

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents/words"
)

// shortened reports whether a text, before whose next words a full stop stands, ends in an
// initial, an abbreviation or the number of an item.
func shortened(text, next string) bool {
	word := lastWord(text)
	r, size := utf8.DecodeRuneInString(word)
	if size == len(word) && (unicode.IsUpper(r) || unicode.IsLetter(r) && (beginsWithInitial(next) || isInitial(wordBefore(text, word)))) {
		return true // J. R. Brown; z. B.
	}
	if isNumber(word) && strings.TrimSpace(text) == word {
		return true
	}
	word = strings.ToLower(word)
	return abbreviations[word] || abbreviations["+"+word] && beginsWithNumber(next)
}

// lastWord is the last word of a text, without the brackets and quotes before it.
func lastWord(text string) string {
	return strings.TrimLeft(text[strings.LastIndexFunc(text, unicode.IsSpace)+1:], "([\"'“‘«„")
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// wordBefore is the word before the last one.
func wordBefore(text, last string) string {
	return lastWord(strings.TrimRightFunc(strings.TrimSuffix(text, last), unicode.IsSpace))
}

// beginsWithInitial reports whether a text begins with one letter and a full stop.
func beginsWithInitial(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) && strings.HasPrefix(text[size:], ".")
}

func isInitial(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) && word[size:] == "."
}

func beginsWithNumber(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// ordinal reports whether a text, before whose next words a full stop stands, ends in a number
// that the full stop makes an ordinal: am 3. Oktober.
func ordinal(text, next string) bool {
	number := lastWord(text)
	if !isNumber(number) || len(number) > 3 {
		return false
	}
	after := strings.ToLower(firstWord(next))
	if ordinals["month"][after] {
		return true
	}
	before := strings.ToLower(wordBefore(text, number))
	return ordinals["before"][before] && after != "" && !ordinals["begins"][after]
}

func firstWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// abbreviationList has abbreviations of English and German, without the full stop. One with
// a + is a word too, so it counts only before a number.
//
//go:embed abbreviations.txt
var abbreviationList string

var abbreviations = words.Set(abbreviationList)

// ordinalList has the words that tell an ordinal from the end of a sentence, a kind a line.
//
//go:embed ordinals.txt
var ordinalList string

var ordinals = func() map[string]map[string]bool {
	kinds := map[string]map[string]bool{}
	for line := range strings.Lines(ordinalList) {
		if kind, list, found := strings.Cut(line, " "); found && kind != "#" {
			kinds[kind] = words.Set(list)
		}
	}
	return kinds
}()
