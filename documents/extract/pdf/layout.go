package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A run is a stretch of text without a wide gap.
type run struct {
	glyphs []glyph
	x0, x1 float64
	y      float64
	size   float64
	bold   bool
}

// A textLine is a line of one column.
type textLine struct {
	text   string
	x0, x1 float64
	y      float64
	size   float64
	bold   bool
	cells  int  // parts with wide gaps between them
	end    bool // the last of its column
}

// Gaps, in parts of the size of the text.
const (
	wordGap = 0.16 // more is a space
	runGap  = 1.2  // more ends a run
	cellGap = 1.6  // more is the gap between two cells of a table
)

// lines returns the lines of a page in reading order.
func lines(glyphs []glyph) []textLine {
	var all []textLine
	for turn := range uint8(4) { // text in other directions comes after the rest
		runs := runsOf(glyphs, turn)
		all = append(all, order(runs, 0)...)
	}
	return all
}

// runsOf joins glyphs that follow each other in the content and on the page.
func runsOf(glyphs []glyph, turn uint8) []run {
	var runs []run
	var open *run
	for _, g := range glyphs {
		if g.turn != turn || g.size < 0.5 {
			continue
		}
		if g.text == "" && g.x1 <= g.x0 {
			continue
		}
		if open != nil {
			size := max(g.size, open.size)
			gap := g.x0 - open.x1
			back := open.x0 - g.x1 // text that runs to the left
			sameLine := math.Abs(g.y-open.y) < 0.45*size
			if sameLine && (gap > -0.6*size && gap < runGap*size || back > -0.6*size && back < runGap*size) {
				open.add(g)
				continue
			}
		}
		if strings.TrimSpace(g.text) == "" {
			continue // a run begins with a character that shows
		}
		runs = append(runs, run{x0: g.x0, x1: g.x1, y: g.y, size: g.size, bold: g.bold})
		open = &runs[len(runs)-1]
		open.glyphs = append(open.glyphs, g)
	}
	return runs
}

func (r *run) add(g glyph) {
	r.glyphs = append(r.glyphs, g)
	if strings.TrimSpace(g.text) == "" {
		return // spaces at its end make a run no longer
	}
	r.x0, r.x1 = min(r.x0, g.x0), max(r.x1, g.x1)
	if g.size > r.size*1.05 { // a raised number came first
		r.y, r.size, r.bold = g.y, g.size, g.bold
	}
	r.bold = r.bold && g.bold
}

// maxColumns bounds columns within columns.
const maxColumns = 6

// order puts runs into reading order: a column from top to bottom, then the next.
// Lines across all columns divide the page.
func order(runs []run, depth int) []textLine {
	if len(runs) == 0 {
		return nil
	}
	gutter, ok := 0.0, false
	if depth < maxColumns {
		gutter, ok = findGutter(runs)
	}
	if !ok {
		return linesOf(runs)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(b.y, a.y) })
	var all []textLine
	var left, right, across []run
	flush := func() {
		for _, part := range [][]run{left, right} {
			lines := order(part, depth+1)
			if len(lines) > 0 {
				lines[len(lines)-1].end = true
			}
			all = append(all, lines...)
		}
		left, right = nil, nil
	}
	for _, r := range runs {
		if r.x0 < gutter && r.x1 > gutter {
			if len(left)+len(right) > 0 {
				flush()
			}
			across = append(across, r)
			continue
		}
		if len(across) > 0 {
			all = append(all, linesOf(across)...)
			across = nil
		}
		if r.x1 <= gutter {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	all = append(all, linesOf(across)...)
	flush()
	return all
}

// findGutter looks for the white space between two columns of prose: hardly a run
// crosses it, and on both sides are lines that fill their column. The cells of a
// table do not, so its rows stay whole.
func findGutter(runs []run) (float64, bool) {
	const bins = 256
	if len(runs) < 8 {
		return 0, false
	}
	x0, x1, size := math.Inf(1), math.Inf(-1), 0.0
	for _, r := range runs {
		x0, x1 = min(x0, r.x0), max(x1, r.x1)
		size += r.size / float64(len(runs))
	}
	if x1-x0 < 20*size {
		return 0, false
	}
	var crossing [bins + 1]int
	bin := func(x float64) int { return int((x - x0) / (x1 - x0) * bins) }
	for _, r := range runs {
		for i := bin(r.x0); i <= bin(r.x1) && i <= bins; i++ {
			crossing[i]++
		}
	}
	few := len(runs) / 7
	bestFrom, bestTo := 0, -1
	for from := bins / 8; from <= bins*7/8; from++ {
		to := from
		for to <= bins && crossing[to] <= few && crossing[to] <= crossing[from]+2 {
			to++
		}
		if to-from > bestTo-bestFrom && to <= bins {
			bestFrom, bestTo = from, to
		}
		from = max(from, to-1)
	}
	gutter := x0 + float64(bestFrom+bestTo)/2/bins*(x1-x0)
	width := float64(bestTo-bestFrom) / bins * (x1 - x0)
	if bestTo < 0 || width < 0.7*size {
		return 0, false
	}
	return gutter, isProse(runs, x0, gutter, func(r run) bool { return r.x1 <= gutter }) &&
		isProse(runs, gutter, x1, func(r run) bool { return r.x0 >= gutter })
}

// isProse reports whether the runs on one side of a gutter are lines of text that
// mostly fill it.
func isProse(runs []run, x0, x1 float64, belongs func(run) bool) bool {
	count, filled, letters := 0, 0, 0
	for _, r := range runs {
		if !belongs(r) {
			continue
		}
		count++
		letters += len(r.glyphs)
		if r.x1-r.x0 > 0.6*(x1-x0) {
			filled++
		}
	}
	return count >= 4 && filled*2 >= count && letters >= 15*count
}

// linesOf joins the runs that stand on one base line.
func linesOf(runs []run) []textLine {
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(b.y, a.y) })
	var all []textLine
	for start := 0; start < len(runs); {
		endOfLine := start + 1
		base := runs[start]
		for endOfLine < len(runs) && base.y-runs[endOfLine].y < 0.5*min(base.size, runs[endOfLine].size) {
			if runs[endOfLine].size > base.size {
				base = runs[endOfLine]
			}
			endOfLine++
		}
		all = append(all, join(runs[start:endOfLine]))
		start = endOfLine
	}
	return all
}

// join makes a line of the runs of one base line.
func join(runs []run) textLine {
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.x0, b.x0) })
	l := textLine{x0: runs[0].x0, x1: runs[0].x1, bold: true, cells: 1}
	sizes := map[float64]int{}
	var glyphs []glyph
	for i, r := range runs {
		if i > 0 && r.x0-l.x1 > cellGap*max(r.size, runs[i-1].size) {
			l.cells++
			glyphs = append(glyphs, glyph{text: "\t", x0: l.x1, x1: r.x0, size: r.size, y: r.y})
		}
		l.x1 = max(l.x1, r.x1)
		l.bold = l.bold && r.bold
		sizes[math.Round(r.size*4)/4] += len(r.glyphs)
		glyphs = append(glyphs, r.glyphs...)
	}
	most := 0
	for size, n := range sizes {
		if n > most || n == most && size > l.size {
			most, l.size = n, size
		}
	}
	for _, r := range runs {
		if math.Abs(r.size-l.size) <= 0.25 {
			l.y = r.y
			break
		}
	}
	l.text = textOfGlyphs(glyphs)
	return l
}

// textOfGlyphs writes the glyphs of a line, with a space for each gap between
// words.
func textOfGlyphs(glyphs []glyph) string {
	if slices.ContainsFunc(glyphs, func(g glyph) bool { return isRightToLeft(g.text) }) {
		glyphs = logicalOrder(glyphs)
	}
	var b strings.Builder
	lastIsSpace := true
	for i, g := range glyphs {
		if i > 0 && !lastIsSpace && g.text != "" {
			before := glyphs[i-1]
			gap := max(g.x0-before.x1, before.x0-g.x1)
			if gap > wordGap*max(g.size, before.size) && !strings.HasPrefix(g.text, "\t") {
				b.WriteByte(' ')
			}
		}
		if g.text == "" {
			continue
		}
		space := strings.TrimSpace(g.text) == "" && g.text != "\t"
		if space && lastIsSpace {
			continue
		}
		b.WriteString(g.text)
		last, _ := utf8.DecodeLastRuneInString(g.text)
		lastIsSpace = unicode.IsSpace(last)
	}
	return strings.TrimSpace(b.String())
}
