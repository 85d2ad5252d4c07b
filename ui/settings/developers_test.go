package settings

import (
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/ui/uitest"
)

// What only developers ask about stands in a card of its own, behind the others of its tab.
func TestDevelopersHaveACard(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	last := ""
	for _, s := range p.sections.list {
		if s.tab == sectionAdvanced {
			last = s.name
		}
		text, has := textOf(s.content), s.name == "For developers"
		if strings.Contains(text, "Developer mode") != has || strings.Contains(text, base.Version().Go) != has {
			t.Errorf("%s says %q", s.name, text)
		}
	}
	if last != "For developers" {
		t.Errorf("the last card of its tab is %q", last)
	}
}

// The field for the token of the model store has the keyboard where another room leads to it.
func TestShowToken(t *testing.T) {
	b, p := inSettings(t, uitest.NewApp())
	p.ShowToken()
	if p.sections.tab != sectionConnections || b.Window.Canvas().Focused() != p.network.token {
		t.Errorf("in view is tab %d, the keyboard is at %T", p.sections.tab, b.Window.Canvas().Focused())
	}
}
