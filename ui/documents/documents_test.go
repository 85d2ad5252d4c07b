package documents

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// bench is the panel in a window, over a double of the application.
type bench struct {
	*uitest.Stage
	kept     *scripted.Documents
	panel    *Panel
	opened   []string // files that were opened in their own program
	openedAt int      // page of the last of them
	chats    int      // that ask a collection
}

const lease = "Residential lease\n\nThe tenant pays the rent on the first day.\n\nEither side may end the lease with sixty days of written notice.\n\nOne cat or one small dog may be kept."

func newBench(t *testing.T, kept *scripted.Documents) *bench {
	t.Helper()
	b := &bench{Stage: uitest.NewStage(t, uitest.NewApp()), kept: kept}
	b.panel = New(b.Host, kept, b.Double, func(string, string) (int, error) { return b.chats, nil }, func(path string, page int) { b.opened, b.openedAt = append(b.opened, path), page })
	b.Put(b.panel)
	b.panel.Enter()
	b.Loop.Until(t, "collections", func() bool { return b.panel.known })
	return b
}

func withLease(t *testing.T) *bench {
	t.Helper()
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/lease.txt": lease, "/papers/minutes.txt": "The beer traps work.\n\nThe dog of the neighbour barks."})
	return newBench(t, kept)
}

// search types a question and waits for the results.
func (b *bench) search(t *testing.T, question string) {
	t.Helper()
	b.panel.field.SetText(question)
	b.Loop.Until(t, "results", func() bool { return b.panel.of.query == question && !b.panel.busy })
}

func TestEmptyRoomLeadsToFiles(t *testing.T) {
	b := newBench(t, scripted.NewDocuments())
	if !b.panel.samples.Visible() || !b.panel.collections.hint.View.Visible() {
		t.Fatal("an empty room offers neither samples nor a place to drop files")
	}
	test.Tap(b.panel.samples)
	b.Loop.Until(t, "the samples", func() bool { return len(b.panel.session.collections) == 1 })
	if b.panel.samples.Visible() {
		t.Error("samples are offered beside a collection")
	}
}

func TestSearchAsYouType(t *testing.T) {
	b := withLease(t)
	b.search(t, "sixty days")
	if len(b.panel.found) != 1 || !strings.Contains(b.panel.found[0].result.Text, "sixty days") {
		t.Fatalf("found %+v", b.panel.found)
	}
	b.search(t, "dog")
	if len(b.panel.found) != 2 {
		t.Fatalf("%d passages with a dog", len(b.panel.found))
	}
	b.search(t, "unicorn")
	if len(b.panel.found) != 0 || !b.panel.results.hint.View.Visible() {
		t.Error("nothing found is not said")
	}
	b.panel.field.SetText("")
	b.Loop.Until(t, "an empty search", func() bool { return b.panel.of.query == "" })
}

func TestResultOpensAtThePassage(t *testing.T) {
	b := withLease(t)
	b.search(t, "sixty days")
	b.panel.field.TypedKey(uitest.Key(fyne.KeyDown))
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	v := b.panel.viewer
	i := 0
	for i < len(v.pieces) && !v.pieces[i].found {
		i++
	}
	if i == len(v.pieces) || v.list.Current != i {
		t.Fatalf("the passage is not marked: %+v, current %d", v.pieces, v.list.Current)
	}
	b.panel.results.rows.TypedKey(uitest.Key(fyne.KeyReturn))
	if len(b.opened) != 0 || b.Window.Canvas().Focused() != v.list {
		t.Errorf("Enter does not lead into the document: %v has the keyboard, and %q is opened", b.Window.Canvas().Focused(), b.opened)
	}
	b.panel.openPicked()
	if len(b.opened) != 1 || b.opened[0] != "/papers/lease.txt" {
		t.Errorf("opened %q in its app", b.opened)
	}
	v.copy()
	if got := b.FyneApp.Clipboard().Content(); got != "“Either side may end the lease with sixty days of written notice.”\n— lease.txt, line 5" {
		t.Errorf("copied %q", got)
	}
	b.panel.Escape()
	if b.panel.picked >= 0 {
		t.Error("Escape does not close the document")
	}
}

func TestChangedFileIsFoundAgain(t *testing.T) {
	b := withLease(t)
	b.search(t, "hedgehog")
	if len(b.panel.found) != 0 {
		t.Fatal("a hedgehog is there already")
	}
	b.panel.Watch()
	b.kept.Change("/papers/minutes.txt", "A hedgehog lives under the compost.")
	b.Loop.Until(t, "the new text", func() bool { return len(b.panel.found) == 1 })
}

func TestDropAddsToTheCollection(t *testing.T) {
	b := withLease(t)
	folder := t.TempDir()
	if !b.panel.Takes(panel.Sorted([]string{folder})) || b.panel.Takes(panel.Sorted([]string{"/models/a.gguf"})) {
		t.Error("the room takes folders without a model, and no models")
	}
	b.panel.Drop(panel.Sorted([]string{folder}))
	b.Loop.Until(t, "the folder", func() bool {
		all, _ := b.kept.Collections(t.Context())
		for _, c := range all {
			for _, f := range c.Folders {
				if f.Path == folder {
					return true
				}
			}
		}
		return false
	})
	says := func(want string) { t.Helper(); b.Loop.Until(t, want, func() bool { return b.Said == want }) }
	says("Added the folder “" + filepath.Base(folder) + "” to “Documents”. Changes in it are noticed.")
	b.panel.addPaths([]string{t.TempDir(), "/papers/a.txt", "/papers/b.txt"})
	says("Added 1 folder and 2 files to “Documents”. Nothing is moved or copied.")
	if b.panel.toast.View.Visible() {
		t.Error("a name is offered for what has one")
	}
	b.panel.addPaths([]string{"/papers/c.txt"})
	says("Added 1 file to “Documents”. Nothing is moved or copied.")
	test.Tap(uitest.FindButton(t, b.panel.toast.View, "Rename…"))
	b.sheet(t, "Manage the collection")
}

func TestDetailsSayWhatIsNotSearched(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{
		{Path: "/papers/scan.pdf", State: "skipped", Reason: "it has pictures of pages, but no text"},
		{Path: "/papers/lease.txt", State: "waiting", Reason: "it is open in another program"},
	}
	test.Tap(b.panel.collections.manage)
	b.Loop.Until(t, "the details", func() bool { return b.panel.sheet.Popup != nil })
	if _, ok := uitest.Find(b.panel.sheet.Popup.Content, func(l *kit.Line) bool { return strings.Contains(l.Text, "scan.pdf") }); !ok {
		t.Error("the file that is not searched is not named")
	}
	text := uitest.AllText(b.panel.sheet.Popup.Content)
	_, kept, parted := strings.Cut(text, "Searched as they were read before")
	if !parted || !strings.Contains(kept, "lease.txt") || strings.Contains(kept, "scan.pdf") {
		t.Errorf("a file that is searched as it was before stands among those that are not: %s", text)
	}
	b.panel.Escape()
	if b.panel.sheet.Popup != nil {
		t.Error("Escape does not close the details")
	}
}

// The panel asks for the password of a locked file, says if it was wrong, and reads the file
// with the right one.
func TestPasswordIsAskedFor(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{{Path: "/papers/secret.pdf", State: "failed", Reason: "it is locked with a password"}}
	test.Tap(b.panel.collections.manage)
	b.sheet(t, "Manage the collection")
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Password…"))
	for _, password := range []string{"wrong", "open"} {
		b.sheet(t, "Open a locked file")
		entry, ok := uitest.Find(b.panel.sheet.Popup.Content, func(e *kit.Entry) bool { return e.Password })
		if !ok {
			t.Fatal("the password can be seen, or there is no field for it")
		}
		entry.SetText(password)
		entry.Submit()
		if password == "wrong" {
			b.Loop.Until(t, "the sheet again", func() bool {
				if b.panel.sheet.Popup == nil {
					return false
				}
				return strings.Contains(saidIn(b.panel.sheet.Popup.Content), "does not open")
			})
		}
	}
	b.Loop.Until(t, "the sentence", func() bool { return strings.Contains(b.Said, "secret.pdf is searched now") })
}

// saidIn returns the first paragraph in an object.
func saidIn(o fyne.CanvasObject) string {
	text, ok := uitest.Find(o, func(*widget.RichText) bool { return true })
	if !ok {
		return ""
	}
	return text.String()
}

// sheet waits for a sheet and returns it.
func (b *bench) sheet(t *testing.T, title string) {
	t.Helper()
	b.Loop.Until(t, title, func() bool { return b.panel.sheet.Popup != nil && b.panel.sheet.Title == title })
}

func TestTryAgain(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{
		{Path: "/papers/a.docx", State: "failed", Reason: "it is damaged"},
		{Path: "/papers/b.docx", State: "failed", Reason: "it is damaged"},
		{Path: "/papers/scan.pdf", State: "skipped", Reason: "it has pictures of pages, but no text"},
	}
	if groups := byReason(b.kept.LeftOut); len(groups) != 2 || len(groups[0].files) != 2 {
		t.Errorf("%+v", groups)
	}
	test.Tap(b.panel.collections.manage)
	b.sheet(t, "Manage the collection")
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Open"))
	if len(b.opened) != 1 || b.opened[0] != "/papers/a.docx" {
		t.Errorf("opened %q", b.opened)
	}
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Try these files again"))
	b.Loop.Until(t, "the sentence", func() bool { return b.Said == "Read 2 files. 1 file cannot be read, as before." })
}

func TestCollectionIsChanged(t *testing.T) {
	b := withLease(t)
	c := &b.panel.session.collections[0]
	open := func() { test.Tap(b.panel.collections.manage); b.sheet(t, "Manage the collection") }
	open()
	folders := func(n int) func() bool {
		return func() bool { c = &b.panel.session.collections[0]; return len(c.Folders) == n }
	}
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Remove"))
	b.Loop.Until(t, "one folder", folders(1))
	test.Tap(uitest.FindButton(t, b.panel.toast.View, "Undo"))
	b.Loop.Until(t, "both folders", folders(2))
	open()
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Remove"))
	b.Loop.Until(t, "one folder again", folders(1))
	open()
	name, _ := uitest.Find(b.panel.sheet.Popup.Content, func(e *kit.Entry) bool { return e.Text == "Home" })
	name.SetText("Papers")
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Done"))
	b.Loop.Until(t, "the name", func() bool { return b.panel.session.collections[0].Name == "Papers" })
	b.search(t, "sixty days")
	b.panel.pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	open()
	b.chats = 2
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Remove the collection…"))
	b.sheet(t, "Remove “Papers”?")
	if got := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(got, "2 chats ask these documents") {
		t.Errorf("the question says %q", got)
	}
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Remove"))
	b.Loop.Until(t, "no collection", func() bool { return len(b.panel.session.collections) == 0 })
	b.Loop.Until(t, "no passage of it", func() bool { return len(b.panel.found) == 0 && b.panel.picked < 0 && !b.panel.busy })
}

// What is typed while a result has the keyboard goes on in the field.
func TestTypingGoesOnInTheField(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	canvas := b.Window.Canvas()
	canvas.Focus(b.panel.field)
	b.panel.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the best passage", func() bool { return b.panel.shows })
	if canvas.Focused() != b.panel.field {
		t.Fatalf("after Enter the keyboard is with %T", canvas.Focused())
	}
	b.panel.field.TypedKey(uitest.Key(fyne.KeyDown))
	if canvas.Focused() != b.panel.results.rows {
		t.Fatalf("after Down the keyboard is with %T", canvas.Focused())
	}
	canvas.Focused().TypedRune('s')
	if b.panel.field.Text != "dogs" || canvas.Focused() != b.panel.field {
		t.Errorf("the field holds %q", b.panel.field.Text)
	}
	canvas.Focus(b.panel.results.rows)
	canvas.Focused().TypedKey(uitest.Key(fyne.KeyBackspace))
	if b.panel.field.Text != "dog" {
		t.Errorf("after Backspace the field holds %q", b.panel.field.Text)
	}
}

// The model of a collection can be changed, and the change can be cancelled.
func TestModelIsChosen(t *testing.T) {
	b := withLease(t)
	b.Double.Offered = []library.Model{
		{ID: "starter", Name: "starter", Kind: library.KindEmbedding, Usable: true},
		{ID: "large", Name: "large", Kind: library.KindEmbedding, Usable: true},
		{ID: "chat", Name: "chat", Kind: library.KindChat, Usable: true},
		{ID: "pickle", Name: "pickle", Kind: library.KindEmbedding},
	}
	b.kept.SetEmbedder("Home", "starter")
	b.panel.list()
	b.Loop.Until(t, "the model", func() bool { return b.panel.session.collections[0].Model == "starter" })
	test.Tap(b.panel.collections.manage)
	b.sheet(t, "Manage the collection")
	choice, ok := uitest.Find(b.panel.sheet.Popup.Content, func(c *kit.Choice) bool { return slices.Equal(c.Options, []string{"starter", "large"}) })
	if !ok || choice.Selected != "starter" {
		t.Fatal("the models that can embed are not offered")
	}
	choice.SetSelected("large")
	b.Loop.Until(t, "the change", func() bool { return b.panel.session.collections[0].Next == "large" })
	b.panel.sheet.Close()
	if !b.panel.collections.keeps.Visible() || !strings.Contains(b.Said, "gets ready for large") {
		t.Errorf("the change cannot be given up, or is not said: %q", b.Said)
	}
	b.panel.noticed(documents.Watched{Collection: "Home", Loading: &base.Progress{Stage: base.StageEmbedding, Done: 1, Total: 4, Unit: "passages"}})
	if got := b.panel.collections.stage.Text; got != "Getting ready for another model: 1 of 4 passages" || b.panel.runs["Home"].share() != 0.25 {
		t.Errorf("%q, %v", got, b.panel.runs["Home"].share())
	}
	test.Tap(b.panel.collections.keeps)
	b.Loop.Until(t, "the model before", func() bool { return b.panel.session.collections[0].Next == "" })
	b.panel.noticed(documents.Watched{Collection: "Home"})
	b.Loop.Until(t, "no work", func() bool { return !b.panel.collections.run.Visible() })
}

func TestPauseAndContinue(t *testing.T) {
	b := withLease(t)
	b.panel.noticed(documents.Watched{Collection: "Home", Event: &documents.Event{}})
	for _, on := range []bool{true, false} {
		test.Tap(b.panel.collections.pauses)
		b.Loop.Until(t, "the state", func() bool { return b.panel.session.collections[0].Paused == on })
	}
	b.panel.noticed(documents.Watched{Collection: "Home", Note: "Not all can be watched."})
	b.panel.noticed(documents.Watched{Collection: "Home", Err: errors.New("the disk is full")})
	b.Loop.Until(t, "the reason", func() bool { return b.panel.collections.note.String() == "The disk is full." })
}

// The filter narrows the search. It is hidden until it is opened, and a line says what it
// leaves once it is hidden again.
func TestFilter(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/lease.pdf": "The dog of the tenant.", "/letters/aunt.txt": "The dog of my aunt."})
	b := newBench(t, kept)
	b.search(t, "dog")
	f := b.panel.filters
	if len(b.panel.found) != 2 || f.row.Visible() {
		t.Fatal("a filter is there unasked")
	}
	test.Tap(f.button)
	if !f.row.Visible() {
		t.Fatal("no filter, although it is asked for")
	}
	only := func(what string, n int) {
		t.Helper()
		b.Loop.Until(t, what, func() bool { return !b.panel.busy && len(b.panel.found) == n })
	}
	f.kind.SetSelected("PDF")
	only("the PDF file", 1)
	f.folder.SetSelected("/letters/aunt.txt")
	only("nothing", 0)
	if said := saidIn(b.panel.results.hint.View); !strings.Contains(said, "No PDF files in “/letters/aunt.txt” match.") || !b.panel.results.wider.Visible() {
		t.Errorf("said %q", said)
	}
	test.Tap(b.panel.results.wider)
	only("all files", 2)
	if b.panel.results.wider.Visible() || f.clear.Visible() {
		t.Error("the filter is cleared and can be cleared")
	}
	f.span.SetSelected("This year")
	b.Loop.Until(t, "the date", func() bool {
		kept.Mu.Lock()
		defer kept.Mu.Unlock()
		since := kept.Asked[len(kept.Asked)-1].Since
		return since.Year() == time.Now().Year() && since.YearDay() == 1
	})
	test.Tap(f.button)
	if f.row.Visible() || f.button.Text != "Filter: this year" {
		t.Errorf("hidden, the filter says %q", f.button.Text)
	}
}

func TestSpans(t *testing.T) {
	now := time.Date(2026, 3, 5, 14, 0, 0, 0, time.UTC)
	for i, want := range []string{"0001-01-01", "2026-03-05", "2026-02-27", "2026-02-04", "2026-01-01", "2023-03-05"} {
		if got := spans[i].from(now).Format(time.DateOnly); got != want {
			t.Errorf("%s begins on %s, want %s", spans[i].name, got, want)
		}
	}
}

func TestMoreLikeThis(t *testing.T) {
	b := withLease(t)
	b.search(t, "sixty days")
	b.panel.results.rows.Pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	test.Tap(b.panel.viewer.ofPassage[0])
	b.Loop.Until(t, "passages like it", func() bool { return !b.panel.busy && len(b.panel.found) > 1 })
	if !b.panel.results.likeness.Visible() || !strings.Contains(b.panel.results.alike.Text, "sixty days") {
		t.Error("what the passages are like is not said")
	}
	for _, h := range b.panel.found {
		if strings.Contains(h.result.Text, "sixty days") {
			t.Error("the passage is like itself")
		}
	}
	b.panel.Escape()
	b.Loop.Until(t, "the search", func() bool { return !b.panel.busy && b.panel.like == nil && len(b.panel.found) == 1 })
}

func TestFailureIsSaid(t *testing.T) {
	b := withLease(t)
	b.kept.Mu.Lock()
	b.kept.Failing = errors.New("the documents cannot be read")
	b.kept.Mu.Unlock()
	b.panel.field.SetText("rent")
	b.Loop.Until(t, "the sentence", func() bool { return b.panel.notice.Message() != "" })
}

// A document is cut into pieces that together are its text.
func TestPiecesCoverTheDocument(t *testing.T) {
	long := strings.Repeat("One sentence after another. ", 400) + strings.Repeat("x", 9000)
	o := documents.Opened{Passage: documents.Span{Start: 100, End: 5000}}
	o.Document.Text = long
	o.Document.Blocks = append(o.Document.Blocks, block(0, len(long)))
	at := 0
	for _, p := range cut(o) {
		if p.start != at || p.end <= p.start || p.end-p.start > pieceLimit {
			t.Fatalf("piece %+v after byte %d", p, at)
		}
		at = p.end
	}
	if at != len(long) {
		t.Errorf("the pieces end at byte %d of %d", at, len(long))
	}
}

// The pieces of a document are laid out again whenever the room changes, also while
// nothing is picked and while the next document is opened.
func TestSearchAgainInASmallWindow(t *testing.T) {
	for _, width := range []float32{640, 900, 1400} {
		b := withLease(t)
		b.search(t, "sixty days")
		b.panel.field.TypedKey(uitest.Key(fyne.KeyDown))
		b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
		b.Window.Resize(fyne.NewSize(width, 600))
		b.search(t, "dog")
		if b.panel.picked >= 0 || len(b.panel.found) == 0 {
			t.Fatalf("passage %d of %d is in view after a new search", b.panel.picked, len(b.panel.found))
		}
		b.Window.Resize(fyne.NewSize(width+150, 700))
		b.panel.results.rows.Clicked(0)
		b.Window.Resize(fyne.NewSize(width-20, 500)) // before the document is there
		b.Loop.Until(t, "the next document", func() bool { return b.panel.shows })
	}
}

// In a small window the files and the search take turns, and nothing needs more room.
func TestSmallWindow(t *testing.T) {
	b := withLease(t)
	check := func(what string) {
		t.Helper()
		b.Window.Resize(fyne.NewSize(556, 420))
		if m := b.panel.Content().MinSize(); m.Width > 556 || m.Height > 420 {
			t.Errorf("%s needs %v", what, m)
		}
	}
	check("nothing asked")
	if !b.panel.panes.Switch.Visible() || b.panel.collections.view.Visible() || !b.panel.results.view.Visible() {
		t.Error("the search is not in front of the files")
	}
	b.panel.panes.Switch.Pick(panel.PaneWork)
	if check("the files"); !b.panel.collections.view.Visible() {
		t.Error("the files are not in front")
	}
	b.panel.narrow.kind, b.panel.narrow.span = 1, 2
	test.Tap(b.panel.sorting.button)
	check("sorting")
	test.Tap(b.panel.filters.button)
	if check("filters"); b.panel.sorting.row.Visible() {
		t.Error("sorting stays open beside the filters")
	}
	b.panel.filters.choose(func() { b.panel.narrow = filtered{} })
	b.panel.focusField()
	b.search(t, "sixty days")
	b.panel.results.rows.Clicked(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	check("a document")
	b.Window.Resize(fyne.NewSize(900, 600))
	if b.panel.panes.Switch.Visible() || !b.panel.collections.view.Visible() {
		t.Error("in a large window both are not in view")
	}
}

// Where a document takes the place of the list, Enter and the arrow keys stay in the list until
// a passage is opened, and Escape leads back to it with the question as it was.
func TestListBeforeDocument(t *testing.T) {
	b := withLease(t)
	b.Window.Resize(fyne.NewSize(620, 480))
	p, canvas := b.panel, b.Window.Canvas()
	b.search(t, "dog")
	canvas.Focus(p.field)
	if !p.alone || len(p.found) != 2 {
		t.Fatalf("one pane: %v, %d passages", p.alone, len(p.found))
	}
	for _, first := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyDown} {
		canvas.Focus(p.field)
		p.results.rows.Choose(-1)
		p.field.TypedKey(uitest.Key(first))
		if canvas.Focused() != p.results.rows || p.results.rows.Current != 1 || p.picked >= 0 {
			t.Fatalf("%s: the keyboard is with %T, row %d is marked, %d open", first, canvas.Focused(), p.results.rows.Current, p.picked)
		}
	}
	canvas.Focused().TypedKey(uitest.Key(fyne.KeyDown))
	b.panel.refresh(finds) // as when files are read meanwhile
	if p.results.rows.Current != 3 || p.picked >= 0 || !p.results.view.Visible() {
		t.Errorf("row %d is marked, %d open", p.results.rows.Current, p.picked)
	}
	canvas.Focused().TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the document", func() bool { return p.shows })
	if p.picked != 1 || p.results.view.Visible() || !p.viewer.view.Visible() {
		t.Errorf("passage %d is open", p.picked)
	}
	p.Escape()
	if p.picked >= 0 || p.field.Text != "dog" || canvas.Focused() != p.results.rows || p.results.rows.Current != 3 || !p.results.view.Visible() {
		t.Errorf("after Escape %d is open, %q asked, row %d marked", p.picked, p.field.Text, p.results.rows.Current)
	}
	p.results.rows.Clicked(0)
	canvas.Focus(p.field)
	p.field.TypedKey(uitest.Key(fyne.KeyEscape))
	if p.picked >= 0 || p.field.Text != "dog" {
		t.Errorf("Escape in the field: %d is open, %q asked", p.picked, p.field.Text)
	}
	canvas.Focus(p.field)
	p.field.TypedKey(uitest.Key(fyne.KeyEscape))
	if p.field.Text != "" {
		t.Errorf("a second Escape leaves %q", p.field.Text)
	}
}

// What was paused stays so after the next start.
func TestPauseIsKept(t *testing.T) {
	b := withLease(t)
	b.panel.pause("Home", true)
	b.Saver.Flush()
	if kept := b.panel.App.Settings().Documents.Paused; !slices.Equal(kept, []string{"Home"}) {
		t.Fatalf("kept %q", kept)
	}
	b.kept.Resume("Home") // as in a new program
	b.panel.Watch()
	b.Loop.Until(t, "the pause", func() bool { return b.panel.session.collections[0].Paused })
	b.panel.pause("Home", false)
	b.Saver.Flush()
	if kept := b.panel.App.Settings().Documents.Paused; len(kept) > 0 {
		t.Errorf("kept %q", kept)
	}
}

// A click on an example asks it, and a search that finds nothing close says so.
func TestExamplesAndFar(t *testing.T) {
	b := withLease(t)
	e := b.panel.results.examples
	b.Loop.Until(t, "examples", func() bool { return e.view.Visible() && len(e.rows.Objects) == 2 })
	test.Tap(e.rows.Objects[0].(*kit.Chip))
	b.Loop.Until(t, "the best passage", func() bool { return b.panel.shows })
	if b.panel.field.Text != "Residential lease" || e.view.Visible() || b.panel.results.far.Flat.Visible() {
		t.Errorf("asked %q", b.panel.field.Text)
	}
	b.kept.Mu.Lock()
	b.kept.Far = true
	b.kept.Mu.Unlock()
	b.search(t, "dog")
	b.Loop.Until(t, "that nothing is close", b.panel.results.far.Flat.Visible)
	b.panel.pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	if got := b.panel.viewer.notes.Segment.Text; !strings.HasPrefix(got, "Nothing closely matches") {
		t.Errorf("beside the document stands %q", got)
	}
}
