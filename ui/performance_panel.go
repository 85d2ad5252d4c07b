package ui

import "fyne.io/fyne/v2"

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
		{fyne.KeyReturn, false, "Measure", "Enter", p.start},
		{fyne.KeyEnter, false, "", "", p.start},
		{fyne.KeyO, true, "Open a model folder", "O", func() { p.picker.openFolder() }},
		{fyne.KeyM, false, "Choose the model", "M", func() { p.focus(p.picker); p.picker.open() }},
		{fyne.KeyS, false, "Save CSV", "S", p.saveCSV},
		{fyne.KeyS, true, "Save a picture", "S", p.savePNG},
	}
}
