package models

import (
	_ "embed"
	"log/slog"

	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"fyne.io/fyne/v2"
)

//go:embed models.svg
var modelsSVG []byte

// modelsIcon is drawn in the colour of that name.
func modelsIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("models.svg", modelsSVG), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Models, Name: "Models", About: "Get models, and see which of them run here", Icon: modelsIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Enter reads again what is here: other panels and other programs change it.
func (p *Panel) Enter() {
	p.notice.HideError() // it was about an earlier visit
	p.free = p.app.FreeMemory()
	p.sayOffline()
	p.page.enter()
	p.recommend()
	p.reload()
	p.Watch()
}

func (p *Panel) Leave() { p.page.cancel() }

// ModelsChanged reads again what is here.
func (p *Panel) ModelsChanged() { p.reload() }

// Escape ends what is under way, then takes a notice away.
func (p *Panel) Escape() {
	if p.page.sheet.Close() || p.page.stop() {
		return
	}
	p.notice.Hide()
	p.view.Refresh()
}

// Takes a model's folder or file.
func (p *Panel) Takes(d panel.Dropped) bool { return len(d.Folders)+len(d.Files) == 0 }

func (p *Panel) Drop(d panel.Dropped) {
	for _, path := range d.Models {
		p.add(path)
	}
}

func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyF, "Find a model", "F", p.find),
		kit.NewShiftShortcut(fyne.KeyO, "Add a model folder", "O", func() { p.Files().OpenFolder(p.add) }),
		kit.NewShortcut(fyne.KeyR, "Look again", "R", p.reload),
		kit.NewShortcut(fyne.KeyZ, "Undo the last deletion", "Z", p.undo),
	}
}

func (p *Panel) ShowError(err error) {
	p.App.Log().Warn("models", slog.Any("error", err))
	p.notice.Fail(kit.Sentence(err.Error()))
	p.view.Refresh()
}
