package chart

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Sizes of a bar chart.
const (
	barRowHeight  float32 = 36
	barThirdLine  float32 = 15 // more, where a row has a third line
	barThickness  float32 = 12
	barLabelShare float32 = 0.36 // of the width, at most
	barLabelMost  float32 = 260
	barTextRoom   float32 = 150 // for the value behind the bar, at most
	barTextShare  float32 = 0.27
)

// BarRow is one bar: its name, its length with the spread, and what is written
// behind it and below its name.
type BarRow struct {
	Name     string
	Detail   string              // below the name
	Value    float64             // its length; not above the largest of the chart
	Low      float64             // of the spread
	High     float64             // of the spread; 0: none
	Text     string              // behind the bar
	Note     string              // below text
	More     string              // below detail
	Rest     string              // below note
	Mark     float64             // another value, drawn as a line across the bar; 0: none
	Guess    bool                // drawn as an outline: it was not measured
	Fill     fyne.ThemeColorName // empty: the primary colour
	Pale     bool                // drawn as an outline, cut at the end of the scale: not to be held against the others
	Doubtful bool                // its value is not to be relied on: a hatched bar, and its text is grey
	Failed   string              // in place of the bar: why there is none
	Wait     bool                // there is no value yet
}

// BarChart draws bars below each other, all to the same scale.
type BarChart struct {
	widget.BaseWidget
	Rows      []BarRow
	Thickness float32 // of the bars; 0: the usual one
	Whole     float64 // the value of a bar over the whole width; 0: that of the longest one
	most      float64 // the value at the right end
	height    float32 // of a row
}

func NewBarChart() *BarChart {
	c := &BarChart{}
	c.ExtendBaseWidget(c)
	return c
}

// Set draws other bars. Pale ones do not stretch the scale of the others.
func (c *BarChart) Set(rows []BarRow) {
	c.Rows, c.most, c.height = rows, c.Whole, barRowHeight
	if slices.ContainsFunc(rows, func(r BarRow) bool { return r.More != "" || r.Rest != "" }) {
		c.height += barThirdLine
	}
	honest := slices.ContainsFunc(rows, func(r BarRow) bool { return !r.Pale && r.Value > 0 })
	for _, r := range rows {
		if !r.Pale || !honest {
			c.most = max(c.most, r.Value, r.High, r.Mark)
		}
	}
	c.Refresh()
}

// CreateRenderer draws the bars.
func (c *BarChart) CreateRenderer() fyne.WidgetRenderer {
	r := &barChartRenderer{chart: c}
	r.Refresh()
	return r
}

// drawnBar holds the objects of one bar.
type drawnBar struct {
	name, detail, more     *kit.Line
	text, note, rest       *kit.Line
	track, part            *canvas.Rectangle
	spread, from, to, mark *canvas.Line
	hatch                  *hatch
}

func newDrawnBar() *drawnBar {
	b := &drawnBar{
		name: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), detail: kit.NewCaption(""),
		text: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), note: kit.NewCaption(""),
		track: &canvas.Rectangle{CornerRadius: 3}, part: &canvas.Rectangle{CornerRadius: 3},
		more: kit.NewCaption(""), rest: kit.NewCaption(""),
		spread: &canvas.Line{}, from: &canvas.Line{}, to: &canvas.Line{}, mark: &canvas.Line{},
		hatch: newHatch(),
	}
	b.text.Style.Bold = true
	return b
}

func (b *drawnBar) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{b.track, b.hatch.drawn, b.part, b.mark, b.spread, b.from, b.to, b.name, b.detail, b.more, b.text, b.note, b.rest}
}

type barChartRenderer struct {
	chart *BarChart
	bars  []*drawnBar
}

func (r *barChartRenderer) Destroy() {}

func (r *barChartRenderer) MinSize() fyne.Size {
	return fyne.NewSize(240, r.chart.height*float32(len(r.chart.Rows)))
}

func (r *barChartRenderer) Objects() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for _, b := range r.bars {
		objects = append(objects, b.objects()...)
	}
	return objects
}

func (r *barChartRenderer) Refresh() {
	for len(r.bars) < len(r.chart.Rows) {
		r.bars = append(r.bars, newDrawnBar())
	}
	r.bars = r.bars[:len(r.chart.Rows)]
	for i, row := range r.chart.Rows {
		r.bars[i].dress(row)
	}
	r.Layout(r.chart.Size())
	canvas.Refresh(r.chart)
}

// dress sets the texts and colours of a bar.
func (b *drawnBar) dress(row BarRow) {
	fill := row.Fill
	if fill == "" {
		fill = theme.ColorNamePrimary
	}
	b.name.Set(row.Name)
	b.detail.Set(row.Detail)
	b.more.Set(row.More)
	b.track.FillColor = kit.Themed(kit.ColorTrack)
	doubtful := row.Doubtful && !row.Pale
	dressPart(b.part, fill, doubtful)
	if !doubtful && (row.Pale || row.Guess) {
		b.part.FillColor, b.part.StrokeColor, b.part.StrokeWidth = kit.Themed(kit.ColorTint), kit.Themed(fill), 1.5
	}
	b.hatch.show(fill, doubtful && row.Failed == "" && row.Value > 0)
	for _, l := range []*canvas.Line{b.spread, b.from, b.to} {
		l.StrokeColor, l.StrokeWidth = kit.Themed(theme.ColorNameForeground), 1
	}
	b.mark.StrokeColor, b.mark.StrokeWidth = kit.Themed(theme.ColorNameForeground), 2.5
	b.text.Color = theme.ColorNameForeground
	b.text.Style.Bold = row.Failed == "" && !row.Doubtful
	if row.Doubtful {
		b.text.Color = kit.ColorMuted
	}
	switch {
	case row.Failed != "":
		b.text.Color = theme.ColorNameWarning
		b.text.Set(row.Failed)
		b.note.Set("")
		b.rest.Set("")
	case row.Wait:
		b.text.Set("")
		b.note.Set("")
		b.rest.Set("")
	default:
		b.text.Set(row.Text)
		b.note.Set(row.Note)
		b.rest.Set(row.Rest)
	}
	for _, l := range []*kit.Line{b.name, b.detail, b.more, b.text, b.note, b.rest} {
		l.Refresh()
	}
}

func (r *barChartRenderer) Layout(size fyne.Size) {
	label, text := r.texts()
	label = min(label, size.Width*barLabelShare, barLabelMost)
	left := label + kit.GapWide
	width := max(20, size.Width-left-min(text, size.Width*barTextShare, barTextRoom)-kit.Gap)
	thick := cmp.Or(r.chart.Thickness, barThickness)
	for i, b := range r.bars[:min(len(r.bars), len(r.chart.Rows))] {
		b.place(r.chart.Rows[i], thick, float32(i)*r.chart.height, label, left, width, size.Width, r.chart.most)
	}
}

// texts are the widths of the widest text before the bars and of the widest one behind them.
func (r *barChartRenderer) texts() (before, behind float32) {
	for i, b := range r.bars[:min(len(r.bars), len(r.chart.Rows))] {
		for _, l := range []*kit.Line{b.name, b.detail, b.more} {
			before = max(before, l.Natural())
		}
		if r.chart.Rows[i].Failed != "" {
			continue // it stands in place of the bar
		}
		for _, l := range []*kit.Line{b.text, b.note, b.rest} {
			behind = max(behind, l.Natural())
		}
	}
	return before, behind
}

// place puts a bar's objects into its row, which begins at y. label is the width
// of its name; its track begins at left, is so wide, and so thick.
func (b *drawnBar) place(row BarRow, thick, y, label, left, width, right float32, most float64) {
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(0, w), h))
	}
	bar := row.Failed == ""
	kit.Show(b.track, bar)
	kit.Show(b.part, bar && row.Value > 0)
	kit.Show(b.mark, bar && row.Mark > 0 && row.Mark <= most)
	middle := y + barRowHeight/2
	if row.Detail == "" {
		put(b.name, 0, y+2, label, barRowHeight-4)
	} else {
		put(b.name, 0, y+1, label, barRowHeight/2)
		put(b.detail, 0, middle, label, barRowHeight/2-3)
	}
	put(b.more, 0, middle+barThirdLine, label, barRowHeight/2-3)
	put(b.track, left, middle-thick/2, width, thick)
	at := func(v float64) float32 {
		if most <= 0 {
			return left
		}
		return left + width*float32(min(1, v/most))
	}
	put(b.part, left, middle-thick/2, max(3, at(row.Value)-left), thick)
	b.hatch.under(b.part)
	ticks := bar && row.High > row.Low && at(row.High)-at(row.Low) >= 2
	kit.Show(b.spread, ticks)
	kit.Show(b.from, ticks)
	kit.Show(b.to, ticks)
	b.spread.Position1, b.spread.Position2 = fyne.NewPos(at(row.Low), middle), fyne.NewPos(at(row.High), middle)
	for l, v := range map[*canvas.Line]float64{b.from: row.Low, b.to: row.High} {
		l.Position1, l.Position2 = fyne.NewPos(at(v), middle-4), fyne.NewPos(at(v), middle+4)
	}
	b.mark.Position1, b.mark.Position2 = fyne.NewPos(at(row.Mark), middle-thick/2-3), fyne.NewPos(at(row.Mark), middle+thick/2+3)
	text := left + width + kit.Gap
	put(b.rest, text, middle+barThirdLine, right-text, barRowHeight/2-3)
	switch {
	case !bar:
		put(b.text, left, y+2, right-left, barRowHeight-4)
	case row.Note == "":
		put(b.text, text, y+2, right-text, barRowHeight-4)
	default:
		put(b.text, text, y+1, right-text, barRowHeight/2)
		put(b.note, text, middle, right-text, barRowHeight/2-3)
	}
}
