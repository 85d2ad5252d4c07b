package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Sizes of a bar chart.
const (
	barRowHeight  float32 = 36
	barThirdLine  float32 = 15 // more, where a row has a third line
	barThickness  float32 = 12
	barLabelShare float32 = 0.36 // of the width, at most
	barLabelMost  float32 = 260
	barTextRoom   float32 = 124 // for the value behind the bar, at most
)

// barRow is one bar: its name, its length with the spread, and what is written
// behind it and below its name.
type barRow struct {
	name   string
	detail string              // below the name
	value  float64             // its length; not above the largest of the chart
	low    float64             // of the spread
	high   float64             // of the spread; 0: none
	text   string              // behind the bar
	note   string              // below text
	more   string              // below detail
	rest   string              // below note
	mark   float64             // another value, drawn as a line across the bar; 0: none
	guess  bool                // drawn as an outline: it was not measured
	fill   fyne.ThemeColorName // empty: the primary colour
	pale   bool                // drawn as an outline, cut at the end of the scale: not to be held against the others
	failed string              // in place of the bar: why there is none
	wait   bool                // there is no value yet
}

// barChart draws bars below each other, all to the same scale.
type barChart struct {
	widget.BaseWidget
	rows   []barRow
	most   float64 // the value at the right end
	height float32 // of a row
}

func newBarChart() *barChart {
	c := &barChart{}
	c.ExtendBaseWidget(c)
	return c
}

// show draws other bars. Pale ones do not stretch the scale of the others.
func (c *barChart) show(rows []barRow) {
	c.rows, c.most, c.height = rows, 0, barRowHeight
	if slices.ContainsFunc(rows, func(r barRow) bool { return r.more != "" || r.rest != "" }) {
		c.height += barThirdLine
	}
	honest := slices.ContainsFunc(rows, func(r barRow) bool { return !r.pale && r.value > 0 })
	for _, r := range rows {
		if !r.pale || !honest {
			c.most = max(c.most, r.value, r.high, r.mark)
		}
	}
	c.Refresh()
}

// CreateRenderer draws the bars.
func (c *barChart) CreateRenderer() fyne.WidgetRenderer {
	r := &barChartRenderer{chart: c}
	r.Refresh()
	return r
}

// drawnBar holds the objects of one bar.
type drawnBar struct {
	name, detail, more     *line
	text, note, rest       *line
	track, part            *canvas.Rectangle
	spread, from, to, mark *canvas.Line
}

func newDrawnBar() *drawnBar {
	b := &drawnBar{
		name: newLine("", textBody, theme.ColorNameForeground), detail: newCaption(""),
		text: newLine("", textBody, theme.ColorNameForeground), note: newCaption(""),
		track: &canvas.Rectangle{CornerRadius: 3}, part: &canvas.Rectangle{CornerRadius: 3},
		more: newCaption(""), rest: newCaption(""),
		spread: &canvas.Line{}, from: &canvas.Line{}, to: &canvas.Line{}, mark: &canvas.Line{},
	}
	b.text.style.Bold = true
	return b
}

func (b *drawnBar) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{b.track, b.part, b.mark, b.spread, b.from, b.to, b.name, b.detail, b.more, b.text, b.note, b.rest}
}

type barChartRenderer struct {
	chart *barChart
	bars  []*drawnBar
}

func (r *barChartRenderer) Destroy() {}

func (r *barChartRenderer) MinSize() fyne.Size {
	return fyne.NewSize(240, r.chart.height*float32(len(r.chart.rows)))
}

func (r *barChartRenderer) Objects() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for _, b := range r.bars {
		objects = append(objects, b.objects()...)
	}
	return objects
}

func (r *barChartRenderer) Refresh() {
	for len(r.bars) < len(r.chart.rows) {
		r.bars = append(r.bars, newDrawnBar())
	}
	r.bars = r.bars[:len(r.chart.rows)]
	for i, row := range r.chart.rows {
		r.bars[i].dress(row)
	}
	r.Layout(r.chart.Size())
	canvas.Refresh(r.chart)
}

// dress gives a bar its texts and colours.
func (b *drawnBar) dress(row barRow) {
	fill := row.fill
	if fill == "" {
		fill = theme.ColorNamePrimary
	}
	b.name.set(row.name)
	b.detail.set(row.detail)
	b.more.set(row.more)
	b.track.FillColor = themed(colorTrack)
	b.part.FillColor, b.part.StrokeWidth = themed(fill), 0
	if row.pale || row.guess {
		b.part.FillColor, b.part.StrokeColor, b.part.StrokeWidth = themed(colorTint), themed(fill), 1.5
	}
	for _, l := range []*canvas.Line{b.spread, b.from, b.to} {
		l.StrokeColor, l.StrokeWidth = themed(theme.ColorNameForeground), 1
	}
	b.mark.StrokeColor, b.mark.StrokeWidth = themed(colorSeries2), 2.5
	b.text.color = theme.ColorNameForeground
	b.text.style.Bold = row.failed == ""
	switch {
	case row.failed != "":
		b.mark.StrokeColor, b.mark.StrokeWidth = themed(colorSeries2), 2.5
		b.text.color = theme.ColorNameWarning
		b.text.set(row.failed)
		b.note.set("")
		b.rest.set("")
	case row.wait:
		b.text.set("")
		b.note.set("")
		b.rest.set("")
	default:
		b.text.set(row.text)
		b.note.set(row.note)
		b.rest.set(row.rest)
	}
	for _, l := range []*line{b.name, b.detail, b.more, b.text, b.note, b.rest} {
		l.Refresh()
	}
}

func (r *barChartRenderer) Layout(size fyne.Size) {
	label := min(size.Width*barLabelShare, barLabelMost)
	left := label + gapWide
	width := max(20, size.Width-left-min(barTextRoom, 0.27*size.Width)-gap)
	for i, b := range r.bars[:min(len(r.bars), len(r.chart.rows))] {
		b.place(r.chart.rows[i], float32(i)*r.chart.height, label, left, width, size.Width, r.chart.most)
	}
}

// place puts a bar's objects into its row, which begins at y. label is the width
// of its name; its track begins at left and is so wide.
func (b *drawnBar) place(row barRow, y, label, left, width, right float32, most float64) {
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, w), h))
	}
	bar := row.failed == ""
	show(b.track, bar)
	show(b.part, bar && row.value > 0)
	show(b.mark, bar && row.mark > 0 && row.mark <= most)
	middle := y + barRowHeight/2
	if row.detail == "" {
		put(b.name, 0, y+2, label, barRowHeight-4)
	} else {
		put(b.name, 0, y+1, label, barRowHeight/2)
		put(b.detail, 0, middle, label, barRowHeight/2-3)
	}
	put(b.more, 0, middle+barThirdLine, label, barRowHeight/2-3)
	put(b.track, left, middle-barThickness/2, width, barThickness)
	at := func(v float64) float32 {
		if most <= 0 {
			return left
		}
		return left + width*float32(min(1, v/most))
	}
	put(b.part, left, middle-barThickness/2, max(3, at(row.value)-left), barThickness)
	ticks := bar && row.high > row.low && at(row.high)-at(row.low) >= 2
	show(b.spread, ticks)
	show(b.from, ticks)
	show(b.to, ticks)
	b.spread.Position1, b.spread.Position2 = fyne.NewPos(at(row.low), middle), fyne.NewPos(at(row.high), middle)
	for l, v := range map[*canvas.Line]float64{b.from: row.low, b.to: row.high} {
		l.Position1, l.Position2 = fyne.NewPos(at(v), middle-4), fyne.NewPos(at(v), middle+4)
	}
	b.mark.Position1, b.mark.Position2 = fyne.NewPos(at(row.mark), middle-barThickness/2-3), fyne.NewPos(at(row.mark), middle+barThickness/2+3)
	text := left + width + gap
	put(b.rest, text, middle+barThirdLine, right-text, barRowHeight/2-3)
	switch {
	case !bar:
		put(b.text, left, y+2, right-left, barRowHeight-4)
	case row.note == "":
		put(b.text, text, y+2, right-text, barRowHeight-4)
	default:
		put(b.text, text, y+1, right-text, barRowHeight/2)
		put(b.note, text, middle, right-text, barRowHeight/2-3)
	}
}
