package prose

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

const (
	cellPadding  float32 = 9  // left and right of the text of a cell
	cellAbove    float32 = 5  // and above and below it
	narrowColumn float32 = 56 // a column does not become narrower, if it ever was wider
)

// table lays out a table: columns as wide as their texts where there is room,
// else the widest of them wrap. A table whose words do not fit side by side
// becomes a list of its rows.
func (s *setter) table(t *markdown.Table, x, width float32, color fyne.ThemeColorName) {
	columns := len(t.Header)
	if columns == 0 {
		return
	}
	widths, fits := s.columns(t, width)
	if !fits {
		s.records(t, x, width, color)
		return
	}
	from, total := s.y, float32(0)
	for _, w := range widths {
		total += w
	}
	frame := len(s.out.shapes)
	s.shape(shape{})
	head := look{face: s.faces.get(s.sizes.text, fyne.TextStyle{Bold: true}), color: color}
	s.row(t.Header, t.Align, widths, x, head)
	header := s.y - from
	corner := shape{x: x + 1, y: from + 1, width: total - 2, height: header - 1, radius: 5, fill: theme.ColorNameHeaderBackground}
	s.shape(corner)
	if len(t.Rows) > 0 { // the lower corners are square
		s.shape(shape{x: x + 1, y: s.y - 8, width: total - 2, height: 8, fill: corner.fill})
	}
	for _, row := range t.Rows {
		s.text.WriteByte('\n')
		s.shape(shape{x: x + 1, y: s.y, width: total - 2, height: 1, fill: kit.ColorLine})
		s.row(row, t.Align, widths, x, s.body(color))
	}
	s.out.shapes[frame] = shape{x: x, y: from, width: total, height: s.y - from, radius: 6, fill: theme.ColorNameInputBackground, stroke: kit.ColorLine}
}

// row lays out the cells of a row side by side.
func (s *setter) row(cells []markdown.Cell, align []markdown.Align, widths []float32, x float32, base look) {
	top, bottom := s.y, s.y+s.linePitch+2*cellAbove
	for i, w := range widths {
		if i > 0 {
			s.text.WriteByte('\t')
		}
		s.y = top + cellAbove
		if i < len(cells) {
			s.flow(cells[i], x+cellPadding, w-2*cellPadding, base, s.linePitch, align[i])
		}
		bottom = max(bottom, s.y+cellAbove)
		x += w
	}
	s.y = bottom
}

// sampledRows bounds how many rows decide on the widths of columns.
const sampledRows = 200

// columns shares the width out: every column gets what its widest cell needs,
// or, if that is too much for all together, the narrow ones do and the others
// share the rest. false: not even their longest words fit.
func (s *setter) columns(t *markdown.Table, width float32) ([]float32, bool) {
	widths := make([]float32, len(t.Header))
	need := make([]float32, len(widths)) // by the longest word
	bold, plain := s.faces.get(s.sizes.text, fyne.TextStyle{Bold: true}), s.faces.get(s.sizes.text, fyne.TextStyle{})
	for i, cell := range t.Header {
		widths[i], need[i] = s.cellWidth(cell, bold)
	}
	for _, row := range t.Rows[:min(len(t.Rows), sampledRows)] {
		for i, cell := range row[:min(len(row), len(widths))] {
			w, n := s.cellWidth(cell, plain)
			widths[i], need[i] = max(widths[i], w), max(need[i], n)
		}
	}
	total := float32(0)
	for i := range widths {
		widths[i] += 2*cellPadding + 1
		total += widths[i]
	}
	if total <= width {
		return widths, true
	}
	return shrink(widths, need, width)
}

// shrink finds the width above which columns have to wrap.
func shrink(widths, need []float32, width float32) ([]float32, bool) {
	least := float32(0)
	for i, w := range widths {
		need[i] = min(w, max(narrowColumn, min(need[i]+2*cellPadding+1, width/3)))
		least += need[i]
	}
	if least > width {
		return nil, false
	}
	low, high := float32(0), width // of a column that wraps
	for high-low > 0.5 {
		limit, sum := (low+high)/2, float32(0)
		for i, w := range widths {
			sum += max(need[i], min(w, limit))
		}
		if sum <= width {
			low = limit
		} else {
			high = limit
		}
	}
	shared := make([]float32, len(widths))
	for i, w := range widths {
		shared[i] = max(need[i], min(w, low))
	}
	return shared, true
}

// cellWidth is the width of a cell's text on one line, and of its longest word.
func (s *setter) cellWidth(cell markdown.Cell, f *face) (all, word float32) {
	var b breaker
	scratch := &setter{sizes: s.sizes, faces: s.faces, maths: s.maths, out: &set{}}
	scratch.inlines(&b, cell, look{face: f})
	at, part := float32(0), float32(0)
	for _, a := range b.atoms {
		at += a.width
		if a.free || a.kind != wordAtom {
			part = 0
		}
		if a.kind == wordAtom {
			part += a.width
			word = max(word, part)
		}
		if a.kind == breakAtom {
			at = 0
		}
		all = max(all, at)
	}
	return all, word
}

// records lays a table out as a list: each row with the names of its columns
// before their texts.
func (s *setter) records(t *markdown.Table, x, width float32, color fyne.ThemeColorName) {
	rows := t.Rows
	if len(rows) == 0 {
		rows = [][]markdown.Cell{make([]markdown.Cell, len(t.Header))}
	}
	from := s.y
	for i, row := range rows {
		if i > 0 {
			s.text.WriteByte('\n')
			s.y += kit.Gap
			s.shape(shape{x: x, y: s.y, width: width, height: 1, fill: kit.ColorLine})
			s.y += kit.Gap
		}
		for j, cell := range row {
			if j > 0 {
				s.text.WriteByte('\n')
			}
			title := strings.TrimSpace(markdown.PlainText(t.Header[j]))
			line := []markdown.Inline{markdown.Text{Text: title + ": ", Style: markdown.Strong}}
			s.flow(append(line, cell...), x+kit.GapWide, width-kit.GapWide, look{face: s.faces.get(s.sizes.text, fyne.TextStyle{}), color: color}, s.linePitch, markdown.AlignDefault)
		}
	}
	s.shape(shape{x: x + 1, y: from, width: 3, height: s.y - from, radius: 1.5, fill: kit.ColorLine})
}
