// Package words takes texts apart into words, for what compares texts by them: the
// search and the check of answers.
package words

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Each calls do with the bytes of each word of a text.
func Each(text string, do func(start, end int)) {
	start := -1
	for i, r := range text {
		letter := ofWord(r)
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			do(start, i)
			start = -1
		}
	}
	if start >= 0 {
		do(start, len(text))
	}
}

// Split returns the words of a text in small letters.
func Split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !ofWord(r) })
}

func ofWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// Stem returns a word as two words are compared: small, without marks, its stem.
func Stem(word string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(word)))
	return porter(plain)
}

// Trim returns a span without the white space at its ends.
func Trim(text string, s Span) Span {
	for s.Start < s.End {
		r, size := utf8.DecodeRuneInString(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.Start += size
	}
	for s.Start < s.End {
		r, size := utf8.DecodeLastRuneInString(text[s.Start:s.End])
		if !unicode.IsSpace(r) {
			break
		}
		s.End -= size
	}
	return s
}

//go:embed frequent.txt
var frequentList string

var frequent = Set(frequentList)

// Set returns the words of a list, which white space parts, as a set.
func Set(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// Frequent reports whether a word, in small letters, is one of those of English that
// say little about what a text is about.
func Frequent(word string) bool { return frequent[word] }
