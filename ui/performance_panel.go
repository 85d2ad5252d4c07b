package ui

import (
	_ "embed"
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

//go:embed icons/performance.svg
var performanceSVG []byte

// performanceIcon is drawn in the colour of that name.
func performanceIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("performance.svg", performanceSVG), name)
}

func (p *performance) info() info {
	return info{id: roomPerformance, name: "Performance", icon: performanceIcon}
}

func (p *performance) content() fyne.CanvasObject { return p.view }

// leave ends what only prepares what is seen; a measurement goes on.
func (p *performance) leave() {
	p.inView = false
	p.endForecast()
}

// enter loads the models when the panel first comes into view.
func (p *performance) enter() {
	p.inView = true
	p.predict()
	if p.models == nil {
		p.open("")
	}
}

// escape ends what is under way: an open list, a measurement, a notice.
func (p *performance) escape() {
	if p.picker.closeOpen() || p.stop() {
		return
	}
	p.notice.hide()
	p.view.Refresh()
}

// takes a model.
func (p *performance) takes(paths []string) bool { return len(paths) == 1 && isModelPath(paths[0]) }

func (p *performance) drop(paths []string) { p.addModel(paths[0]) }

func (p *performance) shortcuts() []shortcut {
	return []shortcut{
		newShortcut(fyne.KeyReturn, "Measure", "Enter", p.start),
		newShortcut(fyne.KeyEnter, "", "", p.start),
		newShiftShortcut(fyne.KeyO, "Open a model folder", "O", func() { p.picker.openFolder() }),
		newShortcut(fyne.KeyM, "Choose the model", "M", func() { p.focus(p.picker); p.picker.open() }),
		newShortcut(fyne.KeyS, "Save CSV", "S", p.saveCSV),
		newShiftShortcut(fyne.KeyS, "Save a picture", "S", p.savePNG),
	}
}
