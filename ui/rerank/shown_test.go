package rerank

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/excerpt"
	"inglenook/ui/uitest"
)

// The row of a long text begins where it answers, and the words of the question stand out in it; the text in full has
// them too.
func TestRowShowsWhatAnswers(t *testing.T) {
	long := strings.Repeat("Nothing of that is said here. ", 10) + "The cat is\nfed at noon. " + strings.Repeat("And so on it goes. ", 50)
	s := shownOf("When is the cat fed?", long, 150)
	if !strings.HasPrefix(s.text, "… The cat is fed at noon.") || len(s.text) > rowBytes+len("… ") {
		t.Errorf("a row begins %q", s.text[:min(40, len(s.text))])
	}
	var words []string
	for _, w := range s.words {
		words = append(words, s.text[w[0]:w[1]])
	}
	if got := strings.Join(words, " "); got != "cat fed" {
		t.Errorf("%q stands out", got)
	}
	for _, text := range []string{"A cat.", "", "Ein kurzer Text über Hunde, dann der cat."} {
		if s := shownOf("cat", text, 150); s.text != text {
			t.Errorf("of %q is shown %q", text, s.text)
		}
	}
	sentence := "A sentence that goes on and on, and says much about many things before it comes to the cat, at last."
	if s := shownOf("cat", sentence, 60); !strings.HasPrefix(s.text, "… before it comes to the cat") || len(s.words) != 1 {
		t.Errorf("a narrow row shows %q", s.text)
	}
	if s := shownOf("cat", sentence, 150); s.text != sentence {
		t.Errorf("a wide row shows %q", s.text)
	}
	b := entered(t, uitest.NewApp(), "cat", "dog", long)
	b.ranked(t)
	if b.panel.results.picture.rows.Height != oneLine {
		t.Error("half of the texts are short, and have two lines")
	}
	b.panel.pickResult(1)
	if got := b.panel.results.marked.String(); got != long || len(b.panel.results.marked.Segments) < 3 {
		t.Errorf("in full view is %q", got[:min(40, len(got))])
	}
}

// Of a long text the row shows the part with the most words of the question, not the first that has one.
func TestRowsShowTheMostWords(t *testing.T) {
	text := "order: 1; city: Perth; product: water filter; quantity: 7; price: 47.73; remark: left at the blue door"
	if s := shownOf("order about the blue door", text, 70); !strings.Contains(s.text, "blue door") || !strings.HasPrefix(s.text, "… ") || len(s.words) < 2 {
		t.Errorf("%q, %v", s.text, s.words)
	}
}

// Where most texts are long and there is room, a row has two lines of each.
func TestLongTextsHaveTwoLines(t *testing.T) {
	long := strings.Repeat("The cat is fed at noon, and the dog is not. ", 20)
	b := entered(t, uitest.NewApp(), "cat", long+"cat", long+"dog", "cat")
	b.ranked(t)
	p := b.panel.results.picture
	if p.rows.Height != oneLine {
		t.Error("where there is little room, a row has two lines")
	}
	b.Window.Resize(fyne.NewSize(1200, 1000))
	row := p.newRow()
	p.fill(0, row)
	row.Resize(fyne.NewSize(600, p.rowHeight()))
	parts := row.(*fyne.Container).Objects
	text, bar := parts[rowText], parts[rowBar]
	if p.rows.Height != twoLines || text.Size().Height < 2*excerpt.LineHeight() || bar.Position().Y < text.Position().Y+text.Size().Height {
		t.Errorf("rows are %v high, a text %v at %v, its bar at %v", p.rows.Height, text.Size().Height, text.Position().Y, bar.Position().Y)
	}
	b.panel.Rank("cat", animals)
	b.Idle()
	if p.rows.Height != oneLine {
		t.Error("short texts have two lines")
	}
}

// The text that is picked in the results is the one that is marked on the list.
func TestSortingMarksOneText(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	p := b.panel
	p.list.Pick(p.texts.IDs()[2])
	b.ranked(t)
	if want := p.found.asked.ids[p.picked]; p.list.Selected != want {
		t.Errorf("the results mark text %d, the list %d", want, p.list.Selected)
	}
}

// After Clear and other texts the old order is not in view, in either view of the room.
func TestResultsGoWithTheirTexts(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	p := b.panel
	b.ranked(t)
	p.trial.ask("which is it")
	p.trial.try()
	b.Idle()
	if p.inView() == nil || p.workbench.shown() == nil {
		t.Fatal("nothing was found")
	}
	test.Tap(uitest.FindButton(t, p.Content(), "Clear"))
	p.list.Add([]string{"one", "two"})
	if p.inView() != nil || p.workbench.shown() != nil || p.results.view.Visible() || p.stale.Message() != "" {
		t.Errorf("beside other texts the old results are in view; it says %q", p.stale.Message())
	}
	p.list.Undo()
	p.list.Undo()
	if p.inView() == nil || p.workbench.shown() == nil || !p.results.view.Visible() {
		t.Error("with their texts the results do not come back")
	}
}

// Who wants a reranker is led to the rerankers, not to all models.
func TestGetAReranker(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	b.panel.results.get.Tapped(nil)
	if b.Found || !b.FoundReranker {
		t.Errorf("it leads to all models: %v", b.Found)
	}
}
