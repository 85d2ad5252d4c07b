package chat

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// reopened closes the window and opens it again, as the next start of the program does.
func (b *bench) reopened(t *testing.T) *bench {
	t.Helper()
	b.Saver.Flush()
	next := &bench{Stage: uitest.NewStage(t, b.Double), conversations: b.conversations, documents: b.documents}
	next.chat = New(next.Host, b.Double, b.conversations, b.documents)
	next.Put(next.chat)
	next.chat.Enter()
	next.chat.Open()
	next.Loop.Until(t, "the models", func() bool { return len(next.chat.models) > 0 })
	return next
}

func TestDraftsReturnOnTheNextStart(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	talk := p.conversation.ID
	test.Type(p.composer.entry, "half a sent")
	p.composer.attach(chat.File("recipe.txt", "Flour, water."))
	p.newChat()
	test.Type(p.composer.entry, "quite another")

	b = b.reopened(t)
	p = b.chat
	if got := p.composer.entry.Text; got != "quite another" || p.conversation.ID != "" { // what was in view
		t.Errorf("the next start finds %q", got)
	}
	p.openChat(talk, 0)
	if d := p.composer.draft(); d.text != "half a sent" || len(d.files) != 1 || d.files[0].Text != "Flour, water." {
		t.Fatalf("in the chat is %+v", d)
	}
	b.Loop.Until(t, "the tokens of the file", func() bool { return p.composer.files[0].Tokens > 0 })
	p.newChat()
	if got := p.composer.entry.Text; got != "quite another" {
		t.Errorf("in a new chat it finds %q", got)
	}
	p.send()
	b.await(t)
	b.Saver.Flush()
	if kept := b.Double.Settings().Chat.Drafts; len(kept) != 1 {
		t.Errorf("a message that was sent is still a draft: %+v", kept)
	}
}

// onDisk is an application whose settings are in a folder.
type onDisk struct {
	*uitest.App
	*base.SettingsStore
}

func (o onDisk) Settings() base.Settings { return o.SettingsStore.Settings() }
func (o onDisk) SaveSettings(change func(*base.Settings)) error {
	return o.SettingsStore.SaveSettings(change)
}

// A program that ends by force leaves a message that it was sending as a draft in its folder until the
// message is in its conversation, and then no more: neither in a new chat nor in one that goes on, nor of one that is answered twice.
func TestASentMessageIsNoDraftAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	onTheDisk := func() map[string]base.Draft {
		store, note := base.OpenSettings(path, slog.New(slog.DiscardHandler))
		if note != "" {
			t.Error(note)
		}
		return store.Settings().Chat.Drafts
	}
	b := &bench{Stage: uitest.NewStage(t, uitest.NewApp()), conversations: scripted.New(), documents: scripted.NewDocuments()}
	store, _ := base.OpenSettings(path, slog.New(slog.DiscardHandler))
	app := onDisk{b.Double, store}
	saver := panel.NewSaver(app)
	t.Cleanup(saver.Flush)
	b.Host.App, b.Host.Keep, b.Host.Settle = app, saver.Keep, saver.Flush
	p := New(b.Host, b.Double, b.conversations, b.documents)
	b.chat = p
	b.Put(p)
	p.Enter()
	p.Open()
	b.Loop.Until(t, "the models", func() bool { return len(p.models) > 0 })

	before, asked := make(chan map[string]base.Draft, 4), make(chan map[string]base.Draft, 4)
	b.conversations.Model.Asked = func(chat.AnswerRequest) {
		saver.Flush() // it takes long until the message is stored
		before <- onTheDisk()
	}
	b.conversations.Model.Hold = func(context.Context) { asked <- onTheDisk() }
	for _, send := range []func(){p.send, p.send, func() { p.sendTwice("") }} {
		test.Type(p.composer.entry, "The king")
		saver.Flush() // the person paused
		if len(onTheDisk()) != 1 {
			t.Fatalf("kept while it is written: %+v", onTheDisk())
		}
		send()
		if kept := <-before; len(kept) != 1 || kept[p.conversation.ID].Text != "The king" || p.composer.entry.Text != "" {
			t.Errorf("before the message is stored the next start finds %+v", kept)
		}
		if left := <-asked; len(left) != 0 {
			t.Errorf("the next start finds %+v", left)
		}
		b.await(t)
	}
}

func TestAnEditedMessageIsNoDraft(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	test.Type(p.composer.entry, "later")
	p.edit(p.tree.path[0])
	test.Type(p.composer.entry, " three")

	b = b.reopened(t)
	if got := b.chat.composer.entry.Text; got != "later" {
		t.Errorf("the next start finds %q", got)
	}
}

func TestADraftGoesWithItsConversation(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	deleted := p.conversation.ID
	test.Type(p.composer.entry, "a draft")
	p.deleteChat(deleted)
	if got := p.composer.entry.Text; got != "" {
		t.Errorf("the new chat takes over %q", got)
	}
	p.undo()
	if got := p.composer.entry.Text; p.conversation.ID != deleted || got != "a draft" {
		t.Errorf("after Undo: %q in chat %q", got, p.conversation.ID)
	}
	p.dropDrafts(nil) // the conversation is gone for good
	b.Saver.Flush()
	if kept := b.Double.Settings().Chat.Drafts; len(kept) != 0 {
		t.Errorf("kept: %+v", kept)
	}
}

func TestLongDraftsAreNotKeptWhole(t *testing.T) {
	kept := &base.Settings{}
	s := newSession(scripted.New(), func() base.Settings { return *kept }, func(change func(*base.Settings)) { change(kept) })
	s.putAside(draft{text: "short", files: []chat.Part{chat.File("book.txt", strings.Repeat("x", base.MaxDraft))}})
	if d := kept.Chat.Drafts[""]; d.Text != "short" || len(d.Files) != 0 || len(s.drafts[""].files) != 1 {
		t.Errorf("kept %q with %d files, in the window %d", d.Text, len(d.Files), len(s.drafts[""].files))
	}
}
