package chart

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Room around the area of a line plot.
const (
	plotLeft   float32 = 58
	plotBottom float32 = 24
	plotTop    float32 = 10
	plotRight  float32 = 16

	axisName float32 = 16 // of the line that names an axis

	plotDots = 40 // values of a line, above which it has no dots
)

// Series is one line of a plot.
type Series struct {
	Name   string
	Fill   fyne.ThemeColorName
	Values []float64 // one for each place on the x axis; NaN: none
	Doubts []bool    // which of the values may be wrong: their dots are open; nil: none
}

// LinePlot draws lines over named places at equal distances. Its y axis begins
// at zero, or goes in powers of ten.
type LinePlot struct {
	widget.BaseWidget
	Places []string
	Lines  []Series
	Least  float32 // its smallest height
	Log    bool    // the y axis goes in powers of ten; values must be above zero
	Top    float64 // what the y axis reaches at least
	Unit   string  // of the y axis, above it; "": what stands around the plot says it
	Across string  // what the x axis counts, at its end; "": its places say it

	pointed pointed // the value that the pointer is near
}

func NewLinePlot() *LinePlot {
	p := &LinePlot{Least: 220, pointed: nothing}
	p.ExtendBaseWidget(p)
	return p
}

// Set draws other lines.
func (p *LinePlot) Set(places []string, lines []Series) {
	p.Places, p.Lines, p.pointed = places, lines, nothing
	p.Refresh()
}

// niceTop is a round number that is not below v: 1, 2 or 5 times a power of ten;
// and in how many round steps an axis reaches it.
func niceTop(v float64) (top float64, steps int) {
	if v <= 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 1, 5
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	switch near := v / power / (1 + 1e-9); {
	case near <= 1:
		return power, 5
	case near <= 2:
		return 2 * power, 4
	case near <= 5:
		return 5 * power, 5
	}
	return 10 * power, 5
}

// CreateRenderer draws the lines.
func (p *LinePlot) CreateRenderer() fyne.WidgetRenderer {
	r := &linePlotRenderer{plot: p}
	r.Refresh()
	return r
}

type linePlotRenderer struct {
	plot    *LinePlot
	objects []fyne.CanvasObject
}

func (r *linePlotRenderer) Destroy()                     {}
func (r *linePlotRenderer) MinSize() fyne.Size           { return fyne.NewSize(180, r.plot.Least) }
func (r *linePlotRenderer) Layout(fyne.Size)             { r.draw() }
func (r *linePlotRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *linePlotRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.plot)
}

// draw makes the objects again for the current size.
func (r *linePlotRenderer) draw() {
	p, size := r.plot, r.plot.Size()
	r.objects = nil
	area := p.area()
	if area.width < 20 || area.height < 20 || len(p.Places) == 0 {
		return
	}
	axis := p.axis()
	at := func(i int, v float64) fyne.Position { return area.at(i, axis.share(v)) }
	for _, v := range axis.ticks {
		y := at(0, v).Y
		r.line(fyne.NewPos(plotLeft, y), fyne.NewPos(plotLeft+area.width, y), kit.ColorLine, 1)
		r.text(axisNumber(v), fyne.NewPos(0, y-8), fyne.NewSize(plotLeft-6, 16), fyne.TextAlignTrailing)
	}
	r.text(p.Unit, fyne.NewPos(0, 0), fyne.NewSize(size.Width, axisName), fyne.TextAlignLeading)
	r.text(p.Across, fyne.NewPos(0, size.Height-axisName), fyne.NewSize(size.Width-plotRight, axisName), fyne.TextAlignTrailing)
	r.names(area.width, func(i int) float32 { return at(i, 0).X }, area.top+area.height+4)
	for _, l := range p.Lines {
		last := -1
		for i, v := range l.Values {
			if math.IsNaN(v) {
				continue
			}
			if last >= 0 {
				r.line(at(last, l.Values[last]), at(i, v), l.Fill, 2)
			}
			if last = i; len(l.Values) > plotDots {
				continue
			}
			dot := &canvas.Circle{FillColor: kit.Themed(l.Fill)}
			if l.Doubts != nil && l.Doubts[i] {
				dot = &canvas.Circle{FillColor: kit.Themed(kit.ColorCard), StrokeColor: kit.Themed(l.Fill), StrokeWidth: 2}
			}
			dot.Move(at(i, v).Subtract(fyne.NewPos(3.5, 3.5)))
			dot.Resize(fyne.NewSquareSize(7))
			r.objects = append(r.objects, dot)
		}
	}
	if on := p.pointed; on != nothing {
		r.readPointed(at(on.place, p.Lines[on.line].Values[on.place]))
	}
}

// plotArea is where the lines of a plot are drawn.
type plotArea struct {
	top, width, height float32
	places             int
}

// area leaves room for the axes and what they are called.
func (p *LinePlot) area() plotArea {
	size, top, bottom := p.Size(), plotTop, plotBottom
	if p.Unit != "" {
		top += axisName
	}
	if p.Across != "" {
		bottom += axisName
	}
	return plotArea{top: top, width: size.Width - plotLeft - plotRight, height: size.Height - top - bottom, places: len(p.Places)}
}

// at is where the value of a place lies whose share of the y axis is known.
func (a plotArea) at(place int, share float64) fyne.Position {
	x := plotLeft + a.width/2
	if a.places > 1 {
		x = plotLeft + a.width*float32(place)/float32(a.places-1)
	}
	return fyne.NewPos(x, a.top+a.height*float32(1-share))
}

// valueAxis is the y axis of a plot.
type valueAxis struct {
	log   bool
	ticks []float64 // from the lower end to the upper one
}

// axis reaches as far as the values do.
func (p *LinePlot) axis() valueAxis {
	low, high := math.Inf(1), p.Top
	for _, l := range p.Lines {
		for _, v := range l.Values {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	a := valueAxis{log: p.Log && low > 0 && !math.IsInf(low, 1)}
	if a.log {
		first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
		for e := first; e <= max(last, first+1); e++ {
			a.ticks = append(a.ticks, math.Pow(10, e))
		}
		return a
	}
	top, steps := niceTop(high)
	for k := range steps + 1 {
		a.ticks = append(a.ticks, top*float64(k)/float64(steps))
	}
	return a
}

// share places v between the ends of the axis.
func (a valueAxis) share(v float64) float64 {
	first, last := a.ticks[0], a.ticks[len(a.ticks)-1]
	if a.log {
		return math.Log10(v/first) / math.Log10(last/first)
	}
	return v / last
}

// names writes the places below the axis, as many as there is room for.
func (r *linePlotRenderer) names(width float32, x func(int) float32, y float32) {
	widest := float32(24)
	for _, name := range r.plot.Places {
		widest = max(widest, fyne.MeasureText(kit.Brief(name), kit.TextSmall, fyne.TextStyle{}).Width+kit.Gap)
	}
	n := len(r.plot.Places)
	if n > 1 && !slices.ContainsFunc(r.plot.Places[1:n-1], func(name string) bool { return name != "" }) {
		r.text(r.plot.Places[0], fyne.NewPos(plotLeft, y), fyne.NewSize(widest, 16), fyne.TextAlignLeading)
		r.text(r.plot.Places[n-1], fyne.NewPos(r.plot.Size().Width-plotRight-widest, y), fyne.NewSize(widest, 16), fyne.TextAlignTrailing)
		return
	}
	every := max(1, int(math.Ceil(float64(widest)*float64(n-1)/float64(width))))
	for i := n - 1; i >= 0; i -= every {
		left := min(max(0, x(i)-widest/2), r.plot.Size().Width-widest)
		r.text(r.plot.Places[i], fyne.NewPos(left, y), fyne.NewSize(widest, 16), fyne.TextAlignCenter)
	}
}

func (r *linePlotRenderer) line(a, b fyne.Position, color fyne.ThemeColorName, width float32) {
	r.objects = append(r.objects, &canvas.Line{Position1: a, Position2: b, StrokeColor: kit.Themed(color), StrokeWidth: width})
}

func (r *linePlotRenderer) text(s string, at fyne.Position, size fyne.Size, align fyne.TextAlign) {
	if s == "" {
		return
	}
	t := canvas.NewText(kit.Brief(s), kit.Themed(kit.ColorMuted))
	t.TextSize, t.Alignment = kit.TextSmall, align
	t.Move(at)
	t.Resize(size)
	r.objects = append(r.objects, t)
}

// axisNumber writes a number at an axis.
func axisNumber(v float64) string {
	if v > 0 && v < 10 {
		return kit.Rate(v)
	}
	return kit.ShortNumber(v)
}

// PlotKey explains the colours of lines: a dot and a name for each.
func PlotKey(lines []Series) fyne.CanvasObject {
	keys := kit.Column(3)
	for _, l := range lines {
		name := kit.NewLine(l.Name, kit.TextSmall, theme.ColorNameForeground)
		keys.Add(kit.Swatched(l.Fill, name))
	}
	return keys
}
