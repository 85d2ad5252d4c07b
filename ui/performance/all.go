package performance

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// allPage compares the models of this computer: what each was measured at last, in its fastest way.
type allPage struct {
	kit.RunControls
	colors *ways.Colors
	begin  *kit.Button // measures them all
	page   *fyne.Container
	view   fyne.CanvasObject
	charts []*chart.BarChart
	asked  bool // for what was measured
}

func newAllPage(k *kit.Keyboard, colors *ways.Colors, measure, stop func()) *allPage {
	p := &allPage{colors: colors, begin: kit.NewButton(k, "Measure all models", theme.MediaPlayIcon(), measure)}
	p.RunControls = kit.NewRunControls(k, stop)
	page, view := scrolled()
	p.page = page
	p.view = kit.Bordered(kit.Gap, container.NewStack(container.NewHBox(p.begin), p.Progress), view, nil)
	return p
}

// fastest is the fastest row for a kind of work on this computer; false: there is none.
func fastest(r measure.Result, d deed) (best measure.Row, ok bool) {
	for _, row := range r.Rows {
		if !row.Emulated && !row.Server && d.speed(row) > d.speed(best) {
			best, ok = row, true
		}
	}
	return best, ok
}

// show draws a chart for each kind of work, of the newest measurement of each model: the list has the
// newest first. Models that were not measured are named below.
func (p *allPage) show(list []measure.Result, models []library.Model) {
	p.page.Objects, p.charts = nil, nil
	measured := map[string]bool{}
	for _, d := range deeds {
		var bars []chart.BarRow
		for _, m := range models {
			i := slices.IndexFunc(list, func(r measure.Result) bool { return r.Model == m.ID })
			if i < 0 {
				continue
			}
			row, ok := fastest(list[i], d)
			if !ok {
				continue
			}
			measured[m.ID] = true
			why, _ := doubt(list[i].Rows, d.work)
			bars = append(bars, chart.BarRow{
				Name: m.Title(), Detail: panel.TargetName(row.Target) + " · " + moment(list[i].When), Value: d.speed(row), Text: kit.Rate(d.speed(row)),
				Fill: p.colors.Color(row.Target), Doubtful: why != "",
			})
		}
		if len(bars) == 0 {
			continue
		}
		slices.SortStableFunc(bars, func(a, b chart.BarRow) int { return cmp.Compare(b.Value, a.Value) })
		drawn := chart.NewBarChart()
		drawn.Set(bars)
		p.charts = append(p.charts, drawn)
		p.page.Add(kit.Section(capitalized(d.does), d.unit()+", each model in its fastest way", drawn))
	}
	if len(p.charts) == 0 {
		p.page.Add(kit.NewParagraph("No model has been measured yet. Measure all of them, and their speeds stand beside each other here.", kit.ColorMuted).Flat)
	}
	var rest []string
	for _, m := range models {
		if !measured[m.ID] {
			rest = append(rest, m.Title())
		}
	}
	if n := len(rest); n > 0 && len(p.charts) > 0 {
		p.page.Add(kit.NewParagraph("Not measured yet: "+strings.Join(rest, ", ")+".", kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}

// comparable are the models that can be compared: those that run here.
func (p *Panel) comparable() (list []library.Model) {
	for _, m := range p.models {
		if _, fits := Fits(m); fits && !m.Elsewhere() {
			list = append(list, m)
		}
	}
	return list
}

// fillAll asks once what was measured, until something else is.
func (p *Panel) fillAll() {
	if p.all.asked {
		return
	}
	p.all.asked = true
	p.Work(func(context.Context) {
		list, err := p.app.PerformanceHistory("")
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
			}
			list = slices.DeleteFunc(list, p.foreign)
			p.all.show(list, p.comparable())
			p.refresh()
		})
	})
}
