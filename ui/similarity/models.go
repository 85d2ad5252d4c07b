package similarity

import (
	"context"
	"slices"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/panel"
)

// Open loads the list of models and starts the first comparison. Model is the
// one to use; empty: the one used last, else the first that works.
func (p *Panel) Open(model string) {
	if model != "" {
		p.turnTo(areaCompare)
	}
	p.Work(func(ctx context.Context) {
		var named *library.Model
		var failure error
		if model != "" {
			m, err := p.app.Resolve(ctx, model)
			if err == nil {
				named = &m
			}
			failure = err
		}
		models, err := p.App.Models(ctx)
		if failure == nil {
			failure = err
		}
		p.Do(func() {
			if ctx.Err() != nil {
				return
			}
			first := p.models == nil
			p.setModels(models, named)
			if kept := p.App.Settings(); first && kept.SimilarityTable != "" {
				p.list.Reopen(kept.SimilarityTable, kept.SimilarityColumn, func() {})
			}
			p.ShowError(failure)
			if failure == nil && p.result == nil && !p.restore() && p.texts.Len() <= autoStart {
				p.start()
			}
		})
	})
}

// ModelsChanged offers the models that there are now.
func (p *Panel) ModelsChanged() {
	p.page.ModelsChanged()
	if p.models == nil {
		return // Open will read them
	}
	p.Work(func(ctx context.Context) {
		models, err := p.App.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.setModels(models, nil)
		})
	})
}

// Use compares with this model from now on.
func (p *Panel) Use(model string) {
	p.waits = false
	p.Open(model)
}

// Later leaves the first comparison until the panel comes into view.
func (p *Panel) Later() { p.waits = true }

// setModels offers these models; named is chosen where it is not nil.
func (p *Panel) setModels(models []library.Model, named *library.Model) {
	p.models = append([]library.Model{}, models...) // not nil: they are known now
	if named != nil {
		p.named, p.picker.ID = named, named.ID
	}
	listed := func(m library.Model) bool { return p.named != nil && m.ID == p.named.ID }
	if slices.ContainsFunc(models, listed) {
		p.named = nil
	}
	if p.named != nil {
		p.models = append([]library.Model{*p.named}, models...)
	}
	id := p.picker.ID
	if !slices.ContainsFunc(p.models, func(m library.Model) bool { return m.ID == id }) {
		id = ""
		for _, m := range p.models {
			if _, ok := Fits(m); ok {
				id = m.ID
				break
			}
		}
	}
	p.picker.Offer(p.models, id)
	p.promptsOfModel()
	p.refresh()
}

func (p *Panel) modelChosen(m library.Model) {
	p.Keep(func(s *base.Settings) { s.Model = m.ID })
	p.promptsOfModel()
	p.refresh()
	p.start()
}

// promptsOfModel offers the prompts of the chosen model. A list that is read
// again leaves the choice alone while the model stays.
func (p *Panel) promptsOfModel() {
	m, _ := p.picker.Model()
	if m.ID == p.prompted {
		return
	}
	p.prompted = m.ID
	p.prompt.Offer(m.Prompts, m.DefaultPrompt)
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *Panel) addModel(path string) {
	p.Host.AddModel(path, p.ShowError, func(m library.Model, models []library.Model) {
		p.setModels(models, &m)
		if why, ok := Fits(m); !ok {
			p.Tell("")
			p.Misplaced(p.notice, m, why)
			p.view.Refresh()
			return
		}
		p.modelChosen(m)
	})
}

func (p *Panel) forgetModel(m library.Model) {
	p.Forget(m, p.ShowError)
}

// openModelFolder asks for the folder of a model and adds that.
func (p *Panel) openModelFolder() { p.Files().OpenFolder(p.addModel) }

// openModelFile asks for the weights of a model and adds that.
func (p *Panel) openModelFile() {
	p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.addModel)
}

// Fits reports whether a model makes vectors of texts or of pictures; if not, why.
func Fits(m library.Model) (string, bool) {
	if m.Usable && m.Kind == library.KindPictures {
		return "", true
	}
	return panel.MakesVectors(m)
}
