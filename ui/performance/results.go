package performance

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// The pages of the results, in the order of their tabs; those from pageFigures on are below
// the last tab.
const (
	pageSpeed = iota
	pageAll
	pageHistory
	pageCompat
	pageFigures
	pageOps
	pageNorms
	pageCurve
	pageGuesses
)

var tabNames = []string{"Speed", "All models", "History", "Compatibility", "Details"}

// results are the pages of what was measured, or of what is expected, and the tabs that turn them.
type results struct {
	panel.Host
	app      App
	frame    *frame
	models   *models
	plan     *plan
	forecast *forecast
	record   *record
	run      *runner
	saver    *saver

	hint    *kit.Hint
	blank   *fyne.Container
	tabs    *kit.Segments
	details *kit.Segments // the pages of the last tab, as they are offered
	offered []int         // of details
	pages   []fyne.CanvasObject
	summary *summaryPage
	speed   *speedPage
	ops     *opsPage
	norms   *normsPage
	byCurve *curvePage
	guesses *guessesPage
	history *historyPage
	compat  *compatPage
	all     *allPage
	facts   *kit.Paragraph
	remarks string // what facts say of the rows on every page
	notes   string // what they add to the details
}

// build makes the pages, and returns them below their tabs.
func (p *results) build(colors *ways.Colors) fyne.CanvasObject {
	p.hint = kit.NewHint(performanceIcon(kit.ColorMuted))
	p.blank = p.hint.View
	p.summary = newSummaryPage(colors)
	p.speed, p.ops, p.norms, p.byCurve = newSpeedPage(colors), newOpsPage(colors), newNormsPage(colors), newCurvePage(colors)
	p.guesses = newGuessesPage(colors)
	p.history, p.compat = newHistoryPage(p.Keys, colors), newCompatPage(p.Host, p.app, p.record.foreign)
	p.all = newAllPage(p.Host, p.app, colors)
	p.all.open, p.all.foreign, p.all.fail = p.openModel, p.record.foreign, p.frame.fail
	p.history.open, p.history.drop = p.record.open, p.record.drop
	p.pages = []fyne.CanvasObject{p.summary.view, p.all.view, p.history.view, p.compat.view, p.speed.view, p.ops.view, p.norms.view, p.byCurve.view, p.guesses.view}
	p.tabs = kit.NewSegments(p.Keys, tabNames, func(int) { p.turn() })
	p.offered = []int{pageFigures}
	p.details = kit.NewSegments(p.Keys, []string{detailPages[0].name}, func(int) { p.turn() })
	p.facts = kit.NewParagraph("", kit.ColorMuted).Small()
	p.facts.Flat = kit.Inset(p.facts.RichText, -kit.Gap, pageInset-kit.Gap) // it begins where the pages do
	p.facts.Flat.Hide()
	stage := container.NewStack(append(slices.Clone(p.pages), p.blank)...)
	return kit.Card(kit.Bordered(kit.Gap, container.New(kit.Yielding{}, kit.Column(kit.GapSmall, p.tabs, p.details)), stage, kit.Column(kit.GapSmall, p.facts.Flat, p.saver.view)))
}

// page is the one in view.
func (p *results) page() int {
	if p.tabs.Index < pageFigures {
		return p.tabs.Index
	}
	return p.offered[p.details.Index]
}

// turn shows the page of the chosen tab, or says why it is empty.
func (p *results) turn() {
	p.offerDetails()
	page := p.page()
	kit.Show(p.details, page >= pageFigures && len(p.offered) > 1)
	p.plan.offerExtras(page >= pageFigures, p.applies)
	switch page {
	case pageCompat:
		p.compat.fill(p.models.list, p.models.picker.ID)
	case pageAll:
		p.all.fill(p.models.comparable())
	}
	p.saver.offer(page)
	facts := ""
	switch { // the other pages are not about the measurement that is shown
	case page == pageSpeed:
		facts = p.remarks
	case page >= pageFigures:
		facts = strings.TrimSpace(p.remarks + "\n" + p.notes)
	}
	p.facts.Set(facts)
	kit.Show(p.facts.Flat, facts != "")
	title, text := p.empty(page)
	if page == pageSpeed && p.summary.chart == nil {
		page = pageFigures // why nothing was measured
	}
	for i, view := range p.pages {
		kit.Show(view, i == page && title == "")
	}
	p.hint.Say(title, text)
	kit.Show(p.blank, title != "")
	p.frame.view.Refresh()
}

// turnToSpeed turns from a page that does not show what is found while a model is measured.
func (p *results) turnToSpeed() {
	if page := p.page(); page == pageAll || page == pageHistory || page == pageCompat {
		p.tabs.Pick(pageSpeed)
	}
}

// openModel shows the page of a model, with what was measured of it.
func (p *results) openModel(m library.Model) {
	if p.run.under != nil && p.run.under.model.ID != m.ID {
		p.Tell("A measurement is under way. Wait for it, or cancel it first.")
		return
	}
	p.models.take(m.ID)
	p.tabs.Pick(pageSpeed)
}

// draw draws what is known of a model on all pages.
func (p *results) draw(m library.Model) {
	rows := p.record.rows()
	p.summary.beside = joined([]string{curveRemark(rows, m), panel.LastChat(p.app.LastRate(m.ID))})
	first, last := p.record.remarks()
	switch run := p.run.under; {
	case run != nil:
		p.speed.show(rows, run.at, p.forecast.known)
		p.summary.measuring(rows, run.at, mainWork(m.Kind))
	case rows == nil:
		last = append(last, p.expect())
	default:
		p.speed.show(rows, -1, p.forecast.known)
		p.summary.show(rows, p.record.measuredOn(), p.record.before()...)
	}
	p.ops.show(rows)
	p.norms.show(rows)
	p.byCurve.show(rows, m)
	p.guesses.show(rows)
	p.remarks, p.notes = joined(slices.Concat(first, remarksOn(rows), last)), strings.Join(notesOn(rows), "\n")
	if g, ok := gistOf(rows); ok {
		p.notes = strings.TrimSpace(unreliable(rows, g.work) + "\n" + p.notes)
	}
	p.turn()
}

// drawForecast draws what is expected where nothing is measured.
func (p *results) drawForecast() {
	if p.run.under != nil || p.record.result != nil {
		return
	}
	p.remarks = p.expect()
	p.turn()
}

// expect draws what is expected, and returns what is to be known of it.
func (p *results) expect() (remark string) {
	rows := p.forecast.rows()
	p.speed.show(rows, -1, p.forecast.known)
	p.summary.estimate(rows, p.forecast.known)
	if len(rows) == 0 { // the empty page says it
		return ""
	}
	return p.forecast.remark()
}
