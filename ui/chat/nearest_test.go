package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/chats"
	"inglenook/ui/uitest"
)

// Where nothing in the documents answers, the passages that come nearest are links to their places.
func TestNearestPassagesAreLinks(t *testing.T) {
	b, p := chatting(t)
	data, err := json.Marshal(chat.Source{Collection: "Papers", ID: 1, Path: "/papers/boats.pdf", Page: 2, End: 10})
	if err != nil {
		t.Fatal(err)
	}
	text := "This is not in your documents. The nearest passages are in boats.pdf, page 2."
	start := strings.Index(text, "boats")
	near := chat.Part{Kind: chat.PartPassage, Name: "boats.pdf, page 2", Text: "Boats _rot_.", Data: data}
	b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "Zeppelins"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Do zeppelins rot?"), State: chat.MessageComplete},
		{
			ID: 2, Parent: 1, Role: chat.RoleAssistant, State: chat.MessageComplete, Parts: append(chat.Content(text), near),
			Reply: &chat.ReplyRecord{Reason: chat.FinishNotFound, Claims: []chats.Claim{{Start: start, End: len(text) - 1, BestEnd: 5, Score: 1}}},
		},
	}})
	p.openChat("x", 0)
	b.Idle()
	answer := p.bubbles[2]
	if shown := uitest.AllText(answer.body); !strings.Contains(shown, "[1] boats.pdf, page 2") || strings.Contains(shown, "from your documents") {
		t.Fatalf("shown is %q", shown)
	}
	tapText(t, answer.body, "[1] boats.pdf")
	b.Idle()
	if len(b.Shown) != 1 || b.Shown[0].Page != 2 || b.Shown[0].Files[0].Path != "/papers/boats.pdf" {
		t.Errorf("it leads to %+v", b.Shown)
	}
}
