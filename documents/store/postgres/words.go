package postgres

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"inglenook/documents/store"
	"inglenook/documents/words"
)

// longestStem is how much of a word is kept, in bytes: PostgreSQL takes up to 2 KB.
const longestStem = 200

// stemsOf returns the stems of a text in their order. Each character of a script
// that is written without spaces stands alone, so that a word in it is a phrase.
func stemsOf(text string) []string {
	var all []string
	for _, word := range words.Split(apart(clean(text))) {
		if stem := words.Stem(word); stem != "" {
			all = append(all, strings.ToValidUTF8(stem[:min(len(stem), longestStem)], ""))
		}
	}
	return all
}

func apart(text string) string {
	if !strings.ContainsFunc(text, unspaced) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unspaced(r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// vectorOf writes stems as a tsvector. PostgreSQL counts places up to 16383.
func vectorOf(stems []string) string {
	var b strings.Builder
	for i, stem := range stems {
		fmt.Fprintf(&b, "%s:%d ", quoted(stem), min(i+1, 16383))
	}
	return b.String()
}

func quoted(stem string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(stem) + "'"
}

// queryOf writes words as a tsquery: all phrases, or else any of the words. It is
// "" when nothing is asked for.
func queryOf(w store.Words) string {
	if all := phrasesOf(w.Phrases); len(all) > 0 {
		return strings.Join(all, " & ")
	}
	return strings.Join(phrasesOf(w.Any), " | ")
}

func phrasesOf(texts []string) (all []string) {
	for _, text := range texts {
		var parts []string
		for _, stem := range stemsOf(text) {
			parts = append(parts, quoted(stem))
		}
		if len(parts) > 0 {
			all = append(all, "("+strings.Join(parts, " <-> ")+")")
		}
	}
	return all
}

// folded returns a text for comparing word by word: small letters without marks,
// and one space for whatever stands between words.
func folded(text string) string {
	var b strings.Builder
	space := true
	for _, r := range norm.NFD.String(apart(text)) {
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
