package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/tools"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// TestToolIsAllowed shows each call before it runs, and what became of it in the answer.
func TestToolIsAllowed(t *testing.T) {
	for _, c := range []struct{ button, title, details string }{
		{"Allow once", "Used “clock” of “Time”", "fine"},
		{"Don't allow", "You did not allow “clock”", "It did not run."},
	} {
		b, p := chatting(t)
		b.conversations.Model.Tool = &chat.ToolQuestion{Tool: tools.Tool{Server: "Time", Name: "clock", Description: "Tells the time."}, Arguments: `{"zone":"Europe/Paris"}`}
		p.composer.fill(draft{text: "What time is it?"})
		p.send()
		b.Loop.Until(t, "the question", p.asks.Asks)
		shown := uitest.AllText(p.asks.View)
		for _, want := range []string{"“clock” of “Time”", "Tells the time.", "Europe/Paris"} {
			if !strings.Contains(shown, want) {
				t.Errorf("%q lacks %q", shown, want)
			}
		}
		if !strings.Contains(uitest.AllText(p.waiting.Progress), "Waiting for your answer") {
			t.Error(uitest.AllText(p.waiting.Progress))
		}
		test.Tap(uitest.FindButton(t, p.asks.View, c.button))
		b.await(t)
		if p.asks.Asks() || p.asks.View.Visible() {
			t.Error("the question stays")
		}
		last := p.bubbles[p.tree.leaf()]
		fold, ok := uitest.Find(last.body, func(x *kit.TextButton) bool { return strings.Contains(x.Line.Text, c.title) })
		if !ok {
			t.Fatalf("%q", uitest.AllText(last.body))
		}
		test.Tap(fold)
		if text := uitest.AllText(last.body); !strings.Contains(text, c.details) || !strings.Contains(text, "Paris") {
			t.Errorf("%q", text)
		}
		if m := p.tree.message(p.tree.leaf()); !strings.Contains(m.Text(), "it? is time What") {
			t.Errorf("%q", m.Text())
		}
	}
}

// TestToolIsStopped takes the question away when the answer is stopped.
func TestToolIsStopped(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Tool = &chat.ToolQuestion{Tool: tools.Tool{Server: "Time", Name: "clock"}, Arguments: `{}`}
	p.composer.fill(draft{text: "What time is it?"})
	p.send()
	b.Loop.Until(t, "the question", p.asks.Asks)
	p.Escape()
	b.await(t)
	if p.asks.Asks() || p.asks.View.Visible() {
		t.Error("the question stays")
	}
}

// TestToolsAreSwitchedOn keeps the choice with the chat.
func TestToolsAreSwitchedOn(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "Hello")
	b.await(t)
	p.toggleOptions()
	if p.options.tools.Checked {
		t.Error("tools are on by themselves")
	}
	p.options.tools.SetChecked(true)
	c, err := b.conversations.Conversation(p.conversation.ID)
	if err != nil || !chat.ChoicesOf(c).Tools {
		t.Errorf("%+v, %v", chat.ChoicesOf(c), err)
	}
}

// TestToolServerIsMissing: an answer that goes without a tool server says so, and another try
// that reaches it does not.
func TestToolServerIsMissing(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Without = []string{"The tool server “Time” did not answer within 20 s."}
	b.say(t, "What time is it?")
	first := p.bubbles[p.tree.leaf()]
	if shown := uitest.AllText(first.body); !strings.Contains(shown, "“Time” did not answer within 20 s. This answer goes without its tools.") {
		t.Fatalf("shown: %q", shown)
	}
	b.conversations.Model.Without = nil
	test.Tap(uitest.FindButton(t, first.body, "Try again"))
	b.await(t)
	b.Idle()
	last := p.bubbles[p.tree.leaf()]
	if ids, _ := p.tree.branches(last.message.ID); len(ids) != 2 || last.message.ID == first.message.ID || strings.Contains(uitest.AllText(last.body), "without its tools") {
		t.Errorf("again: %q", uitest.AllText(last.body))
	}
}
