package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/uitest"
)

// until waits until something is closed, or the window is.
func until(ctx context.Context, free chan struct{}) {
	select {
	case <-free:
	case <-ctx.Done():
	}
}

// What was sent stands in the chat while its documents are searched, with what is done below it,
// also after another chat was in view. Nothing can be done with it yet but copying it.
func TestSentStandsInTheChatAtOnce(t *testing.T) {
	b, p := asking(t)
	free := make(chan struct{})
	b.conversations.Asking.Finding = func(ctx context.Context, _ string) { until(ctx, free) }
	test.Type(p.composer.entry, "boat")
	b.enter()
	shown := func(when string) {
		t.Helper()
		b.Loop.Until(t, when, func() bool {
			own := p.bubbles[sentID]
			return own != nil && own.message.Text() == "boat" && p.saysSearching()
		})
	}
	shown("the message in the chat")
	if got := uitest.AllText(p.waiting.Progress); p.waiting.Progress.Visible() && strings.Contains(got, "Searching") {
		t.Errorf("it is said twice: %q", got)
	}
	p.edit(sentID)
	p.deleteMessage(sentID)
	p.turnBranch(sentID, 1)
	for i := range p.tree.path {
		p.flow.Choose(i)
		for _, key := range []fyne.KeyName{fyne.KeyE, fyne.KeyR, fyne.KeyW, fyne.KeyB, fyne.KeyT, fyne.KeyDelete, fyne.KeyLeft, fyne.KeyRight, fyne.KeyReturn, fyne.KeyUp} {
			p.messageKey(uitest.Key(key))
		}
	}
	p.composer.typedKey(uitest.Key(fyne.KeyUp))
	if p.editing != 0 || p.notice.Message() != "" {
		t.Errorf("a message that is not in its chat yet can be changed: %q", p.notice.Message())
	}
	id := p.conversation.ID
	p.newChat()
	if len(p.tree.path) > 0 {
		t.Error("it stands in another chat")
	}
	p.openChat(id, 0)
	shown("the message after another chat")
	close(free)
	b.await(t)
	b.Idle()
	if got := p.said(); got != "boat|boat" || p.bubbles[sentID] != nil || p.bubbles[placeID] != nil {
		t.Errorf("at the end there is %q", got)
	}
}

// A message of the middle of a chat that is edited stands there, and what followed the old one does not.
func TestSentEditedStandsInItsPlace(t *testing.T) {
	b, p := asking(t)
	b.write(t, "boat")
	b.enter()
	b.await(t)
	b.write(t, "boat wood")
	b.enter()
	b.await(t)
	free := make(chan struct{})
	b.conversations.Asking.Finding = func(ctx context.Context, _ string) { until(ctx, free) }
	p.edit(p.tree.path[2])
	p.composer.entry.SetText("water")
	b.enter()
	b.Loop.Until(t, "the edited message", func() bool { return strings.HasSuffix(p.said(), "|water|") })
	if got := p.said(); !strings.HasPrefix(got, "boat|") || strings.Contains(got, "wood") {
		t.Errorf("in view is %q", got)
	}
	close(free)
	b.await(t)
}

// What did not come into its conversation is in the field again, unless something else is there.
func TestUnsentComesBack(t *testing.T) {
	for _, other := range []string{"", "another"} {
		b, p := chatting(t)
		b.say(t, "one")
		b.conversations.Failing = errors.New("the disk is gone")
		test.Type(p.composer.entry, "two")
		b.enter()
		p.composer.entry.SetText(other)
		b.await(t)
		want := other
		if want == "" {
			want = "two"
		}
		if got := p.composer.entry.Text; got != want || !strings.Contains(p.notice.Message(), "disk is gone") || p.said() != "one|one" {
			t.Errorf("%q: in the field is %q, in the chat %q, said is %q", other, got, p.said(), p.notice.Message())
		}
	}
}

// slowList lists collections when it is let.
type slowList struct {
	Documents
	let chan struct{}
}

func (s slowList) Collections(ctx context.Context) ([]documents.Collection, error) {
	until(ctx, s.let)
	return s.Documents.Collections(ctx)
}

// However a person is ahead of the window after "Ask documents", the question gets its passages: Enter
// comes before the documents are known, before the pause ends after which they are searched, while that
// goes on, and after it; and whether the chat is new or not.
func TestAQuestionRightAfterAskDocuments(t *testing.T) {
	for _, old := range []bool{false, true} {
		for _, first := range []string{"ask, write", "write, ask"} {
			for _, enter := range []string{"before the list", "after the list", "in the search", "after the search"} {
				name := fmt.Sprintln("an old chat:", old, first, "Enter", enter)
				b, p := chatting(t)
				b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
				if old {
					b.say(t, "one")
				}
				b.Idle()
				asked := b.requests()
				list, search := make(chan struct{}), make(chan struct{})
				p.composer.asks.documents = slowList{b.documents, list}
				b.conversations.Asking.Finding = func(ctx context.Context, _ string) { until(ctx, search) }
				if first == "ask, write" {
					test.Tap(p.composer.asks.button)
					test.Type(p.composer.entry, "boat")
				} else {
					test.Type(p.composer.entry, "boat")
					test.Tap(p.composer.asks.button)
				}
				listed := func() {
					close(list)
					b.Loop.Until(t, name+"the collection", func() bool { return p.choices.Collection != "" })
				}
				switch enter {
				case "before the list":
					b.enter()
					b.enter()
					close(search)
					listed()
				case "after the list":
					listed()
					b.enter()
					close(search)
				case "in the search":
					listed()
					b.Loop.Until(t, name+"the search", func() bool { return p.composer.asks.end != nil })
					b.enter()
					close(search)
				case "after the search":
					listed()
					close(search)
					b.Loop.Until(t, name+"what is found", func() bool { return p.passages.Question == "boat" && !p.passages.Busy })
					b.enter()
				}
				b.Loop.Until(t, name+"the request", func() bool { return len(*asked) > 0 })
				b.await(t)
				m := p.tree.last(chat.RoleUser)
				if got := names(m.Parts); len(*asked) != 1 || len(got) != 3 || m.Text() != "boat" {
					t.Errorf("%s%d requests, with %q went %q", name, len(*asked), m.Text(), got)
				}
			}
		}
	}
}

// Who chose among the passages of a question and then asks another one sends those of the other one.
func TestAnotherQuestionAfterChoosingPassages(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "keel")
	p.composer.asks.decide(p.passages.Found.Passages[0], false)
	p.composer.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	test.Type(p.composer.entry, "pine")
	b.enter()
	b.Loop.Until(t, "the request", func() bool { return len(*asked) > 0 })
	b.await(t)
	if got := names((*asked)[0].Parts); !slices.Equal(got, []string{"The oldest boat is of pine."}) {
		t.Errorf("with the other question go %q", got)
	}
}

// Documents that are chosen while another chat comes into view are not those of that one.
func TestChoosingDocumentsForAnotherChat(t *testing.T) {
	b, p := chatting(t)
	b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
	b.say(t, "one")
	b.Idle()
	list := make(chan struct{})
	p.composer.asks.documents = slowList{b.documents, list}
	test.Tap(p.composer.asks.button)
	test.Type(p.composer.entry, "boat")
	b.enter()
	p.newChat()
	close(list)
	b.Idle()
	if p.choices.Collection != "" || p.running != nil || p.conversation.ID != "" {
		t.Errorf("the new chat asks %q", p.choices.Collection)
	}
}

// A new chat asks no documents, whatever the chat before asked; an empty chat that does says so, and
// offers nothing that they do not answer.
func TestANewChatAsksNoDocuments(t *testing.T) {
	b, p := asking(t)
	if got := uitest.AllText(p.blank.view); p.choices.Collection != "Papers" || !strings.Contains(p.shelf(), "Papers") || !strings.Contains(got, "ask your documents") || p.blank.examples.Visible() {
		t.Errorf("the chat asks %q, its page says %q", p.choices.Collection, got)
	}
	b.write(t, "boat")
	b.enter()
	b.await(t)
	p.newChat()
	b.Idle()
	if got := uitest.AllText(p.blank.view); p.choices.Collection != "" || !strings.Contains(got, "talk about") || !p.blank.examples.Visible() {
		t.Errorf("the new chat asks %q, its page says %q", p.choices.Collection, got)
	}
}

// A file that is read at once does not say so; one that takes longer does, until it is there.
func TestReadingIsSaidWhenItTakesTime(t *testing.T) {
	b, p := chatting(t)
	done := p.tellLater("Reading it…")
	done()
	time.Sleep(patience + 50*time.Millisecond)
	b.Idle()
	if b.Said != "" {
		t.Errorf("at once it says %q", b.Said)
	}
	done = p.tellLater("Reading it…")
	b.Loop.Until(t, "what is under way", func() bool { return b.Said == "Reading it…" })
	done()
}
