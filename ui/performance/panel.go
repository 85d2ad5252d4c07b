package performance

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

//go:embed performance.svg
var performanceSVG []byte

// performanceIcon is drawn in the colour of that name.
func performanceIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("performance.svg", performanceSVG), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Performance, Name: "Performance", About: "See how fast models run on this computer", Icon: performanceIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Leave ends what only prepares what is seen; a measurement goes on.
func (p *Panel) Leave() {
	p.inView = false
	p.endPrediction()
	p.prediction.asked = measure.Request{} // the computer may be less busy the next time
	p.computer.Leave()
}

// Enter loads the models when the panel first comes into view.
func (p *Panel) Enter() {
	p.inView = true
	p.follow()
	m, _ := p.picker.Model()
	*p.colors = ways.Of(p.App.Devices())
	p.targets.fill(panel.OfferedDevices(p.App, ""), m) // Settings may have changed what is offered
	p.enterArea()
	if p.models == nil {
		p.Open("")
	}
}

// WritesIn is nothing: models are measured without a word.
func (p *Panel) WritesIn() fyne.Focusable { return nil }

// Escape ends what is under way: an open list, a measurement, a notice.
func (p *Panel) Escape() {
	if p.picker.CloseOpen() || p.stop() || p.stopBatch() {
		return
	}
	p.stopDrawing()
	p.notice.Hide()
	p.view.Refresh()
}

// Takes a model.
func (p *Panel) Takes(d panel.Dropped) bool {
	return len(d.Models) == 1 && len(d.Folders)+len(d.Files) == 0
}

func (p *Panel) Drop(d panel.Dropped) {
	p.turnTo(areaModels)
	p.addModel(d.Models[0])
}

func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Measure", "Enter", p.choosing(p.start)),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.choosing(p.start)),
		kit.NewShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.choosing(func() { p.picker.OpenFolder() })),
		kit.NewShortcut(fyne.KeyM, "Choose the model", "M", p.choosing(func() { p.Focus(p.picker); p.picker.Open() })),
		kit.NewShortcut(fyne.KeyS, "Save CSV", "S", p.inModels(p.saveCSV)),
		kit.NewShiftShortcut(fyne.KeyS, "Save a picture", "S", p.inModels(p.savePNG)),
	}
}
