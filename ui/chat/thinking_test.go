package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

// An answer of spaces alone is said to be none, and another try is offered; what ended otherwise is not.
func TestAnswerWithoutWords(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Reply = func(string) string { return " \n " }
	b.say(t, "one two")
	m := p.tree.last(chat.RoleAssistant)
	says := uitest.AllText(p.flow)
	if !strings.Contains(says, "talker wrote nothing.") || p.bubbles[m.ID].text.prose().Visible() {
		t.Errorf("it says %q", says)
	}
	if uitest.FindButton(t, p.flow, "Try another model") == nil {
		t.Error("no other model is offered")
	}
	for _, a := range p.actionsOf(*m) {
		if a.name == "Copy" || strings.HasPrefix(a.name, "Save") {
			t.Errorf("%s is offered", a.name)
		}
	}
	b.conversations.Model.Reply = nil
	test.Tap(uitest.FindButton(t, p.flow, "Try again"))
	b.await(t)
	if got := p.said(); got != "one two|two one" || strings.Contains(uitest.AllText(p.flow), "wrote nothing") {
		t.Errorf("then it says %q", got)
	}
	for _, m := range []chat.Message{
		{Role: chat.RoleAssistant, State: chat.MessageStopped},
		{Role: chat.RoleAssistant, State: chat.MessageWriting},
		{Role: chat.RoleUser, State: chat.MessageComplete},
		{Role: chat.RoleAssistant, State: chat.MessageComplete, Parts: []chat.Part{{Kind: "image"}}},
	} {
		if says := wroteNothing(m); says != "" {
			t.Errorf("%+v: %q", m, says)
		}
	}
	if says := wroteNothing(chat.Message{Role: chat.RoleAssistant, State: chat.MessageComplete, Thinking: "hm"}); says != "The model thought about it, and then wrote no answer." {
		t.Errorf("after a thought: %q", says)
	}
}

// One of two answers without words says so too; the buttons above both are enough.
func TestOneOfTwoWithoutWords(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Reply = func(string) string { return " " }
	b.twoAnswers(t, "one")
	if says := uitest.AllText(p.sides()); strings.Count(says, "talker wrote nothing.") != 1 || strings.Contains(says, "Try again") {
		t.Errorf("it says %q", says)
	}
}
