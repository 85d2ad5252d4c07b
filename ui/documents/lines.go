package documents

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"inglenook/markdown"
)

// leastWidth is the width in characters from which on lines look as if a program wrapped them.
const leastWidth = 40

// opensLine matches what has a line of its own: an item, a row of a table, a quotation.
var opensLine = regexp.MustCompile(`^\s*([-*+•|>#]|\d{1,3}[.)]\s)`)

// lineEnds reports for each byte of a paragraph whether it is the end of a line that stays one.
// Elsewhere the writer's program wrapped the line, and its end means a space: the first word of
// the next line would not have fitted.
func lineEnds(paragraph string) []bool {
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

// inline sets a part of a paragraph, with its line ends.
func inline(text string, style markdown.Style) (list []markdown.Inline) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			list = append(list, markdown.Break{})
		}
		if line != "" {
			list = append(list, markdown.Text{Text: line, Style: style})
		}
	}
	return list
}

// fenceLine matches the line before or behind code in Markdown.
var fenceLine = regexp.MustCompile("^\\s*(`{3,}|~{3,})[^`]*$")

// withoutFences returns code without the lines that only say that it is code.
func withoutFences(written string) string {
	lines := strings.Split(strings.TrimRight(written, "\n"), "\n")
	if fenceLine.MatchString(lines[0]) {
		lines = lines[1:]
	}
	if n := len(lines); n > 0 && fenceLine.MatchString(lines[n-1]) {
		lines = lines[:n-1]
	}
	return strings.Join(lines, "\n")
}
