package chat

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/uitest"
)

// ovens is a long chat in which three messages tell of ovens, and one has a file that does.
func ovens() chat.Conversation {
	c := longChat(60)
	c.Messages[4].Parts = chat.Content("How hot is the oven?")
	c.Messages[5].Parts = chat.Content("# The oven\n\nIt is **very** hot, an Oven’s heart.")
	c.Messages[40].Parts = append(chat.Content("Read this."), chat.Part{Kind: chat.PartFile, Name: "notes.txt", Text: "Clean the ovens."})
	c.Messages[58].Parts = chat.Content("Thank you. The oven is warm.")
	return c
}

// placeInSight reports whether the place that finding went to is in sight.
func (p *Panel) placeInSight() bool {
	b := p.bubbles[p.find.Place()]
	if b == nil || !b.Visible() {
		return false
	}
	top, bottom, ok := b.text.prose().FoundAt()
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(b.text.prose()).Y - driver.AbsolutePositionForObject(p.flow.Scroll).Y
	return ok && at+top >= 0 && at+bottom <= p.flow.Scroll.Size().Height
}

func TestFindInTheChat(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Put(ovens())
	p.openChat("long", 0)
	b.Idle()
	p.lookFor()
	if !p.find.View.Visible() || b.Window.Canvas().Focused() != p.find.Field {
		t.Fatal("Ctrl+F in a chat does not lead to the field that finds in it")
	}
	p.find.Field.SetText("oven")
	b.Loop.Until(t, "the places", func() bool { return p.find.Count.Text != "" })
	if got := p.find.Count.Text; got != "5 of 5" {
		t.Errorf("at the end of the chat it says %q", got)
	}
	for _, want := range []string{"1 of 5", "2 of 5", "3 of 5", "4 of 5, in notes.txt", "5 of 5"} {
		p.find.Field.TypedKey(uitest.Key(fyne.KeyReturn))
		b.Idle()
		if got := p.find.Count.Text; got != want {
			t.Fatalf("it says %q, not %q", got, want)
		}
		if !strings.Contains(want, "notes") && !p.placeInSight() {
			t.Errorf("%s is not in sight", want)
		}
	}
	p.find.Field.SetText("very hot") // across the marks of Markdown
	b.Loop.Until(t, "the other place", func() bool { return p.find.Count.Text == "1 of 1" })
	p.find.Field.SetText("unicorn")
	b.Loop.Until(t, "that there is none", func() bool { return p.find.Count.Text == "Not found" })
	p.lookFor()
	if b.Window.Canvas().Focused() != p.list.Search {
		t.Error("Ctrl+F in that field does not lead to the search of all chats")
	}
	p.lookFor()
	p.find.Field.TypedKey(uitest.Key(fyne.KeyEscape))
	if p.find.View.Visible() || b.Window.Canvas().Focused() != p.composer.entry {
		t.Error("Escape does not end finding")
	}
	p.newChat()
	p.lookFor()
	if b.Window.Canvas().Focused() != p.list.Search {
		t.Error("where nothing is written Ctrl+F does not search all chats")
	}
}

// What a search of all chats found is marked in its chat, and in sight.
func TestASearchLeadsToItsWords(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Put(ovens())
	for _, query := range []string{"an oven’s", "warm"} {
		p.newChat()
		p.list.Search.SetText(query)
		p.list.Reload()
		b.Loop.Until(t, "the hit", func() bool {
			return len(p.list.Items) == 1 && strings.Contains(strings.ToLower(p.list.Items[0].Summary.Snippet), query)
		})
		p.list.Found.Pick(0)
		b.Loop.Until(t, "the place", func() bool { return p.find.Count.Text != "" })
		if p.find.Field.Text != query || !p.placeInSight() || p.find.Place() != p.list.Items[0].Summary.Found {
			t.Errorf("%q: it finds %q, in message %d, in sight %v", query, p.find.Field.Text, p.find.Place(), p.placeInSight())
		}
	}
	b.say(t, "and so on")
	if !slices.Contains(p.tree.path, p.find.Place()) {
		t.Error("the place is gone after a message more")
	}
}
