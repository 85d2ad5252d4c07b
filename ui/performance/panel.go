package performance

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

//go:embed performance.svg
var performanceSVG []byte

// performanceIcon is drawn in the colour of that name.
func performanceIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("performance.svg", performanceSVG), name)
}

// Panel is the panel that lets a model do the same work in several places
// and shows how fast it went, and whether the results agree.
// Each of its parts has a state of its own; it puts them together.
type Panel struct {
	panel.Host
	colors   *ways.Colors
	frame    *frame
	models   *models
	plan     *plan
	forecast *forecast
	record   *record
	run      *runner
	series   *series
	results  *results
	saver    *saver
}

// New makes the panel. Its second area is the page about the computer.
func New(d panel.Host, a App, computer Computer) *Panel {
	colors := ways.Of(d.App.Devices())
	p := &Panel{Host: d, colors: &colors, frame: newFrame(d, computer)}
	p.models = newModels(d, p.frame)
	p.plan = newPlan(d, p.frame, p.models, p.colors)
	p.forecast = &forecast{Host: d, app: a, models: p.models, plan: p.plan}
	p.record = &record{Host: d, app: a, frame: p.frame, models: p.models, refresh: p.refresh}
	p.run = &runner{Host: d, app: a, frame: p.frame, models: p.models, plan: p.plan, forecast: p.forecast, record: p.record, refresh: p.refresh}
	p.saver = &saver{Host: d, app: a, frame: p.frame, colors: p.colors, models: p.models, record: p.record, run: p.run}
	p.results = &results{Host: d, app: a, frame: p.frame, models: p.models, plan: p.plan, forecast: p.forecast, record: p.record, run: p.run, saver: p.saver}
	p.record.run, p.record.results, p.run.results, p.saver.results = p.run, p.results, p.results, p.results
	p.build(a)
	p.connect()
	p.plan.targets.fill(panel.OfferedDevices(d.App, ""), library.Model{})
	p.refresh()
	return p
}

// build makes what is seen: on the left what is to be measured, on the right what was found.
func (p *Panel) build(a App) {
	p.run.build()
	p.saver.build()
	found := p.results.build(p.colors)
	p.series = newSeries(p.Host, a, p.results.all)
	p.series.frame, p.series.models, p.series.targets = p.frame, p.models, p.plan.targets
	p.series.forecast, p.series.record, p.series.run, p.series.refresh = p.forecast, p.record, p.run, p.refresh
	model := kit.Column(kit.GapSmall, kit.NewName("Model"), p.models.picker, kit.NewName("Run on"))
	effort := kit.Column(kit.GapSmall, kit.NewName("Test length"), p.plan.effort, p.plan.does.Flat, kit.Column(-6, p.plan.curve, p.plan.norm, p.plan.guess))
	start := kit.Column(kit.GapSmall, container.NewStack(p.run.measure, p.series.show, p.run.Progress), p.run.untold.Flat)
	left := kit.Card(kit.Bordered(kit.Gap, model, container.NewVScroll(p.plan.targets.view), kit.Column(kit.Gap, effort, start)))
	p.frame.build(left, found)
}

// connect has the parts hear of each other.
func (p *Panel) connect() {
	p.frame.came, p.frame.went = p.forecast.ask, p.forecast.end
	p.models.another, p.models.changed = p.modelChosen, p.modelsOffered
	p.plan.ticked, p.plan.changed = func() { p.refresh(); p.forecast.ask() }, p.forecast.ask
	p.forecast.wanted = func() bool { return p.frame.inView && p.run.under == nil && p.series.under == nil }
	p.forecast.show = p.results.drawForecast
	p.results.summary.remedy = p.run.remedy
	p.results.all.narrowed, p.results.all.filled = p.series.say, p.refresh
	p.series.show.OnTapped = func() { p.results.tabs.Pick(pageAll); p.frame.panes.Front(panel.PaneResult) }
}

// modelChosen follows the choice of another model.
func (p *Panel) modelChosen() {
	m, _ := p.models.chosen()
	p.plan.fill()
	p.plan.say()
	p.record.follow(m)
	p.refresh()
	p.forecast.ask()
}

// modelsOffered follows another list of models.
func (p *Panel) modelsOffered() {
	p.results.compat.clear()
	p.results.all.asked = false
	p.results.turn()
}

// refresh shows what can be done now.
func (p *Panel) refresh() {
	p.run.offer(p.series.under != nil)
	p.series.offer()
	p.results.turn()
}

// Open loads the list of models; model is the one to choose, where it is not
// empty.
func (p *Panel) Open(model string) {
	if model != "" {
		p.frame.turnTo(areaModels)
	}
	p.models.load(model)
}

// ModelsChanged offers the models that there are now.
func (p *Panel) ModelsChanged() {
	if p.models.list != nil {
		p.Open("") // before that, Enter will
	}
}

// ShowError shows what went wrong in the panel.
func (p *Panel) ShowError(err error) { p.frame.fail(err) }

// Watch begins to read what the computer and the program use, for whoever looks later.
func (p *Panel) Watch() { p.frame.computer.Watch() }

// ShowComputer turns to the page about the computer.
func (p *Panel) ShowComputer() { p.frame.turnTo(areaComputer) }

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Performance, Name: "Performance", About: "See how fast models run on this computer", Icon: performanceIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.frame.view }

// Leave ends what only prepares what is seen; a measurement goes on.
func (p *Panel) Leave() {
	p.frame.inView = false
	p.forecast.forget()
	p.frame.computer.Leave()
}

// Enter loads the models when the panel first comes into view.
func (p *Panel) Enter() {
	p.frame.inView = true
	if p.run.under == nil { // a measurement under way goes on with its own model
		p.models.follow()
	}
	*p.colors = ways.Of(p.App.Devices())
	p.plan.fill() // Settings may have changed what is offered
	p.frame.enter()
	if p.models.list == nil {
		p.Open("")
	}
}

// WritesIn is nothing: models are measured without a word.
func (p *Panel) WritesIn() fyne.Focusable { return nil }

// Escape ends what is under way: an open list, a measurement, a notice.
func (p *Panel) Escape() {
	if p.models.picker.CloseOpen() || p.run.stop() || p.series.stop() {
		return
	}
	p.saver.stopDrawing()
	p.frame.notice.Hide()
	p.frame.view.Refresh()
}

// Takes a model.
func (p *Panel) Takes(d panel.Dropped) bool {
	return len(d.Models) == 1 && len(d.Folders)+len(d.Files) == 0
}

func (p *Panel) Drop(d panel.Dropped) {
	p.frame.turnTo(areaModels)
	p.models.add(d.Models[0])
}

func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Measure", "Enter", p.frame.choosing(p.run.start)),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.frame.choosing(p.run.start)),
		kit.NewShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.frame.choosing(func() { p.models.picker.OpenFolder() })),
		kit.NewShortcut(fyne.KeyM, "Choose the model", "M", p.frame.choosing(func() { p.Focus(p.models.picker); p.models.picker.Open() })),
		kit.NewShortcut(fyne.KeyS, "Save CSV", "S", p.frame.inModels(p.saver.saveCSV)),
		kit.NewShiftShortcut(fyne.KeyS, "Save a picture", "S", p.frame.inModels(p.saver.savePNG)),
	}
}
