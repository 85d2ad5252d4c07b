package performance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/ways"
)

// summaryPage says in a sentence and a few large bars how fast a model is here. What is
// behind them is under Details.
type summaryPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
	chart  *chart.BarChart // nil: nothing is measured
}

func newSummaryPage(colors *ways.Colors) *summaryPage {
	p := &summaryPage{colors: colors}
	p.page, p.view = scrolled()
	return p
}

// show draws the gist of complete rows, which were measured on this computer or, if it is named,
// on one with another processor.
// Where they are not reliable, what earlier measurements of the model found counts, too.
func (p *summaryPage) show(rows []measure.Row, other string, earlier ...measure.Result) {
	g, ok := gistOf(rows)
	if !ok {
		p.clear()
		return
	}
	where := "Measured on this computer. "
	if other != "" {
		where = "Measured on another computer, with the processor " + other + ". "
	}
	about := where + g.yardstick() + " Details shows how much the speeds varied, and more kinds of work."
	verdict, warning := g.headline(), ""
	if why, _ := doubt(rows, g.work); why != "" {
		verdict, warning = g.probable(rows, earlier)
	}
	bars := g.bars(rows, *p.colors, false, -1)
	for i := range bars {
		bars[i].Doubtful = warning != ""
	}
	p.draw(verdict, warning, bars, rows, about)
}

// measuring draws what is known of rows while the one at an index is measured.
func (p *summaryPage) measuring(rows []measure.Row, at int, work string) {
	p.draw("Measuring…", "", deedOf(work).bars(rows, *p.colors, false, at), rows, "Each bar appears once it is measured. You can cancel at any time.")
}

// estimate draws the gist of what is predicted for rows.
func (p *summaryPage) estimate(rows []measure.Row, known predictions) {
	guessed := make([]measure.Row, len(rows))
	for i, r := range rows {
		guessed[i] = measure.Row{Target: r.Target}
		for _, g := range known[r.Target] {
			guessed[i].Measures = append(guessed[i].Measures, measure.Measure{Work: g.Work, Median: g.Value})
		}
	}
	g, ok := gistOf(guessed)
	if !ok {
		p.clear()
		return
	}
	about := "An estimate, from how fast this computer's parts are. The real speed can differ more while other programs are busy. Press Measure to know. " + g.yardstick()
	p.draw(g.estimate(), "", g.bars(guessed, *p.colors, true, -1), rows, about)
}

// clear shows nothing.
func (p *summaryPage) clear() { p.draw("", "", nil, nil, "") }

// draw shows a sentence, why not to rely on it ("": nothing is against it), the bars of rows with
// the key to their colours, and what is to be known of them; without bars nothing.
func (p *summaryPage) draw(text, warning string, bars []chart.BarRow, rows []measure.Row, about string) {
	p.page.Objects, p.chart = nil, nil
	if len(bars) > 0 {
		p.chart = chart.NewBarChart()
		p.chart.Thickness = 22
		p.chart.Set(bars)
		p.page.Add(kit.NewParagraph(text, theme.ColorNameForeground).Large().Flat)
		if warning != "" {
			p.page.Add(kit.NewParagraph(warning, theme.ColorNameWarning).Flat)
		}
		p.page.Add(kit.Inset(p.chart, kit.Gap, 0))
		p.page.Add(p.colors.Key(targetsOf(rows)))
		p.page.Add(kit.NewParagraph(about, kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}

// targetsOf are the ways of rows.
func targetsOf(rows []measure.Row) []devices.Target {
	list := make([]devices.Target, len(rows))
	for i, r := range rows {
		list[i] = r.Target
	}
	return list
}
