package classify

import (
	"cmp"
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"inglenook/app/library"
	"inglenook/ui/panel"
)

// Content is what the page shows.
func (p *Page) Content() fyne.CanvasObject { return p.panes.View }

// Panes are its two sides.
func (p *Page) Panes() *panel.Panes { return p.panes }

// Buttons take its result elsewhere.
func (p *Page) Buttons() *fyne.Container { return p.buttons }

// Enter lists the models and devices when the page comes into view.
func (p *Page) Enter() {
	p.device.Enter()
	if p.found == nil && p.running == nil {
		p.panes.Front(panel.PaneWork)
	}
	if p.models == nil {
		p.listModels("")
	}
}

// ModelsChanged offers the models that there are now.
func (p *Page) ModelsChanged() {
	if p.models != nil {
		p.listModels("")
	}
}

// Use classifies with this model from now on.
func (p *Page) Use(model string) { p.listModels(model) }

// listModels asks which models there are, and chooses one; "": the one that is chosen.
func (p *Page) listModels(model string) {
	p.Work(func(ctx context.Context) {
		models, err := p.App.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.setModels(models, model)
		})
	})
}

// setModels offers these models. One that is gone makes room for the first that fits.
func (p *Page) setModels(models []library.Model, model string) {
	first := p.models == nil
	p.models = append([]library.Model{}, models...) // not nil: they are known now
	p.picker.Offer(p.models, cmp.Or(model, p.picker.ID))
	if _, ok := p.picker.Model(); !ok {
		for _, m := range models {
			if _, ok := Fits(m); ok {
				p.picker.Offer(p.models, m.ID)
				break
			}
		}
	}
	p.offerSamples()
	if kept := p.App.Settings().Classify; first {
		p.restore(kept.Found)
		if kept.Table != "" {
			p.list.Reopen(kept.Table, kept.Column, p.knowsTable)
		}
	}
	p.refresh()
}

// addModel puts a folder or file on the list of models, and chooses it if it fits.
func (p *Page) addModel(path string) {
	p.AddModel(path, p.ShowError, func(m library.Model, all []library.Model) {
		if why, ok := Fits(m); !ok {
			p.setModels(all, "")
			p.Misplaced(p.notice, m, why)
			p.refresh()
			return
		}
		p.setModels(all, m.ID)
		p.picker.Chosen(m)
	})
}

// Escape ends what is under way: an open list, a run, editing, a notice.
func (p *Page) Escape() {
	if p.picker.CloseOpen() || p.stop() || p.list.StopEditing() {
		return
	}
	p.ShowError(nil)
}

// Drop adds the texts and pictures of files, and classifies with a model.
func (p *Page) Drop(d panel.Dropped) {
	for _, path := range d.Models {
		p.addModel(path)
	}
	p.list.AddFiles(slices.Concat(d.Files, d.Folders))
}

// WritesIn is the field for a text.
func (p *Page) WritesIn() fyne.Focusable { return p.list.Composer }

// OpenFile asks for a file of texts.
func (p *Page) OpenFile() { p.list.OpenFile() }

// OpenModel asks for the folder of a model.
func (p *Page) OpenModel() { p.Files().OpenFolder(p.addModel) }

// ChooseModel opens the list of models.
func (p *Page) ChooseModel() {
	p.unfold()
	p.Focus(p.picker)
	p.picker.Open()
}

// Undo takes the last change back: of the texts, or a label given by hand.
func (p *Page) Undo() { p.list.Undo() }

// Redo does again what was taken back last.
func (p *Page) Redo() { p.list.Redo() }
