package chunk

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts a text after each sentence, with the white space that follows
// it. The strings make up the text. A blank line ends a sentence too.
func Sentences(text string) []string {
	var sentences []string
	start := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := 0
		switch {
		case r == '\n':
			end = blankLine(text, i)
		case strings.ContainsRune("。！？", r):
			end = closed(text, i+size)
		case strings.ContainsRune(".!?…", r):
			end = sentenceEnd(text, start, i, r)
		}
		if end == 0 || end >= len(text) {
			i += size
			continue
		}
		sentences = append(sentences, text[start:end])
		start, i = end, end
	}
	if start < len(text) {
		sentences = append(sentences, text[start:])
	}
	return sentences
}

// blankLine returns where the text goes on after a line end at i that a blank
// line follows; 0 if none does.
func blankLine(text string, i int) int {
	end := afterSpace(text, i)
	if strings.Count(text[i:end], "\n") < 2 {
		return 0
	}
	return end
}

// sentenceEnd returns where the sentence that began at start ends, if the mark at
// i ends it; else 0.
func sentenceEnd(text string, start, i int, mark rune) int {
	end := i
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(".!?…", r) {
			break
		}
		end += size
	}
	end = closed(text, end)
	next := afterSpace(text, end)
	if next == end && end < len(text) {
		return 0 // 3.5, example.org
	}
	if r, _ := utf8.DecodeRuneInString(text[next:]); unicode.IsLower(r) {
		return 0
	}
	if mark == '.' && shortened(text[start:i]) {
		return 0
	}
	return next
}

// closed returns the position after the quotes and brackets that close at i.
func closed(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune("\"'”’»)]」』）", r) {
			break
		}
		i += size
	}
	return i
}

func afterSpace(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += size
	}
	return i
}

// shortened reports whether a text, whose next character is a full stop, ends in
// an initial, an abbreviation or the number of an item.
func shortened(text string) bool {
	word := text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
	word = strings.TrimLeft(word, "([\"'“‘«")
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && unicode.IsUpper(r) {
		return true
	}
	if number := strings.Trim(word, "0123456789") == ""; number && strings.TrimSpace(text) == word {
		return true
	}
	return abbreviations[strings.ToLower(word)]
}

// abbreviationList has abbreviations of English and German, without the full stop.
//
//go:embed abbreviations.txt
var abbreviationList string

var abbreviations = func() map[string]bool {
	known := map[string]bool{}
	for _, word := range strings.Fields(abbreviationList) {
		known[word] = true
	}
	return known
}()
