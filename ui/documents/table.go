package documents

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/ui/documents/grid"
	"inglenook/ui/find"
	"inglenook/ui/kit"
)

// betweenFound stands between the cells of a row in which words are sought, so that none are found
// across two cells.
const betweenFound = "\x1f"

// tableView shows a document that is a table, and below it the picked cell whole.
type tableView struct {
	*viewer
	grid  *grid.Grid
	view  *fyne.Container
	name  *kit.Line
	cell  *kit.Paragraph
	whole *fyne.Container // the picked cell
	room  kit.Capped
	shows bool // the document in view is a table
}

func newTableView(v *viewer) *tableView {
	t := &tableView{viewer: v, grid: grid.New(v.Keys), name: kit.NewCaption(""), cell: kit.NewParagraph("", theme.ColorNameForeground)}
	t.grid.Picked = t.pick
	t.grid.Copied = func(text string) {
		if v.Copy(text, "cell.txt") {
			v.Tell("Copied the cell.")
		}
	}
	t.whole = kit.Column(2, t.name, container.New(&t.room, container.NewVScroll(t.cell.Flat)))
	t.whole.Hide()
	t.view = kit.ByHeight(kit.Bordered(kit.GapSmall, nil, t.grid, t.whole), func(height float32) { t.room.Most = max(22, height/4) })
	return t
}

// pick shows a cell whole.
func (t *tableView) pick(name, text string, some bool) {
	t.name.Set(name)
	kit.Show(t.name, name != "")
	t.cell.Set(text)
	kit.Show(t.whole, some && text != "")
	t.view.Refresh()
}

// lay shows the document in view, where it is a table.
func (t *tableView) lay() {
	t.pick("", "", false)
	if t.shows = slices.Contains(documents.TableFormats, t.laid.Document.Format) && isTable(t.laid.Document); !t.shows {
		t.grid.Set(grid.Rows{Length: func() int { return 0 }})
		return
	}
	t.pieces = cutRows(t.laid)
	laid, pieces, matches := t.laid, t.pieces, t.matches()
	t.grid.Set(grid.Rows{
		Length: func() int { return len(pieces) },
		Kind:   func(i int) grid.Kind { return pieces[i].as },
		Found:  func(i int) bool { return pieces[i].found },
		Cells:  func(i int) []grid.Cell { return cellsOf(laid, pieces[i], matches) },
	})
}

// goTo brings a row into view, at the first cell with a word of the search.
func (t *tableView) goTo(i int, marked bool) {
	at := grid.Place{Row: i}
	if marked {
		t.grid.Best = i
		at.Column = max(0, slices.IndexFunc(cellsOf(t.laid, t.pieces[i], t.matches()), func(c grid.Cell) bool { return len(c.Strong) > 0 }))
	}
	t.grid.GoTo(at)
}

// showFound marks what a search within the document finds, and brings the place that was gone to into view.
func (t *tableView) showFound(sought string, here occurrence, some bool) {
	if sought == "" {
		t.grid.ShowFound(nil, grid.None, 0)
		return
	}
	look := func(text string) [][2]int { return find.In(text, sought) }
	at, part := grid.None, here.number
	if some {
		for c, cell := range cellsOf(t.laid, t.pieces[here.piece], nil) {
			n := len(look(cell.Text))
			if part < n {
				at = grid.Place{Row: here.piece, Column: c}
				break
			}
			part -= n
		}
	}
	t.grid.ShowFound(look, at, part)
	t.grid.GoTo(at)
}

// isTable reports whether most of a document is rows of tables.
func isTable(d text.Document) bool {
	rows := 0
	for _, b := range d.Blocks {
		if b.Kind == text.TableHeader || b.Kind == text.TableRow {
			rows++
		}
	}
	return 2*rows > len(d.Blocks)
}

// cutRows makes a piece of each row of a table.
func cutRows(o documents.Opened) (list []piece) {
	sign := cellStroke
	for _, b := range o.Document.Blocks {
		p := piece{start: b.Start, end: b.End, as: grid.Title, found: b.Start < o.Passage.End && o.Passage.Start < b.End}
		switch b.Kind {
		case text.TableHeader:
			p.as = grid.Names
			if o.Document.Format == "csv" {
				first, _, _ := strings.Cut(o.Document.Text[b.Start:b.End], "\n")
				sign = string(separatorOf(first))
			}
		case text.TableRow:
			p.as, p.row = grid.Values, true
		}
		p.sign = sign
		if strings.TrimSpace(o.Document.Text[b.Start:b.End]) != "" {
			list = append(list, p)
		}
	}
	return list
}

// cellsOf are the cells of a row, with the words of a search in bytes of the document.
func cellsOf(o documents.Opened, p piece, matches []documents.Span) (list []grid.Cell) {
	for _, s := range cellSpans(o, p) {
		raw := o.Document.Text[s.Start:s.End]
		cell := grid.Cell{Text: unquoted(raw, p.sign)}
		for _, m := range matches {
			from, to := max(m.Start, s.Start), min(m.End, s.End)
			if p.found && from < to {
				part := [2]int{len(unquoted(raw[:from-s.Start], p.sign)), len(unquoted(raw[:to-s.Start], p.sign))}
				if n := len(cell.Strong); n == 0 || part[0] >= cell.Strong[n-1][1] {
					cell.Strong = append(cell.Strong, part)
				}
			}
		}
		list = append(list, cell)
	}
	return list
}

// unquoted is a cell without the signs that keep quotes apart from its end.
func unquoted(cell, sign string) string {
	if sign == cellStroke {
		return cell
	}
	return strings.ReplaceAll(cell, `""`, `"`)
}

// cellSpans are where the cells of a row stand in the document, without the white space around them.
func cellSpans(o documents.Opened, p piece) (list []documents.Span) {
	written := strings.TrimRight(o.Document.Text[p.start:p.end], "\r\n")
	switch {
	case p.as == grid.Title:
		list = []documents.Span{{End: len(written)}}
	case p.sign == cellStroke:
		list = strokedCells(written)
	default:
		var end int
		if list, end = recordAt(written, 0, p.sign[0]); end < len(written) { // quotes that end nowhere
			list[len(list)-1].End = len(written)
		}
	}
	for i, s := range list {
		cell := strings.TrimLeft(written[s.Start:s.End], around)
		from := p.start + s.End - len(cell)
		list[i] = documents.Span{Start: from, End: from + len(strings.TrimRight(cell, around))}
	}
	return list
}

// around is what may stand beside the text of a cell and is no part of it.
const around = " \t\n\ufeff"

// strokedCells are the cells of a row with strokes between them. Those at its ends may hold nothing.
func strokedCells(written string) (list []documents.Span) {
	at := 0
	if strings.HasPrefix(written, "| ") {
		list, at = append(list, documents.Span{}), 2
	}
	for {
		n := strings.Index(written[at:], cellStroke)
		if n < 0 {
			break
		}
		list = append(list, documents.Span{Start: at, End: at + n})
		at += n + len(cellStroke)
	}
	if last, ok := strings.CutSuffix(written[at:], " |"); ok {
		list = append(list, documents.Span{Start: at, End: at + len(last)})
		at = len(written)
	}
	return append(list, documents.Span{Start: at, End: len(written)})
}

// rowText is a row in which words are sought.
func rowText(o documents.Opened, p piece) string {
	var cells []string
	for _, c := range cellsOf(o, p, nil) {
		cells = append(cells, c.Text)
	}
	return strings.Join(cells, betweenFound)
}
