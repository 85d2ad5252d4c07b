package shape

import (
	"regexp"
	"strings"
)

// Stroke is what the readers of documents put between the cells of a row.
const Stroke = " | "

// Quotation is a passage as a quotation in Markdown: its paragraphs and tables are those of the document.
// The passage of a file that is Markdown itself stays as it is written.
func Quotation(passage string, isMarkdown bool) string {
	passage = strings.TrimSpace(passage)
	if !isMarkdown {
		passage = Markdown(passage)
	}
	return "> " + strings.ReplaceAll(passage, "\n", "\n> ")
}

// Markdown is a text that has no marks, as Markdown that shows it. Lines with strokes between their
// cells are tables, of which the first line names the columns.
func Markdown(text string) string {
	var parts []string
	lines := strings.Split(text, "\n")
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && strings.Contains(lines[to], Stroke) {
			to++
		}
		if to-from > 1 {
			parts = append(parts, table(lines[from:to]))
			from = to
			continue
		}
		for to = from + 1; to < len(lines) && !(strings.Contains(lines[to], Stroke) && to+1 < len(lines) && strings.Contains(lines[to+1], Stroke)); {
			to++
		}
		parts = append(parts, paragraphs(strings.Join(lines[from:to], "\n"))...)
		from = to
	}
	return strings.Join(parts, "\n\n")
}

// paragraphs are the lines of a text as a reader sees them, each as a paragraph.
func paragraphs(text string) (list []string) {
	ends, from := LineEnds(text), 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !ends[i] {
			continue
		}
		if line := strings.Join(strings.Fields(text[from:i]), " "); line != "" {
			list = append(list, escaped(line))
		}
		from = i + 1
	}
	return list
}

// table makes one of rows. Rows have as many cells as the longest.
func table(rows []string) string {
	var cells [][]string
	columns := 0
	for _, row := range rows {
		row = strings.TrimSuffix(strings.TrimPrefix(" "+row+" ", " | "), " | ")
		parts := strings.Split(row, Stroke)
		cells, columns = append(cells, parts), max(columns, len(parts))
	}
	var b strings.Builder
	for i, row := range cells {
		for c := range columns {
			cell := ""
			if c < len(row) {
				cell = escaped(strings.TrimSpace(row[c]))
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", columns) + "|\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// itemMark matches what makes an item of a list of a line.
var itemMark = regexp.MustCompile(`^([-+]|\d{1,9}[.)])(\s|$)`)

// escaped is a line whose signs mean nothing in Markdown.
func escaped(line string) string {
	var b strings.Builder
	mark := -1 // of an item: the sign that makes it one
	if m := itemMark.FindStringSubmatchIndex(line); m != nil {
		mark = m[3] - 1
	}
	for i, r := range line {
		if i == mark || strings.ContainsRune("\\`*_[]<>#|~!&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
