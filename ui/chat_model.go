package ui

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

func (p *chat) buildPicker() {
	p.picker = newModelPicker(p.keys)
	p.picker.fits, p.picker.describe = p.modelFits, p.describeModel
	p.picker.chosen = p.modelChosen
	p.picker.openFolder, p.picker.openFile = p.openModelFolder, p.openModelFile
	p.picker.forget = func(m app.Model) {
		p.forget(m, func([]app.Model) { p.modelsChanged() }, p.showError)
	}
}

func (p *chat) openModelFolder() { p.files().openFolder(p.addModel) }

func (p *chat) openModelFile() {
	p.files().openFile([]string{".safetensors", ".gguf"}, p.addModel)
}

func (p *chat) chooseModel() {
	p.focus(p.picker)
	p.picker.open()
}

// modelChoice is what is known of a model.
func (p *chat) modelChoice(id string) app.ModelChoice {
	if i := slices.IndexFunc(p.models, func(c app.ModelChoice) bool { return c.Model.ID == id }); i >= 0 {
		return p.models[i]
	}
	return app.ModelChoice{}
}

// modelFits reports whether a model can answer; if not, why.
func (p *chat) modelFits(m app.Model) (string, bool) {
	c := p.modelChoice(m.ID)
	switch {
	case c.Fits == app.FitsNot || c.Fits == "" && c.Why != "":
		return sentence(c.Why), false
	case !m.Usable && m.Reason != "":
		return sentence(m.Reason), false
	}
	return "", true
}

// describeModel says in a few words what a model is and whether it fits.
func (p *chat) describeModel(m app.Model) string {
	c := p.modelChoice(m.ID)
	var parts []string
	switch {
	case c.Loaded:
		parts = append(parts, "loaded")
	case c.Fits != "":
		parts = append(parts, c.Fits)
	}
	if c.Plain {
		parts = append(parts, "continues text")
	}
	if c.NeedsBytes > 0 {
		parts = append(parts, "needs "+humanize.IBytes(uint64(c.NeedsBytes)))
	}
	if m.Parameters > 0 {
		parts = append(parts, parameters(m.Parameters))
	}
	return strings.Join(parts, " · ")
}

// modelsChanged asks for the models anew, and whether they fit now.
func (p *chat) modelsChanged() { p.loadModels(nil) }

// loadModels asks for the models; then runs once they are known.
func (p *chat) loadModels(then func()) {
	p.work(func(ctx context.Context) {
		models, err := p.talks.Models(ctx)
		p.do(func() {
			if err != nil {
				p.showError(err)
				return
			}
			p.setModels(models)
			if then != nil {
				then()
			}
		})
	})
}

func (p *chat) setModels(models []app.ModelChoice) {
	p.models = append([]app.ModelChoice{}, models...) // not nil: they are known now
	list := make([]app.Model, len(models))
	for i, c := range models {
		list[i] = c.Model
	}
	p.picker.models = list
	p.settleModel()
	p.blank.refresh()
	p.drawer.show()
	p.composer.refresh()
}

// settleModel shows the model of the conversation in view. Where none was chosen,
// or that one is gone, it is a likely one.
func (p *chat) settleModel() {
	if p.models != nil && p.modelChoice(p.choices.Model).Model.ID == "" {
		p.choices.Model = p.likelyModel()
	}
	p.picker.show(p.picker.models, p.choices.Model)
}

// likelyModel is the one to offer where none was chosen: the loaded one, else the
// first that converses and fits, else the first that fits.
func (p *chat) likelyModel() string {
	for _, good := range []func(app.ModelChoice) bool{
		func(c app.ModelChoice) bool { return c.Loaded },
		func(c app.ModelChoice) bool { return !c.Plain && c.Fits == app.FitsWell },
		func(c app.ModelChoice) bool { return !c.Plain && c.Fits == app.FitsTight },
		func(c app.ModelChoice) bool { return c.Fits == app.FitsWell || c.Fits == app.FitsTight },
	} {
		if i := slices.IndexFunc(p.models, good); i >= 0 {
			return p.models[i].Model.ID
		}
	}
	return ""
}

// modelChosen has another model answer from now on, and loads it.
func (p *chat) modelChosen(m app.Model) {
	p.choices.Model = m.ID
	p.keep(func(s *app.Settings) { s.Chat.Model = m.ID })
	p.keepChoices()
	p.drawer.show()
	p.refresh()
	p.load()
	p.focus(p.composer.entry)
}

// keepChoices keeps what the person chose for the conversation in view.
func (p *chat) keepChoices() {
	if p.talk.ID != "" {
		if err := p.talks.SetChoices(p.talk.ID, p.choices); err != nil {
			p.showError(err)
			return
		}
	}
	p.composer.measure()
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *chat) addModel(path string) {
	p.tell("Looking at " + filepath.Base(path) + "…")
	p.work(func(ctx context.Context) {
		m, err := p.common.AddModel(ctx, path)
		p.do(func() {
			p.tell("")
			switch {
			case err != nil:
				p.showError(err)
			case !m.Writes():
				p.notice.fail(m.Name + " does not write text, so it cannot answer here; it is on the list of the other rooms.")
				p.view.Refresh()
			default:
				p.tell("Added " + m.Name + ".")
				p.loadModels(func() {
					p.picker.show(p.picker.models, m.ID)
					p.modelChosen(m)
				})
			}
		})
	})
}

// forChat reports whether a model can answer in conversations.
func forChat(m app.Model) (string, bool) {
	return "This model writes no text.", m.Usable && m.Writes()
}
