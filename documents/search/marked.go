package search

import (
	"slices"
	"strings"

	"inglenook/documents/shape"
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
	if slices.Contains(inLines, format) {
		return r.row(best, format, Span{End: len(r.Text)})
	}
	if format == "markdown" {
		if _, isTable := shape.TableAt(r.Chunk, format, best.Start); isTable && best.End > best.Start {
			return r.row(best, format, best)
		}
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

// row is the line or the row of a table with most of the words that were searched for, or else that at which best
// begins. The row that names the columns answers nothing. It lies within some part of Text.
func (r Result) row(best Span, format string, within Span) Span {
	if len(r.Matches) == 0 && best == (Span{}) {
		return best
	}
	var table shape.Table
	here, _ := r.lineAt(best.Start, format, &table)
	most, letters := 0, map[Span]int{}
	for _, m := range r.Matches {
		if m.Start < within.Start || m.End > within.End {
			continue
		}
		line, answers := r.lineAt(m.Start, format, &table)
		if letters[line] += m.End - m.Start; answers && letters[line] > most {
			here, most = line, letters[line]
		}
	}
	return here
}

// lineAt is the line that has a byte of Text, or the row of a table, which may have cells of several lines. It
// answers unless it names the columns. table is the one that was found last: to find another reads all of Text, and
// most words are in the same one.
func (r Result) lineAt(at int, format string, table *shape.Table) (line Span, answers bool) {
	row, isRow := table.RowAt(at)
	isTable := isRow
	if !isRow {
		*table, isTable = shape.TableAt(r.Chunk, format, at)
		row, isRow = table.RowAt(at)
	}
	if isRow {
		return row, true
	}
	line = Span{Start: strings.LastIndexByte(r.Text[:at], '\n') + 1, End: len(r.Text)}
	if n := strings.IndexByte(r.Text[at:], '\n'); n >= 0 {
		line.End = at + n
	}
	return line, !isTable
}
