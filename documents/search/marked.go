package search

import (
	"slices"
	"strings"

	"inglenook/documents/words"
)

// Rows are the formats of files that hold rows of a table.
var Rows = []string{"xlsx", "ods", "csv"}

// inLines are the formats of files without sentences: a line is the least that says something.
var inLines = append([]string{"source", "json"}, Rows...)

// sentenceReach is how many bytes of a sentence are read before a word of the question is missed.
const sentenceReach = 140

// Marked is the part of Text that answers: its best sentence without a heading above it, or where
// there are no sentences the line or the row of a table with most of the question's words. It is
// empty where nothing is known to answer.
func (r Result) Marked() Span {
	format := ""
	if len(r.Files) > 0 {
		format = r.Files[0].Format
	}
	return r.MarkedAs(format)
}

// MarkedAs is Marked in a file of that format.
func (r Result) MarkedAs(format string) Span {
	best := r.Best
	if best.End <= best.Start || best.Start < 0 || best.End > len(r.Text) {
		best = Span{}
	}
	if slices.Contains(inLines, format) || format == "markdown" && strings.HasPrefix(r.Text[best.Start:best.End], "|") {
		return r.row(best, format)
	}
	if format == "markdown" {
		for strings.HasPrefix(r.Text[best.Start:best.End], "#") {
			end := strings.IndexByte(r.Text[best.Start:best.End], '\n')
			if end < 0 {
				break
			}
			best = words.Trim(r.Text, Span{Start: best.Start + end, End: best.End})
		}
	}
	return best
}

// MarkedLine is the line of the document that Marked begins on, or of a long sentence the one in it with a word
// of the question: what a person who goes there finds. Without one it is the line of the passage.
func (r Result) MarkedLine() int {
	at := r.Marked()
	for _, m := range r.Matches {
		if m.Start >= at.Start && m.End <= at.End && !r.Pinpointed {
			if m.Start > at.Start+sentenceReach {
				at.Start = m.Start
			}
			break
		}
	}
	return r.LineAt(at.Start)
}

// row is the line with most of the words that were searched for, or else that at which best begins. A row of
// a table may have cells of several lines.
func (r Result) row(best Span, format string) Span {
	at, most, letters := best.Start, 0, map[int]int{}
	within := Span{End: len(r.Text)}
	if !slices.Contains(inLines, format) {
		within = best
	}
	start := func(at int) int {
		line := strings.LastIndexByte(r.Text[:at], '\n') + 1
		for format == "csv" && line > 0 && strings.Count(r.Text[:line], `"`)%2 == 1 {
			line = strings.LastIndexByte(r.Text[:line-1], '\n') + 1
		}
		return line
	}
	for _, m := range r.Matches {
		if m.Start < within.Start || m.End > within.End {
			continue
		}
		line := start(m.Start)
		if letters[line] += m.End - m.Start; letters[line] > most {
			at, most = line, letters[line]
		}
	}
	if len(r.Matches) == 0 && best == (Span{}) {
		return best
	}
	at = start(at)
	end := at
	for end < len(r.Text) {
		n := strings.IndexByte(r.Text[end:], '\n')
		if n < 0 {
			end = len(r.Text)
			break
		}
		if end += n; format != "csv" || strings.Count(r.Text[:end], `"`)%2 == 0 {
			break
		}
		end++
	}
	return Span{Start: at, End: end}
}
