package chat

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

// Every edit and every other answer is a branch, and nothing is lost.
func TestBranches(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	b.say(t, "three four")
	p.composer.entry.TypedKey(uitest.Key("Up"))
	if p.editing == 0 || p.composer.entry.Text != "three four" || !strings.Contains(uitest.AllText(p.composer.view), "the other version is kept: use the arrows") {
		t.Fatalf("Up edits %q", p.composer.entry.Text)
	}
	p.composer.entry.SetText("five six")
	p.composer.entry.TypedKey(uitest.Key("Return"))
	b.await(t)
	if got := p.said(); got != "one two|two one|five six|six five" {
		t.Errorf("after the edit %q", got)
	}
	p.Keys.Typed(uitest.Ctrl("R"))
	b.await(t)
	last := p.tree.leaf()
	if ids, at := p.tree.branches(last); len(ids) != 2 || at != 1 {
		t.Errorf("after regenerating there are %d answers", len(ids))
	}
	if shown := uitest.AllText(p.view); !strings.Contains(shown, "2/2") {
		t.Errorf("shown: %q", shown)
	}
	p.turnBranch(p.tree.path[2], -1)
	if got := p.said(); got != "one two|two one|three four|four three" {
		t.Errorf("the branch before shows %q", got)
	}
	p.turnBranch(p.tree.path[2], -1)
	if got := p.said(); got != "one two|two one|three four|four three" {
		t.Errorf("before the first branch there is %q", got)
	}
	p.turnBranch(p.tree.path[2], 1)
	b.conversations.Model.Reply = func(string) string { return " and more" }
	p.Keys.Typed(uitest.Ctrl("T"))
	b.await(t)
	if got := p.said(); got != "one two|two one|five six|six five and more" {
		t.Errorf("continued: %q", got)
	}
	p.edit(p.tree.leaf())
	p.composer.entry.SetText("my own words")
	p.send()
	if got := p.said(); got != "one two|two one|five six|my own words" || p.running != nil {
		t.Errorf("an edited answer gives %q", got)
	}
}

func TestChatDeleteAndUndo(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	b.say(t, "three four")
	p.deleteMessage(p.tree.path[2])
	if got := p.said(); got != "one two|two one" || !p.toast.View.Visible() || !strings.Contains(uitest.AllText(p.toast.View), "Deleted 2 messages.") {
		t.Errorf("after deleting: %q, offered %q", got, uitest.AllText(p.toast.View))
	}
	test.Tap(uitest.FindButton(t, p.toast.View, undoName()))
	if got := p.said(); got != "one two|two one|three four|four three" || p.toast.View.Visible() {
		t.Errorf("taken back: %q", got)
	}
	first := p.conversation.ID
	p.newChat()
	b.say(t, "another")
	p.deleteChat(first)
	if list, _ := b.conversations.List(""); len(list) != 1 || p.said() != "another|another" {
		t.Errorf("%d conversations are left, %q in view", len(list), p.said())
	}
	p.composer.entry.TypedShortcut(uitest.Ctrl("Z"))
	if list, _ := b.conversations.List(""); len(list) != 2 || p.conversation.ID != first {
		t.Errorf("Ctrl+Z gives %d conversations", len(list))
	}
	p.deleteChat(first)
	p.deleteChat(p.conversation.ID)
	if p.conversation.ID != "" || p.said() != "" {
		t.Error("a deleted conversation is in view")
	}
	p.list.EnterTrash()
	if n := len(p.list.Items); n != 2 {
		t.Fatalf("the trash has %d", n)
	}
	p.list.Found.Pick(0)
	test.Tap(p.list.Restore)
	if p.list.InTrash || p.conversation.ID == "" {
		t.Error("a restored conversation is not in view")
	}
	p.undos = nil
	p.undo() // nothing to undo
	b.conversations.Failing = errors.New("the disk is full; make room")
	p.deleteMessage(p.tree.path[0])
	if got := p.notice.Message(); got != "The disk is full; make room." || len(p.undos) != 0 {
		t.Errorf("a deletion that fails says %q", got)
	}
}

func TestChatFindAndName(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "the fox and the hen")
	fox := p.conversation.ID
	p.newChat()
	b.say(t, "snow on the hills")
	p.Keys.Typed(uitest.Ctrl("F"))
	test.Type(p.list.Search, "FOX")
	b.Loop.Until(t, "the fox", func() bool { return len(p.list.Items) == 1 && p.list.Found.Visible() })
	if s := p.list.Items[0].Summary; s.ID != fox || s.Found == 0 {
		t.Errorf("found %+v", s)
	}
	p.list.Search.TypedKey(uitest.Key("Down"))
	if p.conversation.ID != fox || p.flow.Current < 0 {
		t.Error("what was found is not shown")
	}
	p.list.Search.SetText("nowhere")
	b.Loop.Until(t, "nothing", func() bool { return len(p.list.Items) == 0 })
	if !strings.Contains(uitest.AllText(p.list.View), "Nothing found") {
		t.Error("an empty search says nothing")
	}
	p.list.Search.TypedKey(uitest.Key("Escape"))
	if len(p.list.Items) != 3 || !p.list.Plain.Visible() {
		t.Errorf("after the search %d rows", len(p.list.Items))
	}
	p.list.Plain.Choose(1)
	p.list.Plain.Opened(1) // a double click
	if !p.title.entry.Visible() {
		t.Error("a double click does not rename")
	}
	p.title.end(false)
	p.list.Plain.TypedKey(uitest.Key("F2"))
	p.title.entry.SetText("Weather")
	p.title.entry.TypedKey(uitest.Key("Return"))
	for _, c := range "pd" { // a message is begun with the list in use
		p.list.Plain.TypedKey(uitest.Key(fyne.KeyName(strings.ToUpper(string(c)))))
		p.list.Plain.TypedRune(c)
	}
	if list, _ := b.conversations.List(""); len(list) != 2 || list[0].Pinned || p.composer.entry.Text != "pd" {
		t.Errorf("typing makes %+v, and the message is %q", list, p.composer.entry.Text)
	}
	p.composer.entry.SetText("")
	p.turnPin(p.conversation.ID)
	if list, _ := b.conversations.List(""); list[0].Title != "Weather" || !list[0].Pinned || p.list.Items[0].Heading != "Pinned" {
		t.Errorf("renamed and pinned: %+v", list)
	}
	p.title.begin()
	p.title.entry.SetText("another")
	p.title.entry.TypedKey(uitest.Key("Escape"))
	if p.conversation.Title != "Weather" {
		t.Error("Escape renames")
	}
	p.duplicate(fox)
	if got := p.said(); got != "the fox and the hen|hen the and fox the" || p.conversation.ID == fox {
		t.Errorf("the copy holds %q", got)
	}
	items := p.list.Items
	p.list.Plain.Choose(-1)
	for range items {
		p.list.Plain.TypedKey(uitest.Key("Down"))
		if c := p.list.Plain.Current; items[c].Heading != "" {
			t.Error("the arrows come to a heading")
		}
	}
}

// After a failure the conversation shows the text so far and the reason.
func TestFailingAnswer(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 100) }
	b.conversations.Model.Fails = func(n int) error {
		if n == 20 {
			return errors.New("the device ran out of memory; choose a smaller context")
		}
		return nil
	}
	b.say(t, "go on")
	shown := uitest.AllText(p.view)
	if m := p.tree.last(chat.RoleAssistant); m.State != chat.MessageFailed || !strings.HasPrefix(m.Text(), "word word") ||
		!strings.Contains(shown, "The device ran out of memory; choose a smaller context.") || p.notice.Message() != "" {
		t.Errorf("%+v, shown %q", m, shown)
	}
	b.conversations.Model.Fails = nil
	p.Keys.Typed(uitest.Ctrl("T"))
	b.await(t)
	if m := p.tree.last(chat.RoleAssistant); m.State != chat.MessageComplete || strings.Count(m.Text(), "word") < 100 {
		t.Errorf("continued: %+v", m)
	}
}

// An answer that was being written when the program closed has a button that goes on with it,
// as long as nothing follows it.
func TestInterruptedAnswer(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	id := p.tree.leaf()
	p.tree.message(id).State = chat.MessageInterrupted
	delete(p.bubbles, id)
	shown := p.newBubble(id)
	if text := uitest.AllText(shown.body); !strings.Contains(text, "Press Continue") {
		t.Errorf("it says %q", text)
	}
	test.Tap(uitest.FindButton(t, shown.body, "Continue"))
	b.await(t)
	if p.tree.leaf() == id {
		t.Error("Continue did nothing")
	}
	delete(p.bubbles, id)
	p.tree.message(id).State = chat.MessageInterrupted
	if next := p.newBubble(id); uitest.Search(next.body, "Continue") != nil {
		t.Error("an answer that is not the last one offers to continue")
	}
}

// Who leaves an edit with Escape gets what was changed back with undo; the cursor is behind the text.
func TestALeftEditComesBack(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	m := p.tree.last(chat.RoleAssistant)
	p.edit(m.ID)
	e := p.composer.entry
	if at := e.CursorTextOffset(); at != len(e.Text) {
		t.Errorf("the cursor is at %d of %d", at, len(e.Text))
	}
	p.Escape()
	if p.editing != 0 || len(p.undos) != 0 {
		t.Error("an edit without a change is offered again")
	}
	p.edit(m.ID)
	e.SetText("quite another answer")
	e.TypedKey(uitest.Key(fyne.KeyEscape))
	if p.editing != 0 || e.Text != "" || !p.toast.View.Visible() {
		t.Fatalf("after Escape %d is edited, and the field has %q", p.editing, e.Text)
	}
	p.undo()
	if p.editing != m.ID || e.Text != "quite another answer" {
		t.Errorf("after undo %d is edited, and the field has %q", p.editing, e.Text)
	}
}
