package documents

import (
	"regexp"
	"strings"

	"inglenook/markdown"
)

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
