package chat

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// The sliders of the drawer and the numbers below them are the same settings.
func TestDials(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Most = 3000
	b.say(t, "one two")
	p.toggleOptions()
	d := p.options
	b.Loop.Until(t, "how much the model can read", func() bool { return len(d.rooms) > 0 })
	b.Idle()
	base := p.base().Temperature
	for step := range varieties {
		d.variety.slider.SetValue(float64(step))
		got := base
		if p.choices.Sampling != nil {
			got = p.choices.Sampling.Temperature
		}
		if want := temperatureAt(step, base); step != usualVariety && got != want || step == usualVariety && p.choices.Sampling != nil {
			t.Errorf("step %d gives the temperature %v, want %v", step, got, want)
		}
		if d.variety.says.Segment.Text != varieties[step].says || step != usualVariety && d.numbers[0].entry.Text != decimal(got) {
			t.Errorf("step %d says %q, the number is %q", step, d.variety.says.Segment.Text, d.numbers[0].entry.Text)
		}
	}
	d.numbers[0].entry.SetText("0")
	if d.variety.slider.Value != 0 {
		t.Errorf("the temperature 0 stands at %v", d.variety.slider.Value)
	}
	for step, tokens := range lengths {
		d.length.slider.SetValue(float64(step))
		if p.choices.MaxTokens != tokens || lengthOf(tokens) != step {
			t.Errorf("step %d limits answers to %d, want %d", step, p.choices.MaxTokens, tokens)
		}
	}
	for step := 1; step <= len(d.rooms); step++ {
		d.reads.slider.SetValue(float64(step))
		if room := d.rooms[step-1]; p.choices.Context != room.Context || !d.reload.Visible() || !strings.Contains(d.reads.says.Segment.Text, kit.Words(room.Context)) {
			t.Errorf("step %d: context %d, %q", step, p.choices.Context, d.reads.says.Segment.Text)
		}
	}
	d.reads.slider.SetValue(0)
	if p.choices.Context != 0 || d.context.Text != "" {
		t.Errorf("automatic leaves a context of %d", p.choices.Context)
	}
	if d.advanced.Visible() {
		t.Error("the numbers are open by themselves")
	}
	p.largerContext()
	if !d.advanced.Visible() || b.Window.Canvas().Focused() != d.context {
		t.Error("what leads to the context does not open the numbers")
	}
}

// Another model answers again, in a branch, and goes on in the chat.
func TestAnswerWithAnotherModel(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	first := p.choices.Model
	m := p.tree.last(chat.RoleAssistant)
	p.flow.Choose(len(p.tree.path) - 1)
	if !p.messageKey(uitest.Key("W")) {
		t.Fatal("W does nothing")
	}
	menu := b.Window.Canvas().Overlays().Top()
	if menu == nil {
		t.Fatal("no model is offered")
	}
	focused := b.Window.Canvas().Focused()
	focused.TypedKey(uitest.Key("Down"))
	focused.TypedKey(uitest.Key("Return"))
	b.await(t)
	if ids, _ := p.tree.branches(p.tree.leaf()); len(ids) != 2 || p.choices.Model == first || p.tree.leaf() == m.ID {
		t.Errorf("%d branches, model %s", len(ids), p.choices.Model)
	}
}

// The menus of other models open where the button is that was pressed.
func TestTheMenuOpensAtItsButton(t *testing.T) {
	for _, name := range []string{"Answer with another model", "Two answers side by side"} {
		b, p := chatting(t)
		b.say(t, "one two")
		foot := p.bubbles[p.tree.leaf()].foot
		button := foot.button(name)
		if button == foot.view {
			t.Fatalf("%s has no button", name)
		}
		test.Tap(button.(*kit.TextButton))
		takeFromMenu(t, b, name)
		menu, ok := b.Window.Canvas().Overlays().Top().(*kit.Float)
		if !ok {
			t.Fatalf("%s opens no menu", name)
		}
		driver := fyne.CurrentApp().Driver()
		at, from, size := driver.AbsolutePositionForObject(menu.Content), driver.AbsolutePositionForObject(button), menu.Content.Size()
		if from.X < at.X-12 || from.X > at.X+size.Width+12 || at.Y+size.Height > from.Y+12 || at.Y+size.Height < from.Y-40 {
			t.Errorf("%s: the button is at %v, and the menu at %v, %v large", name, from, at, size)
		}
	}
}

// takeFromMenu takes an item of the menu that is open, by its first letters.
func takeFromMenu(t *testing.T, b *bench, name string) {
	t.Helper()
	menu, ok := b.Window.Canvas().Overlays().Top().(*kit.Float)
	if !ok || !strings.Contains(uitest.AllText(menu.Content), name) {
		t.Fatalf("there is no menu with %q", name)
	}
	focused := b.Window.Canvas().Focused()
	focused.TypedRune(rune(name[0]))
	focused.TypedKey(uitest.Key(fyne.KeyReturn))
}

// Below an answer stand the two buttons that most need, and one for the rest, which is in words and with its
// keys. Nothing of it is lost.
func TestActionsOfAnAnswer(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	foot := p.bubbles[p.tree.leaf()].foot
	var tips []string
	for _, o := range foot.actions.Objects {
		tips = append(tips, o.(*kit.TextButton).Tip)
	}
	if got := strings.Join(tips, "|"); got != "Copy (C)|Regenerate (R)|"+moreName {
		t.Errorf("below the answer stands %s", got)
	}
	test.Tap(foot.more)
	menu := b.Window.Canvas().Overlays().Top().(*kit.Float)
	says := uitest.AllText(menu.Content)
	for _, want := range []string{"Edit (E)", "Save as a file… (S)", "Answer with another model (W)", "Two answers side by side (B)", "Continue (T)", "Delete (Delete)"} {
		if !strings.Contains(says, want) {
			t.Errorf("the menu has no %q: %s", want, says)
		}
	}
	takeFromMenu(t, b, "Delete")
	if len(p.tree.path) != 1 {
		t.Error("Delete of the menu deletes nothing")
	}
	question := p.bubbles[p.tree.leaf()].foot
	if question.buttons["Copy"] == nil || question.buttons["Edit"] == nil || question.buttons["Answer"] == nil {
		t.Error("a question lacks a button")
	}
	p.flow.Choose(0)
	if !p.messageKey(uitest.Key("Menu")) || b.Window.Canvas().Overlays().Top() == nil {
		t.Error("the menu key opens nothing")
	}
}

// A model that is deleted while a chat has it is named, and the person has a choice.
func TestModelOfAChatIsGone(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	all, err := b.conversations.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.conversations.SetModels(all[1:2])
	p.ModelsChanged()
	b.Idle()
	if got := p.notice.Message(); got != "talker is no longer on this computer. From now on teller answers in this chat." || p.notice.Act.Text != "Choose another model" {
		t.Errorf("it says %q, %q", got, p.notice.Act.Text)
	}
	b.say(t, "three")
	if p.choices.Model != all[1].Model.ID {
		t.Errorf("%s answers", p.choices.Model)
	}
	b.conversations.SetModels(nil)
	p.ModelsChanged()
	b.Idle()
	if got := p.notice.Message(); got != "teller is no longer on this computer, and no other model can answer." {
		t.Errorf("it says %q", got)
	}
	p.newChat()
	if p.notice.Message() != "" {
		t.Error("a new chat is told about it")
	}
}

// It is named on the first page too: no other model takes its place in silence.
func TestModelOfANewChatIsGone(t *testing.T) {
	b, p := chatting(t)
	all, err := b.conversations.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone := p.choices.Model
	b.conversations.SetModels(slices.DeleteFunc(slices.Clone(all), func(c chat.ModelChoice) bool { return c.Model.ID == gone }))
	p.ModelsChanged()
	b.Idle()
	if got := p.notice.Message(); !strings.Contains(got, "is no longer on this computer. From now on ") || p.notice.Act.Text != "Choose another model" {
		t.Errorf("it says %q, %q", got, p.notice.Act.Text)
	}
}

// Deleted chats can be deleted for good, one or all, after a question.
func TestDeletedForGood(t *testing.T) {
	b, p := chatting(t)
	for _, text := range []string{"one", "two", "three"} {
		p.newChat()
		b.say(t, text)
	}
	all, _ := b.conversations.List("")
	for _, s := range all {
		p.deleteChat(s.ID)
	}
	p.list.EnterTrash()
	p.list.Found.Pick(0)
	p.list.Found.TypedKey(uitest.Key("Delete"))
	if p.sheet.Title != "Delete this chat forever?" || len(b.conversations.Trash()) != 3 {
		t.Fatalf("%q", p.sheet.Title)
	}
	pressIn(t, p, "Delete forever")
	if n := len(b.conversations.Trash()); n != 2 || len(p.list.Items) != 2 {
		t.Errorf("%d are left", n)
	}
	press(t, p.list.View, "Empty the trash…")
	pressIn(t, p, "Empty the trash")
	if n := len(b.conversations.Trash()); n != 0 || !strings.Contains(uitest.AllText(p.list.View), "The trash is empty") {
		t.Errorf("%d are left", n)
	}
}

// An example does not cost what was being written.
func TestExampleKeepsTheDraft(t *testing.T) {
	_, p := chatting(t)
	p.composer.entry.SetText("half a question")
	p.tryExample("Write a poem.")
	if p.composer.entry.Text != "Write a poem." || !p.toast.View.Visible() {
		t.Fatalf("%q", p.composer.entry.Text)
	}
	p.composer.entry.TypedShortcut(uitest.Ctrl("Z"))
	if p.composer.entry.Text != "half a question" {
		t.Errorf("taken back: %q", p.composer.entry.Text)
	}
}

// The list can be made wider and narrower, within limits, and the width is kept.
func TestListWidth(t *testing.T) {
	b, p := chatting(t)
	before := p.panes.listWidth()
	p.resizeList(60)
	p.keepListWidth()
	b.Idle()
	if got := p.panes.listWidth(); got != before+60 || p.list.View.Size().Width != got {
		t.Errorf("%v wide after 60 more than %v", got, before)
	}
	p.resizeList(-1e6)
	if got := p.panes.listWidth(); got != listLeast {
		t.Errorf("at least %v", got)
	}
	p.resizeList(1e6)
	if got := p.panes.listWidth(); got > 0.46*p.panes.width {
		t.Errorf("at most %v of %v", got, p.panes.width)
	}
}

// In a narrow window the list and the options take the place of the messages, and give it back.
func TestNarrow(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	b.Window.Resize(fyne.NewSize(560, 420))
	b.Idle()
	if p.list.View.Visible() || !p.flow.Visible() {
		t.Fatal("the list is open by itself")
	}
	p.toggleList()
	if !p.panes.covers() || p.list.View.Size().Width != p.panes.width {
		t.Errorf("the list is %v of %v wide", p.list.View.Size().Width, p.panes.width)
	}
	p.list.Plain.Pick(1)
	if p.panes.covers() || p.list.View.Visible() {
		t.Error("a chosen chat is not in view")
	}
	p.toggleOptions()
	if !p.panes.covers() || p.options.view.Size().Width != p.panes.width {
		t.Error("the options do not take the room")
	}
	p.Escape()
	if p.panes.covers() || b.Window.Canvas().Focused() != p.composer.entry {
		t.Error("Escape does not lead back to the messages")
	}
}

// Escape closes the settings of a chat beside the messages too, wherever the keyboard is; what
// is under way ends before them.
func TestEscapeClosesTheSettingsOfAChat(t *testing.T) {
	b, p := chatting(t)
	c := b.Window.Canvas()
	for _, in := range []fyne.Focusable{p.options.system, p.options.preset, p.options.tools, p.options.more, p.composer.entry, nil} {
		p.toggleOptions()
		if !p.options.view.Visible() || p.panes.covers() {
			t.Fatal("the settings are not beside the messages")
		}
		if c.Unfocus(); in != nil {
			c.Focus(in)
			in.TypedKey(uitest.Key(fyne.KeyEscape))
		} else {
			c.OnTypedKey()(uitest.Key(fyne.KeyEscape))
		}
		if p.options.view.Visible() || c.Focused() != p.composer.entry {
			t.Errorf("Escape in %T: the settings are in view: %v", in, p.options.view.Visible())
		}
	}
	p.toggleOptions()
	b.conversations.Model.Hold = func(ctx context.Context) { <-ctx.Done() }
	test.Type(p.composer.entry, "one")
	p.send()
	p.Escape()
	if b.await(t); !p.options.view.Visible() {
		t.Error("the answer and the settings end together")
	}
}

func press(t *testing.T, in fyne.CanvasObject, name string) {
	t.Helper()
	test.Tap(uitest.FindButton(t, in, name))
}

// pressIn presses a button of the sheet.
func pressIn(t *testing.T, p *Panel, name string) {
	t.Helper()
	press(t, p.sheet.Popup.Content, name)
}
