package performance

import (
	"testing"

	"inglenook/app/base"
	"inglenook/ui/uitest"
)

// The room opens with the model that was chosen in it, and before that with the one of the chat.
func TestChosenModelIsKept(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Chat.Model = "org/other"
	p := inPerformance(t, d).performance()
	if m, _ := p.picker.Model(); m.ID != "org/other" || d.Kept.Performance.Model != "" {
		t.Errorf("at first it is %q, kept is %q", m.ID, d.Kept.Performance.Model)
	}
	for _, m := range p.models {
		if m.ID == "starter-embed" {
			p.picker.Chosen(m)
		}
	}
	p.Settle()
	if d.Kept.Performance.Model != "starter-embed" {
		t.Errorf("kept is %q", d.Kept.Performance.Model)
	}
	p = inPerformance(t, d).performance()
	if m, _ := p.picker.Model(); m.ID != "starter-embed" {
		t.Errorf("after that it is %q", m.ID)
	}
	p.Keep(func(s *base.Settings) { s.Chat.Model = "org/gone" })
	p.Settle()
	if p.Enter(); p.picker.ID != "starter-embed" {
		t.Errorf("after a model that is not here was chosen for chats, it is %q", p.picker.ID)
	}
	p.Keep(func(s *base.Settings) { s.Chat.Model = "org/other" })
	p.Settle()
	p.Enter()
	if m, _ := p.picker.Model(); m.ID != "org/other" {
		t.Errorf("after another model was chosen for chats, it is %q", m.ID)
	}
	if p.Settle(); d.Kept.Performance.Model != "" {
		t.Errorf("kept is %q", d.Kept.Performance.Model)
	}
}
