package ui

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	docs "inglenook/app/documents"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// A passage of a message in Chat opens in the Documents room, and the room leads back.
func TestAPassageOpensInDocuments(t *testing.T) {
	data, err := json.Marshal(chat.Source{Collection: "Papers", ID: 3, Path: "/papers/boats.txt", End: 12})
	if err != nil {
		t.Fatal(err)
	}
	conversations := scripted.New()
	conversations.Put(chat.Conversation{Summary: chat.Summary{ID: "x", Title: "Boats"}, Leaf: 2, Messages: []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: []chat.Part{{Kind: chat.PartPassage, Name: "boats.txt", Text: "Boats float.", Data: data}, chat.Text("Do they?")}},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Parts: chat.Content("They do."), Reply: &chat.ReplyRecord{Claims: []chat.Claim{{End: 8, Passage: 0, BestEnd: 12}}}},
	}})
	d := uitest.NewApp()
	d.Kept.Chat.Talk = "x"
	b := windowWith(t, d, conversations)
	b.start(Options{})
	b.enter(panel.Chat)
	b.settle()
	source, ok := uitest.Find(b.chat.Content(), func(b *kit.TextButton) bool { return b.Line.Text == "[1] boats.txt" })
	if !ok {
		t.Fatal("the answer names no source")
	}
	test.Tap(source)
	b.settle()
	if b.current != panel.Documents {
		t.Fatalf("it leads to %s", b.current)
	}
	b.enter(panel.Documents)
	test.Tap(uitest.FindButton(t, b.documents.Content(), "Back to the chat"))
	if b.current != panel.Chat {
		t.Errorf("the way back leads to %s", b.current)
	}
	b.searchDocuments("", "boats")
	b.settle()
	if b.current != panel.Documents {
		t.Errorf("a search leads to %s", b.current)
	}
}

// A text of the Documents room leads to a new chat that it is attached to.
func TestATextIsAskedAbout(t *testing.T) {
	b := windowWith(t, uitest.NewApp(), scripted.New())
	b.start(Options{})
	b.enter(panel.Documents)
	b.settle()
	b.askAbout("boats.txt", "Boats float.", "")
	b.settle()
	if got := uitest.AllText(b.chat.Content()); b.current != panel.Chat || !strings.Contains(got, "boats.txt") {
		t.Errorf("it leads to %s, which says %q", b.current, got)
	}
}

// A file that is too long for a chat is added in the Documents room, which comes into view with the
// question.
func TestAFileIsAddedToDocuments(t *testing.T) {
	b := windowWith(t, uitest.NewApp(), scripted.New())
	b.start(Options{})
	b.enter(panel.Chat)
	b.searchFiles([]string{"/papers/boats.txt"}, "Which boats float?")
	b.settle()
	if got := uitest.AllText(b.documents.Content()); b.current != panel.Documents || !strings.Contains(got, docs.DefaultName) || !strings.Contains(got, "1 file") || !strings.Contains(got, "Which boats float?") {
		t.Errorf("in %s it says %q", b.current, got)
	}
}

// A model that was dropped in the wrong room is chosen in the one that it belongs to.
func TestAMisplacedModelIsBrought(t *testing.T) {
	for kind, way := range map[string]struct{ from, button, to string }{
		library.KindTask: {panel.Similarity, "Go to Chat", panel.Chat}, library.KindReranker: {panel.Similarity, "Go to Rerank", panel.Rerank},
		library.KindPictures: {panel.Chat, "Go to Similarity", panel.Similarity},
	} {
		t.Run(kind, func(t *testing.T) {
			d := uitest.NewApp()
			d.AddedKind = kind
			conversations := scripted.New()
			if way.to == panel.Chat {
				brought := library.Model{ID: "/models/brought-along", Name: "brought-along", Kind: kind, Usable: true}
				conversations.SetModels([]chat.ModelChoice{{Model: brought, Fits: fit.FitsWell}})
			}
			b := windowWith(t, d, conversations)
			b.start(Options{})
			b.enter(way.from)
			b.settle()
			b.panel(way.from).Drop(panel.Dropped{Models: []string{"/models/brought-along"}})
			b.settle()
			test.Tap(uitest.FindButton(t, b.panel(way.from).Content(), way.button))
			b.settle()
			if got := uitest.AllText(b.panel(way.to).Content()); b.current != way.to || !strings.Contains(got, "brought-along") {
				t.Errorf("in %s it says %q", b.current, got)
			}
		})
	}
}

// A file opens at its page where the system's own program for it can, and else at its beginning.
func TestOpenAtAPage(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	opened := make(chan string, 1)
	b.opens = func(path string) error { opened <- path; return nil }
	b.opensAt = func(path string, page int) bool {
		if page == 9 {
			return false
		}
		opened <- path + " " + strconv.Itoa(page)
		return true
	}
	for page, want := range map[int]string{0: "/a.pdf", 1: "/a.pdf", 4: "/a.pdf 4", 9: "/a.pdf"} {
		if b.openPage("/a.pdf", page); <-opened != want {
			t.Errorf("page %d is not opened as %q", page, want)
		}
	}
}

// While the rooms are painted for the first time the window shows its name on the ground of its colours.
func TestGreeting(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.window.SetContent(greeting())
	if shown := strings.TrimSpace(uitest.AllText(b.window.Content())); shown != "Inglenook" {
		t.Errorf("it shows %q", shown)
	}
	r, g, bl, _ := b.window.Canvas().Capture().At(5, 5).RGBA()
	if want := kit.Themed(theme.ColorNameBackground); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(bl>>8) != want.B {
		t.Errorf("the ground is %x %x %x, want %v", r>>8, g>>8, bl>>8, want)
	}
}
