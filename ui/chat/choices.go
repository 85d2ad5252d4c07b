package chat

import (
	"slices"
	"strings"

	"inglenook/app"
	"inglenook/ui/kit"

	"github.com/dustin/go-humanize"
)

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
