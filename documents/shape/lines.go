// Package shape gives the text of a document back the shape that a reader sees: where its lines end, and
// what of it are tables and paragraphs.
package shape

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// leastWidth is the width in characters from which on lines look as if a program wrapped them.
const leastWidth = 40

// opensLine matches what has a line of its own: an item, a row of a table, a quotation.
var opensLine = regexp.MustCompile(`^\s*([-*+•|>#]|\d{1,3}[.)]\s)`)

// LineEnds reports for each byte of a paragraph whether it is the end of a line that stays one.
// Elsewhere the writer's program wrapped the line, and its end means a space: the first word of
// the next line would not have fitted.
func LineEnds(paragraph string) []bool {
	ends := make([]bool, len(paragraph))
	lines := strings.Split(paragraph, "\n")
	widest := 0
	for _, l := range lines {
		widest = max(widest, utf8.RuneCountInString(strings.TrimRight(l, " ")))
	}
	at := 0
	for i, l := range lines[:len(lines)-1] {
		at += len(l)
		next := lines[i+1]
		word, _, _ := strings.Cut(strings.TrimSpace(next), " ")
		trimmed := strings.TrimRight(l, " ")
		full := utf8.RuneCountInString(trimmed)+1+utf8.RuneCountInString(word) > widest
		wraps := widest >= leastWidth && full
		ends[at] = !wraps || trimmed == "" || word == "" || opensLine.MatchString(next)
		at++
	}
	return ends
}
