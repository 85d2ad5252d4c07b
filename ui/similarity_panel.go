package ui

import (
	_ "embed"
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

//go:embed icons/similarity.svg
var similaritySVG []byte

// similarityIcon is drawn in the colour of that name.
func similarityIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("similarity.svg", similaritySVG), name)
}

func (p *similarity) info() info {
	return info{id: roomSimilarity, name: "Similarity", icon: similarityIcon}
}

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
		newShortcut(fyne.KeyReturn, "Compare", "Enter", p.start),
		newShortcut(fyne.KeyEnter, "", "", p.start),
		newShortcut(fyne.KeyN, "New text", "N", func() { p.focus(p.list.composer) }),
		newShortcut(fyne.KeyO, "Open a text file", "O", p.openTexts),
		newShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.openModelFolder),
		newShortcut(fyne.KeyM, "Choose the model", "M", func() { p.focus(p.picker); p.picker.open() }),
		newShortcut(fyne.KeyZ, "Undo the last change", "Z", p.list.undo),
		newShiftShortcut(fyne.KeyC, "Copy CSV", "C", p.copyCSV),
		newShortcut(fyne.KeyS, "Save CSV", "S", p.saveCSV),
		newShiftShortcut(fyne.KeyS, "Save a picture", "S", p.savePNG),
	}
}
