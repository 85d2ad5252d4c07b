package performance

import (
	"testing"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Compatibility begins with the chosen model, and follows another choice.
func TestCompatFollowsTheChosenModel(t *testing.T) {
	b := inPerformance(t, uitest.NewApp())
	p := b.performance()
	first := func() string {
		name, _ := uitest.Find(p.results.compat.page.Objects[1], func(l *kit.Line) bool { return l.Style.Bold })
		return name.Text
	}
	p.results.tabs.Pick(pageCompat)
	for i := len(p.models.list) - 1; i >= 0; i-- {
		if m := p.models.list[i]; m.Usable {
			p.models.picker.Offer(p.models.list, m.ID)
			p.modelChosen()
			if got := first(); got != m.Title() {
				t.Errorf("of %s, the first one is %q", m.Title(), got)
			}
		}
	}
	b.Loop.Until(t, "the answers", func() bool { return len(p.results.compat.known) == len(p.models.list) })
	if m, _ := p.models.picker.Model(); first() != m.Title() {
		t.Errorf("with all answers, the first one is %q", first())
	}
}

// Of a folder with several models a person chooses one.
func TestOneOfSeveral(t *testing.T) {
	d := uitest.NewApp()
	d.Within = []string{"small.gguf", "large.gguf"}
	b := inPerformance(t, d)
	p := b.performance()
	p.models.add("/m/mixed")
	b.Loop.Until(t, "the question", func() bool { return b.Asked.Title == "mixed holds 2 models. Which one?" })
	if p.frame.notice.View.Visible() {
		t.Errorf("it is said to be wrong: %s", p.frame.notice.Message())
	}
	b.Asked.Picked(1)
	b.Loop.Until(t, "the model", func() bool { return p.models.picker.ID == "/m/mixed/large.gguf" })
	if got := d.Added; len(got) != 2 || got[1] != "/m/mixed/large.gguf" {
		t.Errorf("added are %q", got)
	}
}

// The room opens with the model that was chosen in it, and before that with the one of the chat.
func TestChosenModelIsKept(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Chat.Model = "org/other"
	p := inPerformance(t, d).performance()
	if m, _ := p.models.picker.Model(); m.ID != "org/other" || d.Kept.Performance.Model != "" {
		t.Errorf("at first it is %q, kept is %q", m.ID, d.Kept.Performance.Model)
	}
	for _, m := range p.models.list {
		if m.ID == "starter-embed" {
			p.models.picker.Chosen(m)
		}
	}
	p.Settle()
	if d.Kept.Performance.Model != "starter-embed" {
		t.Errorf("kept is %q", d.Kept.Performance.Model)
	}
	p = inPerformance(t, d).performance()
	if m, _ := p.models.picker.Model(); m.ID != "starter-embed" {
		t.Errorf("after that it is %q", m.ID)
	}
	p.Keep(func(s *base.Settings) { s.Chat.Model = "org/gone" })
	p.Settle()
	if p.Enter(); p.models.picker.ID != "starter-embed" {
		t.Errorf("after a model that is not here was chosen for chats, it is %q", p.models.picker.ID)
	}
	p.Keep(func(s *base.Settings) { s.Chat.Model = "org/other" })
	p.Settle()
	p.Enter()
	if m, _ := p.models.picker.Model(); m.ID != "org/other" {
		t.Errorf("after another model was chosen for chats, it is %q", m.ID)
	}
	if p.Settle(); d.Kept.Performance.Model != "" {
		t.Errorf("kept is %q", d.Kept.Performance.Model)
	}
}
