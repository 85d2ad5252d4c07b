package performance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
)

// summaryPage says in a sentence and a few large bars how fast a model is here. What is
// behind them is under Details.
type summaryPage struct {
	page  *fyne.Container
	view  fyne.CanvasObject
	chart *chart.BarChart // nil: nothing is measured
}

func newSummaryPage() *summaryPage {
	p := &summaryPage{}
	p.page, p.view = scrolled()
	return p
}

// show draws the gist of complete rows.
func (p *summaryPage) show(rows []measure.Row) {
	g, ok := gistOf(rows)
	if !ok {
		p.draw("", "", nil, "")
		return
	}
	p.draw(g.headline(), unreliable(rows, g.work), g.bars(rows, false, -1), "Measured on this computer. Details shows how much the speeds varied, and more kinds of work.")
}

// measuring draws what is known of rows while the one at an index is measured.
func (p *summaryPage) measuring(rows []measure.Row, at int, work string) {
	if len(rows) == 0 {
		p.draw("", "", nil, "")
		return
	}
	p.draw("Measuring…", "", deedOf(work).bars(rows, false, at), "A bar appears when its way is done. You can cancel at any time.")
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
		p.draw("", "", nil, "")
		return
	}
	p.draw(g.estimate(), "", g.bars(guessed, true, -1), "An estimate, from how fast this computer's parts are. The real speed can differ more while other programs are busy. Press Measure to know.")
}

// draw shows a sentence, why not to rely on it ("": nothing is against it), bars and what is to be known of them; without bars nothing.
func (p *summaryPage) draw(text, warning string, bars []chart.BarRow, about string) {
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
		p.page.Add(kit.NewParagraph(about, kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}
