package chat

import (
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

// What a message says in parts that are no text is shown as well: files by their names, and
// of the kinds of a newer program, that there are some.
func TestPartsAreShown(t *testing.T) {
	b, p := chatting(t)
	image := chat.Part{Kind: "image", Data: []byte{1}}
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "Parts"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: []chat.Part{chat.Text("Look at this:"), image, chat.File("notes.txt", "some notes"), chat.Text("What is it?")}},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: "call\x1b"}}},
	}})
	p.openChat("x", 0)
	b.Idle()
	const hint = "This message has a part of the kind “image”, which this version of Inglenook cannot show."
	if got := uitest.AllText(p.bubbles[1].body); !strings.Contains(got, "notes.txt") || !strings.Contains(got, hint) {
		t.Errorf("shown is %q", got)
	}
	if got := p.bubbles[1].message.Text(); got != "Look at this:\n\nWhat is it?" {
		t.Errorf("the text is %q", got)
	}
	if got := uitest.AllText(p.bubbles[2].body); !strings.Contains(got, "part of the kind “call") || strings.ContainsRune(got, '\x1b') {
		t.Errorf("shown is %q", got)
	}
}
