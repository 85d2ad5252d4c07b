package ui

import (
	_ "embed"
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

//go:embed icons/models.svg
var modelsSVG []byte

// modelsIcon is drawn in the colour of that name.
func modelsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("models.svg", modelsSVG), name)
}

func (p *modelsPanel) info() info { return info{id: roomModels, name: "Models", icon: modelsIcon} }

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
		newShortcut(fyne.KeyF, "Find a model", "F", func() { p.focus(p.filter.text) }),
		newShiftShortcut(fyne.KeyO, "Add a model folder", "O", func() { p.files().openFolder(p.add) }),
		newShortcut(fyne.KeyR, "Look again", "R", p.reload),
	}
}

func (p *modelsPanel) showError(err error) {
	p.common.Log().Warn("models", slog.Any("error", err))
	p.notice.fail(sentence(err.Error()))
	p.view.Refresh()
}
