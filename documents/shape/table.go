package shape

import (
	"regexp"
	"strconv"
	"strings"

	"inglenook/documents"
	"inglenook/documents/words"
)

// A Table is what a passage has of one table.
type Table struct {
	Names string       // the row that names the columns, of Markdown with the line below it; "": it is not known
	Rows  []words.Span // the others, in order
}

// RowAt is the row that has a byte of the passage; false: it is in none, as in the row that names the columns.
func (t Table) RowAt(at int) (words.Span, bool) {
	for _, row := range t.Rows {
		if row.Start <= at && at <= row.End {
			return row, true
		}
	}
	return words.Span{}, false
}

// dashes is the line of Markdown below the names of columns.
var dashes = regexp.MustCompile(`^\s*\|?[ :|-]*-[ :|-]*\|?\s*$`)

// Header is the row that names the columns of the table that a passage begins in, which stands last before
// the passage; "": it begins in none, or with that row.
func Header(context string) string {
	i := strings.LastIndex(context, "\n\n")
	if i < 0 { // the title and the headings alone
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(context[i:]), "\ufeff"))
}

// TableAt is the table that a passage of a file in a format has at a byte; false: there is none. A passage
// may begin within a table: what names the columns stands in its context then. Where that is lost too, as
// of a piece of a passage, the names are not known.
func TableAt(c documents.Chunk, format string, at int) (Table, bool) {
	if at < 0 || at > len(c.Text) {
		return Table{}, false
	}
	switch format {
	case "csv":
		return ofRecords(c)
	case "source", "json":
		return Table{}, false
	case "markdown":
		return ofMarkdown(c, at)
	}
	return ofStrokes(c, at)
}

// ofRecords is a file of which every line is a row, or a part of it.
func ofRecords(c documents.Chunk) (t Table, _ bool) {
	start := len(c.Text) - len(strings.TrimPrefix(c.Text, "\ufeff"))
	t.Names = Header(c.Context)
	if first, _, more := strings.Cut(c.Text[start:], "\n"); c.Start == 0 && more && IsSeparatorLine(strings.TrimSpace(first)) {
		start += len(first) + 1
	}
	rows := c.Text[start:]
	if t.Names != "" {
		rows = t.Names + "\n" + rows
	}
	sign := Delimiter(rows)
	for start < len(c.Text) {
		end := RecordEnd(c.Text, start, sign)
		if row := words.Trim(c.Text, words.Span{Start: start, End: end}); row.Start < row.End {
			t.Rows = append(t.Rows, row)
		}
		start = end
	}
	if c.Start == 0 && len(t.Rows) > 0 {
		t.Names, t.Rows = c.Text[t.Rows[0].Start:t.Rows[0].End], t.Rows[1:]
	}
	return t, t.Names != "" || len(t.Rows) > 0
}

// ofStrokes is a table whose cells have strokes between them, as the readers of documents write one. A
// line alone may be one by chance, unless the passage begins within a table.
func ofStrokes(c documents.Chunk, at int) (Table, bool) {
	rows, first := linesAround(c.Text, at, Stroke)
	header := Header(c.Context)
	switch {
	case len(rows) == 0:
		return Table{}, false
	case first && strings.Contains(header, Stroke):
		return Table{Names: header, Rows: rows}, true
	case len(rows) == 1:
		return Table{}, false
	case first && c.Start > 0 && (c.Context == "" || hasNumber(c.Text[rows[0].Start:rows[0].End])):
		return Table{Rows: rows}, true
	}
	return Table{Names: c.Text[rows[0].Start:rows[0].End], Rows: rows[1:]}, true
}

// ofMarkdown is a table of Markdown: the line of dashes makes the one above it the names of columns.
func ofMarkdown(c documents.Chunk, at int) (Table, bool) {
	lines, first := linesAround(c.Text, at, "|")
	for i := 1; i < len(lines); i++ {
		if rule := lines[i]; dashes.MatchString(c.Text[rule.Start:rule.End]) {
			names := lines[i-1]
			if at < names.Start { // in a line above that has the sign too
				return Table{}, false
			}
			return Table{Names: c.Text[names.Start:rule.End], Rows: lines[i+1:]}, true
		}
	}
	header := Header(c.Context)
	switch {
	case !first || len(lines) == 0:
		return Table{}, false
	case strings.Contains(header, "|") && strings.Contains(header, "\n"):
		return Table{Names: header, Rows: lines}, true
	case c.Start > 0 && strings.HasPrefix(c.Text[lines[0].Start:], "|"):
		return Table{Rows: lines}, true
	}
	return Table{}, false
}

// linesAround are the lines with a sign around a byte, without the white space at their ends; none: the line
// there has not got it. first: the text begins with them.
func linesAround(text string, at int, sign string) (lines []words.Span, first bool) {
	first = true
	for start := 0; start < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n
		}
		switch line := text[start:end]; {
		case strings.Contains(line, sign):
			lines = append(lines, words.Trim(text, words.Span{Start: start, End: end}))
		case at <= end && at >= start && strings.TrimSpace(line) != "":
			return nil, false
		case at < start && len(lines) > 0:
			return lines, first
		default:
			first = first && len(lines) == 0 && strings.TrimSpace(line) == ""
			lines = nil
		}
		start = end + 1
	}
	return lines, first
}

// hasNumber reports whether a cell of a row is a number, which names of columns seldom are.
func hasNumber(row string) bool {
	for cell := range strings.SplitSeq(row, Stroke) {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(cell), ",", ""), 64); err == nil {
			return true
		}
	}
	return false
}
