package web

import (
	"golang.org/x/net/html/atom"

	"inglenook/documents"
)

// A piece is a block before it is known whether it stands in a table.
type piece struct {
	kind  documents.Kind
	level int
	text  string
}

// table is the state of an open table.
type table struct {
	row    [][]piece // the cells of the open row
	inCell bool
	heads  int  // cells of the row that are <th>
	inHead bool // within <thead>
	rows   int
}

// longCell is the length from which a cell is taken for a part of a page's layout.
const longCell = 1000

// startOfTable handles the start of a part of a table. Parts that were never closed end
// here.
func (p *page) startOfTable(tag atom.Atom) {
	p.flush()
	if len(p.tables) == 0 {
		return
	}
	t := p.tables[len(p.tables)-1]
	switch tag {
	case atom.Td, atom.Th:
		t.inCell = true
		t.row = append(t.row, nil)
		if tag == atom.Th {
			t.heads++
		}
	case atom.Thead:
		t.endRow(p)
		t.inHead = true
	default:
		t.endRow(p)
		if tag != atom.Tr {
			t.inHead = false
		}
	}
}

func (p *page) endOfTable(tag atom.Atom) {
	p.flush()
	if len(p.tables) == 0 {
		return
	}
	t := p.tables[len(p.tables)-1]
	t.inCell = false
	if tag == atom.Td || tag == atom.Th {
		return
	}
	t.endRow(p)
	if tag == atom.Thead {
		t.inHead = false
	}
}

// endTables ends the tables that the page left open.
func (p *page) endTables() {
	for n := len(p.tables) - 1; n >= 0; n-- {
		p.tables[n].endRow(p)
		p.tables = p.tables[:n]
	}
}

// add puts a piece into the open cell, and reports whether there is one.
func (t *table) add(piece piece) bool {
	if !t.inCell || len(t.row) == 0 {
		return false
	}
	if piece.text != "" {
		t.row[len(t.row)-1] = append(t.row[len(t.row)-1], piece)
	}
	return true
}

// endRow writes the row. Tables also are what old pages and mails lay out their
// text with; a row that looks so becomes its pieces.
func (t *table) endRow(p *page) {
	row, heads := t.row, t.heads
	t.row, t.inCell, t.heads = nil, false, 0
	if len(row) == 0 {
		return
	}
	kind := documents.TableRow
	if t.inHead || t.rows == 0 && heads == len(row) {
		kind = documents.TableHeader
	}
	t.rows++
	if t.isLayout(row) {
		for _, cell := range row {
			for _, piece := range cell {
				p.b.Add(piece.kind, piece.level, piece.text)
			}
		}
		return
	}
	cells := make([]string, len(row))
	for i, cell := range row {
		for _, piece := range cell {
			cells[i] += piece.text + " "
		}
	}
	p.b.Row(kind, cells)
}

func (t *table) isLayout(row [][]piece) bool {
	if len(row) == 1 {
		return true
	}
	for _, cell := range row {
		length := 0
		for _, piece := range cell {
			length += len(piece.text)
			if piece.kind == documents.Heading {
				return true
			}
		}
		if length > longCell {
			return true
		}
	}
	return false
}
