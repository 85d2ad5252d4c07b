package chat

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
)

// A chat whose last message was never answered, as after an end of the program before the model
// began, says so when it is opened and answers with a click. One that is answered says nothing.
func TestUnanswered(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A question"}, Leaf: 1, Messages: []chat.Message{{ID: 1, Role: chat.RoleUser, Parts: chat.Content("one two")}}})
	p.openChat("x", 0)
	if got := p.notice.Message(); got != unanswered || !p.notice.Act.Visible() {
		t.Fatalf("it says %q", got)
	}
	b = b.reopened(t)
	p = b.chat
	if got := p.notice.Message(); got != unanswered {
		t.Fatalf("after another start it says %q", got)
	}
	b.Idle()
	test.Tap(p.notice.Act)
	b.await(t)
	if got := p.said(); got != "one two|two one" || p.notice.Message() != "" {
		t.Errorf("then the chat is %q, and it says %q", got, p.notice.Message())
	}
	p.newChat()
	p.openChat("x", 0)
	if got := p.notice.Message(); got != "" {
		t.Errorf("of an answered one it says %q", got)
	}
}
