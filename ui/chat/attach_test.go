package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// attachPath adds a file of the disk to the message.
func (p *Panel) attachPath(path string) { p.attachAll(p.together(1), []string{path}) }

func TestAttach(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Model.Context = 100_000
	path := uitest.TempFile(t, "recipe.txt", "unused")
	b.Double.Files[path] = texts.Texts{Lines: []string{"Flour, water.", "Salt."}}
	p.Drop(panel.Sorted([]string{path}))
	b.Loop.Until(t, "the file and its tokens", func() bool { return len(p.composer.files) == 1 && p.composer.files[0].Tokens > 0 })
	if a := p.composer.files[0]; a.Text != "Flour, water.\nSalt." || a.Tokens != 5 || !strings.Contains(uitest.AllText(p.composer.view), "recipe.txt\n3 words") {
		t.Errorf("attached %+v, shown %q", a, uitest.AllText(p.composer.view))
	}
	p.Drop(panel.Sorted([]string{uitest.TempFile(t, "noise.bin", "x")}))
	b.Loop.Until(t, "a refusal", func() bool { return p.notice.Message() != "" })
	if got := p.notice.Message(); got != "noise.bin is not a text file: it holds binary data." {
		t.Errorf("a binary file: %q", got)
	}
	if !p.composer.pasted(strings.Repeat("words ", pasteLimit)) || p.composer.pasted("short") || p.composer.pasted(strings.Repeat("line\n", 500)) {
		t.Error("a long paste does not become an attachment, or a short one does")
	}
	if rare := strings.Repeat("\U000F0001", 1500); !p.composer.pasted(rare) || p.composer.files[2].Text != rare {
		t.Error("one long line is not attached as it is")
	}
	p.composer.files = p.composer.files[:2]
	p.send()
	b.Loop.Until(t, "the answer", func() bool { return p.tree.last(chat.RoleAssistant) != nil && p.running == nil })
	m := p.tree.last(chat.RoleUser)
	if len(m.Files()) != 2 || m.Files()[0].Name != "recipe.txt" || p.composer.holds() {
		t.Errorf("sent %+v", m.Files())
	}
	p.showFile(m.Files()[0])
	if p.sheet.Title != "recipe.txt" {
		t.Errorf("a click on it opens %q", p.sheet.Title)
	}
	b.Panel.Escape()
	p.askLink("javascript:alert(1)")
	if found := p.sheet.Title; found != "Open a link?" || uitest.Search(p.sheet.Popup.Content, "Open") != nil {
		t.Error("an address that is none of the web can be opened")
	}
	p.askLink("https://example.org/a?b=c")
	if uitest.Search(p.sheet.Popup.Content, "Open") == nil || !strings.Contains(uitest.AllText(p.sheet.Popup.Content), "https://example.org/a?b=c") {
		t.Error("a link of the web is not offered with its whole address")
	}
	if !b.chat.sheet.Close() {
		t.Error("no sheet was open")
	}
}

// The words of an attached text are counted, not guessed from what a model makes of them.
func TestWordsOfAText(t *testing.T) {
	for text, want := range map[string]int{"one two\tthree\n four ": 4, "": -1, strings.Repeat("字", 300): -1, strings.Repeat("a ", countedBytes): -1} {
		if n, counted := wordsIn(text); counted != (want >= 0) || counted && n != want {
			t.Errorf("%d bytes: %d words, %v", len(text), n, counted)
		}
	}
}

// A chat about a text begins with the question that is known, which typing replaces.
func TestAskAboutWithAQuestion(t *testing.T) {
	_, p := chatting(t)
	p.AskAbout("lease.txt", "Sixty days.", "how much notice")
	if e := p.composer.entry; e.Text != "how much notice" || e.SelectedText() != e.Text || len(p.composer.files) != 1 {
		t.Errorf("the message is %q, selected %q, with %d files", e.Text, e.SelectedText(), len(p.composer.files))
	}
}

// Two answers need a message, and what loses its place gives the keyboard to the field.
func TestNothingWrittenAndNothingAttached(t *testing.T) {
	b, p := chatting(t)
	if !p.composer.twice.Disabled() {
		t.Error("two answers are offered for nothing")
	}
	p.composer.entry.SetText("hello")
	if p.composer.twice.Disabled() {
		t.Error("two answers are not offered for a message")
	}
	p.composer.entry.SetText("")
	p.composer.attach(chat.File("Pasted text", "some words"))
	remove, ok := uitest.Find(p.composer.chips, func(b *kit.TextButton) bool { return b.Tip == "Do not attach this" })
	if !ok {
		t.Fatal("an attached text cannot be removed")
	}
	b.Window.Canvas().Focus(remove)
	remove.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(p.composer.files) != 0 || b.Window.Canvas().Focused() != p.composer.entry {
		t.Errorf("%d are attached, and %T has the keyboard", len(p.composer.files), b.Window.Canvas().Focused())
	}
}

// TestPasteWhileEditing: what a field would lay out for seconds becomes an attachment. The
// message that is edited and the instructions stay as they are, and the window says why.
func TestPasteWhileEditing(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	clipboard := b.FyneApp.Clipboard()
	for _, long := range []string{strings.Repeat("A", 10_000), strings.Repeat("words\n", 5000)} {
		clipboard.SetContent(long)
		p.composer.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
		if f := p.composer.files; len(f) != 1 || f[0].Text != long || p.composer.entry.Text != "" {
			t.Errorf("%d attachments, and %d bytes in the field", len(f), len(p.composer.entry.Text))
		}
		p.composer.fill(draft{})
		p.options.setSystem("Be kind.")
		p.edit(p.tree.last(chat.RoleUser).ID)
		for field, before := range map[*kit.Entry]string{p.composer.entry: "one two", p.options.system: "Be kind."} {
			b.Said = ""
			field.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
			if field.Text != before || !strings.Contains(b.Said, "nothing was pasted") {
				t.Errorf("the field has %d bytes, and the window says %q", len(field.Text), b.Said)
			}
		}
		p.endEditing()
	}
	id, err := b.conversations.Edit(p.conversation.ID, p.tree.last(chat.RoleUser).ID, strings.Repeat("A", 10_000), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.reload()
	p.edit(id)
	if p.editing != 0 || !strings.Contains(b.Said, "too long to edit") {
		t.Errorf("a message of one long line is edited; the window says %q", b.Said)
	}
}

// The files of a message are shown while it is edited, and go with the edited one: without one that
// was taken off, and with one that came.
func TestFilesOfAnEditedMessage(t *testing.T) {
	b, p := chatting(t)
	p.composer.attach(chat.File("old.txt", "some words"))
	p.composer.attach(chat.File("kept.txt", "other words"))
	b.say(t, "one two")
	p.edit(p.tree.last(chat.RoleUser).ID)
	if shown := uitest.AllText(p.composer.view); !strings.Contains(shown, "old.txt") || !strings.Contains(shown, "kept.txt") {
		t.Errorf("while it is edited it shows %q", shown)
	}
	remove, _ := uitest.Find(p.composer.chips, func(b *kit.TextButton) bool { return b.Tip == "Do not attach this" })
	test.Tap(remove)
	p.composer.attach(chat.File("new.txt", "more words"))
	p.composer.entry.SetText("three four")
	p.send()
	b.await(t)
	var names []string
	m := p.tree.last(chat.RoleUser)
	for _, f := range m.Files() {
		names = append(names, f.Name)
	}
	if strings.Join(names, " ") != "kept.txt new.txt" || m.Text() != "three four" || len(p.composer.files) != 0 {
		t.Errorf("the edited message has %q and says %q; the field has %d files", names, m.Text(), len(p.composer.files))
	}
	p.edit(m.ID)
	p.endEditing()
	if len(p.composer.files) != 0 {
		t.Error("the files of the edited message stay in the field")
	}
}

// The tiny guide says before a file is sent that it cannot read it; another model says nothing.
func TestTheGuideReadsNoFiles(t *testing.T) {
	b, p := guided(t)
	p.composer.attach(chat.File("a.txt", "some words"))
	if !strings.Contains(uitest.AllText(p.composer.view), "The tiny guide only finds words in attached files and quotes them.") {
		t.Errorf("it says %q", uitest.AllText(p.composer.view))
	}
	p.composer.files = nil
	p.composer.showFiles()
	p.composer.changed()
	if p.composer.unread.View.Visible() {
		t.Error("it says so without a file")
	}
	p.composer.attach(chat.File("a.txt", "some words"))
	if test.Tap(p.composer.unread.Close); p.composer.warned {
		p.composer.refresh()
	}
	if p.composer.unread.View.Visible() {
		t.Error("what was closed comes back")
	}
	p.composer.warned = false
	p.composer.refresh()
	test.Tap(p.composer.unread.Act)
	if b.Idle(); !p.blank.card.View.Visible() || len(p.composer.files) != 1 {
		t.Errorf("it does not lead to a model, or %d files are left", len(p.composer.files))
	}
	b, p = chatting(t)
	p.composer.attach(chat.File("a.txt", "some words"))
	if b.Idle(); p.composer.unread.View.Visible() {
		t.Error("a model that reads files is said not to")
	}
}

// The text of a document is attached under its name; where it cannot be read the field keeps
// what it holds.
func TestAttachDocument(t *testing.T) {
	b, p := chatting(t)
	path := uitest.TempFile(t, "boats.pdf", "%PDF-")
	b.documents.Texts = map[string]string{path: "Boats float."}
	p.Drop(panel.Sorted([]string{path}))
	b.Loop.Until(t, "the file", func() bool { return len(p.composer.files) == 1 })
	if a := p.composer.files[0]; a.Text != "Boats float." || a.Name != "boats.pdf" || b.Said != "" {
		t.Errorf("attached %+v; it says %q", a, b.Said)
	}
	b.documents.Failing = errors.New("boats.pdf was not attached: it is locked")
	p.attachPath(path)
	b.Loop.Until(t, "the reason", func() bool { return strings.Contains(p.notice.Message(), "locked") })
	if len(p.composer.files) != 1 {
		t.Error("the field lost its file")
	}
}

// slowLister lists the models as they are when it is asked, and answers when it may.
type slowLister struct {
	Conversations
	asked, may chan struct{}
}

func (l slowLister) Models(ctx context.Context) ([]chat.ModelChoice, error) {
	list, err := l.Conversations.Models(ctx)
	close(l.asked)
	<-l.may
	return list, err
}

// A model that was dropped while the models were listed stays chosen when the older list comes.
func TestADroppedModelOutlivesAnOlderList(t *testing.T) {
	b, p := chatting(t)
	fast, slow := p.conversations, slowLister{p.conversations, make(chan struct{}), make(chan struct{})}
	p.conversations = slow
	p.ModelsChanged()
	<-slow.asked
	p.conversations = fast
	dropped := library.Model{ID: "/models/brought", Name: "brought", Kind: library.KindChat, Usable: true}
	b.conversations.SetModels([]chat.ModelChoice{{Model: dropped, Fits: fit.FitsWell}})
	b.Double.AddedKind = library.KindChat
	p.Drop(panel.Dropped{Models: []string{dropped.ID}})
	b.Loop.Until(t, "the dropped model", func() bool { return p.choices.Model == dropped.ID })
	close(slow.may)
	b.Idle()
	if got := p.notice.Message(); p.choices.Model != dropped.ID || got != "" {
		t.Errorf("then %q is chosen; it says %q", p.choices.Model, got)
	}
}

// A dropped model that writes nothing is led to its room: pictures are compared in Similarity,
// rerankers score in Rerank.
func TestMisplaced(t *testing.T) {
	b, p := chatting(t)
	for kind, room := range map[string][2]string{
		library.KindPictures: {panel.Similarity, "Similarity"}, library.KindReranker: {panel.Rerank, "Rerank"},
	} {
		b.Double.AddedKind = kind
		p.Drop(panel.Dropped{Models: []string{"/models/tower"}})
		b.Idle()
		if got := p.notice.Message(); got != "tower does not write text, so it cannot answer here. You can use it in "+room[1]+" or Performance." || p.notice.Act.Text != "Go to "+room[1] {
			t.Fatalf("%s: it says %q, %q", kind, got, p.notice.Act.Text)
		}
		test.Tap(p.notice.Act)
		if b.Entered != room[0] || b.Brought != "/models/tower" || p.notice.Message() != "" {
			t.Errorf("%s: it leads to %q", kind, b.Entered)
		}
	}
}

// Of files that are dropped together, those that cannot be used are named together with the
// reasons, and stay named when the others are attached. The next files begin anew.
func TestRefusedFilesAreNamed(t *testing.T) {
	b, p := chatting(t)
	good := []string{uitest.TempFile(t, "first.txt", "x"), uitest.TempFile(t, "last.txt", "x")}
	for _, path := range good {
		b.Double.Files[path] = texts.Texts{Lines: []string{"Flour."}}
	}
	b.documents.Failing = errors.New("locked.pdf was not attached: it is locked; give its password")
	bad := []string{uitest.TempFile(t, "noise.bin", "x"), uitest.TempFile(t, "locked.pdf", "x"), uitest.TempFile(t, "tool.exe", "x")}
	p.Drop(panel.Dropped{Files: []string{bad[0], good[0], bad[1], bad[2], good[1]}})
	b.Idle()
	got := p.notice.Message()
	for _, want := range []string{
		"3 of 5 files could not be used. ", "noise.bin is not a text file: it holds binary data",
		"locked.pdf was not attached: it is locked", "tool.exe is not a text file: it holds binary data",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it says %q, without %q", got, want)
		}
	}
	if len(p.composer.files) != 2 || strings.Count(got, ".pdf") != 1 || strings.Contains(got, "password") {
		t.Errorf("%d files are attached; it says %q", len(p.composer.files), got)
	}
	p.attachPath(good[0])
	b.Idle()
	if got := p.notice.Message(); len(p.composer.files) != 3 || got != "" {
		t.Errorf("a good file later leaves %q", got)
	}
	p.attachPath(bad[1])
	b.Idle()
	if got := p.notice.Message(); got != "locked.pdf was not attached: it is locked; give its password." {
		t.Errorf("one file alone: %q", got)
	}
	b.Double.Failing = errors.New("weights.gguf cannot be used: it ends too early")
	p.Drop(panel.Dropped{Models: []string{"/models/weights.gguf"}, Files: bad[:1]})
	b.Idle()
	if got := p.notice.Message(); !strings.Contains(got, "None of 2 files could be used. ") || !strings.Contains(got, "weights.gguf cannot be used: it ends too early") || !strings.Contains(got, "noise.bin is") {
		t.Errorf("with a model: %q", got)
	}
	many := make([]string, panel.ReasonsTold+2)
	for i := range many {
		many[i] = uitest.TempFile(t, "many"+string(rune('a'+i))+".exe", "x")
	}
	p.Drop(panel.Dropped{Files: many})
	b.Idle()
	got = p.notice.Message()
	if strings.Count(got, "binary data") != panel.ReasonsTold || !strings.Contains(got, "; the others are ") {
		t.Errorf("of many files: %q", got)
	}
	for i := range many {
		if !strings.Contains(got, "many"+string(rune('a'+i))+".exe") {
			t.Errorf("file %d of many is not named", i)
		}
	}
}

// What is too long can be searched for each question of the chat, where it is a file: it goes off the message and
// among the documents that the chat asks. A text that was pasted is no file, so that is not offered.
func TestTooLongIsSearched(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	const name = "Find the passages for each question"
	long := strings.Repeat("word ", 5000)
	p.composer.pasted(long)
	b.Loop.Until(t, "the count", func() bool { return p.composer.tooLong() })
	p.send()
	if p.sheet.Title != "This message is too long" || uitest.Search(p.sheet.Popup.Content, name) != nil || !strings.Contains(uitest.AllText(p.sheet.Popup.Content), "save this one as a file") {
		t.Errorf("of a pasted text: %q", uitest.AllText(p.sheet.Popup.Content))
	}
	p.sheet.Close()
	p.composer.fill(draft{})
	path := uitest.TempFile(t, "long.txt", "x")
	b.Double.Files[path] = texts.Texts{Lines: []string{long}}
	p.attachPath(path)
	b.Idle()
	b.Loop.Until(t, "the count of the file", func() bool { return p.composer.tooLong() })
	p.composer.entry.SetText("Which words?")
	p.send()
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, name))
	if len(b.Documents) != 1 || b.Documents[0] != path || b.Held == nil || len(p.composer.files) != 1 {
		t.Fatalf("among the documents are %q", b.Documents)
	}
	b.documents.Put("Papers", map[string]string{path: boats})
	all, err := b.documents.Collections(t.Context())
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	b.Held(all[0].ID)
	b.Idle()
	if p.choices.Collection != all[0].ID || p.composer.entry.Text != "Which words?" || b.Entered != "" {
		t.Errorf("the chat asks %q, with %q written, in %q", p.choices.Collection, p.composer.entry.Text, b.Entered)
	}
	if len(p.composer.files) != 0 || !p.toast.View.Visible() {
		t.Errorf("%d files stay in the message", len(p.composer.files))
	}
	if p.undo(); len(p.composer.files) != 1 || p.composer.entry.Text != "Which words?" || p.choices.Collection != "" {
		t.Errorf("after undo it has %d files and %q", len(p.composer.files), p.composer.entry.Text)
	}
}

// A clipboard without text, and one with more than a message takes, leave the message as it is
// and are said; what follows is typed as before.
func TestOddClipboards(t *testing.T) {
	b, p := chatting(t)
	paste := func(text string) {
		clipboard := test.NewClipboard()
		clipboard.SetContent(text)
		p.composer.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	}
	paste("") // empty, or a picture
	if b.Said != "There is no text on the clipboard, so nothing was pasted." || p.composer.holds() {
		t.Errorf("with nothing on the clipboard: %q", b.Said)
	}
	paste(strings.Repeat("0123456789", 10_000_000))
	if got := p.notice.Message(); !strings.Contains(got, "holds 100 MB of text, and a message takes at most 4.2 MB") || p.composer.holds() {
		t.Errorf("with 100 MB on the clipboard: %q", got)
	}
	test.Type(p.composer.entry, "still here")
	if paste("!"); p.composer.entry.Text != "still here!" {
		t.Errorf("then it holds %q", p.composer.entry.Text)
	}
}

// Many files stand in rows that the window has room for, and a closed field for finding takes none.
func TestChipsInRows(t *testing.T) {
	b, p := chatting(t)
	b.Window.Resize(fyne.NewSize(640, 480))
	before := p.flow.Size().Height
	p.find.Open()
	if p.flow.Size().Height >= before {
		t.Errorf("the open field takes no room: %v of %v", p.flow.Size().Height, before)
	}
	p.find.Close()
	if p.flow.Size().Height != before || (column800{}).MinSize([]fyne.CanvasObject{p.find.View}).Height != 0 {
		t.Errorf("the closed field takes %v", before-p.flow.Size().Height)
	}
	for i := range 6 {
		p.composer.attach(chat.File("a file with a long name "+strings.Repeat("x", i)+".txt", "some words"))
	}
	b.Idle()
	rows := map[float32]bool{}
	for _, chip := range p.composer.chips.Objects {
		rows[chip.Position().Y] = true
		if end := chip.Position().X + chip.Size().Width; end > p.composer.shelf.Size().Width {
			t.Errorf("a chip ends at %v of %v", end, p.composer.shelf.Size().Width)
		}
	}
	if len(rows) < 2 || p.composer.shelf.Size().Height < 40 {
		t.Errorf("%d rows in %v", len(rows), p.composer.shelf.Size())
	}
}

// A file that is longer than any model reads is not attached: its passages can be found for each question.
func TestAFileForNoModelIsSearched(t *testing.T) {
	b, p := chatting(t)
	path := uitest.TempFile(t, "big.txt", "x")
	p.refuse(p.together(1), path, fmt.Errorf("big.txt holds 5 MB of text, %w", documents.ErrMoreThanRead))
	if p.notice.Act.Text != "Find the passages for each question" || !strings.Contains(p.notice.Message(), "more than a model reads at once") {
		t.Fatalf("it says %q and offers %q", p.notice.Message(), p.notice.Act.Text)
	}
	test.Tap(p.notice.Act)
	if len(b.Documents) != 1 || b.Documents[0] != path || p.notice.Message() != "" {
		t.Errorf("among the documents are %q; it says %q", b.Documents, p.notice.Message())
	}
}
