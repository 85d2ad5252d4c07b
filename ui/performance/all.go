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

// allPage compares the models of this computer, each in the fastest of the ways that were measured.
type allPage struct {
	kit.RunControls
	colors  *ways.Colors
	begin   *kit.Button    // measures them all
	where   *kit.Paragraph // it does so
	page    *fyne.Container
	view    fyne.CanvasObject
	charts  []*chart.BarChart
	fastest []measure.Fastest // what the charts show
	list    []measure.Result  // that it was found in
	asked   bool              // for what was measured
}

func newAllPage(k *kit.Keyboard, colors *ways.Colors, measure, stop func()) *allPage {
	p := &allPage{colors: colors, begin: kit.NewButton(k, "Measure all models", theme.MediaPlayIcon(), measure)}
	p.RunControls = kit.NewRunControls(k, stop)
	page, view := scrolled()
	p.page = page
	p.where = kit.NewParagraph("", kit.ColorMuted).Small()
	p.view = kit.Bordered(kit.Gap, kit.Column(kit.GapSmall, container.NewStack(container.NewHBox(p.begin), p.Progress), p.where.Flat), view, nil)
	return p
}

// show draws a chart for each kind of work, of the fastest way of each model in what was measured: the
// list has the newest first. Models that were not measured are named below.
func (p *allPage) show(list []measure.Result, models []library.Model) {
	p.page.Objects, p.charts, p.fastest, p.list = nil, nil, nil, list
	measured := map[string]bool{}
	doubts := ""
	for _, d := range deeds {
		var rows []measure.Row // of which the most doubtful is told
		found := fastestOf(list, models, d)
		if len(found) == 0 {
			continue
		}
		var bars []chart.BarRow
		for _, f := range found {
			measured[f.Model] = true
			why, _ := doubt(f.Rows, d.work)
			rows = append(rows, f.Rows...)
			bars = append(bars, chart.BarRow{
				Name: titleOf(models, f.Model), Detail: panel.TargetName(f.Row.Target) + " · " + moment(f.When), Value: d.speed(f.Row), Text: kit.Rate(d.speed(f.Row)),
				Fill: p.colors.Color(f.Row.Target), Doubtful: why != "",
			})
		}
		unsure, _ := doubt(rows, d.work)
		drawn := chart.NewBarChart()
		drawn.Set(bars)
		p.charts, p.fastest = append(p.charts, drawn), append(p.fastest, found...)
		caption := d.unit() + ", each model in its fastest way"
		if unsure != "" && len(bars) > 1 {
			caption += "; probably in this order"
		}
		p.page.Add(kit.Section(capitalized(d.does), caption, drawn))
		doubts = cmp.Or(doubts, unsure)
	}
	if len(p.charts) == 0 {
		p.page.Add(kit.NewParagraph("No model has been measured yet. Measure all of them, and their speeds stand beside each other here.", kit.ColorMuted).Flat)
	}
	if doubts != "" {
		p.page.Add(kit.NewParagraph("A pale bar with an outline is not reliable: "+doubts+" while it was measured. Measure again when the computer has nothing else to do.", theme.ColorNameWarning).Small().Flat)
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

// fastestOf are the fastest ways of those models that were measured at a deed, the fastest model first.
func fastestOf(list []measure.Result, models []library.Model, d deed) (found []measure.Fastest) {
	for _, m := range models {
		if f, ok := measure.FastestOf(list, m.ID, d.work); ok {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b measure.Fastest) int { return cmp.Compare(b.Measure.Median, a.Measure.Median) })
	return found
}

// titleOf is the title of one of these models.
func titleOf(models []library.Model, id string) string {
	return models[slices.IndexFunc(models, func(m library.Model) bool { return m.ID == id })].Title()
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

// sayWays says how all models would be measured.
func (p *Panel) sayWays() {
	var names []string
	for _, m := range p.comparable() {
		for _, way := range p.targets.waysOf(panel.OfferedDevices(p.App, ""), m) {
			if name := panel.TargetName(way); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	text := ""
	if len(names) > 0 {
		text = "Each in the ways ticked under Run on, as far as it has them: " + strings.Join(names, "; ") + "."
	}
	if p.all.where.Segment.Text != text {
		p.all.where.Set(text)
	}
	kit.Show(p.all.where.Flat, text != "")
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
