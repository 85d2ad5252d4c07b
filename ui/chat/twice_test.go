package chat

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/chat/sidebyside"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// sides is the row with two answers; nil: there is none.
func (p *Panel) sides() *sidebyside.View {
	if s, ok := p.beside[p.tree.leaf()]; ok {
		return s.View
	}
	return nil
}

// texts are those of both answers, as they are drawn.
func (p *Panel) texts() string {
	q := p.pair()
	if q == nil {
		return ""
	}
	return p.bubbles[q.ids[0]].text.prose().Source + "|" + p.bubbles[q.ids[1]].text.prose().Source
}

// twoAnswers sends a message for two answers and waits for them.
func (b *bench) twoAnswers(t *testing.T, text string) {
	t.Helper()
	test.Type(b.chat.composer.entry, text)
	b.chat.sendTwice("")
	b.await(t)
	b.Idle()
}

// Two answers are written side by side, one is kept, and undo brings both back.
func TestTwoAnswersSideBySide(t *testing.T) {
	b, p := chatting(t)
	b.twoAnswers(t, "one two three")
	shown := uitest.AllText(p.sides())
	for _, want := range []string{"First answer", "Second answer", "talker · 32 words a second"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown: %q", want, shown)
		}
	}
	if got := p.texts(); got != "three two one|one two three" || strings.Contains(shown, "1/2") {
		t.Errorf("%q, shown: %q", got, shown)
	}
	if stop, keep := uitest.FindButton(t, p.sides(), "Stop this one"), uitest.FindButton(t, p.sides(), "Keep this one"); stop.Visible() || !keep.Visible() {
		t.Error("what is complete can be stopped, or not be kept")
	}
	first := p.tree.leaf()
	p.keepAnswer(1)
	if got := p.said(); got != "one two three|one two three" || p.sides() != nil {
		t.Errorf("kept: %q", got)
	}
	if ids, at := p.tree.branches(p.tree.leaf()); len(ids) != 2 || at != 1 {
		t.Errorf("%d branches", len(ids))
	}
	if got := p.notice.Message(); got != "The arrows below this answer lead to the other one." || p.toast.View.Visible() {
		t.Errorf("it says %q", got)
	}
	if !p.composer.entry.Undo() {
		t.Error("the key for undo does nothing")
	}
	b.Idle()
	if p.tree.leaf() != first || p.sides() == nil || p.notice.Message() != "" {
		t.Errorf("after undo: %q", p.said())
	}
	p.Focus(p.flow)
	p.flow.TypedKey(uitest.Key(fyne.Key1))
	b.Idle()
	if p.sides() != nil || p.tree.leaf() != first || !strings.Contains(uitest.AllText(p.flow), "1/2") {
		t.Errorf("the key 1 keeps: %q", uitest.AllText(p.flow))
	}
	b.say(t, "four")
	if got := p.said(); got != "one two three|three two one|four|four" {
		t.Errorf("it goes on with %q", got)
	}
}

// One of two is stopped alone; keeping it stops the other one.
func TestOneOfTwoAnswersIsStopped(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Rate, b.conversations.Model.Longer = 100, 10_000
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	test.Type(p.composer.entry, "go on")
	p.sendTwice("")
	writing := func(i int) string {
		q := p.pairs[p.conversation.ID]
		if q == nil || p.tree.message(q.ids[i]) == nil {
			return ""
		}
		return p.tree.message(q.ids[i]).Text()
	}
	b.Loop.Until(t, "both answers", func() bool { return len(writing(0)) > 20 && len(writing(1)) > 20 && p.sides() != nil })
	test.Tap(uitest.FindButton(t, p.sides(), "Stop this one"))
	q := p.pair()
	b.Loop.Until(t, "the end of the first", func() bool { return p.tree.message(q.ids[0]).State == chat.MessageStopped })
	at := len(writing(1))
	b.Loop.Until(t, "more of the second", func() bool { return len(writing(1)) > at+20 })
	if p.running == nil || !p.composer.halt.Visible() {
		t.Error("nothing is under way any more")
	}
	p.keepAnswer(0)
	b.await(t)
	b.Idle()
	if p.sides() != nil || p.tree.leaf() != q.ids[0] || p.tree.message(q.ids[1]).State != chat.MessageStopped {
		t.Errorf("kept %d of %d", p.tree.leaf(), q.ids)
	}
}

// Escape stops both, another chat can be looked at meanwhile, and the pair is there again.
func TestTwoAnswersAndAnotherChat(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "first")
	other := p.conversation.ID
	p.newChat()
	finish := make(chan struct{})
	b.conversations.Model.Hold = func(ctx context.Context) {
		select {
		case <-finish:
		case <-ctx.Done():
		}
	}
	test.Type(p.composer.entry, "one two")
	p.Keys.Typed(&desktop.CustomShortcut{KeyName: "Return", Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift})
	b.Loop.Until(t, "both", func() bool { return p.sides() != nil })
	here := p.conversation.ID
	p.openChat(other, 0)
	if p.sides() != nil {
		t.Error("the pair is in another chat")
	}
	close(finish)
	b.await(t)
	p.openChat(here, 0)
	b.Idle()
	if p.sides() == nil || p.texts() != "two one|one two" {
		t.Errorf("shown: %q", p.texts())
	}
	b.conversations.Model.Rate = 50
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	p.answerTwice(chat.AnswerRequest{Conversation: here, After: p.tree.path[0]}, "")
	b.Loop.Until(t, "text", func() bool { return p.running != nil && p.running.shown.Answer != 0 })
	p.Escape()
	b.await(t)
	for _, id := range p.pairs[here].ids {
		if m := p.tree.message(id); m.State == chat.MessageWriting {
			t.Errorf("%+v", m)
		}
	}
}

// Where both would be the same, one is written, and it is said why.
func TestTwoEqualAnswersAreNotWritten(t *testing.T) {
	b, p := chatting(t)
	exact := chat.DefaultSampling()
	exact.Temperature = 0
	p.options.change(func(x *chat.Choices) { x.Sampling = &exact })
	test.Type(p.composer.entry, "one two")
	p.sendTwice("")
	b.Loop.Until(t, "one answer", func() bool { return p.running == nil && p.said() == "one two|two one" })
	if got := p.notice.Message(); !strings.HasPrefix(got, "One answer is written: two would be the same") || p.sides() != nil {
		t.Errorf("it says %q", got)
	}
	p.notice.Act.OnTapped()
	if p.notice.Message() != "" || !p.panes.options {
		t.Error("what is said stays, or does not lead to the choice of words")
	}
	p.answerTwice(chat.AnswerRequest{Conversation: p.conversation.ID, After: p.tree.path[0]}, "") // there is one answer already
	b.Loop.Until(t, "what is said", func() bool { return p.running == nil && p.notice.Message() != "" })
	b.Idle()
	if ids, _ := p.tree.branches(p.tree.leaf()); len(ids) != 1 || !strings.HasPrefix(p.notice.Message(), "There is one answer: two would be the same") {
		t.Errorf("%d answers; it says %q", len(ids), p.notice.Message())
	}
}

// The chat goes on with the model whose answer was kept; undo brings the other one back.
func TestKeptAnswerOfAnotherModel(t *testing.T) {
	b, p := chatting(t)
	others := p.otherModels()
	if len(others) == 0 {
		t.Fatal("there is one model only")
	}
	before, other := p.choices.Model, others[0]
	test.Type(p.composer.entry, "one two three")
	p.sendTwice(other.ID)
	b.await(t)
	b.Idle()
	p.keepAnswer(1)
	b.Idle()
	if p.choices.Model != other.ID || !strings.HasPrefix(p.notice.Message(), other.Title()+" answers in this chat from now on.") {
		t.Errorf("%s answers; it says %q", p.choices.Model, p.notice.Message())
	}
	test.Tap(uitest.FindButton(t, p.notice.View, undoName()))
	b.Idle()
	if p.choices.Model != before || p.sides() == nil {
		t.Errorf("after undo %s answers", p.choices.Model)
	}
}

// What is left out for two answers is asked once, and then there are two.
func TestTwoAnswersForget(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	b.conversations.Model.Context = 8
	p.composer.entry.SetText("these words are far too many for such a small context as that")
	p.sendTwice("")
	b.await(t)
	if p.sheet.Title != "This chat has become too long for the model" || p.notice.Message() != unanswered {
		t.Fatalf("the window asks %q and says %q", p.sheet.Title, p.notice.Message())
	}
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Forget and answer"))
	b.await(t)
	b.Idle()
	if p.sides() == nil || p.notice.Message() != "" {
		t.Errorf("there are no two answers: %q; it says %q", p.said(), p.notice.Message())
	}
}

// The line below an answer that is being written has the room that it takes.
func TestLineBelowTwoAnswers(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Rate, b.conversations.Model.Longer = 200, 10_000
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	test.Type(p.composer.entry, "go on")
	p.sendTwice("")
	line := func() *kit.TextButton {
		if q := p.pair(); q != nil && p.bubbles[q.ids[0]] != nil {
			return p.bubbles[q.ids[0]].foot.facts
		}
		return nil
	}
	b.Loop.Until(t, "the speed", func() bool { l := line(); return l != nil && strings.Contains(l.Line.Text, "words a second") })
	if l := line(); l.Size().Width < l.Natural() {
		t.Errorf("%q has %v of %v", l.Line.Text, l.Size().Width, l.Natural())
	}
	p.Escape()
	b.await(t)
}
