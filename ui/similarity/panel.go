package similarity

import (
	_ "embed"
	"slices"

	"fyne.io/fyne/v2"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

//go:embed similarity.svg
var similaritySVG []byte

// similarityIcon is drawn in the colour of that name.
func similarityIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("similarity.svg", similaritySVG), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Similarity, Name: "Similarity", About: "See which texts mean the same, or sort them by labels of your own", Icon: similarityIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }
func (p *Panel) Leave()                     {}

// Enter loads the models and makes the first comparison when the panel first comes
// into view.
func (p *Panel) Enter() {
	p.device.Enter()
	switch {
	case p.areas.Index == areaClassify:
		p.page.Enter()
	case !p.entered && p.App.Settings().SimilarityClassify:
		p.turnTo(areaClassify)
	}
	p.entered = true
	if p.waits {
		p.waits = false
		p.Open("")
	}
}

// Escape ends what is under way: an open list, a comparison, editing, a notice.
func (p *Panel) Escape() {
	if p.areas.Index == areaClassify {
		p.page.Escape()
		return
	}
	if p.sheet.Close() || p.picker.CloseOpen() || p.stop() || p.list.StopEditing() {
		return
	}
	p.stopDrawing()
	p.startNotice.Hide()
	p.notice.Hide()
	p.view.Refresh()
}

// WritesIn is the field for a text of the area in view.
func (p *Panel) WritesIn() fyne.Focusable {
	if p.areas.Index == areaClassify {
		return p.page.WritesIn()
	}
	return p.list.Composer
}

// Takes models, and files that hold texts.
func (p *Panel) Takes(d panel.Dropped) bool { return len(d.Folders) == 0 }

func (p *Panel) Drop(d panel.Dropped) {
	if p.areas.Index == areaClassify {
		p.page.Drop(d)
		return
	}
	for _, path := range d.Models {
		p.addModel(path)
	}
	p.list.AddFiles(slices.Concat(d.Files, d.Folders))
}

func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Compare, or classify", "Enter", p.either(p.start, p.page.Start)),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.either(p.start, p.page.Start)),
		kit.NewShortcut(fyne.KeyN, "New text", "N", p.working(func() { p.Focus(p.WritesIn()) })),
		kit.NewShortcut(fyne.KeyO, "Open a text file", "O", p.either(p.list.OpenFile, p.page.OpenFile)),
		kit.NewShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.either(p.openModelFolder, p.page.OpenModel)),
		kit.NewShortcut(fyne.KeyM, "Choose the model", "M", p.working(p.either(func() { p.Focus(p.picker); p.picker.Open() }, p.page.ChooseModel))),
		kit.NewShortcut(fyne.KeyZ, "Undo the last change", "Z", p.either(p.list.Undo, p.page.Undo)),
		kit.NewShiftShortcut(fyne.KeyZ, "Do it again", "Z", p.either(p.list.Redo, p.page.Redo)),
		kit.NewShortcut(fyne.KeyY, "", "", p.either(p.list.Redo, p.page.Redo)),
		kit.NewShiftShortcut(fyne.KeyC, "Copy CSV", "C", p.either(p.copyCSV, p.page.CopyCSV)),
		kit.NewShortcut(fyne.KeyS, "Save CSV", "S", p.either(p.saveCSV, p.page.SaveCSV)),
		kit.NewShiftShortcut(fyne.KeyS, "Save a picture", "S", p.comparing(p.savePNG)),
	}
}
