package performance

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
)

// standing is what is known of a model at one kind of work: the same judgement of the same measurement
// that its own page shows.
type standing struct {
	judgement
	model  library.Model
	result measure.Result
	memory int64 // bytes that it takes in its fastest way; 0: not known yet
	newer  bool  // there is a newer measurement, which says less
}

// standings are those of the models that were measured at a deed; list has the newest measurement first.
func (d deed) standings(list []measure.Result, models []library.Model) (found []standing) {
	for _, m := range models {
		past := slices.DeleteFunc(slices.Clone(list), func(r measure.Result) bool { return r.Model != m.ID })
		result, any := measure.Comparison(past)
		if !any {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(result.Rows), func(r measure.Row) bool { return r.Server })
		if j := d.judge(here, madeBefore(past[:min(len(past), historyMost)], result)); j.speed(j.best) > 0 {
			found = append(found, standing{judgement: j, model: m, result: result, newer: past[0].When.After(result.When)})
		}
	}
	return found
}

// madeBefore are those of a model's measurements that were made before one of them.
func madeBefore(past []measure.Result, shown measure.Result) (list []measure.Result) {
	for _, r := range past {
		if r.Model == shown.Model && r.When.Before(shown.When) {
			list = append(list, r)
		}
	}
	return list
}

// The columns by which models can be sorted.
const (
	byName = iota
	bySpeed
	bySize
	byMemory
	byVerdict
)

var columnNames = []string{"Model", "Speed", "File size", "Memory", "In a word"}

// sorting is the column by which models stand in order.
type sorting struct {
	column  int
	reverse bool
}

// pick sorts by a column: names from A on, the fastest first, small ones first; or the other way round
// where models stand in that order already.
func (s *sorting) pick(column int) {
	if s.column == column {
		s.reverse = !s.reverse
		return
	}
	s.column, s.reverse = column, false
}

// sort puts models in order; those that are equal by speed.
func (s sorting) sort(list []standing) {
	slices.SortStableFunc(list, func(a, b standing) int {
		faster := cmp.Compare(b.speed(b.best), a.speed(a.best))
		by := faster
		switch s.column {
		case byName:
			by = cmp.Compare(strings.ToLower(a.model.Title()), strings.ToLower(b.model.Title()))
		case bySize:
			by = cmp.Compare(a.model.Bytes, b.model.Bytes)
		case byMemory:
			by = cmp.Compare(a.memory, b.memory)
		case byVerdict:
			by = cmp.Compare(b.tempo(), a.tempo())
		}
		if s.reverse {
			by = -by
		}
		if a.result.Cancelled != b.result.Cancelled && (s.column == bySpeed || s.column == byVerdict) { // half measured: it wins nothing
			if a.result.Cancelled {
				return 1
			}
			return -1
		}
		return cmp.Or(by, faster)
	})
}

// name is what a column is called, with an arrow where models stand in its order.
func (s sorting) name(column int) string {
	switch {
	case s.column != column:
		return columnNames[column]
	case s.reverse:
		return columnNames[column] + " ↑"
	}
	return columnNames[column] + " ↓"
}

// head are the names of the columns, each of which sorts.
func (p *allPage) head() fyne.CanvasObject {
	cells := make([]fyne.CanvasObject, len(columnNames))
	for i := range columnNames {
		b := kit.NewTextButton(p.Keys, p.order.name(i), func() {
			p.order.pick(i)
			p.draw()
		})
		b.Tip = "Sort by " + strings.ToLower(columnNames[i])
		cells[i] = kit.Inset(b, 0, -headInset)
	}
	return kit.Inset(container.New(p.laidOut(true), cells[byName], cells[bySpeed], kit.NewCaption(""), cells[bySize], cells[byMemory], cells[byVerdict]), 0, rowInset)
}

// row is a model in the comparison; a click leads to its own page. most is the speed of a whole bar.
func (p *allPage) row(s standing, most float64) fyne.CanvasObject {
	name := kit.NewLine(s.model.Title(), kit.TextBody, theme.ColorNameForeground)
	name.Style.Bold = true
	detail := kit.NewCaption(s.detail())
	speed := kit.NewLine(pace(s.speed(s.best)), kit.TextBody, theme.ColorNameForeground)
	speed.Style.Bold = s.sure()
	if !s.sure() {
		speed.Color = kit.ColorMuted
	}
	word, color := s.tempo().inAWord()
	verdict := kit.NewLine(word, kit.TextBody, color)
	bar := chart.NewBar()
	bar.Share, bar.Fill, bar.Doubtful = s.speed(s.best)/most, p.colors.Color(s.best.Target), !s.sure()
	size, memory := kit.NewCaption(bytesText(s.model.Bytes)), kit.NewCaption(bytesText(s.memory))
	cells := container.New(p.laidOut(false), kit.Column(0, name, detail), bar, speed, size, memory, verdict)
	row := kit.NewChip(p.Keys, kit.Inset(cells, 3, 0), func() { p.open(s.model) })
	row.Flat, row.Tip = true, s.tip()
	return row
}

// tip is what a row says to the pointer: also what has no room in a narrow window.
func (s standing) tip() string {
	sizes := "Its file has " + bytesText(s.model.Bytes)
	if s.memory > 0 {
		sizes += ", and in this way it takes " + bytesText(s.memory) + " of memory with the program"
	}
	newer := ""
	if s.newer {
		newer = "\nA newer measurement, which says less, is under History."
	}
	return s.model.Title() + ": " + s.way() + ".\n" + sizes + "." + newer + "\nClick to see it way by way."
}

// bytesText writes a size; "…": it is not known.
func bytesText(n int64) string {
	if n <= 0 {
		return "…"
	}
	return humanize.Bytes(uint64(n))
}

// columns lay out a row of the comparison: name, bar, speed, sizes of the file and in memory, verdict.
// Where there is little room, first the sizes go, then the bar. The size by which models are sorted stays,
// in the place of the verdict.
type columns struct {
	head   bool    // of the names of columns: that of speed stands over the bar too
	name   float32 // how wide the names would be
	sorted int     // the column by which models stand in order
}

// laidOut are the columns of the table as it is now.
func (p *allPage) laidOut(head bool) *columns {
	return &columns{head: head, name: p.nameWidth, sorted: p.order.column}
}

// detail is in which way a model was measured, and when.
func (s standing) detail() string {
	if s.result.Cancelled {
		return s.way() + " · cancelled " + moment(s.result.When)
	}
	return s.way() + " · " + moment(s.result.When)
}

// nameNeeds is how wide the name of a model and its detail are.
func (s standing) nameNeeds() float32 {
	title := fyne.MeasureText(kit.Brief(s.model.Title()), kit.TextBody, fyne.TextStyle{Bold: true}).Width
	detail := fyne.MeasureText(kit.Brief(s.detail()), kit.TextSmall, fyne.TextStyle{}).Width
	return min(columnName, max(min(columnTitle, title), detail)+2)
}

// Widths of columns.
const (
	rowInset      float32 = 10  // of a row: that of a chip
	headInset     float32 = 5   // of the name of a column within its button
	columnTitle   float32 = 240 // of the name of a model, at most
	columnName    float32 = 380 // with the way, at most
	leastName     float32 = 140
	columnSpeed   float32 = 52
	columnSize    float32 = 74
	columnVerdict float32 = 92
	roomForSizes  float32 = 560
	roomForBar    float32 = 40
	leastBar      float32 = 24 // beside a name that is not cut
)

func (columns) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(leastName+columnSpeed+columnVerdict+2*kit.Gap, 0)
	for _, cell := range o {
		size.Height = max(size.Height, cell.MinSize().Height)
	}
	return size
}

func (c columns) Layout(o []fyne.CanvasObject, size fyne.Size) {
	file, memory, verdict := float32(0), float32(0), columnVerdict
	fixed, sizes := columnSpeed+columnVerdict+2*kit.Gap, 2*(columnSize+kit.Gap)
	switch {
	case size.Width >= max(roomForSizes, c.name+roomForBar+kit.Gap+fixed+sizes):
		file, memory = columnSize, columnSize
		fixed += sizes
	case c.sorted == bySize:
		file, verdict = columnVerdict, 0
	case c.sorted == byMemory:
		memory, verdict = columnVerdict, 0
	}
	name := max(leastName, min(c.name, size.Width-fixed-kit.Gap-leastBar))
	bar := size.Width - name - fixed - kit.Gap
	if whole := size.Width - fixed; bar < leastBar || name < c.name && c.name <= whole {
		name, bar = whole, 0
	}
	speed := columnSpeed
	if c.head {
		if bar > 0 {
			speed += bar + kit.Gap
		}
		bar, speed = speed, 0
	}
	x := float32(0)
	for i, width := range []float32{name, bar, speed, file, memory, verdict} {
		if o[i].Visible() != (width > 0) {
			kit.Show(o[i], width > 0)
		}
		o[i].Move(fyne.NewPos(x, 0))
		o[i].Resize(fyne.NewSize(width, size.Height))
		if width > 0 {
			x += width + kit.Gap
		}
	}
}
