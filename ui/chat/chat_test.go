package chat

import (
	"context"
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
	chat          *Panel
	conversations *scripted.Conversations
	documents     *scripted.Documents
}

// chatting returns a window with Chat in view and its models listed.
func chatting(t *testing.T) (*bench, *Panel) {
	t.Helper()
	d := uitest.NewApp()
	b := &bench{Stage: uitest.NewStage(t, d), conversations: scripted.New(), documents: scripted.NewDocuments()}
	b.conversations.Asking.Documents = b.documents
	p := New(b.Host, d, b.conversations, b.documents)
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

// await waits until no answer is being written.
func (b *bench) await(t *testing.T) {
	t.Helper()
	b.Loop.Until(t, "the end of the answer", func() bool { return b.chat.running == nil })
}

// said returns the texts of the branch in view.
func (p *Panel) said() string {
	var list []string
	for _, id := range p.tree.path {
		list = append(list, p.tree.message(id).Text())
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
	if shown := uitest.AllText(p.view); !strings.Contains(shown, "talker · 32 words a second") {
		t.Errorf("shown: %q", shown)
	}
	p.newChat()
	if p.said() != "" || p.conversation.ID != "" {
		t.Error("a new chat is not empty")
	}
	b.say(t, "another one")
	if n := len(p.list.Items); n != 3 || p.list.Items[0].Heading != "Today" || p.list.Items[2].Summary.Title != "one two three" {
		t.Errorf("the list: %+v", p.list.Items)
	}
	p.list.Plain.Pick(2)
	if got := p.said(); got != "one two three|three two one|four five|five four" {
		t.Errorf("going back shows %q", got)
	}
}

// The answer of a chat that is no longer in view is told with its title, also of a new chat.
func TestAnsweredElsewhere(t *testing.T) {
	b, p := chatting(t)
	finish := make(chan struct{})
	b.conversations.Model.Hold = func(context.Context) { <-finish }
	test.Type(p.composer.entry, "one two")
	p.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	p.newChat()
	close(finish)
	b.await(t)
	if b.Said != "“one two” is answered." {
		t.Errorf("it says %q", b.Said)
	}
}

func TestStop(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Rate = 200
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	test.Type(p.composer.entry, "go on")
	p.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "some text", func() bool {
		m := p.tree.last(chat.RoleAssistant)
		return m != nil && strings.Count(m.Text(), "word") > 5
	})
	if !p.composer.halt.Visible() || p.composer.send.Visible() {
		t.Error("Send is not Stop while an answer is written")
	}
	test.Tap(p.composer.halt)
	b.await(t)
	m := p.tree.last(chat.RoleAssistant)
	if m.State != chat.MessageStopped || !strings.Contains(m.Text(), "word") {
		t.Errorf("stopped: %+v", m)
	}
	if shown := uitest.AllText(p.view); !strings.Contains(shown, " · stopped") {
		t.Errorf("shown: %q", shown)
	}
}

func TestChatsAreImported(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "Hello there")
	data, err := b.conversations.Export(p.conversation.ID, "json")
	if err != nil {
		t.Fatal(err)
	}
	id := p.conversation.ID
	p.importFile(uitest.TempFile(t, "chats.json", string(data)))
	b.Loop.Until(t, "the imported chat", func() bool { return p.conversation.ID != id })
	if got := p.said(); !strings.Contains(got, "Hello there") {
		t.Errorf("imported %q", got)
	}
	p.importFile(uitest.TempFile(t, "broken.json", "{"))
	b.Loop.Until(t, "the refusal", func() bool { return strings.Contains(p.notice.Message(), "broken.json was not imported") })
}

// A message that is too long for the model cannot be sent and stays in the field.
func TestTooLongIsNotSent(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	before := p.said()
	p.composer.attach(chat.File("long.txt", strings.Repeat("word ", 5000)))
	b.Loop.Until(t, "the count", func() bool { return p.composer.tooLong() })
	if p.composer.send.Text != "Too long…" || !strings.Contains(p.composer.meter.text.Line.Text, "too long") {
		t.Errorf("Send can be pressed; the meter says %q", p.composer.meter.text.Line.Text)
	}
	test.Tap(p.composer.send) // like Enter
	if p.running != nil || p.said() != before || len(p.composer.files) != 1 || !strings.Contains(uitest.AllText(p.sheet.Popup.Content), "can read about 66 % of this message at once") {
		t.Errorf("sent: %q, the sheet %q", p.said(), p.sheet.Title)
	}
	p.sheet.Close()
	p.composer.fill(draft{text: "three"})
	b.Loop.Until(t, "another count", func() bool { return p.composer.send.Text == "Send" })
}

// The sheet about a conversation that is too long leads to the context's field and shows it.
func TestALargerContextIsInView(t *testing.T) {
	b, p := chatting(t)
	b.Window.Resize(fyne.NewSize(1000, 500))
	p.largerContext()
	field := p.options.context
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(field).Y - driver.AbsolutePositionForObject(p.options.scroll).Y
	if b.Window.Canvas().Focused() != field || top < 0 || top+field.Size().Height > p.options.scroll.Size().Height {
		t.Errorf("the field is at %v of %v", top, p.options.scroll.Size().Height)
	}
}

// Enter while an answer is being written says why nothing is sent, and the message stays.
func TestEnterWhileAnswering(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Rate = 50
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 10_000) }
	test.Type(p.composer.entry, "Tell me a story")
	b.enter()
	b.Loop.Until(t, "text", func() bool { return p.running != nil && p.running.shown.Answer != 0 })
	test.Type(p.composer.entry, "And another one")
	b.enter()
	if !strings.Contains(b.Said, "Escape stops it") || p.composer.entry.Text != "And another one" {
		t.Errorf("it says %q, and the field has %q", b.Said, p.composer.entry.Text)
	}
	p.Escape()
	b.await(t)
}
