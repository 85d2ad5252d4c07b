package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/kit"
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

// The back of a message that is only a file holds the whole name of the file, as with a text.
func TestOnlyAFile(t *testing.T) {
	b, p := chatting(t)
	for _, width := range []float32{1240, 900, 700} {
		b.Window.Resize(fyne.NewSize(width, 700))
		for id, text := range map[string]string{"alone": "", "with a text": "Hi"} {
			b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: id, Title: id}, Leaf: 1, Messages: []chat.Message{
				{ID: 1, Role: chat.RoleUser, Parts: chat.Content(text, chat.File("report.pdf", "Boats float."))},
			}})
			p.openChat(id, 0)
			b.Idle()
			m := p.bubbles[1]
			chip, ok := uitest.Find(m.body, func(*kit.Chip) bool { return true })
			if !ok {
				t.Fatal("the file is not shown")
			}
			if least, most := chip.MinSize().Width+2*bubbleInset, columnWidth*ownShare; m.back.Size().Width < least || m.back.Size().Width > most {
				t.Errorf("%s in a window of %v: its back is %v wide, want at least %v", id, width, m.back.Size().Width, least)
			}
			if end := m.back.Position().X + m.back.Size().Width; end > m.Size().Width {
				t.Errorf("%s in a window of %v: it ends at %v of %v", id, width, end, m.Size().Width)
			}
		}
	}
}
