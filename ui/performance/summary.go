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
	p.page.Objects, p.chart = nil, nil
	if g, ok := gistOf(rows); ok {
		p.chart = chart.NewBarChart()
		p.chart.Thickness = 22
		p.chart.Set(g.bars())
		p.page.Add(kit.NewParagraph(headline(rows), theme.ColorNameForeground).Large().Flat)
		p.page.Add(kit.Inset(p.chart, kit.Gap, 0))
		p.page.Add(kit.NewParagraph("These are the fastest ways. Details shows every way, and how much the speeds varied.", kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}
