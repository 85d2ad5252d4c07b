package ui

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app"
)

// The pages of the results, in the order of their tabs.
const (
	pageSpeed = iota
	pageOps
	pageNorms
	pageCurve
	pageHistory
	pageCompat
)

var pageNames = []string{"Speed", "Operations", "Norms", "By size", "History", "Compatibility"}

// performance is the panel that lets a model do the same work in several places
// and shows how fast it went, and whether the results agree.
type performance struct {
	desk
	runControls
	app    performanceApp
	picker *modelPicker
	places *placeList
	effort *segments
	curve  *check
	norm   *check

	view    *fyne.Container
	measure *button
	notice  *notice
	hint    *hint
	blank   *fyne.Container
	tabs    *segments
	pages   []fyne.CanvasObject
	speed   *speedPage
	ops     *opsPage
	norms   *normsPage
	byCurve *curvePage
	history *historyPage
	compat  *compatPage
	facts   *paragraph
	exports []*button

	models  []app.Model
	running *measurement
	result  *app.Performance // complete

	inView   bool
	forecast forecast
}

func newPerformance(d desk, a performanceApp) *performance {
	p := &performance{desk: d, app: a}
	p.picker = newModelPicker(d.keys)
	p.picker.fits, p.picker.chosen = forPerformance, func(app.Model) { p.modelChosen() }
	p.picker.openFolder = func() { p.files().openFolder(p.addModel) }
	p.picker.openFile = func() { p.files().openFile([]string{".safetensors", ".gguf"}, p.addModel) }
	p.picker.forget = p.forgetModel
	p.picker.id = d.common.Settings().Model
	p.places = newPlaceList(d.keys, func() { p.refresh(); p.predict() })
	p.effort = newSegments(d.keys, []string{"Quick", "Thorough"}, func(int) { p.predict() })
	p.curve = newCheck(d.keys, "Also by size of context or batch", nil)
	p.norm = newCheck(d.keys, "Also norms by rows", nil)
	p.notice = newNotice(d.keys)
	p.buildRun()
	p.buildView()
	p.places.fill(d.common.Devices(), app.Model{})
	p.refresh()
	return p
}

func (p *performance) buildRun() {
	p.measure = newButton(p.keys, "Measure", theme.MediaPlayIcon(), p.start)
	p.measure.Importance = widget.HighImportance
	p.runControls = newRunControls(p.keys, func() { p.stop() })
}

func (p *performance) buildView() {
	saveCSV := quiet(p.keys, "Save CSV…", theme.DocumentSaveIcon(), p.saveCSV)
	saveJSON := quiet(p.keys, "Save JSON…", theme.DocumentSaveIcon(), p.saveJSON)
	savePNG := quiet(p.keys, "Save picture…", theme.MediaPhotoIcon(), p.savePNG)
	p.exports = []*button{saveCSV, saveJSON, savePNG}
	title := newTitleWhole("Performance")
	header := container.NewBorder(nil, nil, title, row(0, saveCSV, saveJSON, savePNG),
		inset(newLine("The same work on each device: how fast, and do they agree", textBody, colorMuted), 6, gapWide))

	options := column(gapSmall, newName("Model"), p.picker, newName("Run on"))
	effort := column(gapSmall, newName("Work"), p.effort, column(-6, p.curve, p.norm))
	left := card(bordered(gap, options, container.NewVScroll(p.places.view), column(gap, effort, container.NewStack(p.measure, p.progress))))

	p.hint = newHint(performanceIcon(colorMuted))
	p.blank = p.hint.view
	p.speed, p.ops, p.norms, p.byCurve = newSpeedPage(), newOpsPage(), newNormsPage(), newCurvePage()
	p.history, p.compat = newHistoryPage(), newCompatPage(p.keys)
	p.pages = []fyne.CanvasObject{p.speed.view, p.ops.view, p.norms.view, p.byCurve.view, p.history.view, p.compat.view}
	p.tabs = newSegments(p.keys, pageNames, func(int) { p.turn() })
	p.facts = newParagraph("", colorMuted).small()
	p.facts.flat.Hide()
	stage := container.NewStack(append(slices.Clone(p.pages), p.blank)...)
	results := card(bordered(gap, container.New(yielding{}, p.tabs), stage, p.facts.flat))
	right := bordered(gap, p.notice.view, results, nil)
	p.view = inset(bordered(10, header, container.New(&panesLayout{}, left, right), nil), 12, gapWide)
}

// open loads the list of models; model is the one to choose, where it is not
// empty.
func (p *performance) open(model string) {
	p.work(func(ctx context.Context) {
		models, err := p.common.Models(ctx)
		p.do(func() {
			if err != nil {
				p.showError(err)
				return
			}
			p.setModels(models, model)
		})
	})
}

func (p *performance) setModels(models []app.Model, id string) {
	p.models = append([]app.Model{}, models...)
	if id == "" {
		id = p.picker.id
	}
	known := func(m app.Model) bool { return m.ID == id && m.Usable }
	if !slices.ContainsFunc(p.models, known) {
		id = ""
		if i := slices.IndexFunc(p.models, func(m app.Model) bool { return m.Usable }); i >= 0 {
			id = p.models[i].ID
		}
	}
	p.picker.show(p.models, id)
	p.modelChosen()
	p.compat.clear()
	p.turn()
}

// modelChosen follows the choice of another model.
func (p *performance) modelChosen() {
	m, _ := p.picker.model()
	p.places.fill(p.common.Devices(), m)
	if p.result != nil && p.result.Model != m.ID {
		p.result = nil
	}
	if p.result == nil && p.running == nil {
		p.showRows(nil, m)
	}
	p.loadHistory(m.ID)
	p.refresh()
	p.predict()
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *performance) addModel(path string) {
	p.work(func(ctx context.Context) {
		m, err := p.common.AddModel(ctx, path)
		var models []app.Model
		if err == nil {
			models, err = p.common.Models(ctx)
		}
		p.do(func() {
			if err != nil {
				p.showError(err)
				return
			}
			p.notice.hide()
			p.setModels(models, m.ID)
			p.tell("Added " + m.Name + ".")
		})
	})
}

func (p *performance) forgetModel(m app.Model) {
	p.forget(m, func(models []app.Model) { p.setModels(models, "") }, p.showError)
}

// turn shows the page of the chosen tab, or says why it is empty.
func (p *performance) turn() {
	page := p.tabs.index
	if page == pageCompat {
		p.fillCompat()
	}
	title, text := p.empty(page)
	for i, view := range p.pages {
		show(view, i == page && title == "")
	}
	p.hint.say(title, text)
	show(p.blank, title != "")
	p.view.Refresh()
}

// empty says why a page is empty; no title: it is not.
func (p *performance) empty(page int) (title, text string) {
	m, chosen := p.picker.model()
	any := func(has func(app.PerformanceRow) bool) bool { return slices.ContainsFunc(p.rows(), has) }
	switch {
	case page == pageCompat && len(p.models) > 0:
		return "", ""
	case p.models == nil:
		return " ", ""
	case len(p.models) == 0:
		return "No model", "Open a model folder, or drop one on this window."
	case !chosen:
		return "No model chosen", "Choose a model on the left."
	case page == pageHistory && p.history.empty():
		return "No earlier measurement", "Each finished measurement of " + m.Name + " is kept here, to see how speed changes over time."
	case page == pageHistory:
		return "", ""
	case page == pageSpeed && len(p.rows()) == 0 && p.running == nil && len(p.predictedRows()) > 0:
		return "", ""
	case len(p.rows()) == 0 && p.running == nil:
		text := "Choose where " + m.Name + " should run, then press Measure."
		if page == pageSpeed && p.forecast.open != nil {
			text += " A prediction appears here in a moment."
		}
		return "Nothing measured yet", text
	case page == pageSpeed && len(p.speed.charts) == 0:
		return "Measuring", "Each device's bars appear when it is done. Cancel ends it at any time."
	case page == pageOps && !any(func(r app.PerformanceRow) bool { return len(opsOf(r)) > 0 }):
		return "No operations yet", "How the time divides among operations appears here."
	case page == pageNorms && !any(func(r app.PerformanceRow) bool { return len(r.Norms) > 0 }):
		if p.running != nil && p.running.request.Norms {
			return "Not measured yet", "LayerNorm and RMSNorm follow after the speed of a device."
		}
		return "Norms not measured", "Tick “" + p.norm.Text + "” on the left, then press Measure."
	case page == pageCurve && !any(func(r app.PerformanceRow) bool { return len(r.Curve) > 0 }):
		if p.running != nil && p.running.request.Curve {
			return "Not measured yet", "The curve follows after the speed of a device."
		}
		return "Not measured by size", "Tick “" + p.curve.Text + "” on the left, then press Measure."
	}
	return "", ""
}

// rows are those in view: of the run under way, or of the last one.
func (p *performance) rows() []app.PerformanceRow {
	switch {
	case p.running != nil:
		return p.running.rows
	case p.result != nil:
		return p.result.Rows
	}
	return nil
}

// showRows draws these rows on all pages.
func (p *performance) showRows(rows []app.PerformanceRow, m app.Model) {
	at := -1
	if p.running != nil {
		at = p.running.at
	}
	if rows == nil && p.running == nil {
		p.speed.show(p.predictedRows(), at, p.forecast.known)
	} else {
		p.speed.show(rows, at, p.forecast.known)
	}
	p.ops.show(rows)
	p.norms.show(rows)
	p.byCurve.show(rows, m)
	p.facts.set(strings.Join(remarksOn(rows), " "))
	show(p.facts.flat, p.facts.segment.Text != "")
	p.turn()
}

// showError shows what went wrong in the panel.
func (p *performance) showError(err error) {
	p.common.Log().Warn("performance", slog.Any("error", err))
	p.notice.fail(sentence(err.Error()))
	p.view.Refresh()
}

// refresh shows what can be done now.
func (p *performance) refresh() {
	m, chosen := p.picker.model()
	_, fits := forPerformance(m)
	p.measure.setEnabled(chosen && fits && len(p.places.chosen()) > 0 && p.running == nil)
	for _, b := range p.exports {
		b.setEnabled(p.result != nil && p.running == nil)
	}
	p.turn()
}

// forPerformance reports whether a model can be measured; if not, why.
func forPerformance(m app.Model) (string, bool) {
	switch {
	case !m.Usable && m.Reason != "":
		return sentence(m.Reason), false
	case !m.Usable:
		return "This model cannot be used here.", false
	}
	return "", true
}
