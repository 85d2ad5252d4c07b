package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

func TestDrawer(t *testing.T) {
	b, p := chatting(t)
	p.Keys.Typed(uitest.Ctrl("I"))
	d := p.options
	if !d.view.Visible() {
		t.Fatal("Ctrl+I does not open what is chosen for a chat")
	}
	test.Type(d.system, "Be kind.")
	d.show() // another setting changed meanwhile
	if d.system.Text != "Be kind." {
		t.Errorf("while it is typed it becomes %q", d.system.Text)
	}
	d.numbers[0].entry.SetText("0,3")
	d.stop.SetText("END, ###")
	b.say(t, "one two")
	c, err := b.conversations.Conversation(p.conversation.ID)
	if err != nil {
		t.Fatal(err)
	}
	if x := chat.ChoicesOf(c); c.System != "Be kind." || x.Sampling == nil || x.Sampling.Temperature != 0.3 || len(x.Stop) != 2 || x.Stop[1] != "###" {
		t.Errorf("kept %q, %+v", c.System, x)
	}
	d.numbers[0].entry.SetText("nine")
	if p.choices.Sampling.Temperature != 0.3 {
		t.Error("a word is taken for a temperature")
	}
	d.clearSampling()
	if p.choices.Sampling != nil || p.choices.Stop != nil || d.numbers[0].entry.Text != "" {
		t.Errorf("after clearing %+v", p.choices)
	}
	d.context.SetText("2048")
	if p.choices.Context != 2048 || !d.reload.Visible() {
		t.Error("another context is not offered to be loaded")
	}
	d.preset.SetSelected("Precise")
	if p.conversation.System != "Be brief." || !p.toast.View.Visible() {
		t.Errorf("the preset gives %q", p.conversation.System)
	}
	p.undo()
	if p.conversation.System != "Be kind." || p.choices.Preset != "Plain" {
		t.Errorf("taken back: %q, %q", p.conversation.System, p.choices.Preset)
	}
	d.beginNaming()
	d.name.SetText("Mine")
	d.savePreset()
	if presets := b.conversations.Presets(); len(presets) != 3 || presets[2].System != "Be kind." || p.choices.Preset != "Mine" || !d.forget.Visible() {
		t.Errorf("saved %+v", presets)
	}
	d.forgetPreset()
	if len(b.conversations.Presets()) != 2 || d.forget.Visible() {
		t.Error("a preset cannot be deleted")
	}
	p.newChat()
	if d.system.Text != "" || p.choices.Context != 0 {
		t.Errorf("a new chat begins with %q and %+v", d.system.Text, p.choices)
	}
}

// TestLongInstructions: instructions that a field would lay out for minutes stay as they
// are, and are not put into it. The next chat has a field again.
func TestLongInstructions(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	long := strings.Repeat("A", 200_000)
	p.options.setSystem(long)
	if d := p.options; !d.system.Disabled() || d.system.Text != "" {
		t.Errorf("%d bytes are in the field", len(d.system.Text))
	}
	p.options.show()
	if c, err := b.conversations.Conversation(p.conversation.ID); err != nil || c.System != long {
		t.Errorf("kept are %d bytes (%v)", len(c.System), err)
	}
	p.newChat()
	if d := p.options; d.system.Disabled() || d.system.PlaceHolder != systemHint {
		t.Error("a new chat has no field for instructions")
	}
	p.options.setSystem("Be kind.")
	if d := p.options; d.system.Text != "Be kind." {
		t.Errorf("the field has %q", d.system.Text)
	}
}

// Before messages are left out because they do not fit, the user is told, once for each chat.
func TestOverflow(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	b.conversations.Model.Context = 8
	asked := []chat.AnswerRequest{}
	b.conversations.Model.Asked = func(r chat.AnswerRequest) { asked = append(asked, r) }
	b.say(t, "these words are far too many for such a small context as that")
	if p.sheet.Title != "This chat has become too long for the model" || p.said() == "" {
		t.Fatalf("the window asks %q", p.sheet.Title)
	}
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Leave them out"))
	b.await(t)
	if m := p.tree.last(chat.RoleAssistant); p.sheet.Title != "" || m.Text() == "two one" {
		t.Errorf("after allowing it: %q, %+v", p.sheet.Title, m)
	}
	b.say(t, "and as many words again, which are far too many for such a small context")
	if p.sheet.Title != "" || len(asked) != 3 || asked[0].MayDrop || !asked[2].MayDrop {
		t.Errorf("asked again: %q, %+v", p.sheet.Title, asked)
	}
}

// What a person can choose of a model's thinking is what its template knows.
func TestThinkingChoice(t *testing.T) {
	for _, c := range []struct {
		thinks chat.Thinking
		offers int // 0: nothing
		choose int
		think  bool
		effort string
	}{
		{chat.ThinkingFixed, 0, 0, false, ""},
		{chat.ThinkingSwitch, 3, 1, true, ""},
		{chat.ThinkingEffort, 4, 3, false, "high"},
	} {
		b, p := chatting(t)
		b.conversations.Model.Thinks = c.thinks
		b.say(t, "one")
		d := p.options
		d.show()
		if d.thinks.Visible() != (c.offers > 0) {
			t.Errorf("%v: the choice is shown: %v", c.thinks, d.thinks.Visible())
			continue
		}
		if c.offers == 0 {
			continue
		}
		if n := len(d.think.Options); n != c.offers {
			t.Errorf("%v: %d are offered, want %d", c.thinks, n, c.offers)
		}
		d.think.SetSelectedIndex(c.choose)
		if x := p.choices; (x.Think != nil && *x.Think) != c.think || x.Effort != c.effort {
			t.Errorf("%v: kept %v, %q", c.thinks, x.Think, x.Effort)
		}
		d.show()
		if d.think.SelectedIndex() != c.choose {
			t.Errorf("%v: shown again, it stands at %d", c.thinks, d.think.SelectedIndex())
		}
		d.think.SetSelectedIndex(0)
		if x := p.choices; x.Think != nil || x.Effort != "" {
			t.Errorf("%v: taken back, %v, %q is kept", c.thinks, x.Think, x.Effort)
		}
	}
}
