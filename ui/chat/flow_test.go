package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

// longChat returns a conversation of n messages.
func longChat(n int) chat.Conversation {
	c := chat.Conversation{Summary: chat.Summary{ID: "long", Title: "Long", Updated: time.Now()}, Leaf: int64(n)}
	for i := 1; i <= n; i++ {
		role := chat.RoleUser
		if i%2 == 0 {
			role = chat.RoleAssistant
		}
		c.Messages = append(c.Messages, chat.Message{ID: int64(i), Parent: int64(i - 1), Role: role, Parts: chat.Content(fmt.Sprintf("Message %d. ", i) + strings.Repeat("Some words of it. ", i*7%60))})
	}
	return c
}

// A long conversation opens at its end and draws only the few messages in view. Keys lead to
// its first and its last message.
func TestLongConversation(t *testing.T) {
	const n = 20_000
	b, p := chatting(t)
	b.conversations.Put(longChat(n))
	p.openChat("long", 0)
	f := p.flow
	inSight := func(id int64) bool {
		m := p.bubbles[id]
		if m == nil || !m.Visible() {
			return false
		}
		y := m.Position().Y - f.Scroll.Offset.Y
		return y < f.Scroll.Size().Height && y+m.Size().Height > 0
	}
	if !f.Stick || !inSight(n) {
		t.Error("it does not open at its end")
	}
	most, began := 0, time.Now()
	for range 60 {
		f.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 90)})
		most = max(most, len(p.bubbles))
	}
	t.Logf("a step of scrolling takes %v; %d views", time.Since(began)/60, most)
	if f.Stick || most > 60 {
		t.Errorf("scrolled up: at the end %v, %d views", f.Stick, most)
	}
	f.TypedKey(uitest.Key(fyne.KeyHome))
	if !inSight(1) || f.Current != 0 {
		t.Errorf("Home goes to %v", f.Scroll.Offset.Y)
	}
	f.TypedKey(uitest.Key(fyne.KeyEnd))
	if !inSight(n) || !f.Stick || f.Current != n-1 {
		t.Errorf("End goes to %v", f.Scroll.Offset.Y)
	}
	b.Window.Resize(fyne.NewSize(1000, 700))
	if !inSight(n) || !f.Stick {
		t.Error("another size leaves the end")
	}
}
