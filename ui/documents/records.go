package documents

import (
	"strings"

	"inglenook/app/documents"
)

// records reads the rows of a table whose cells have a comma between them, or another sign.
func (p *plainer) records(header string) {
	first, _, _ := strings.Cut(p.written, "\n")
	if header != "" {
		first = header
	}
	sign := separatorOf(first)
	names := cellTexts(header, sign)
	for at := 0; at < len(p.written); {
		cells, end := recordAt(p.written, at, sign)
		if header == "" && at == 0 {
			header, names = first, cellTexts(strings.TrimPrefix(p.written[:end], "\ufeff"), sign)
		}
		p.row(cells, names)
		p.drop(end)
		if strings.TrimSpace(p.written[end:]) != "" {
			p.say("\n", end+1)
		}
		at = end + 1
	}
	p.drop(len(p.written))
}

// separatorOf is the sign between the cells of a row: the one that it has most of.
func separatorOf(row string) byte {
	best := byte(',')
	for _, sign := range []byte(";\t|") {
		if strings.Count(row, string(sign)) > strings.Count(row, string(best)) {
			best = sign
		}
	}
	return best
}

// recordAt is the row at a place: its cells without their quotes, and where its line ends.
func recordAt(written string, at int, sign byte) (cells []documents.Span, end int) {
	start, quoted := at, false
	add := func(to int) {
		from := start
		if to-from >= 2 && written[from] == '"' && written[to-1] == '"' {
			from, to = from+1, to-1
		}
		cells = append(cells, documents.Span{Start: from, End: to})
	}
	for i := at; i < len(written); i++ {
		switch c := written[i]; {
		case quoted && strings.HasPrefix(written[i:], `""`): // a quote in the cell
			i++
		case c == '"' && (quoted || i == start):
			quoted = !quoted && strings.IndexByte(written[i+1:], '"') >= 0
		case quoted:
		case c == sign:
			add(i)
			start = i + 1
		case c == '\n':
			add(i)
			return cells, i
		}
	}
	add(len(written))
	return cells, len(written)
}

// cellTexts are the cells of a row.
func cellTexts(row string, sign byte) (list []string) {
	cells, _ := recordAt(row, 0, sign)
	for _, c := range cells {
		list = append(list, strings.TrimSpace(row[c.Start:c.End]))
	}
	return list
}
