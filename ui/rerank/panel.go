package rerank

import (
	"context"
	_ "embed"

	"fyne.io/fyne/v2"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

//go:embed rerank.svg
var rerankSVG []byte

// rerankIcon is drawn in the colour of that name.
func rerankIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("rerank.svg", rerankSVG), name)
}

// Info is how the rail presents the room.
func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Rerank, Name: "Rerank", About: "Put the texts first that answer a question best", Icon: rerankIcon}
}

// Content is the room's content.
func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Enter lists the models when the room first comes into view.
func (p *Panel) Enter() {
	p.device.Enter()
	if !p.entered {
		p.entered = true
		p.listModels(func() {})
	}
}

// Leave does nothing: a ranking goes on.
func (p *Panel) Leave() {}

// listModels asks which models there are; then runs once they are known.
func (p *Panel) listModels(then func()) {
	p.Work(func(ctx context.Context) {
		models, err := p.App.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.setModels(models)
			p.trial.settle()
			p.refresh()
			then()
		})
	})
}

// ModelsChanged offers the models that there are now.
func (p *Panel) ModelsChanged() {
	if p.entered {
		p.listModels(func() {})
	}
}

// Use ranks with this model from now on.
func (p *Panel) Use(m library.Model) {
	p.entered = true
	p.tabs.Select(viewRank)
	p.listModels(func() { p.choose(0, m.ID) })
}

// Rank puts these texts in place of those that are there, and ranks them as soon as the
// models are known. Without a query it asks for one, and ranks nothing. Question and texts of a
// person's own can be brought back.
func (p *Panel) Rank(query string, lines []string) { p.rankFrom(query, lines, nil) }

// rankFrom does so with texts that came from there; nil: it is not known.
func (p *Panel) rankFrom(query string, lines []string, from []texts.Origin) {
	p.stop()
	p.tabs.Select(viewRank)
	said := "" // of a person's own texts
	if p.ownTexts() {
		said = kit.Count(len(lines), "text") + " took the place of your " + kit.Count(p.texts.Len(), "text") + "."
	}
	back := p.bringBack()
	p.write(query)
	if undo := p.list.ReplaceWith(lines, from, back); said != "" {
		p.Offer(said, "Undo", undo)
	}
	if query == "" {
		p.found, p.picked = nil, -1
		p.keepFound()
		p.refresh()
		p.focusQuestion()
		return
	}
	p.panes.Front(panel.PaneResult)
	if p.models == nil {
		p.eager = true
		return
	}
	p.start()
}

// undo brings back questions that were deleted last, or takes the last change of the texts back.
func (p *Panel) undo() {
	if p.tabs.Index != viewTry || !p.trial.undo() {
		p.list.Undo()
	}
}

// redo does again what undo took back last.
func (p *Panel) redo() {
	if p.tabs.Index != viewTry || !p.trial.redo() {
		p.list.Redo()
	}
}

// bringBack returns what brings back question and order as they are now, once their texts are back.
func (p *Panel) bringBack() textlist.With {
	query, found, picked := p.query, p.found, p.picked
	return func() textlist.With {
		again := p.bringBack()
		p.stop()
		p.write(query)
		p.found, p.picked = found, picked
		p.keepFound()
		p.showPicked()
		p.refresh()
		return again
	}
}

// Escape ends what is under way: an open list, a run, editing, a notice.
func (p *Panel) Escape() {
	if p.sides.closeOpen() || p.workbench.closeOpen() || p.stop() || p.list.StopEditing() {
		return
	}
	p.stopDrawing()
	p.ShowError(nil)
}

// Takes models, and files that hold texts.
func (p *Panel) Takes(d panel.Dropped) bool { return len(d.Folders) == 0 }

// Drop adds the texts of files, and ranks with a model.
func (p *Panel) Drop(d panel.Dropped) {
	at := p.open() // before a new list of models fills it
	for _, path := range d.Models {
		if p.tabs.Index == viewTry {
			p.addModel(path, panel.MakesVectors, func(m library.Model) { p.trial.choose(0, m.ID) })
		} else {
			p.addModel(path, Fits, func(m library.Model) { p.choose(at, m.ID) })
		}
	}
	p.list.AddFiles(d.Files)
}

// WritesIn is the field for a question of the view in front.
func (p *Panel) WritesIn() fyne.Focusable {
	if p.tabs.Index == viewTry {
		return p.questions.field
	}
	return p.field
}

// focusQuestion gives the keyboard to the field for a question.
func (p *Panel) focusQuestion() {
	p.panes.Front(panel.PaneWork)
	p.Focus(p.WritesIn())
}

// openPicker opens the list of models of the view in front.
func (p *Panel) openPicker() {
	p.panes.Front(panel.PaneResult)
	picker := p.sides.first.picker
	if p.tabs.Index == viewTry {
		picker = p.workbench.pickers[0]
	}
	p.Focus(picker)
	picker.Open()
}

// Shortcuts are the keys of the room.
func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Sort by relevance, or compare models", "Enter", p.run),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.run),
		kit.NewShortcut(fyne.KeyF, "Write the question", "F", p.focusQuestion),
		kit.NewShortcut(fyne.KeyN, "New text", "N", func() { p.panes.Front(panel.PaneWork); p.Focus(p.list.Composer) }),
		kit.NewShortcut(fyne.KeyO, "Open a text file", "O", p.list.OpenFile),
		kit.NewShortcut(fyne.KeyM, "Choose the model", "M", p.openPicker),
		kit.NewShortcut(fyne.KeyZ, "Undo the last change of texts or questions", "Z", p.undo),
		kit.NewShiftShortcut(fyne.KeyZ, "Do it again", "Z", p.redo),
		kit.NewShortcut(fyne.KeyY, "", "", p.redo),
		kit.NewShiftShortcut(fyne.KeyC, "Copy CSV", "C", p.copyCSV),
		kit.NewShortcut(fyne.KeyS, "Save CSV", "S", p.saveCSV),
		kit.NewShiftShortcut(fyne.KeyS, "Save a picture", "S", p.savePNG),
	}
}
