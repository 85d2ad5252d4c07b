package sqlite

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"inglenook/documents/store"
)

// columnWeights say how much a word counts in the title, the headings and the
// text of a passage.
const columnWeights = "1.0, 1.0, 1.0"

// expression returns what FTS5 is asked for. Every word is quoted, so nothing
// that a person types is syntax.
func expression(w store.Words) string {
	var all []string
	for _, p := range w.Phrases {
		if q := quoted(p); q != "" {
			all = append(all, q)
		}
	}
	var any []string
	for _, word := range w.Any {
		if q := quoted(word); q != "" {
			any = append(any, q)
		}
	}
	if len(any) > 0 && len(all) == 0 {
		return strings.Join(any, " OR ")
	}
	return strings.Join(all, " AND ")
}

// quoted returns a text as a phrase of FTS5, "" if it has no letter or digit.
func quoted(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	text = strings.ReplaceAll(words(text), "\x00", " ")
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// words returns a text as it goes to the index: each character of a script that
// is written without spaces stands alone, so that a word in it is a phrase.
func words(text string) string {
	if !strings.ContainsFunc(text, unspaced) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unspaced(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// folded returns a text for comparing word by word: small letters without marks,
// and one space for whatever stands between words.
func folded(text string) string {
	var b strings.Builder
	space := true
	for _, r := range norm.NFD.String(words(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
			space = false
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	return " " + strings.TrimSpace(b.String()) + " "
}

func decimal(n int) string { return strconv.Itoa(n) }
