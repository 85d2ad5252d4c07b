package performance

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
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

// Panel is the panel that lets a model do the same work in several places
// and shows how fast it went, and whether the results agree.
type Panel struct {
	panel.Host
	kit.RunControls
	app     App
	colors  *ways.Colors
	picker  *panel.ModelPicker
	targets *targetList
	effort  *kit.Segments
	does    *kit.Paragraph // what is measured, in words
	curve   *kit.Check
	norm    *kit.Check
	guess   *kit.Check

	view     *fyne.Container
	areas    *kit.Segments
	panes    *panel.Panes // what is about models
	computer Computer

	measure *kit.Button
	untold  *kit.Paragraph // why measure is grey, where nothing else says it
	showAll *kit.Button    // in the place of measure while all models are measured: says how far that is
	notice  *kit.Notice

	where *kit.Line // beside Stage: what is measured now

	stopDrawing func() // ends the drawing of a picture, where one is under way

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
	exports []*kit.Button

	models  []library.Model
	running *measurement
	batch   *batch          // of all models, under way; nil: none
	result  *measure.Result // complete
	earlier bool            // result is of an earlier visit or start
	looked  string          // the model whose earlier measurements are known

	inView     bool
	talker     string // id of the model that was chosen for chats when the room last looked
	prediction prediction
}

// New makes the panel. Its second area is the page about the computer.
func New(d panel.Host, a App, computer Computer) *Panel {
	colors := ways.Of(d.App.Devices())
	p := &Panel{Host: d, app: a, computer: computer, colors: &colors, stopDrawing: func() {}}
	p.picker = panel.NewModelPicker(d.Keys)
	p.picker.Fits, p.picker.Chosen = Fits, func(m library.Model) { p.keepModel(m.ID); p.modelChosen() }
	p.picker.OpenFolder = func() { p.Files().OpenFolder(p.addModel) }
	p.picker.OpenFile = func() { p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.addModel) }
	p.picker.Forget, p.picker.Find = p.forgetModel, d.FindModel
	s := d.App.Settings()
	p.talker = s.Chat.Model
	p.picker.ID = cmp.Or(s.Performance.Model, s.Chat.Model, s.Model) // how fast it answers is asked most
	p.targets = newTargetList(d, p.colors, func() { p.refresh(); p.predict() })
	p.effort = kit.NewSegments(d.Keys, []string{"Quick", "Thorough"}, func(int) { p.sayWhat(); p.predict() })
	p.does = kit.NewParagraph("", kit.ColorMuted).Small()
	p.curve = kit.NewCheck(d.Keys, "", nil)
	p.norm = kit.NewCheck(d.Keys, "Also time normalisation by number of rows", nil)
	p.guess = kit.NewCheck(d.Keys, "Also time predictions of the next words", nil)
	p.notice = kit.NewNotice(d.Keys)
	p.buildRun()
	p.buildView()
	p.targets.fill(panel.OfferedDevices(d.App, ""), library.Model{})
	p.refresh()
	return p
}

func (p *Panel) buildRun() {
	p.measure = kit.NewButton(p.Keys, "Measure this model", theme.MediaPlayIcon(), p.start)
	p.measure.Importance = widget.HighImportance
	p.untold = kit.NewParagraph("Tick at least one way under Run on.", theme.ColorNameWarning).Small()
	p.untold.Flat.Hide()
	p.showAll = kit.NewButton(p.Keys, "", theme.NavigateNextIcon(), func() { p.tabs.Pick(pageAll); p.panes.Front(panel.PaneResult) })
	p.showAll.Hide()
	p.RunControls = kit.NewRunControls(p.Keys, func() { p.stop() })
	p.where = kit.NewCaption("")
	p.Progress = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, nil, p.Left, p.Stage), p.where,
		container.NewBorder(nil, nil, nil, p.Cancel, container.NewVBox(layout.NewSpacer(), kit.Inset(p.Bar, 0, kit.GapSmall), layout.NewSpacer())))
	p.Progress.Hide()
}

func (p *Panel) buildView() {
	saveCSV := kit.NewQuietButton(p.Keys, "Save CSV…", theme.DocumentSaveIcon(), p.saveCSV)
	saveJSON := kit.NewQuietButton(p.Keys, "Save JSON…", theme.DocumentSaveIcon(), p.saveJSON)
	savePNG := kit.NewQuietButton(p.Keys, "Save picture…", theme.MediaPhotoIcon(), p.savePNG)
	p.exports = []*kit.Button{saveCSV, saveJSON, savePNG}
	title := kit.NewTitleWhole("Performance")
	p.areas = kit.NewSegments(p.Keys, []string{"Models", "This computer"}, func(int) { p.turnArea() })

	options := kit.Column(kit.GapSmall, kit.NewName("Model"), p.picker, kit.NewName("Run on"))
	effort := kit.Column(kit.GapSmall, kit.NewName("Test length"), p.effort, p.does.Flat, kit.Column(-6, p.curve, p.norm, p.guess))
	left := kit.Card(kit.Bordered(kit.Gap, options, container.NewVScroll(p.targets.view), kit.Column(kit.Gap, effort, kit.Column(kit.GapSmall, container.NewStack(p.measure, p.showAll, p.Progress), p.untold.Flat))))

	p.hint = kit.NewHint(performanceIcon(kit.ColorMuted))
	p.blank = p.hint.View
	p.summary = newSummaryPage(p.colors)
	p.speed, p.ops, p.norms, p.byCurve = newSpeedPage(p.colors), newOpsPage(p.colors), newNormsPage(p.colors), newCurvePage(p.colors)
	p.guesses = newGuessesPage(p.colors)
	p.history, p.compat = newHistoryPage(p.Keys, p.colors), newCompatPage(p.Host)
	p.all = newAllPage(p.Keys, p.colors, p.measureAll, func() { p.stopBatch() })
	p.all.open, p.all.narrowed = p.openModel, p.sayWays
	p.summary.remedy = p.remedy
	p.history.open, p.history.drop = p.openEarlier, p.dropEarlier
	p.pages = []fyne.CanvasObject{p.summary.view, p.all.view, p.history.view, p.compat.view, p.speed.view, p.ops.view, p.norms.view, p.byCurve.view, p.guesses.view}
	p.tabs = kit.NewSegments(p.Keys, tabNames, func(int) { p.turn() })
	p.offered = []int{pageFigures}
	p.details = kit.NewSegments(p.Keys, []string{detailPages[0].name}, func(int) { p.turn() })
	p.facts = kit.NewParagraph("", kit.ColorMuted).Small()
	p.facts.Flat = kit.Inset(p.facts.RichText, -kit.Gap, pageInset-kit.Gap) // it begins where the pages do
	p.facts.Flat.Hide()
	stage := container.NewStack(append(slices.Clone(p.pages), p.blank)...)
	results := kit.Card(kit.Bordered(kit.Gap, container.New(kit.Yielding{}, kit.Column(kit.GapSmall, p.tabs, p.details)), stage, kit.Column(kit.GapSmall, p.facts.Flat, container.New(&kit.Wrap{}, saveCSV, saveJSON, savePNG))))
	right := kit.Bordered(kit.Gap, p.notice.View, results, nil)
	p.panes = panel.NewPanes(p.Keys, left, right, [2]string{"Measure", "Result"})
	header := p.panes.Head(kit.Row(kit.GapWide, title, container.NewCenter(panel.Whole(p.areas))))
	p.computer.Content().Hide()
	p.view = kit.Inset(kit.Bordered(10, header, container.NewStack(p.panes.View, p.computer.Content()), nil), 12, kit.GapWide)
}

// Open loads the list of models; model is the one to choose, where it is not
// empty.
func (p *Panel) Open(model string) {
	if model != "" {
		p.turnTo(areaModels)
	}
	p.Work(func(ctx context.Context) {
		models, err := p.App.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.setModels(models, model)
			if now, ok := p.picker.Model(); ok && now.ID == model {
				p.keepModel(model)
			}
		})
	})
}

// keepModel has the room open with this model the next time.
func (p *Panel) keepModel(id string) {
	p.Keep(func(s *base.Settings) { s.Performance.Model = id })
}

// follow chooses the model that a person chose for chats since the room last looked: how fast
// it answers is what is asked then. A measurement under way goes on with its own.
func (p *Panel) follow() {
	now := p.App.Settings().Chat.Model
	if now == p.talker || p.running != nil {
		return
	}
	p.talker = now
	if p.models != nil && slices.ContainsFunc(p.models, func(m library.Model) bool { return m.ID == now && m.Usable }) {
		p.setModels(p.models, now)
		p.keepModel("") // the chat's is offered the next time too
	}
}

// ModelsChanged offers the models that there are now.
func (p *Panel) ModelsChanged() {
	if p.models != nil {
		p.Open("") // before that, Enter will
	}
}

func (p *Panel) setModels(models []library.Model, id string) {
	p.models = append([]library.Model{}, models...)
	if id == "" {
		id = p.picker.ID
	}
	known := func(m library.Model) bool { return m.ID == id && m.Usable }
	if !slices.ContainsFunc(p.models, known) {
		id = ""
		if i := slices.IndexFunc(p.models, func(m library.Model) bool { return m.Usable }); i >= 0 {
			id = p.models[i].ID
		}
	}
	before, _ := p.picker.Model()
	p.picker.Offer(p.models, id)
	if now, ok := p.picker.Model(); !ok || now.ID != before.ID {
		p.modelChosen()
	}
	p.compat.clear()
	p.all.asked = false
	p.turn()
}

// modelChosen follows the choice of another model.
func (p *Panel) modelChosen() {
	m, _ := p.picker.Model()
	p.targets.fill(panel.OfferedDevices(p.App, ""), m)
	if p.result != nil && p.result.Model != m.ID {
		p.result = nil
	}
	p.looked = ""
	p.sayWhat()
	if p.result == nil && p.running == nil {
		p.showRows(nil, m)
	}
	p.loadHistory(m.ID)
	p.refresh()
	p.predict()
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *Panel) addModel(path string) {
	p.Host.AddModel(path, p.ShowError, func(m library.Model, models []library.Model) {
		p.notice.Hide()
		p.setModels(models, m.ID)
		p.keepModel(m.ID)
	})
}

func (p *Panel) forgetModel(m library.Model) {
	p.Forget(m, p.ShowError)
}

// page is the one in view.
func (p *Panel) page() int {
	if p.tabs.Index < pageFigures {
		return p.tabs.Index
	}
	return p.offered[p.details.Index]
}

// turn shows the page of the chosen tab, or says why it is empty.
func (p *Panel) turn() {
	p.offerDetails()
	page := p.page()
	kit.Show(p.details, page >= pageFigures && len(p.offered) > 1)
	p.showExtras(page >= pageFigures)
	if page == pageCompat {
		p.fillCompat()
	}
	if page == pageAll {
		p.fillAll()
	}
	p.offerExports(page)
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
	p.view.Refresh()
}

// empty returns why a page is empty. Without a title it is not.
func (p *Panel) empty(page int) (title, text string) {
	m, chosen := p.picker.Model()
	any := func(has func(measure.Row) bool) bool { return slices.ContainsFunc(p.rows(), has) }
	switch {
	case (page == pageCompat || page == pageAll) && len(p.models) > 0:
		return "", ""
	case p.models == nil:
		return " ", ""
	case len(p.models) == 0:
		return "No model", "Open a model folder, or drop one on this window."
	case !chosen:
		return "No model chosen", "Choose a model first."
	case page == pageHistory && p.history.empty():
		return "No earlier measurement", "Each finished measurement of " + m.Title() + " is kept here, so that you can see how speed changes."
	case page == pageHistory:
		return "", ""
	case p.running != nil && p.running.waits:
		return "Waiting for a quiet moment", "Measuring begins by itself once other programs have needed less than a tenth of the processors for a few seconds. You can go on using the computer, or cancel."
	case (page == pageSpeed || page == pageFigures) && len(p.rows()) == 0 && p.running == nil && p.looked != m.ID:
		return " ", "" // an estimate would give way to what was measured
	case (page == pageSpeed || page == pageFigures) && len(p.rows()) == 0 && p.running == nil && len(p.predictedRows()) > 0:
		return "", ""
	case len(p.rows()) == 0 && p.running == nil:
		if page == pageSpeed && p.prediction.open != nil {
			return "Estimating…", "Or press “Measure this model” to know how fast " + m.Title() + " is here."
		}
		return "Nothing measured yet", "Choose where " + m.Title() + " should run, then press “Measure this model”."
	case page == pageSpeed && p.summary.chart != nil:
		return "", ""
	case (page == pageSpeed || page == pageFigures) && len(p.speed.charts) == 0:
		return "Measuring", "The bars of each device appear when it is done. You can cancel at any time: what is finished is kept."
	case page == pageOps && !any(func(r measure.Row) bool { return len(opsOf(r)) > 0 }):
		return "No operations yet", "This shows which operations take the time."
	case page == pageNorms && !any(func(r measure.Row) bool { return len(r.Norms) > 0 }):
		if p.running != nil && p.running.request.Norms {
			return "Not measured yet", "Normalisation is measured after the speed of a device."
		}
		return "Normalisation not measured", tickFirst(p.norm)
	case page == pageGuesses && !any(func(r measure.Row) bool { return r.Guesses != nil }):
		if p.running != nil && p.running.request.Guesses {
			return "Not measured yet", "Word predictions are measured after the speed of a device."
		}
		return "Word predictions not measured", tickFirst(p.guess)
	case page == pageCurve && !any(func(r measure.Row) bool { return len(r.Curve) > 0 }):
		if p.running != nil && p.running.request.Curve {
			return "Not measured yet", "The curve is measured after the speed of a device."
		}
		page, _ := byWhat(m)
		return "Not measured " + strings.ToLower(page), tickFirst(p.curve)
	}
	return "", ""
}

// tickFirst says what has to be ticked before it is measured.
func tickFirst(box *kit.Check) string {
	return "Tick “" + box.Text + "” above “Measure this model”, then press that."
}

// rows are those in view: of the run under way, or of the last one.
func (p *Panel) rows() []measure.Row {
	switch {
	case p.running != nil:
		return p.running.rows
	case p.result != nil:
		return p.result.Rows
	}
	return nil
}

// measuredOn names the processor with which the shown result was measured, if it is not this
// computer's: a folder of data may have been copied here.
func (p *Panel) measuredOn() string {
	if p.result != nil && p.foreign(*p.result) {
		return p.result.Machine
	}
	return ""
}

// foreign reports whether a result was measured with another processor than this computer's.
func (p *Panel) foreign(r measure.Result) bool {
	return slices.ContainsFunc(panel.OfferedDevices(p.App, ""), func(d devices.Device) bool { return d.ID == "cpu" && d.Name != r.Machine })
}

// showRows draws these rows on all pages.
func (p *Panel) showRows(rows []measure.Row, m library.Model) {
	at := -1
	if p.running != nil {
		at = p.running.at
	}
	if rows == nil && p.running == nil {
		p.speed.show(p.predictedRows(), at, p.prediction.known)
	} else {
		p.speed.show(rows, at, p.prediction.known)
	}
	p.summary.beside = joined([]string{curveRemark(rows, m), panel.LastChat(p.app.LastRate(m.ID))})
	switch {
	case p.running != nil:
		p.summary.measuring(rows, at, mainWork(m.Kind))
	case rows == nil:
		p.summary.estimate(p.predictedRows(), p.prediction.known)
	default:
		p.summary.show(rows, p.measuredOn(), p.before()...)
	}
	p.ops.show(rows)
	p.norms.show(rows)
	p.byCurve.show(rows, m)
	p.guesses.show(rows)
	remarks := remarksOn(rows)
	if p.result != nil && p.earlier {
		remarks = append([]string{"Measured on " + moment(p.result.When) + "."}, remarks...)
		if p.history.newerThan(*p.result) {
			remarks = append(remarks, "A newer measurement is under History.")
		}
	}
	if p.result != nil && p.result.Cancelled {
		remarks = append(remarks, "This measurement was cancelled: what was finished by then is here.")
	}
	if rows == nil && p.running == nil && len(p.predictedRows()) > 0 {
		remarks = append(remarks, p.prediction.remark())
	}
	p.remarks, p.notes = joined(remarks), strings.Join(notesOn(rows), "\n")
	if g, ok := gistOf(rows); ok {
		p.notes = strings.TrimSpace(unreliable(rows, g.work) + "\n" + p.notes)
	}
	p.turn()
}

// ShowError shows what went wrong in the panel.
func (p *Panel) ShowError(err error) {
	p.App.Log().Warn("performance", slog.Any("error", err))
	p.notice.Fail(kit.Sentence(err.Error()))
	p.panes.Front(panel.PaneResult)
	p.view.Refresh()
}

// refresh shows what can be done now.
func (p *Panel) refresh() {
	m, chosen := p.picker.Model()
	_, fits := Fits(m)
	p.measure.SetEnabled(chosen && fits && len(p.targets.chosen()) > 0 && p.running == nil && p.batch == nil)
	kit.Show(p.untold.Flat, chosen && fits && len(p.targets.chosen()) == 0 && p.running == nil && p.batch == nil)
	kit.Show(p.showAll, p.batch != nil)
	kit.Show(p.measure, p.batch == nil && p.running == nil)
	for _, b := range []*kit.Button{p.all.begin, p.all.later} {
		b.SetEnabled(p.running == nil && p.batch == nil && len(p.comparable()) > 0)
	}
	p.sayWays()
	p.turn()
}

// Fits reports whether a model can be measured; if not, why.
func Fits(m library.Model) (string, bool) {
	switch {
	case !m.Usable && m.Reason != "":
		return kit.Sentence(m.Reason), false
	case !m.Usable:
		return "This model cannot be used here.", false
	}
	return "", true
}

// fillCompat asks about each model, one after the other.
func (p *Panel) fillCompat() {
	if len(p.models) == 0 {
		return
	}
	if p.compat.asked {
		if p.compat.chosen != p.picker.ID {
			p.compat.show(p.models, p.picker.ID)
		}
		return
	}
	p.compat.asked = true
	models := ordered(p.models, p.picker.ID)
	p.compat.show(models, p.picker.ID)
	p.Work(func(ctx context.Context) {
		for _, m := range models {
			got, err := p.app.Compat(ctx, fit.CompatRequest{Model: m.ID})
			past, unread := p.app.PerformanceHistory(m.ID)
			if ctx.Err() != nil {
				return
			}
			if unread != nil {
				p.App.Log().Warn("performance", slog.Any("error", unread)) // History says so
			}
			p.Do(func() {
				p.compat.past[m.ID] = slices.DeleteFunc(past, p.foreign)
				if err != nil {
					got = fit.Compat{Model: m.ID, Notes: []string{kit.Sentence(err.Error())}}
				}
				p.compat.known[m.ID] = got
				p.compat.show(p.models, p.picker.ID)
			})
		}
	})
}
