package chunk

import (
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
	if mark == '.' && (shortened(text[start:i], text[next:]) || ordinal(text[start:i], text[next:])) {
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
