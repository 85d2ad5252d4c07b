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
	p.draw(rows, headline(rows), "Measured on this computer. These are the fastest ways; Details shows every way, and how much the speeds varied.", false)
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
	p.draw(guessed, estimateText(guessed), "An estimate, from how fast this computer's parts are. The real speed can differ more while other programs are busy. Press Measure to know.", true)
}

func (p *summaryPage) draw(rows []measure.Row, text, about string, guessed bool) {
	p.page.Objects, p.chart = nil, nil
	if g, ok := gistOf(rows); ok {
		p.chart = chart.NewBarChart()
		p.chart.Thickness = 22
		p.chart.Set(g.bars(guessed))
		p.page.Add(kit.NewParagraph(text, theme.ColorNameForeground).Large().Flat)
		p.page.Add(kit.Inset(p.chart, kit.Gap, 0))
		p.page.Add(kit.NewParagraph(about, kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}
