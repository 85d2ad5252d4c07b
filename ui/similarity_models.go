package ui

import (
	"context"
	"path/filepath"
	"slices"

	"inglenook/app"
)

// open loads the list of models and starts the first comparison. Model is the
// one to use; empty: the one used last, else the first that works.
func (p *similarity) open(model string) {
	p.work(func(ctx context.Context) {
		var named *app.Model
		var failure error
		if model != "" {
			m, err := p.app.Resolve(ctx, model)
			if err == nil {
				named = &m
			}
			failure = err
		}
		models, err := p.common.Models(ctx)
		if failure == nil {
			failure = err
		}
		p.do(func() {
			if ctx.Err() != nil {
				return
			}
			p.setModels(models, named)
			p.showError(failure)
			if failure == nil && len(p.texts.items) <= autoStart && p.result == nil {
				p.start()
			}
		})
	})
}

// use compares with this model from now on.
func (p *similarity) use(model string) {
	p.waits = false
	p.open(model)
}

// later leaves the first comparison until the panel comes into view.
func (p *similarity) later() { p.waits = true }

// setModels offers these models; named is chosen where it is not nil.
func (p *similarity) setModels(models []app.Model, named *app.Model) {
	p.models = append([]app.Model{}, models...) // not nil: they are known now
	id := p.picker.id
	if named != nil {
		id = named.ID
		if !slices.ContainsFunc(models, func(m app.Model) bool { return m.ID == id }) {
			p.models = append([]app.Model{*named}, models...)
		}
	}
	if !slices.ContainsFunc(p.models, func(m app.Model) bool { return m.ID == id }) {
		id = ""
		for _, m := range p.models {
			if _, ok := forSimilarity(m); ok {
				id = m.ID
				break
			}
		}
	}
	p.picker.show(p.models, id)
	p.promptsOfModel()
	p.refresh()
}

func (p *similarity) modelChosen(m app.Model) {
	p.keep(func(s *app.Settings) { s.Model = m.ID })
	p.promptsOfModel()
	p.refresh()
	p.start()
}

// promptsOfModel offers the prompts of the chosen model. A list that is read
// anew leaves the choice alone while the model stays.
func (p *similarity) promptsOfModel() {
	m, _ := p.picker.model()
	if m.ID == p.prompted {
		return
	}
	p.prompted = m.ID
	p.prompt.show(m.Prompts, m.DefaultPrompt)
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *similarity) addModel(path string) {
	p.tell("Looking at " + filepath.Base(path) + "…")
	p.work(func(ctx context.Context) {
		m, err := p.common.AddModel(ctx, path)
		var models []app.Model
		if err == nil {
			models, err = p.common.Models(ctx)
		}
		p.do(func() {
			if err != nil {
				p.tell("")
				p.showError(err)
				return
			}
			p.setModels(models, &m)
			if why, ok := forSimilarity(m); !ok {
				p.tell("")
				p.notice.fail(why)
				return
			}
			p.tell("Added " + m.Name + ".")
			p.modelChosen(m)
		})
	})
}

func (p *similarity) forgetModel(m app.Model) {
	p.forget(m, func(models []app.Model) { p.setModels(models, nil) }, p.showError)
}

// openTexts asks for a text file and adds its texts.
func (p *similarity) openTexts() {
	p.files().openFile(nil, p.addTexts)
}

// openModelFolder asks for the folder of a model and adds that.
func (p *similarity) openModelFolder() { p.files().openFolder(p.addModel) }

// openModelFile asks for the weights of a model and adds that.
func (p *similarity) openModelFile() {
	p.files().openFile([]string{".safetensors", ".gguf"}, p.addModel)
}

// forSimilarity reports whether a model gives vectors of texts; if not, why.
func forSimilarity(m app.Model) (string, bool) {
	switch {
	case !m.Usable && m.Reason != "":
		return sentence(m.Reason), false
	case !m.Usable:
		return "This model cannot be used here.", false
	case m.Kind == app.KindReranker:
		return "This is a reranker: it scores pairs of a question and a text and gives no vectors.", false
	case m.Writes():
		return "This is a language model: it writes text and gives no vectors.", false
	}
	return "", true
}
