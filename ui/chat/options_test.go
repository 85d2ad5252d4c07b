package chat

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/chats"
	"inglenook/ui/kit"
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
	p.composer.entry.SetText("these words are far too many for such a small context as that")
	b.enter()
	b.await(t)
	if p.sheet.Title != "This chat has become too long for the model" || p.said() == "" {
		t.Fatalf("the window asks %q", p.sheet.Title)
	}
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Forget and answer"))
	b.await(t)
	if m := p.tree.last(chat.RoleAssistant); p.sheet.Title != "" || m.Text() == "two one" {
		t.Errorf("after allowing it: %q, %+v", p.sheet.Title, m)
	}
	p.composer.entry.SetText("and as many words again, which are far too many for such a small context") // at once: they are not counted yet
	b.enter()
	b.await(t)
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
		p.ModelsChanged()
		b.Idle()
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

// What a model cannot do is not offered: the guide neither thinks nor asks for tools, and is there at once. What
// holds by itself is the same before a model is loaded and after.
func TestOptionsSuitTheModel(t *testing.T) {
	_, p := guided(t)
	p.toggleOptions()
	d := p.options
	if d.thinks.Visible() || d.asks.Visible() || d.reload.Visible() || d.unload.Visible() {
		t.Error("the guide is offered what it cannot do")
	}
	b, p := chatting(t)
	b.conversations.Model.Thinks, b.conversations.Model.Temperature = chat.ThinkingSwitch, 0.25
	p.ModelsChanged()
	b.Idle()
	p.toggleOptions()
	d = p.options
	shown := func() string {
		return fmt.Sprint(d.numbers[0].entry.PlaceHolder, d.variety.slider.Value, d.variety.says.Segment.Text, d.thinks.Visible(), d.think.Options, d.asks.Visible())
	}
	before := shown()
	if d.numbers[0].entry.PlaceHolder != "0.25" || d.unload.Visible() || d.reload.Text != "Load the model now" {
		t.Errorf("before it is loaded: %s, %q", before, d.reload.Text)
	}
	b.say(t, "one two")
	b.Idle()
	if after := shown(); after != before {
		t.Errorf("before it is loaded: %s\nthen: %s", before, after)
	}
	d.show()
	if !d.unload.Visible() {
		t.Fatal("a loaded model cannot be unloaded")
	}
	test.Tap(d.unload)
	b.Idle()
	if _, held := b.conversations.Loaded(); held || d.unload.Visible() {
		t.Error("it was not unloaded")
	}
}

// A hint has a sign that closes it, and the advice below an answer does not come back then.
func TestHintsCanBeClosed(t *testing.T) {
	b, p := guided(t)
	p.notice.Say("A hint.", "", nil)
	if !p.notice.Close.Visible() {
		t.Fatal("a hint cannot be closed")
	}
	test.Tap(p.notice.Close)
	if p.notice.Message() != "" {
		t.Error("the hint stays")
	}
	ask := func(id string) bool {
		b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: id, Title: "A question"}, Leaf: 2, Messages: []chat.Message{
			{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Why?")},
			{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Open Models, choose Discover."), Reply: &chats.Reply{Model: library.StarterChat}},
		}})
		p.openChat(id, 0)
		b.Idle()
		return strings.Contains(uitest.AllText(p.bubbles[2].after), "Recommended:")
	}
	if !ask("x") {
		t.Fatal("no model is recommended")
	}
	shut, _ := uitest.Find(p.bubbles[2].after, func(o *kit.Button) bool { return o.Tip == "Close" && o.Visible() })
	test.Tap(shut)
	b.Idle()
	if ask("x") || ask("y") {
		t.Error("what was closed comes back")
	}
}

// What is wrong with a number stands below its field, once the person leaves it or pauses;
// the other numbers hold meanwhile. What is half typed is not complained about.
func TestComplaintsAtTheField(t *testing.T) {
	b, p := chatting(t)
	d := p.options
	p.toggleOptions()
	hot, k := d.numbers[0], d.numbers[2]
	hot.entry.SetText("hot")
	if hot.wrong.Text.Flat.Visible() || b.Said != "" {
		t.Error("it complains while the person types")
	}
	hot.entry.FocusLost()
	if got := hot.wrong.Text.Segment.Text; !hot.wrong.Text.Flat.Visible() || got != "Temperature takes a number from 0 to 5." {
		t.Errorf("it says %q", got)
	}
	if k.wrong.Text.Flat.Visible() {
		t.Error("another field is complained about")
	}
	hot.entry.SetText("0.5")
	if hot.wrong.Text.Flat.Visible() || p.choices.Sampling.Temperature != 0.5 {
		t.Error("the complaint stays")
	}
	d.context.SetText("1") // of 1024
	b.Loop.Until(t, "a complaint after a pause", func() bool { return d.tooFew.Text.Flat.Visible() })
	if d.context.SetText("1024"); d.tooFew.Text.Flat.Visible() || p.choices.Context != 1024 {
		t.Error("the complaint stays")
	}
}

// The wheel moves the drawer also over its fields, unless the field has more text than it
// shows.
func TestWheelOverFields(t *testing.T) {
	b, p := chatting(t)
	d := p.options
	p.toggleOptions()
	b.Window.Resize(fyne.NewSize(1000, 400))
	over := func(o fyne.CanvasObject) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(o.Size().Width/2, o.Size().Height/2)
	}
	scroll := func() float32 {
		before := d.scroll.Offset.Y
		test.Scroll(b.Window.Canvas(), over(d.system), 0, -20)
		return d.scroll.Offset.Y - before
	}
	if scroll() <= 0 {
		t.Error("the page does not move over a field")
	}
	d.scroll.ScrollToTop()
	d.system.SetText(strings.Repeat("one line\n", 12))
	if scroll() != 0 {
		t.Error("a field with more text than it shows does not scroll itself")
	}
	test.TapCanvas(b.Window.Canvas(), over(d.system))
	if b.Window.Canvas().Focused() != d.system {
		t.Error("a click does not reach the field")
	}
}

// A new chat begins as Settings have it, as far as that is still there.
func TestNewChatsBeginAsChosen(t *testing.T) {
	b, p := chatting(t)
	before := p.choices.Model
	begun := func(n base.NewChats) chat.Choices {
		b.Double.Kept.Chat.New = n
		p.showChat(chat.Conversation{})
		return p.choices
	}
	if x := begun(base.NewChats{Model: "gone", Preset: "Precise", MaxTokens: 320}); x.Model != before || x.Preset != "Precise" || x.MaxTokens != 320 {
		t.Errorf("it begins with %+v", x)
	}
	other := p.models[len(p.models)-1].Model.ID
	if x := begun(base.NewChats{Model: other, Preset: "gone"}); x.Model != other || x.Preset != "Plain" || x.MaxTokens != 0 {
		t.Errorf("it begins with %+v, not with %s", x, other)
	}
}

// What is left out is counted in words as the person sees them, with the files that go; more room is
// offered only where there is some.
func TestOverflowNamesFiles(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A lease"}, Leaf: 3, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Who is the tenant?", chat.File("lease.txt", strings.Repeat("word ", 100)), chat.File("rules.txt", strings.Repeat("word ", 100)))},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Imani Okafor is.")},
		{ID: 3, Parent: 2, Role: chat.RoleUser, Parts: chat.Content("And who is the landlord?")},
	}})
	p.openChat("x", 0)
	p.askOverflow(&chat.OverflowError{Asked: 3, Dropped: []int64{1}, Needed: 1060, Context: 1024, Room: 256}, func() {})
	shown := uitest.AllText(p.sheet.Popup.Content)
	for _, want := range []string{"The conversation has 212 words", "can read about 200 words at once, and about 51 words of these are kept free for its answer", "leave out the files “lease.txt” and “rules.txt”, in 1 message:", "Who is the tenant? · 2 files", "Give it more room…"} {
		if !strings.Contains(shown, want) {
			t.Errorf("it lacks %q: %q", want, shown)
		}
	}
	p.sheet.Close()
	for i := range p.models {
		p.models[i].Model.MaxLength = 1024
	}
	p.askOverflow(&chat.OverflowError{Asked: 3, Dropped: []int64{1, 2}, Needed: 1060, Context: 1024}, func() {})
	if shown := uitest.AllText(p.sheet.Popup.Content); strings.Contains(shown, "more room") || !strings.Contains(shown, "Choose another model") {
		t.Errorf("where there is no more room: %q", shown)
	}
}
