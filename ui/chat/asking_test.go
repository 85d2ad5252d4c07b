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
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// boats is a document of five passages that have the word boat.
const boats = "Boats float on water.\n\nA boat has a keel.\n\nBoats rot in salt water.\n\nMost boats are of wood.\n\nThe oldest boat is of pine."

// asking returns a window in which a conversation asks one collection.
func asking(t *testing.T) (*bench, *Panel) {
	t.Helper()
	b, p := chatting(t)
	b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
	b.ask(t)
	return b, p
}

// ask chooses the only collection.
func (b *bench) ask(t *testing.T) {
	t.Helper()
	test.Tap(b.chat.composer.asks.button)
	b.Loop.Until(t, "the collection", func() bool { return b.chat.choices.Collection != "" })
}

// write types a question and waits for its passages.
func (b *bench) write(t *testing.T, question string) {
	t.Helper()
	b.chat.composer.entry.SetText("")
	test.Type(b.chat.composer.entry, question)
	b.Loop.Until(t, "what is found", func() bool { return b.chat.passages.Question == question && !b.chat.passages.Busy })
	b.Idle()
}

// enter sends what is written.
func (b *bench) enter() { b.chat.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn)) }

// requests notes what the model is asked.
func (b *bench) requests() *[]chat.AnswerRequest {
	var all []chat.AnswerRequest
	b.conversations.Model.Asked = func(r chat.AnswerRequest) { all = append(all, r) }
	return &all
}

// shelf is what the shelf shows.
func (p *Panel) shelf() string { return uitest.AllText(p.composer.asks.shelf.View) }

// tapText presses a small button by its text, below an object.
func tapText(t *testing.T, in fyne.CanvasObject, begins string) {
	t.Helper()
	b, ok := uitest.Find(in, func(b *kit.TextButton) bool { return b.Visible() && strings.HasPrefix(b.Line.Text, begins) })
	if !ok {
		t.Fatalf("there is no %q in %q", begins, uitest.AllText(in))
	}
	test.Tap(b)
}

// saysSearching reports whether documents are searched for the message that was sent last, as it says below that.
func (p *Panel) saysSearching() bool {
	place := p.bubbles[placeID]
	return place != nil && place.embers.Visible() && place.foot.facts.Line.Text == searching
}

func names(parts []chat.Part) (list []string) {
	for _, p := range chat.Passages(parts) {
		list = append(list, p.Text)
	}
	return list
}

// Without documents the button leads to where they are added, with one collection it takes
// that, and with several it asks.
func TestChoosingDocuments(t *testing.T) {
	b, p := chatting(t)
	b.Idle()
	button := p.composer.asks.button
	if button.Text != "Add documents first" {
		t.Errorf("without documents the button says %q", button.Text)
	}
	test.Tap(button)
	b.Idle()
	if b.Entered != panel.Documents || p.choices.Collection != "" {
		t.Errorf("it leads to %q", b.Entered)
	}
	b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": boats})
	p.Enter()
	b.Idle()
	if button.Text != "Ask documents" {
		t.Errorf("with documents the button says %q", button.Text)
	}
	b.ask(t)
	if got := p.shelf(); !strings.Contains(got, "Papers") || !strings.Contains(got, "Questions also go to these documents") || button.Visible() {
		t.Errorf("shown is %q", got)
	}
	b.write(t, "boat")
	b.enter()
	b.await(t)
	c, err := b.conversations.Conversation(p.conversation.ID)
	if err != nil || chat.ChoicesOf(c).Collection != "Papers" {
		t.Errorf("kept is %q, %v", chat.ChoicesOf(c).Collection, err)
	}
	tapText(t, p.composer.asks.shelf.View, "Stop asking these documents")
	c, _ = b.conversations.Conversation(p.conversation.ID)
	if chat.ChoicesOf(c).Collection != "" || p.composer.asks.shelf.View.Visible() || !button.Visible() {
		t.Error("the documents are still asked")
	}
	b.documents.Put("Letters", map[string]string{"/letters/one.txt": "Dear friend."})
	test.Tap(button)
	b.Idle()
	if b.Window.Canvas().Overlays().Top() == nil || p.choices.Collection != "" {
		t.Error("of two collections one is taken without a question")
	}
	p.composer.asks.choose(chat.AllCollections)
	b.write(t, "boat")
	if got := p.shelf(); !strings.Contains(got, "All collections") || len(p.passages.Parts()) == 0 {
		t.Errorf("of all together is shown %q", got)
	}
}

// What will be sent is shown before the model is asked, and a person can change it.
func TestPassagesAreShownFirst(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "boat")
	b.Loop.Until(t, "their share", func() bool {
		return strings.Contains(p.shelf(), "▸ 3 passages will go with your question · under 1 % of what the model can read")
	})
	if len(*asked) > 0 {
		t.Fatal("the model was asked before the person sent anything")
	}
	if got := p.composer.meter.text.Line.Text; !strings.Contains(got, " from documents") {
		t.Errorf("the meter says %q", got)
	}
	shelf := p.composer.asks.shelf
	tapText(t, shelf.View, "▸")
	got := p.shelf()
	for _, want := range []string{"1 · boats.pdf, page 1", "Boats float on water.", "3 · boats.pdf, page 3", "Add another passage (2 more)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the list lacks %q: %q", want, got)
		}
	}
	if strings.Contains(got, "oldest boat") {
		t.Error("what does not go along is listed at once")
	}
	tapText(t, shelf.View, "Stop asking these documents")
	b.ask(t)
	b.write(t, "boat")
	tapText(t, shelf.View, "▸")
	p.composer.asks.decide(p.passages.Found.Passages[1], false)
	tapText(t, shelf.View, "▸ Add another")
	tapText(t, shelf.View, "Add")
	if got, want := names(p.passages.Parts()), []string{"Boats float on water.", "Boats rot in salt water.", "A boat has a keel."}; len(got) != 3 {
		t.Errorf("go along: %q, not %q", got, want)
	}
	p.composer.asks.decide(p.passages.Found.Passages[1], false)
	p.composer.asks.decide(p.passages.Found.Others[1], true)
	b.Idle()
	b.enter()
	b.await(t)
	want := []string{"Boats float on water.", "Boats rot in salt water.", "The oldest boat is of pine."}
	if len(*asked) != 1 || !(*asked)[0].Retrieved || !slices.Equal(names((*asked)[0].Parts), want) {
		t.Fatalf("sent: %+v", *asked)
	}
	if p.passages.Edited() || shelf.Close() {
		t.Error("after sending the passages are still there")
	}
	own := p.bubbles[p.tree.path[0]]
	if got := uitest.AllText(own.body); !strings.Contains(got, "▸ 3 passages from your documents") || strings.Contains(got, "keel") {
		t.Errorf("the message shows %q", got)
	}
	tapText(t, own.body, "▸ 3 passages")
	if got := uitest.AllText(own.body); !strings.Contains(got, "3 · boats.pdf, page 5") {
		t.Errorf("opened, it shows %q", got)
	}
	tapText(t, own.body, "3 · boats.pdf")
	b.Idle()
	if len(b.Shown) != 1 || b.Shown[0].Text != "The oldest boat is of pine." || b.Shown[0].Page != 5 {
		t.Errorf("it leads to %+v", b.Shown)
	}
}

// With the keyboard: the list is reached, a passage is left out and added, and Escape folds
// the list away.
func TestPassagesByKeyboard(t *testing.T) {
	b, p := asking(t)
	b.write(t, "boat")
	shelf := p.composer.asks.shelf
	tapText(t, shelf.View, "▸")
	rows, _ := uitest.Find(shelf.View, func(r *kit.Rows) bool { return r.Visible() })
	b.Window.Canvas().Focus(rows)
	rows.TypedKey(uitest.Key(fyne.KeyDown))
	rows.TypedKey(uitest.Key(fyne.KeyDelete))
	if got := names(p.passages.Parts()); slices.Contains(got, "Boats float on water.") || len(got) != 2 {
		t.Errorf("Delete leaves %q", got)
	}
	rows.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Idle()
	if len(b.Shown) != 1 || b.Shown[0].Text != "A boat has a keel." {
		t.Errorf("Enter leads to %+v", b.Shown)
	}
	p.Escape()
	if strings.Contains(p.shelf(), "▾") {
		t.Error("Escape does not fold the list away")
	}
	if !b.Press(fyne.KeyD) {
		t.Error("no key asks documents")
	}
}

// Who sends before anything was found waits for the search, and sees the passages in the
// message before the model speaks.
func TestSentAtOnce(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	free := make(chan struct{})
	b.conversations.Asking.Finding = func(context.Context, string) { <-free }
	reply := make(chan struct{})
	b.conversations.Model.Hold = func(context.Context) { <-reply }
	test.Type(p.composer.entry, "boat")
	b.enter()
	b.Loop.Until(t, "the search", p.saysSearching)
	close(free)
	b.Loop.Until(t, "the passages", func() bool { return len(p.tree.path) > 0 && len(names(p.tree.message(p.tree.path[0]).Parts)) == 3 })
	if m := p.tree.last(chat.RoleAssistant); m == nil || m.Text() != "" || (*asked)[0].Retrieved {
		t.Error("the model has spoken before the passages were there")
	}
	close(reply)
	b.await(t)
}

// Sentences that passages support have their numbers, which open them; others are doubted,
// with the reason.
func TestCitations(t *testing.T) {
	b, p := asking(t)
	b.conversations.Model.Reply = func(string) string { return "They rot in salt water. Unicorns gallop." }
	b.write(t, "boat")
	b.enter()
	b.await(t)
	b.Idle()
	answer := p.bubbles[p.tree.leaf()]
	shown := uitest.AllText(answer.body)
	for _, want := range []string{"[1] boats.pdf, page 1", "▸ 1 sentence was not found in your documents"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown: %q", want, shown)
		}
	}
	text := answer.text.prose()
	text.TypedShortcut(&fyne.ShortcutSelectAll{})
	text.TypedShortcut(&fyne.ShortcutCopy{})
	if got := b.FyneApp.Clipboard().Content(); !strings.Contains(got, "salt water.\u00a0[1]") || !strings.Contains(got, "gallop.\u00a0[?]") {
		t.Errorf("the text is %q", got)
	}
	text.TypedKey(uitest.Key(fyne.KeyRight)) // to the first reference
	text.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Idle()
	if len(b.Shown) != 1 || b.Shown[0].Page != 1 || b.Shown[0].Files[0].Path != "/papers/boats.pdf" {
		t.Errorf("the citation leads to %+v", b.Shown)
	}
	text.TypedKey(uitest.Key(fyne.KeyRight))
	text.TypedKey(uitest.Key(fyne.KeyReturn))
	if got := uitest.AllText(answer.body); !strings.Contains(got, "“Unicorns gallop.” No passage has these words.") {
		t.Errorf("the reason is not shown: %q", got)
	}
	if b.Said != "" || p.sheet.Popup != nil {
		t.Error("a reference is taken for a link")
	}
}

func TestNotInYourDocuments(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "zeppelin")
	if got := p.shelf(); !strings.Contains(got, "Nothing in “Papers” answers this. Searched: 1 files.") {
		t.Errorf("shown is %q", got)
	}
	b.enter()
	b.await(t)
	b.Idle()
	answer := p.bubbles[p.tree.leaf()]
	if got := uitest.AllText(answer); !strings.HasPrefix(answer.message.Text(), "This is not in your documents.") || !strings.Contains(got, "not in your documents\n") {
		t.Errorf("the answer is %q", got)
	}
	if p.continueLast(); p.running != nil || strings.Contains(uitest.AllText(answer.foot.view), "Continue") {
		t.Error("what the program wrote itself can be continued")
	}
	test.Tap(uitest.FindButton(t, answer.body, "Search in Documents"))
	if b.Looked != [2]string{"Papers", "zeppelin"} {
		t.Errorf("it leads to %q", b.Looked)
	}
	test.Tap(uitest.FindButton(t, answer.body, "Ask the model anyway"))
	b.await(t)
	if n := len(*asked); n != 2 || !(*asked)[1].Anyway || p.tree.last(chat.RoleAssistant).Text() != "zeppelin" {
		t.Errorf("asked: %+v", *asked)
	}
	if ids, _ := p.tree.branches(p.tree.leaf()); len(ids) != 2 {
		t.Error("the answer is no branch beside the first")
	}
}

// Asking the model anyway about an earlier question keeps all that was said since in view.
func TestAskAnywayLater(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "zeppelin")
	b.enter()
	b.await(t)
	missing := *p.tree.last(chat.RoleAssistant)
	p.composer.asks.choose("")
	b.say(t, "one two")
	before := p.said()
	p.askAnyway(missing)
	b.await(t)
	if got := p.said(); got != before+"|zeppelin|zeppelin" || !(*asked)[len(*asked)-1].Anyway {
		t.Errorf("in view is %q, before it was %q", got, before)
	}
}

// The search and the check of the answer can be stopped; the text that is there stays.
func TestStopWhileAsking(t *testing.T) {
	wait := func(ctx context.Context) { <-ctx.Done() }
	for _, stage := range []string{searching, "Checking the answer…"} {
		b, p := asking(t)
		if stage[0] == 'S' {
			b.conversations.Asking.Finding = func(ctx context.Context, _ string) { wait(ctx) }
		} else {
			b.conversations.Asking.Checking = wait
		}
		test.Type(p.composer.entry, "boat")
		b.enter()
		b.Loop.Until(t, stage, func() bool { return p.saysSearching() || strings.Contains(uitest.AllText(p.waiting.Progress), stage) })
		p.Escape()
		b.await(t)
		if stage[0] == 'S' && p.said() != "boat|" {
			t.Errorf("%s: the conversation is %q", stage, p.said())
		}
		if stage[0] == 'C' && p.tree.last(chat.RoleAssistant).Text() != "boat" {
			t.Errorf("%s: the answer is %q", stage, p.said())
		}
		b.Idle()
		if got := p.notice.Message(); got != "" {
			t.Errorf("%s: the window complains: %q", stage, got)
		}
	}
}

// A collection that is removed while a conversation asks it is named, and one button goes on.
func TestRemovedDocuments(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "boat")
	if err := b.documents.Remove(context.Background(), "Papers"); err != nil {
		t.Fatal(err)
	}
	p.Enter()
	b.Idle()
	if got := p.shelf(); !strings.Contains(got, "Removed. Choose others…") {
		t.Errorf("shown is %q", got)
	}
	b.enter()
	if p.running != nil || p.composer.entry.Text != "boat" || !strings.Contains(p.notice.Message(), "were removed") {
		t.Errorf("it was sent; the window says %q", p.notice.Message())
	}
	test.Tap(uitest.FindButton(t, p.notice.View, "Ask without them"))
	b.enter()
	b.await(t)
	if len(*asked) != 1 || len(names((*asked)[0].Parts)) > 0 || p.said() != "boat|boat" {
		t.Errorf("asked: %+v, %q", *asked, p.said())
	}
}

// What is found for one conversation does not appear in another, and a draft comes back with
// what was decided about its passages.
func TestSwitchWhileSearching(t *testing.T) {
	b, p := asking(t)
	b.conversations.Put(longChat(4))
	b.write(t, "boat")
	p.composer.asks.decide(p.passages.Found.Passages[0], false)
	b.enter()
	b.await(t)
	first := p.conversation.ID
	b.write(t, "boat")
	p.composer.asks.decide(p.passages.Found.Passages[0], false)
	free, began := make(chan struct{}), make(chan struct{}, 10)
	b.conversations.Asking.Finding = func(context.Context, string) { began <- struct{}{}; <-free }
	test.Type(p.composer.entry, " keel")
	p.composer.asks.find()
	<-began
	p.openChat("long", 0)
	if p.choices.Collection != "" || p.composer.asks.shelf.View.Visible() {
		t.Error("the other conversation asks documents too")
	}
	close(free)
	b.Idle()
	if len(p.passages.Items()) > 0 {
		t.Errorf("the other conversation has %d passages", len(p.passages.Items()))
	}
	p.openChat(first, 0)
	b.Loop.Until(t, "the passages again", func() bool { return p.passages.Question == "boat keel" })
	if got := names(p.passages.Parts()); slices.Contains(got, "Boats float on water.") || len(got) != 2 {
		t.Errorf("go along: %q", got)
	}
}

// Another question in the place of one has passages of its own.
func TestEditedQuestion(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.write(t, "boat")
	b.enter()
	b.await(t)
	p.edit(p.tree.path[0])
	b.write(t, "pine")
	b.enter()
	b.await(t)
	last := (*asked)[len(*asked)-1]
	if got := names(last.Parts); !slices.Equal(got, []string{"The oldest boat is of pine."}) || last.After != 0 || p.said() != "pine|pine" {
		t.Errorf("sent: %+v, %q", last, p.said())
	}
	if ids, _ := p.tree.branches(p.tree.path[0]); len(ids) != 2 {
		t.Error("the first question is gone")
	}
}

// An answer that is edited asks nothing: no passage is looked for, and the button saves it. What
// was written before comes back with its passages.
func TestEditedAnswer(t *testing.T) {
	b, p := asking(t)
	b.write(t, "boat")
	b.enter()
	b.await(t)
	b.write(t, "pine")
	p.edit(p.tree.path[1])
	p.composer.entry.SetText("Another answer about a boat.")
	time.Sleep(2 * lookPause)
	b.Idle()
	if p.passages.Busy || len(p.passages.Parts()) > 0 || p.composer.asks.shelf.View.Visible() || p.composer.asks.button.Visible() || p.composer.send.Text != "Save" {
		t.Errorf("an edited answer has the passages %q, and the button says %q", names(p.passages.Parts()), p.composer.send.Text)
	}
	p.endEditing()
	b.Loop.Until(t, "the passages of the question", func() bool { return p.passages.Question == "pine" && !p.passages.Busy })
	if p.composer.send.Text != "Send" || !p.composer.asks.shelf.View.Visible() {
		t.Errorf("after it the button says %q", p.composer.send.Text)
	}
}

// A search that fails says why, and the next letter tries again.
func TestFailingSearch(t *testing.T) {
	b, p := asking(t)
	b.documents.Failing = errors.New("the index cannot be read")
	b.write(t, "boat")
	if got := p.shelf(); !strings.Contains(got, "The index cannot be read.") {
		t.Errorf("shown is %q", got)
	}
	b.documents.Failing = nil
	b.write(t, "boats")
	if got := p.shelf(); !strings.Contains(got, "passages will go") {
		t.Errorf("shown is %q", got)
	}
}

// Where the documents cannot be searched, the question stays, and one button answers it
// without them.
func TestAnswerWithoutDocuments(t *testing.T) {
	b, p := asking(t)
	asked := b.requests()
	b.documents.Failing = errors.New("the index cannot be read")
	b.write(t, "boat")
	b.enter()
	b.await(t)
	b.Idle()
	if p.said() != "boat" || !strings.Contains(p.notice.Message(), "cannot be searched") {
		t.Fatalf("the conversation is %q, the window says %q", p.said(), p.notice.Message())
	}
	test.Tap(uitest.FindButton(t, p.notice.View, "Answer without documents"))
	b.await(t)
	if last := (*asked)[len(*asked)-1]; !last.Anyway || p.said() != "boat|boat" || p.notice.Message() != "" {
		t.Errorf("asked: %+v, %q, %q", last, p.said(), p.notice.Message())
	}
}

// Of hundreds of passages only those in view are made.
func TestManyPassages(t *testing.T) {
	b, p := chatting(t)
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "Boat number %d.\n\n", i)
	}
	b.documents.Put("Papers", map[string]string{"/papers/boats.pdf": text.String()})
	b.conversations.Asking.Most = 200
	b.conversations.Model.Context = 1 << 20
	b.ask(t)
	b.write(t, "boat")
	tapText(t, p.composer.asks.shelf.View, "▸")
	if n := strings.Count(p.shelf(), "Boat number"); n == 0 || n > 10 {
		t.Errorf("%d of 200 passages are drawn", n)
	}
	if h := p.composer.asks.shelf.View.Size().Height; h > 300 {
		t.Errorf("the list is %.0f high", h)
	}
	b.enter()
	b.await(t)
	own := p.bubbles[p.tree.path[0]]
	tapText(t, own.body, "▸ 200 passages")
	tapText(t, own.body, "Show 20 more")
	if n := strings.Count(uitest.AllText(own.body), "Boat number"); n != 40 {
		t.Errorf("the message lists %d passages", n)
	}
}
