package shape

import (
	"regexp"
	"strings"
)

// Stroke is what the readers of documents put between the cells of a row.
const Stroke = " | "

// Quotation is a passage as a quotation in Markdown: its paragraphs and tables are those of the document.
// The passage of a file that is Markdown itself stays as it is written, but for the ends of lines that a
// program wrapped, and for headings, which stand out in a quotation as bold lines.
func Quotation(passage string, isMarkdown bool) string {
	passage = strings.TrimSpace(passage)
	if isMarkdown {
		passage = lowHeadings(flowing(passage))
	} else {
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

// heading matches a line of Markdown that is one.
var heading = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$`)

// lowHeadings is Markdown with bold lines in the place of its headings.
func lowHeadings(text string) string {
	lines, fenced := strings.Split(text, "\n"), false
	for i, line := range lines {
		if isFence(line) {
			fenced = !fenced
		}
		cut := ""
		if rest, ok := strings.CutPrefix(line, "… "); ok {
			cut, line = "… ", rest
		}
		m := heading.FindStringSubmatch(line)
		if fenced || m == nil || m[1] == "" {
			continue
		}
		lines[i] = cut + bold(m[1])
		if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" { // or else what follows is of the same paragraph
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "\n")
}

// bold is a line of Markdown in bold letters; what is bold in it stays.
func bold(line string) string {
	if strings.Contains(line, "**") {
		return line
	}
	return "**" + line + "**"
}

// paragraphs are the lines of a text as a reader sees them, each as a paragraph.
func paragraphs(text string) (list []string) {
	ends, from := LineEnds(text), 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !ends[i] {
			continue
		}
		if line := strings.Join(strings.Fields(text[from:i]), " "); line != "" {
			list = append(list, paragraph(line))
		}
		from = i + 1
	}
	return list
}

// paragraph is a line as a paragraph. One that is written as a heading of Markdown is bold; a single "#" may be
// something else, as in a program.
func paragraph(line string) string {
	if m := heading.FindStringSubmatch(line); m != nil && m[1] != "" && strings.HasPrefix(line, "##") {
		return bold(escaped(m[1]))
	}
	return emphasized(line)
}

// marked matches words between the strokes with which people write that they stand out: "_so_".
var marked = regexp.MustCompile(`(^|[^\pL\pN_])_([^\s_](?:[^_]*[^\s_])?)_($|[^\pL\pN_])`)

// emphasized is a line whose signs mean nothing in Markdown, but for words that stand out in it.
func emphasized(line string) string {
	var b strings.Builder
	for {
		m := marked.FindStringSubmatchIndex(line)
		if m == nil {
			break
		}
		b.WriteString(escaped(line[:m[3]]) + "*" + escaped(line[m[4]:m[5]]) + "*")
		line = line[m[6]:] // the sign behind may be the one before the next words
	}
	if b.Len() == 0 {
		return escaped(line)
	}
	return b.String() + escaped(line)
}

// flowing is Markdown in which a paragraph has no line end where a program wrapped it.
func flowing(text string) string {
	var b strings.Builder
	lines, fenced := strings.SplitAfter(text, "\n"), false
	for from := 0; from < len(lines); {
		fence := isFence(lines[from])
		fenced = fenced != fence
		to := from + 1
		for !fence && !fenced && to < len(lines) && flows(lines[to-1]) && flows(lines[to]) {
			to++
		}
		piece := []byte(strings.Join(lines[from:to], ""))
		for i, ends := range LineEnds(strings.TrimSuffix(string(piece), "\n")) {
			if piece[i] == '\n' && !ends && !hardBreak(string(piece[:i])) {
				piece[i] = ' '
			}
		}
		b.Write(piece)
		from = to
	}
	return b.String()
}

// flows reports whether a line of Markdown may be one of a paragraph with others.
func flows(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && !isFence(line) && !strings.HasPrefix(line, "|")
}

// isFence reports whether a line of Markdown begins or ends a program.
func isFence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

// hardBreak reports whether the author of Markdown wants a line to end here.
func hardBreak(before string) bool {
	return strings.HasSuffix(before, "  ") || strings.HasSuffix(before, "\\")
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
