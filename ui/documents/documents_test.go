package documents

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// bench is the room in a window, with a double behind it.
type bench struct {
	*uitest.Stage
	kept   *scripted.Documents
	panel  *Panel
	opened []string // files that were opened in their own program
}

const lease = "Residential lease\n\nThe tenant pays the rent on the first day.\n\nEither side may end the lease with sixty days of written notice.\n\nOne cat or one small dog may be kept."

func newBench(t *testing.T, kept *scripted.Documents) *bench {
	t.Helper()
	b := &bench{Stage: uitest.NewStage(t, uitest.NewApp()), kept: kept}
	b.panel = New(b.Host, kept, func(path string) { b.opened = append(b.opened, path) })
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

// search types a question and waits for what it finds.
func (b *bench) search(t *testing.T, question string) {
	t.Helper()
	b.panel.field.SetText(question)
	b.Loop.Until(t, "results", func() bool { return b.panel.asked == question && !b.panel.busy })
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
	b.Loop.Until(t, "an empty search", func() bool { return b.panel.asked == "" })
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
	if len(b.opened) != 1 || b.opened[0] != "/papers/lease.txt" {
		t.Errorf("Enter opened %q", b.opened)
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
	if !b.panel.Takes([]string{folder}) || b.panel.Takes([]string{"/models/a.gguf"}) {
		t.Error("the room takes folders without a model, and no models")
	}
	b.panel.Drop([]string{folder})
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
	if !strings.Contains(b.Said, "1 folder") {
		t.Errorf("said %q", b.Said)
	}
}

func TestDetailsSayWhatIsNotSearched(t *testing.T) {
	b := withLease(t)
	b.kept.LeftOut = []documents.File{{Path: "/papers/scan.pdf", State: "skipped", Reason: "it has pictures of pages, but no text"}}
	test.Tap(b.panel.collections.manage)
	b.Loop.Until(t, "the details", func() bool { return b.panel.sheet.Popup != nil })
	if _, ok := uitest.Find(b.panel.sheet.Popup.Content, func(l *kit.Line) bool { return strings.Contains(l.Text, "scan.pdf") }); !ok {
		t.Error("the file that is not searched is not named")
	}
	b.panel.Escape()
	if b.panel.sheet.Popup != nil {
		t.Error("Escape does not close the details")
	}
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

func TestExcerptHoldsAMatch(t *testing.T) {
	var r documents.Result
	r.Text = strings.Repeat("January,Apples,Prune them\n", 20) + "March,Potatoes,Set them\nApril,Carrots,Sow"
	at := strings.Index(r.Text, "Potatoes")
	r.Matches = []documents.Span{{Start: at, End: at + len("Potatoes")}}
	text, marks := excerptOf(r)
	if !strings.HasPrefix(text, "March,Potatoes") || len(marks) != 1 || text[marks[0][0]:marks[0][1]] != "Potatoes" {
		t.Errorf("%q, %v", text, marks)
	}
}
