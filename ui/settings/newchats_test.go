package settings

import (
	"slices"
	"testing"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/uitest"
)

func testPresets() []base.Preset {
	return []base.Preset{{Name: "Plain", BuiltIn: true}, {Name: "Pirate", System: "Arr."}}
}

// How new chats begin is kept, and shown the next time, also where the model is gone.
func TestNewChats(t *testing.T) {
	d := uitest.NewApp()
	d.Offered = append(d.Offered, library.Model{ID: "org/talker", Name: "talker", Kind: library.KindChat, Usable: true})
	b, p := inSettings(t, d)
	b.Idle()
	c := p.newChats
	c.enter()
	b.Idle()
	if c.model.Selected != lastModel || slices.Index(c.model.Options, "talker") < 1 || slices.Contains(c.model.Options, "starter-embed") {
		t.Fatalf("offered %q, chosen %q", c.model.Options, c.model.Selected)
	}
	c.model.SetSelected("talker")
	c.preset.SetSelected("Pirate")
	c.length.SetSelectedIndex(2)
	b.Saver.Flush()
	if got, want := d.Settings().Chat.New, (base.NewChats{Model: "org/talker", Preset: "Pirate", MaxTokens: 320}); got != want {
		t.Fatalf("kept %+v, want %+v", got, want)
	}
	c.fill([]library.Model{})
	if c.model.Selected != "org/talker (not there)" || c.preset.Selected != "Pirate" || c.length.SelectedIndex() != 2 {
		t.Errorf("shown %q, %q and %q", c.model.Selected, c.preset.Selected, c.length.Selected)
	}
	c.preset.SetSelectedIndex(0)
	c.model.SetSelectedIndex(0)
	b.Saver.Flush()
	if got := d.Settings().Chat.New; got != (base.NewChats{MaxTokens: 320}) {
		t.Errorf("kept %+v", got)
	}
}
