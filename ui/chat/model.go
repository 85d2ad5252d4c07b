package chat

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

func (p *Panel) buildPicker() {
	p.picker = panel.NewModelPicker(p.Keys)
	p.picker.Fits, p.picker.Describe = p.modelFits, p.describeModel
	p.picker.Chosen = p.modelChosen
	p.picker.OpenFolder, p.picker.OpenFile = p.openModelFolder, p.openModelFile
	p.picker.Forget = func(m app.Model) {
		p.Forget(m, func([]app.Model) { p.modelsChanged() }, p.ShowError)
	}
}

func (p *Panel) openModelFolder() { p.Files().OpenFolder(p.addModel) }

func (p *Panel) openModelFile() {
	p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.addModel)
}

func (p *Panel) chooseModel() {
	p.Focus(p.picker)
	p.picker.Open()
}

// modelChoice is what is known of a model.
func (p *Panel) modelChoice(id string) app.ModelChoice {
	if i := slices.IndexFunc(p.models, func(c app.ModelChoice) bool { return c.Model.ID == id }); i >= 0 {
		return p.models[i]
	}
	return app.ModelChoice{}
}

// modelFits reports whether a model can answer; if not, why.
func (p *Panel) modelFits(m app.Model) (string, bool) {
	c := p.modelChoice(m.ID)
	switch {
	case c.Fits == app.FitsNot || c.Fits == "" && c.Why != "":
		return kit.Sentence(c.Why), false
	case !m.Usable && m.Reason != "":
		return kit.Sentence(m.Reason), false
	}
	return "", true
}

// describeModel says in a few words what a model is and whether it fits.
func (p *Panel) describeModel(m app.Model) string {
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
		parts = append(parts, kit.Parameters(m.Parameters))
	}
	return strings.Join(parts, " · ")
}

// modelsChanged asks for the models anew, and whether they fit now.
func (p *Panel) modelsChanged() { p.loadModels(nil) }

// loadModels asks for the models; then runs once they are known.
func (p *Panel) loadModels(then func()) {
	p.Work(func(ctx context.Context) {
		models, err := p.talks.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			p.setModels(models)
			if then != nil {
				then()
			}
		})
	})
}

func (p *Panel) setModels(models []app.ModelChoice) {
	p.models = append([]app.ModelChoice{}, models...) // not nil: they are known now
	list := make([]app.Model, len(models))
	for i, c := range models {
		list[i] = c.Model
	}
	p.picker.Models = list
	p.settleModel()
	p.blank.refresh()
	p.options.show()
	p.composer.refresh()
}

// settleModel shows the model of the conversation in view. Where none was chosen,
// or that one is gone, it is a likely one.
func (p *Panel) settleModel() {
	if p.models != nil && p.modelChoice(p.choices.Model).Model.ID == "" {
		p.choices.Model = p.likelyModel()
	}
	p.picker.Offer(p.picker.Models, p.choices.Model)
}

// likelyModel is the one to offer where none was chosen: the loaded one, else the
// first that converses and fits, else the first that fits.
func (p *Panel) likelyModel() string {
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
func (p *Panel) modelChosen(m app.Model) {
	p.choices.Model = m.ID
	p.Keep(func(s *app.Settings) { s.Chat.Model = m.ID })
	p.keepChoices()
	p.options.show()
	p.refresh()
	p.load()
	p.Focus(p.composer.entry)
}

// keepChoices keeps what the person chose for the conversation in view.
func (p *Panel) keepChoices() {
	if p.talk.ID != "" {
		if err := p.talks.SetChoices(p.talk.ID, p.choices); err != nil {
			p.ShowError(err)
			return
		}
	}
	p.composer.measure()
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *Panel) addModel(path string) {
	p.Tell("Looking at " + filepath.Base(path) + "…")
	p.Work(func(ctx context.Context) {
		m, err := p.App.AddModel(ctx, path)
		p.Do(func() {
			p.Tell("")
			switch {
			case err != nil:
				p.ShowError(err)
			case !m.Writes():
				p.notice.Fail(m.Name + " does not write text, so it cannot answer here; it is on the list of the other rooms.")
				p.view.Refresh()
			default:
				p.Tell("Added " + m.Name + ".")
				p.loadModels(func() {
					p.picker.Offer(p.picker.Models, m.ID)
					p.modelChosen(m)
				})
			}
		})
	})
}

// Fits reports whether a model can answer in conversations.
func Fits(m app.Model) (string, bool) {
	return "This model writes no text.", m.Usable && m.Writes()
}
