package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What tells a text whose lines were broken to a width, like a book, from a list of texts.
const (
	leastParagraphs = 3   // of several lines
	shortestBroken  = 45  // characters of a line that was broken
	longestBroken   = 110 // no book has longer lines
)

// paragraphs joins the lines of a text that was broken to a width: its paragraphs stand
// between blank lines. false: its lines are texts of their own.
func paragraphs(text string) ([]string, bool) {
	var list []string
	var lines []string
	several, broken, within := 0, 0, 0
	end := func() {
		if len(lines) > 1 {
			several++
			for _, line := range lines[:len(lines)-1] {
				within++
				if isBroken(line) {
					broken++
				}
			}
		}
		if len(lines) > 0 {
			list = append(list, strings.Join(lines, " "))
		}
		lines = nil
	}
	all := 0
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		if line = strings.TrimSpace(line); line == "" {
			end()
			continue
		}
		all++
		lines = append(lines, line)
	}
	end()
	return list, several >= leastParagraphs && 2*within >= all && 4*broken >= 3*within
}

// isBroken reports whether a line looks as if it ended where the page did, not the sentence.
func isBroken(line string) bool {
	n := utf8.RuneCountInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	return n >= shortestBroken && n <= longestBroken && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(",;:-–—'’\"”)", last))
}
