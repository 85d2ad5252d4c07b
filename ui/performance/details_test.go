package performance

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// TestDetailsThatApply holds that only those details are offered, and measured, that the chosen
// model can have.
func TestDetailsThatApply(t *testing.T) {
	writer := library.Model{ID: "org/talker", Name: "org/talker", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}
	elsewhere := library.Model{ID: "lab/talker", Name: "lab/talker", Kind: library.KindChat, Source: library.SourceServer, Server: "lab", Usable: true}
	for _, c := range []struct {
		model     string
		developer bool
		want      []string
	}{
		{"org/model", false, []string{"All speeds", "Operations", "By number"}},
		{"org/model", true, []string{"All speeds", "Operations", "By number", "Normalisation"}},
		{"org/talker", false, []string{"All speeds", "Operations", "By length", "Next words"}},
		{"lab/talker", true, []string{"All speeds"}},
	} {
		d := uitest.NewApp()
		d.Kept.Model, d.Kept.Developer = c.model, c.developer
		d.Offered = append(d.Offered, writer, elsewhere)
		d.Offered[0].ID = "org/model"
		p := inPerformance(t, d).performance()
		p.results.tabs.Pick(pageFigures)
		if !slices.Equal(p.results.details.Options, c.want) {
			t.Errorf("%s: offers %q, want %q", c.model, p.results.details.Options, c.want)
		}
		if got := p.results.details.Visible(); got != (len(c.want) > 1) {
			t.Errorf("%s: a choice of %d pages is in view: %v", c.model, len(c.want), got)
		}
		for _, box := range []struct {
			name string
			on   bool
		}{{"Next words", p.plan.guess.Visible()}, {"Normalisation", p.plan.norm.Visible()}, {"By number", p.plan.curve.Visible() && strings.Contains(p.plan.curve.Text, "by number of texts")}, {"By length", p.plan.curve.Visible() && strings.Contains(p.plan.curve.Text, "by length of text")}} {
			if box.on != slices.Contains(c.want, box.name) {
				t.Errorf("%s: the box for %s is in view: %v", c.model, box.name, box.on)
			}
		}
	}
}

// TestDetailStays holds that the page in view stays where another model has it too, and that it
// gives way to the first where not.
func TestDetailStays(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Model = "org/talker"
	d.Offered = append(d.Offered, library.Model{ID: "org/talker", Name: "org/talker", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true})
	p := inPerformance(t, d).performance()
	choose := func(id string) {
		p.models.picker.Offer(p.models.list, id)
		p.modelChosen()
	}
	p.results.tabs.Pick(pageFigures)
	p.pick(pageCurve)
	choose(d.Offered[0].ID)
	if p.results.page() != pageCurve {
		t.Errorf("page %d is in view", p.results.page())
	}
	choose("org/talker")
	p.pick(pageGuesses)
	choose(d.Offered[0].ID)
	if p.results.page() != pageFigures {
		t.Errorf("page %d is in view after a model that does not write", p.results.page())
	}
}
