package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// longTalk is a conversation of n messages.
func longTalk(n int) chat.Conversation {
	c := chat.Conversation{Summary: chat.Summary{ID: "long", Title: "Long", Updated: time.Now()}, Leaf: int64(n)}
	for i := 1; i <= n; i++ {
		role := chat.RoleUser
		if i%2 == 0 {
			role = chat.RoleAssistant
		}
		c.Messages = append(c.Messages, chat.Message{ID: int64(i), Parent: int64(i - 1), Role: role, Text: fmt.Sprintf("Message %d. ", i) + strings.Repeat("Some words of it. ", i*7%60)})
	}
	return c
}

// settled reports whether what is in sight is there, in its place and measured.
func settled(t *testing.T, f *kit.List) {
	t.Helper()
	y, height := f.Scroll.Offset.Y, f.Scroll.Size().Height
	if end := max(0, f.Total()-height); y < 0 || y > end+0.5 {
		t.Errorf("scrolled to %v of %v", y, end)
	}
	for i := f.First(y); i < len(f.Ids) && f.Tops[i] < y+height; i++ {
		v := f.Views[f.Ids[i]]
		if v == nil || !v.Measured || !v.Object.Visible() || v.Object.Position().Y != f.Tops[i] || v.Object.Size().Height != f.Tops[i+1]-f.Tops[i] {
			t.Fatalf("row %d in sight is not in its place", i)
		}
	}
}

func TestLongConversation(t *testing.T) {
	const n = 20_000
	b, p := chatting(t)
	b.talks.Put(longTalk(n))
	p.openTalk("long", 0)
	f := p.flow
	settled(t, f)
	if !f.Stick || f.Scroll.Offset.Y != f.Total()-f.Scroll.Size().Height {
		t.Errorf("opened at %v of %v", f.Scroll.Offset.Y, f.Total())
	}
	most, began := 0, time.Now()
	for range 60 {
		f.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 90)})
		settled(t, f)
		most = max(most, len(f.Views))
	}
	t.Logf("a step of scrolling takes %v; %d views", time.Since(began)/60, most)
	if f.Stick || most > 60 {
		t.Errorf("scrolled up: at the end %v, %d views", f.Stick, most)
	}
	// What is in view stays where it is while rows above turn out higher or lower.
	for range 30 {
		at := f.First(f.Scroll.Offset.Y) + 1
		before := f.Tops[at] - f.Scroll.Offset.Y
		f.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 40)})
		if moved := f.Tops[at] - f.Scroll.Offset.Y - before; moved < 39 || moved > 41 {
			t.Fatalf("scrolling by 40 moves row %d by %v", at, moved)
		}
	}
	for _, size := range []fyne.Size{{Width: 800, Height: 560}, {Width: 1240, Height: 800}} {
		b.Window.Resize(size)
		settled(t, f)
	}
	f.TypedKey(uitest.Key(fyne.KeyHome))
	settled(t, f)
	if f.Scroll.Offset.Y != 0 || f.Current != 0 {
		t.Errorf("Home goes to %v", f.Scroll.Offset.Y)
	}
	f.TypedKey(uitest.Key(fyne.KeyEnd))
	settled(t, f)
	if !f.Stick || f.Current != n-1 {
		t.Errorf("End goes to %v of %v", f.Scroll.Offset.Y, f.Total())
	}
	b.Window.Resize(fyne.NewSize(1000, 700))
	if settled(t, f); !f.Stick {
		t.Error("another size leaves the end")
	}
}
