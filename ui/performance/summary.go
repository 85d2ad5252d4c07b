package performance

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	upTo   int             // how many objects of the page reach down to the chart
	remedy func(busy bool) fyne.CanvasObject
	beside string // what else is known of the speed of the model; "": nothing
}

// said is what a page says above and below its bars.
type said struct {
	text, more string            // a sentence, and a further one below the bars; "": none
	warning    string            // why not to rely on the bars; "": nothing is against it
	remedy     fyne.CanvasObject // what can be done about it; nil: nothing is offered
	about      string            // what is to be known of the bars
}

func newSummaryPage(colors *ways.Colors) *summaryPage {
	p := &summaryPage{colors: colors, remedy: func(bool) fyne.CanvasObject { return nil }}
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
	j := g.judge(rows, earlier)
	words := said{text: g.headline(), more: joined([]string{strings.TrimSpace(g.pageText(j.best)), p.beside}), about: where + g.yardstick() + " Details shows how much the speeds varied, and more kinds of work."}
	bars := g.bars(rows, *p.colors, false, -1)
	if !j.sure() {
		words.about = hatchedText + words.about
		words.text, words.warning = j.words()
		words.remedy = p.remedy(j.busy)
		for i := range bars {
			bars[i].Doubtful = true
			switch fastest := len(rows) > 1 && rows[i].Target == j.best.Target; {
			case fastest && !j.open():
				bars[i].Detail = "probably the fastest"
			case fastest && j.leans():
				bars[i].Detail = "perhaps the fastest"
			}
		}
	}
	p.draw(words, bars, rows)
}

// measuring draws what is known of rows while the one at an index is measured.
func (p *summaryPage) measuring(rows []measure.Row, at int, work string) {
	p.draw(said{text: "Measuring…", about: "Each bar appears once it is measured. You can cancel at any time: what is finished is kept."}, deedOf(work).bars(rows, *p.colors, false, at), rows)
}

// estimate draws the gist of what is predicted for rows.
func (p *summaryPage) estimate(rows []measure.Row, known predictions) {
	guessed, rough := make([]measure.Row, len(rows)), false
	for i, r := range rows {
		guessed[i] = measure.Row{Target: r.Target}
		rough = rough || known.rough(r.Target)
		for _, g := range known[r.Target] {
			guessed[i].Measures = append(guessed[i].Measures, measure.Measure{Work: g.Work, Median: g.Value})
		}
	}
	g, ok := gistOf(guessed)
	if !ok {
		p.clear()
		return
	}
	words := said{text: g.estimate(), about: "An estimate, from how fast this computer's parts are. The real speed can differ more while other programs are busy. Press “Measure this model” to know. " + g.yardstick()}
	best, _ := g.leaders(guessed)
	bars := g.bars(guessed, *p.colors, true, -1)
	words.more = joined([]string{strings.TrimSpace(g.pageText(best)), p.beside})
	if rough {
		words.text = g.roughly()
		words.about = hatchedText + "Press “Measure this model” to know. " + g.yardstick()
		words.warning = "A very rough estimate, because other programs keep the processors busy: while they do, the model can be several times slower than without them."
		words.remedy = p.remedy(true)
		for i := range bars {
			if bars[i].Doubtful = known.rough(rows[i].Target); bars[i].Doubtful && bars[i].Value > 0 {
				bars[i].Text = span(bars[i].Value, bars[i].Value)
			}
		}
	}
	p.draw(words, bars, rows)
}

// clear shows nothing.
func (p *summaryPage) clear() { p.draw(said{}, nil, nil) }

// draw shows what is said around the bars of rows, with the key to their colours; without bars nothing.
func (p *summaryPage) draw(words said, bars []chart.BarRow, rows []measure.Row) {
	p.page.Objects, p.chart, p.upTo = nil, nil, 0
	if len(bars) > 0 {
		p.chart = chart.NewBarChart()
		p.chart.Thickness = 22
		p.chart.Set(bars)
		p.page.Add(kit.NewParagraph(words.text, theme.ColorNameForeground).Large().Flat)
		if words.warning != "" {
			p.page.Add(kit.NewParagraph(words.warning, theme.ColorNameWarning).Flat)
		}
		if words.remedy != nil {
			p.page.Add(container.New(&kit.Wrap{}, words.remedy))
		}
		p.page.Add(kit.Inset(p.chart, kit.Gap, 0))
		p.upTo = len(p.page.Objects)
		p.page.Add(p.colors.Key(targetsOf(rows)))
		if words.more != "" {
			p.page.Add(kit.NewParagraph(words.more, theme.ColorNameForeground).Flat)
		}
		p.page.Add(kit.NewParagraph(words.about, kit.ColorMuted).Small().Flat)
	}
	p.page.Refresh()
}

// hatchedText explains what is drawn of speeds that are not reliable.
const hatchedText = "Hatched bars are not reliable. "

// targetsOf are the ways of rows.
func targetsOf(rows []measure.Row) []devices.Target {
	list := make([]devices.Target, len(rows))
	for i, r := range rows {
		list[i] = r.Target
	}
	return list
}
