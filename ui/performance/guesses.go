package performance

import (
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/measure"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// guessesPage shows what it costs to check guesses of what comes next, and whether that pays.
type guessesPage struct {
	colors *ways.Colors
	page   *fyne.Container
	view   fyne.CanvasObject
	plot   *chart.LinePlot
}

func newGuessesPage(colors *ways.Colors) *guessesPage {
	p := &guessesPage{colors: colors, plot: chart.NewLinePlot()}
	p.page, p.view = scrolled()
	return p
}

func (p *guessesPage) show(rows []measure.Row) {
	p.page.Objects = nil
	sizes := sortedSizes(rows, func(r measure.Row, add func(int)) {
		for _, pass := range passesOf(r) {
			add(pass.Tokens)
		}
	})
	lines := curves(rows, sizes, *p.colors, func(r measure.Row, put func(int, float64)) {
		for _, pass := range passesOf(r) {
			put(pass.Tokens, pass.Cost)
		}
	})
	p.plot.Least = 190
	p.plot.Unit, p.plot.Across = "times as long as a step with one", "words or parts of words in a step"
	p.plot.Set(sizes.names(), lines)
	about := "A model can predict a few words ahead and check them all in one step. The text stays the same. It is faster where a long step takes little longer than a short one and most predictions are right."
	p.page.Add(kit.NewParagraph(about, kit.ColorMuted).Small().Flat)
	p.page.Add(kit.Section("Time for a step", "by the words or parts of words that it checks; 1 is a step with one", p.plot))
	p.page.Add(chart.PlotKey(lines))
	for _, r := range rows {
		if r.Guesses != nil {
			p.page.Add(kit.Section(panel.TargetName(r.Target), "", kit.NewParagraph(needText(r)+" "+gainText(*r.Guesses), theme.ColorNameForeground).Flat))
		}
	}
	p.page.Refresh()
}

func passesOf(r measure.Row) []measure.PassPoint {
	if r.Guesses == nil {
		return nil
	}
	return r.Guesses.Passes
}

// needText says how many guesses have to be right on a row.
func needText(r measure.Row) string {
	var best measure.PassPoint
	for _, pass := range passesOf(r) {
		if pass.Tokens > 1 && (best.Tokens == 0 || pass.Needed < best.Needed) {
			best = pass
		}
	}
	switch {
	case best.Tokens == 0 || best.Needed >= 1:
		return "Predictions do not pay here: a step that checks several takes as long as one step for each."
	case best.Needed < 0.01:
		return fmt.Sprintf("A step that checks %d takes no longer than a step with one, so every right prediction pays.", best.Tokens)
	}
	return fmt.Sprintf("A step that checks %d pays if more than %s of the predictions are right.", best.Tokens, kit.Percent(best.Needed))
}

// gainText says what guesses did in the test.
func gainText(g measure.Guesses) string {
	if g.Guessed == 0 {
		return "In a text that repeats itself none were made: they would have been no faster, or not have given the same numbers."
	}
	change := "faster"
	if g.Gain < 0 {
		change = "slower"
	}
	return fmt.Sprintf("In a text that repeats itself %d of %d were right, and writing was %s %s.", g.Right, g.Guessed, kit.Percent(math.Abs(g.Gain)), change)
}
