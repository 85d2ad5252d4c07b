package support

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents/words"
)

// A name is a word that names somebody or something: Geneva, NASA, x86.
type name struct {
	Span
	word string
}

// namesOf returns the words of a text that are names by how they are written: with a capital
// inside of a sentence, with two at its beginning, or with letters and digits.
// In German, where all nouns have capitals, nothing can be told by them.
func namesOf(text string) (names []name) {
	type word struct {
		Span
		first, capital, odd bool
	}
	var list []word
	nouns := nounsHaveCapitals(text)
	words.Each(text, func(start, end int) {
		w := word{Span: Span{Start: start, End: end}, first: beginsSentence(text, start)}
		w.capital, w.odd = spelling(text[start:end])
		list = append(list, w)
	})
	for i, w := range list {
		s := text[w.Start:w.End]
		small := strings.ToLower(s)
		if !w.odd && (nouns || !w.capital || words.Frequent(small) || joiners[small] || len(s) < 2 || notNames[small]) {
			continue
		}
		if w.first && !w.odd {
			follows := i+1 < len(list) && list[i+1].capital && !list[i+1].first && strings.TrimSpace(text[w.End:list[i+1].Start]) == ""
			if !follows {
				continue
			}
		}
		if ofRoman(s) > 0 || months[small] > 0 {
			continue
		}
		names = append(names, name{w.Span, s})
	}
	return names
}

// nounsHaveCapitals reports whether a text seems to be German: it has more of the short words of
// German than of English.
func nounsHaveCapitals(text string) bool {
	german, english := 0, 0
	for _, w := range words.Split(text) {
		switch {
		case lists["German"][w]:
			german++
		case words.Frequent(w):
			english++
		}
	}
	return german > english
}

// notNames are words with a capital that name nothing.
var notNames = map[string]bool{
	"yes": true, "no": true, "mr": true, "mrs": true, "ms": true, "dr": true, "sir": true, "prof": true, "ok": true, "passage": true, "also": true,
	"however": true, "chapter": true, "section": true, "page": true, "figure": true, "table": true, "listing": true, "part": true,
}

// spelling reports whether a word begins with a capital, and whether it is a name wherever
// it stands: of capitals, with a capital inside, or of letters and digits.
func spelling(word string) (capital, odd bool) {
	letters, upper, digits := 0, 0, 0
	for i, r := range word {
		switch {
		case unicode.IsUpper(r):
			upper++
			letters++
			capital = capital || i == 0
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	inner := upper > 1 || upper == 1 && !capital
	_, isUnit := units[strings.ToLower(strings.TrimLeft(word, "0123456789"))]
	code := letters > 0 && digits > 0 && !isUnit && !ordinal(word)
	return capital, inner && letters > 1 || code
}

func ordinal(word string) bool {
	rest := strings.ToLower(strings.TrimLeft(word, "0123456789"))
	return rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "s"
}

// beginsSentence reports whether a word at start is the first of a sentence.
func beginsSentence(text string, start int) bool {
	before := strings.TrimRight(text[:start], " \t\n\"'“‘«„([*_-–•")
	if before == "" {
		return true
	}
	last, size := utf8.DecodeLastRuneInString(before)
	if initial, _ := utf8.DecodeLastRuneInString(before[:len(before)-size]); last == '.' && unicode.IsUpper(initial) {
		return false // R. Patel
	}
	return strings.ContainsRune(".!?…:|", last)
}

// hasName reports whether a word of a text is the name, or nearly: Geneva and Genevese.
func hasName(n string, stemsThere map[string]bool) bool {
	stem := words.Stem(n)
	if stemsThere[stem] {
		return true
	}
	for there := range stemsThere {
		if alike(stem, there) {
			return true
		}
	}
	return false
}

// alike reports whether two stems begin with the same letters and differ in an ending.
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	return same >= 4 && same >= len(a)-1 && len(b)-same <= 4
}

// initials returns the initials of the names in a row of a text, joined, as acronyms
// have them: "European Union" gives "eu".
func initials(text string) map[string]bool {
	set := map[string]bool{}
	var row []byte
	last := 0
	words.Each(text, func(start, end int) {
		capital, _ := spelling(text[start:end])
		small := strings.ToLower(text[start:end])
		switch {
		case capital && text[start] < utf8.RuneSelf:
			if strings.TrimSpace(text[last:start]) != "" {
				row = row[:0]
			}
			row = append(row, small[0])
			for from := range row {
				if len(row)-from >= 2 {
					set[string(row[from:])] = true
				}
			}
		case words.Frequent(small):
		default:
			row = row[:0]
		}
		last = end
	})
	return set
}
