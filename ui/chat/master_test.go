package chat

import (
	"testing"
	"time"

	"inglenook/app/chat"
	"inglenook/ui/master"
)

// The masters show the panel in its main states.
func TestMasters(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T, b *bench, p *Panel){
		"empty":        func(*testing.T, *bench, *Panel) {},
		"conversation": func(t *testing.T, b *bench, p *Panel) { b.say(t, "one two three") },
		"tasks":        func(t *testing.T, b *bench, _ *Panel) { b.transforming(t) },
		"editing": func(t *testing.T, b *bench, p *Panel) {
			b.say(t, "one two three")
			p.edit(p.tree.path[0])
		},
		"passages": func(t *testing.T, b *bench, p *Panel) {
			b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
			b.ask(t)
			b.write(t, "boat")
			p.composer.asks.shelf.Toggle()
		},
		"cited": func(t *testing.T, b *bench, p *Panel) {
			b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
			b.ask(t)
			b.conversations.Model.Reply = func(string) string { return "They rot in salt water. Unicorns gallop." }
			b.write(t, "boat")
			b.enter()
			b.await(t)
			p.bubbles[p.tree.leaf()].follow("doubt:1")
		},
		"not-found": func(t *testing.T, b *bench, p *Panel) {
			b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
			b.ask(t)
			b.write(t, "zeppelin")
			b.enter()
			b.await(t)
		},
		"guide":     func(t *testing.T, b *bench, _ *Panel) { b.guide(t) },
		"options":   func(_ *testing.T, _ *bench, p *Panel) { p.toggleOptions() },
		"no-models": func(_ *testing.T, _ *bench, p *Panel) { p.setModels(nil) },
		"failed": func(t *testing.T, b *bench, p *Panel) {
			b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "A failure"}, Leaf: 2, Messages: []chat.Message{
				{ID: 1, Role: chat.RoleUser, Parts: chat.Content("Go on", chat.Part{Kind: chat.PartFile, Name: "notes.txt", Text: "some notes", Tokens: 2})},
				{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("Once"), State: chat.MessageFailed, Thinking: "A tale, then."},
			}})
			p.openChat("x", 0)
		},
		"trash": func(t *testing.T, b *bench, p *Panel) {
			when := time.Date(2026, 3, 1, 10, 0, 0, 0, time.Local)
			b.conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "One of March", Updated: when, Deleted: when}})
			p.list.EnterTrash()
		},
		"asks": func(_ *testing.T, _ *bench, p *Panel) { p.askLink("https://example.org/page") },
	} {
		t.Run(name, func(t *testing.T) {
			b, p := chatting(t)
			p.list.When = func(time.Time, time.Time) string { return "10:00" }
			b.Idle()
			arrange(t, b, p)
			p.toast.Hide()
			b.Idle()
			p.composer.pause.Stop()
			p.composer.count() // at once
			b.Idle()
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}
