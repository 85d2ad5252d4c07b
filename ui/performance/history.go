package performance

import (
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// historyMost is how many earlier measurements are shown.
const historyMost = 24

// historyPage compares the measurements of a model over time.
type historyPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
	plot   *chart.LinePlot
	list   []measure.Result // the newest first
	open   func(measure.Result)
	drop   func(measure.Result)
	keys   *kit.Keyboard
}

func newHistoryPage(k *kit.Keyboard, colors *ways.Colors) *historyPage {
	p := &historyPage{keys: k, open: func(measure.Result) {}, drop: func(measure.Result) {}, colors: colors, plot: chart.NewLinePlot()}
	p.plot.Least = 190
	p.page, p.view = scrolled()
	return p
}

func (p *historyPage) empty() bool { return len(p.list) == 0 }

// newerThan reports whether there is a newer measurement of the same model.
func (p *historyPage) newerThan(r measure.Result) bool {
	return len(p.list) > 0 && p.list[0].Model == r.Model && p.list[0].When.After(r.When)
}

// mainWork is the kind of work that stands for a measurement.
func mainWork(kind string) string {
	switch {
	case (library.Model{Kind: kind}).Writes():
		return fit.WorkGenerate
	case kind == library.KindReranker:
		return fit.WorkRerank
	}
	return fit.WorkEmbed
}

// show shows these measurements, the newest first.
func (p *historyPage) show(list []measure.Result) {
	p.list = list[:min(len(list), historyMost)]
	p.page.Objects = nil
	if len(p.list) == 0 {
		return
	}
	deed := deedOf(mainWork(p.list[0].Kind))
	var places []devices.Target
	for _, m := range p.list {
		for _, r := range m.Rows {
			if m.Thorough == p.list[0].Thorough && deed.speed(r) > 0 && !slices.Contains(places, r.Target) {
				places = append(places, r.Target)
			}
		}
	}
	var names []string
	doubtful := false
	lines := make([]chart.Series, len(places))
	for i, place := range places {
		lines[i] = chart.Series{Name: panel.TargetName(place), Fill: p.colors.Color(place)}
	}
	alike := slices.DeleteFunc(slices.Clone(p.list), func(m measure.Result) bool { return m.Thorough != p.list[0].Thorough })
	for _, m := range slices.Backward(alike) { // the plot goes from old to new
		why, _ := doubt(m.Rows, deed.work)
		doubtful = doubtful || why != ""
		names = append(names, moment(m.When))
		for i, place := range places {
			lines[i].Values = append(lines[i].Values, speedIn(m, place, deed))
			lines[i].Doubts = append(lines[i].Doubts, why != "")
		}
	}
	p.plot.Unit, p.plot.Across = deed.unit(), "when it was measured"
	p.plot.Set(names, lines)
	key := container.NewVBox(p.plot, chart.PlotKey(lines))
	if doubtful {
		key.Add(kit.NewParagraph("An open dot is a measurement that is not reliable; why is said below.", kit.ColorMuted).Small().Flat)
	}
	if len(alike) < len(p.list) {
		kind, others := "quick", "thorough"
		if p.list[0].Thorough {
			kind, others = others, kind
		}
		key.Add(kit.NewParagraph("Only "+kind+" measurements are drawn, like the newest: "+others+" ones work on texts of another length. They are in the list below.", kit.ColorMuted).Small().Flat)
	}
	p.page.Add(kit.Section("Over time", "point at a dot to read its value", key))
	for i, m := range p.list {
		p.page.Add(p.describe(m, p.list[i+1:], deed))
	}
	p.page.Refresh()
}

// describe lists the speeds of one measurement, each beside the one before.
func (p *historyPage) describe(m measure.Result, earlier []measure.Result, deed deed) fyne.CanvasObject {
	effort := "quick"
	if m.Thorough {
		effort = "thorough"
	}
	if m.Cancelled {
		effort += ", cancelled before its end"
	}
	rows := kit.Column(2)
	for _, r := range m.Rows {
		name, value, color := panel.TargetName(r.Target), "", theme.ColorNameForeground
		switch s, ok := r.Measure(deed.work); {
		case ok:
			text := kit.Rate(deed.speed(r)) + " " + deed.unit() + changeText(deed.speed(r), r.Target, m.Thorough, earlier, deed)
			if off, any := s.PredictionError(); any {
				text += ", predicted " + predictionText(s.Predicted*deed.each, off)
			}
			value = text
		case r.Failed != "":
			value, color = r.Failed, theme.ColorNameWarning
		}
		rows.Add(container.New(&sharedWidth{}, kit.NewParagraph(name, theme.ColorNameForeground).Flat, kit.NewParagraph(value, color).Flat))
	}
	version := ""
	if m.Version != "" {
		version = " · version " + m.Version
	}
	if why, _ := doubt(m.Rows, deed.work); why != "" {
		rows.Add(kit.NewParagraph("Not reliable: "+why+".", "warning").Small().Flat)
	}
	rows.Add(container.NewHBox(kit.NewQuietButton(p.keys, "Show all of it", theme.NavigateNextIcon(), func() { p.open(m) }),
		kit.NewQuietButton(p.keys, "Delete", theme.DeleteIcon(), func() { p.drop(m) })))
	how := kit.NewParagraph(effort+version+" · "+m.Machine, kit.ColorMuted).Small() // it wraps, as the caption of a section does not
	return kit.Section(moment(m.When), "", kit.Column(2, how.Flat, rows))
}

// changeText compares a speed with the last one before in the same place, of the
// same effort.
func changeText(now float64, place devices.Target, thorough bool, earlier []measure.Result, deed deed) string {
	for _, m := range earlier {
		if before := speedIn(m, place, deed); m.Thorough == thorough && !math.IsNaN(before) && before > 0 {
			return " (" + signedPercent(now/before-1) + ")"
		}
	}
	return ""
}

// speedIn is how fast a deed was in a place; NaN: it was not measured.
func speedIn(m measure.Result, place devices.Target, deed deed) float64 {
	for _, r := range m.Rows {
		if speed := deed.speed(r); speed > 0 && r.Target == place {
			return speed
		}
	}
	return math.NaN()
}

// moment writes a time of the history.
func moment(t time.Time) string { return t.Local().Format("2 Jan 15:04") }

// sharedWidth puts two texts side by side, the first in a part of the width; where there is little room,
// below each other. Both wrap, so that large text loses nothing.
type sharedWidth struct{ width float32 }

const (
	firstShare      float32 = 0.42
	roomSideBySide  float32 = 440
	belowItsName    float32 = 14 // how far the second one is indented below the first
	leastSharedText float32 = 120
)

func (s *sharedWidth) sideBySide() bool { return s.width >= roomSideBySide }

func (s *sharedWidth) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	if s.sideBySide() {
		return fyne.NewSize(leastSharedText, max(a.Height, b.Height))
	}
	return fyne.NewSize(leastSharedText, a.Height+b.Height)
}

func (s *sharedWidth) Layout(o []fyne.CanvasObject, size fyne.Size) {
	s.width = size.Width
	if s.sideBySide() {
		w := firstShare * size.Width
		o[0].Resize(fyne.NewSize(w, size.Height))
		o[1].Move(fyne.NewPos(w+kit.Gap, 0))
		o[1].Resize(fyne.NewSize(size.Width-w-kit.Gap, size.Height))
		return
	}
	o[0].Resize(fyne.NewSize(size.Width, o[0].MinSize().Height))
	o[1].Move(fyne.NewPos(belowItsName, o[0].MinSize().Height))
	o[1].Resize(fyne.NewSize(size.Width-belowItsName, o[1].MinSize().Height))
}
