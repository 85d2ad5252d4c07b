package ui

import (
	"fyne.io/fyne/v2"
)

func (p *similarity) content() fyne.CanvasObject { return p.view }
func (p *similarity) leave()                     {}

// enter loads the models and makes the first comparison when the panel first comes
// into view.
func (p *similarity) enter() {
	if p.waits {
		p.waits = false
		p.open("")
	}
}

// escape ends what is under way: an open list, a comparison, editing, a notice.
func (p *similarity) escape() {
	if p.picker.closeOpen() || p.stop() || p.list.stopEditing() {
		return
	}
	p.told.hide()
	p.notice.hide()
	p.view.Refresh()
}

// takes everything: folders, .safetensors and .gguf files are models, other files
// hold texts.
func (p *similarity) takes([]string) bool { return true }

func (p *similarity) drop(paths []string) {
	for _, path := range paths {
		if isModelPath(path) {
			p.addModel(path)
		} else {
			p.addTexts(path)
		}
	}
}

func (p *similarity) shortcuts() []shortcut {
	return []shortcut{
		{fyne.KeyReturn, false, "Compare", "Enter", p.start},
		{fyne.KeyEnter, false, "", "", p.start},
		{fyne.KeyN, false, "New text", "N", func() { p.focus(p.list.composer) }},
		{fyne.KeyO, false, "Open a text file", "O", p.openTexts},
		{fyne.KeyO, true, "Open a model folder", "O", p.openModelFolder},
		{fyne.KeyM, false, "Choose the model", "M", func() { p.focus(p.picker); p.picker.open() }},
		{fyne.KeyZ, false, "Undo the last change", "Z", p.list.undo},
		{fyne.KeyC, true, "Copy CSV", "C", p.copyCSV},
		{fyne.KeyS, false, "Save CSV", "S", p.saveCSV},
		{fyne.KeyS, true, "Save a picture", "S", p.savePNG},
	}
}
