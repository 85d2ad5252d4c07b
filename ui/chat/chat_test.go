package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// bench is a window with a conversation.
type bench struct {
	*uitest.Stage
	chat  *Panel
	talks *scripted.Talks
}

// chatting is a window with Chat in view and its models known.
func chatting(t *testing.T) (*bench, *Panel) {
	t.Helper()
	d := uitest.NewApp()
	b := &bench{Stage: uitest.NewStage(t, d), talks: scripted.New()}
	p := New(b.Host, d, b.talks)
	b.chat = p
	b.Put(p)
	p.Enter()
	p.Open()
	b.Loop.Until(t, "the models", func() bool { return len(p.models) > 0 })
	return b, p
}

// say sends a message and waits for the answer.
func (b *bench) say(t *testing.T, text string) {
	t.Helper()
	test.Type(b.chat.composer.entry, text)
	b.chat.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	b.await(t)
}

// await waits until no answer is under way.
func (b *bench) await(t *testing.T) {
	t.Helper()
	b.Loop.Until(t, "the end of the answer", func() bool { return b.chat.running == nil })
}

// said are the texts of the branch in view.
func (p *Panel) said() string {
	var list []string
	for _, id := range p.tree.path {
		list = append(list, p.tree.message(id).Text)
	}
	return strings.Join(list, "|")
}

func TestConverse(t *testing.T) {
	b, p := chatting(t)
	if m, ok := p.picker.Model(); !ok || m.ID != "org/talker" {
		t.Fatalf("at first the model is %v", m)
	}
	b.say(t, "one two three")
	if got := p.said(); got != "one two three|three two one" {
		t.Errorf("the conversation is %q", got)
	}
	if p.composer.entry.Text != "" || p.title.line.Text != "one two three" {
		t.Errorf("the field holds %q, the title is %q", p.composer.entry.Text, p.title.line.Text)
	}
	b.say(t, "four five")
	if got := p.said(); got != "one two three|three two one|four five|five four" {
		t.Errorf("the conversation is %q", got)
	}
	if shown := uitest.AllText(p.view); !strings.Contains(shown, "CPU · 42.5 tokens/s · first token 120 ms · reused 40 of 60 · complete") {
		t.Errorf("shown: %q", shown)
	}
	p.newTalk()
	if p.said() != "" || p.talk.ID != "" {
		t.Error("a new chat is not empty")
	}
	b.say(t, "another one")
	if n := len(p.list.items); n != 3 || p.list.items[0].heading != "Today" || p.list.items[2].talk.Title != "one two three" {
		t.Errorf("the list: %+v", p.list.items)
	}
	p.list.plain.Pick(2)
	if got := p.said(); got != "one two three|three two one|four five|five four" {
		t.Errorf("going back shows %q", got)
	}
}

func TestStop(t *testing.T) {
	b, p := chatting(t)
	b.talks.Model.Rate = 200
	b.talks.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	test.Type(p.composer.entry, "go on")
	p.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "some text", func() bool {
		m := p.tree.last(chat.RoleAssistant)
		return m != nil && strings.Count(m.Text, "word") > 5
	})
	if !p.composer.halt.Visible() || p.composer.send.Visible() {
		t.Error("Send is not Stop while an answer is written")
	}
	test.Tap(p.composer.halt)
	b.await(t)
	m := p.tree.last(chat.RoleAssistant)
	if m.State != chat.MessageStopped || !strings.Contains(m.Text, "word") {
		t.Errorf("stopped: %+v", m)
	}
	if shown := uitest.AllText(p.view); !strings.Contains(shown, "stopped by you") {
		t.Errorf("shown: %q", shown)
	}
}

func TestChatsAreImported(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "Hello there")
	data, err := b.talks.Export(p.talk.ID, "json")
	if err != nil {
		t.Fatal(err)
	}
	id := p.talk.ID
	p.importFile(uitest.TempFile(t, "chats.json", string(data)))
	b.Loop.Until(t, "the imported chat", func() bool { return p.talk.ID != id })
	if got := p.said(); !strings.Contains(got, "Hello there") {
		t.Errorf("imported %q", got)
	}
	p.importFile(uitest.TempFile(t, "broken.json", "{"))
	b.Loop.Until(t, "the refusal", func() bool { return strings.Contains(p.notice.Message(), "broken.json was not imported") })
}
