package documents

import (
	"strings"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/markdown"
)

// mostRows is how many rows of a table among other text are laid out at once.
const mostRows = 40

// tableAt is the table that begins with block i of a document, as pieces, and the block after it; no pieces:
// none begins there. Each piece has the names of the columns.
func tableAt(o documents.Opened, i int) (list []piece, next int) {
	blocks := o.Document.Blocks
	head := blocks[i]
	if head.Kind != text.TableHeader {
		return nil, i
	}
	columns := len(tableRow(o, head))
	for next = i + 1; next < len(blocks) && blocks[next].Kind == text.TableRow; next++ {
		b := blocks[next]
		if (next-i-1)%mostRows == 0 {
			list = append(list, piece{start: b.Start, kind: table, names: head})
		}
		last := &list[len(list)-1]
		last.end, last.rows = b.End, append(last.rows, b)
		columns = max(columns, len(tableRow(o, b)))
	}
	if len(list) == 0 || columns < 2 {
		return nil, i
	}
	list[0].start = head.Start
	for k := range list {
		list[k].columns = columns
		list[k].found = list[k].start < o.Passage.End && o.Passage.Start < list[k].end
	}
	return list, next
}

// tableRow are the cells of a row of a table among other text, as bytes of the document and without the white
// space around them. A line of dashes may follow the row that names the columns.
func tableRow(o documents.Opened, row text.Block) (list []documents.Span) {
	first, _, _ := strings.Cut(strings.TrimLeft(o.Document.Text[row.Start:row.End], "\n"), "\n")
	if o.Document.Format == "markdown" {
		list = markdownCells(first)
	} else {
		list = strokedCells(first)
	}
	for i, s := range list {
		cell := strings.TrimLeft(first[s.Start:s.End], around)
		start := row.Start + s.End - len(cell)
		list[i] = documents.Span{Start: start, End: start + len(strings.TrimRight(cell, around))}
	}
	return list
}

// markdownCells are the cells of a row that may have strokes at its ends too.
func markdownCells(row string) (list []documents.Span) {
	from, end := len(row)-len(strings.TrimLeft(row, around)), len(strings.TrimRight(row, around))
	if from < end && row[from] == '|' {
		from++
	}
	for i := from; i < end; i++ {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			list = append(list, documents.Span{Start: from, End: i})
			from = i + 1
		}
	}
	if from < end || len(list) == 0 {
		list = append(list, documents.Span{Start: from, End: max(from, end)})
	}
	return list
}

// tableText is a table as it is shown, as prose writes its cells.
func tableText(o documents.Opened, p piece) string {
	var lines []string
	for _, row := range append([]text.Block{p.names}, p.rows...) {
		var cells []string
		for _, c := range tableCells(o, p, row, nil) {
			cells = append(cells, markdown.PlainText(c))
		}
		lines = append(lines, strings.Join(cells, "\t"))
	}
	return strings.Join(lines, "\n")
}

// tableCells are the cells of a row, as many as the table has columns, with the words of the search in bold.
func tableCells(o documents.Opened, p piece, row text.Block, matches []documents.Span) []markdown.Cell {
	cells := make([]markdown.Cell, p.columns)
	for i, s := range tableRow(o, row) {
		var strong []documents.Span
		for _, m := range matches {
			if from, to := max(m.Start, s.Start), min(m.End, s.End); from < to {
				strong = append(strong, documents.Span{Start: from - s.Start, End: to - s.Start})
			}
		}
		cells[i] = legibleOf(o.Document.Text[s.Start:s.End], o.Document.Format, "").bold(strong)
	}
	return cells
}

// tableBlock sets a table.
func (v *viewer) tableBlock(p piece) markdown.Block {
	matches := v.matches()
	t := &markdown.Table{Header: tableCells(v.laid, p, p.names, nil)}
	t.Align = make([]markdown.Align, len(t.Header))
	for _, row := range p.rows {
		t.Rows = append(t.Rows, tableCells(v.laid, p, row, matches))
	}
	return t
}

// bold is a text in which some bytes of what was written stand out.
func (l legible) bold(spans []documents.Span) (list []markdown.Inline) {
	done := 0
	for _, m := range l.marks(spans, 0) {
		if from := max(m[0], done); from < m[1] {
			list = append(list, inline(l.text[done:from], 0)...)
			list = append(list, inline(l.text[from:m[1]], markdown.Strong)...)
			done = m[1]
		}
	}
	return append(list, inline(l.text[done:], 0)...)
}
