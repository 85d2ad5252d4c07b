package ui

import (
	"log/slog"

	"fyne.io/fyne/v2"
)

func (p *modelsPanel) content() fyne.CanvasObject { return p.view }

// enter reads anew what is here: other rooms and other programs change it.
func (p *modelsPanel) enter() {
	p.reload()
	p.watch()
}

func (p *modelsPanel) leave() { p.page.rest() }

// escape ends what is under way, then takes a notice away.
func (p *modelsPanel) escape() {
	if p.page.stop() {
		return
	}
	p.notice.hide()
	p.view.Refresh()
}

// takes a model's folder or file.
func (p *modelsPanel) takes(paths []string) bool {
	for _, path := range paths {
		if !isModelPath(path) {
			return false
		}
	}
	return true
}

func (p *modelsPanel) drop(paths []string) {
	for _, path := range paths {
		p.add(path)
	}
}

func (p *modelsPanel) shortcuts() []shortcut {
	return []shortcut{
		{fyne.KeyF, false, "Find a model", "F", func() { p.focus(p.filter.text) }},
		{fyne.KeyO, true, "Add a model folder", "O", func() { p.files().openFolder(p.add) }},
		{fyne.KeyR, false, "Look again", "R", p.reload},
	}
}

func (p *modelsPanel) showError(err error) {
	p.app.Log().Warn("models", slog.Any("error", err))
	p.notice.fail(sentence(err.Error()))
	p.view.Refresh()
}
