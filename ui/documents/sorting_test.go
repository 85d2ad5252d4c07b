package documents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/app/library"
)

// sortBy chooses a model that reads, by its place in the list.
func (b *bench) sortBy(t *testing.T, place int) {
	t.Helper()
	b.Loop.Until(t, "the models", func() bool { return b.panel.reader.known })
	if !b.panel.sorting.open {
		test.Tap(b.panel.sorting.button)
	}
	b.panel.sorting.choice.SetSelectedIndex(place)
}

func (b *bench) filesFound() (names []string) {
	for _, h := range b.panel.found {
		names = append(names, filepath.Base(h.file.File.Path))
	}
	return names
}

// TestSortByReading: what was found is there at once and moves when the model has read
// it; the line below says who read how much within which time.
func TestSortByReading(t *testing.T) {
	b := withLease(t)
	b.kept.Sorting = make(chan struct{})
	b.sortBy(t, 1)
	if !slices.Equal(b.panel.sorting.choice.Options, []string{"Off", "judge", "starter-embed (by meaning)", "org/other (by meaning)", "Get a model for this…"}) {
		t.Errorf("offered %q", b.panel.sorting.choice.Options)
	}
	if got := b.panel.sorting.button.Text; got != "Closer reading: judge" {
		t.Errorf("the button says %q", got)
	}
	b.search(t, "dog")
	if got := b.filesFound(); !slices.Equal(got, []string{"lease.txt", "minutes.txt"}) || !strings.Contains(b.panel.results.facts.Text, "reading…") {
		t.Fatalf("before: %q, %q", got, b.panel.results.facts.Text)
	}
	b.panel.results.rows.Pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	close(b.kept.Sorting)
	b.Loop.Until(t, "the new order", func() bool { return b.panel.result.Reranked != nil })
	if got := b.filesFound(); !slices.Equal(got, []string{"minutes.txt", "lease.txt"}) {
		t.Errorf("after: %q", got)
	}
	if h, ok := b.panel.hit(); !ok || filepath.Base(h.file.File.Path) != "lease.txt" || !strings.Contains(whyOf(h.result), "It was 1st before a model read it.") {
		t.Errorf("the passage in view is %+v", h)
	}
	if why := b.panel.viewer.why.Text; !strings.Contains(why, "It was 1st before a model read it") {
		t.Errorf("below the document stands %q", why)
	}
	if facts := b.panel.results.facts.Text; !strings.Contains(facts, "judge read 2 of 2 in 800 ms (at most 1.0 s)") {
		t.Errorf("the line says %q", facts)
	}
	if asked := b.kept.Asked[len(b.kept.Asked)-1]; !asked.ToRerank || asked.Limit != documents.MostRead || b.kept.Sorted[0].Model != "/models/judge" {
		t.Errorf("asked %+v, sorted %+v", asked, b.kept.Sorted)
	}
	if b.Saver.Flush(); b.Double.Settings().Documents.Reranker != "/models/judge" {
		t.Error("the choice is not kept")
	}
	b.panel.sorting.choice.SetSelectedIndex(0)
	b.Loop.Until(t, "the search without it", func() bool { return !b.panel.busy && b.panel.result.Reranked == nil })
}

// TestTypingEndsReading: the next key ends the reading for the last one, and nothing
// of it is shown.
func TestTypingEndsReading(t *testing.T) {
	b := withLease(t)
	b.kept.Sorting = make(chan struct{})
	b.sortBy(t, 1)
	b.search(t, "dog")
	b.Loop.Until(t, "reading", func() bool { b.kept.Mu.Lock(); defer b.kept.Mu.Unlock(); return len(b.kept.Sorted) == 1 })
	b.panel.field.SetText("sixty days")
	b.Loop.Until(t, "the next search", func() bool { return b.panel.of.query == "sixty days" && !b.panel.busy })
	close(b.kept.Sorting)
	b.Loop.Until(t, "its order", func() bool { return b.panel.result.Reranked != nil })
	if got := b.filesFound(); !slices.Equal(got, []string{"lease.txt"}) || b.panel.notice.View.Visible() {
		t.Errorf("found %q", got)
	}
	b.panel.field.SetText("")
	b.Loop.Until(t, "nothing", func() bool { return b.panel.of.query == "" && !b.panel.reader.reads })
}

// TestUntrustedReader: a model that fails its test is said to.
func TestUntrustedReader(t *testing.T) {
	b := withLease(t)
	b.kept.Doubt = "it gives every text the same score"
	b.sortBy(t, 1)
	b.search(t, "dog")
	b.Loop.Until(t, "the order", func() bool { return b.panel.result.Reranked != nil })
	if notes := b.panel.results.notes.Segment.Text; !strings.HasPrefix(notes, "The order may be wrong") || !strings.Contains(notes, b.kept.Doubt) {
		t.Errorf("the notes are %q", notes)
	}
}

// TestNoReader: without a reranker the way to one is there, and a chosen model that is
// gone is not asked.
func TestNoReader(t *testing.T) {
	b := withLease(t)
	b.Double.Offered = slices.DeleteFunc(b.Double.Offered, func(m library.Model) bool { return m.Kind == library.KindReranker })
	b.kept.SetEmbedder("Home", "starter-embed")
	b.panel.list()
	b.panel.ModelsChanged()
	b.Idle()
	options := b.panel.sorting.choice.Options
	if !slices.Equal(options, []string{"Off", "org/other (by meaning)", "Get a model for this…"}) {
		t.Errorf("offered %q", options)
	}
	b.sortBy(t, len(options)-1)
	if !b.FoundReranker || b.panel.reader.id != "" || b.panel.sorting.choice.SelectedIndex() != 0 {
		t.Errorf("led to Discover: %v; reads: %q", b.FoundReranker, b.panel.reader.id)
	}
	b.Double.Offered = slices.DeleteFunc(b.Double.Offered, func(m library.Model) bool { return m.Kind == library.KindEmbedding })
	b.panel.ModelsChanged()
	b.Idle()
	if r := b.panel.sorting; r.some.Visible() || !r.getter.view.Visible() || r.button.Text != "Closer reading: off" {
		t.Errorf("without any model stands %q", r.button.Text)
	}
	b.panel.reader.id = "/models/gone"
	b.search(t, "dog")
	if asked := b.kept.Asked[len(b.kept.Asked)-1]; asked.ToRerank || len(b.kept.Sorted) > 0 {
		t.Errorf("asked %+v, sorted %+v", asked, b.kept.Sorted)
	}
}

// TestNewSearchBeginsAtTheTop: what was picked in the answer to one question is not picked in
// that to the next. Enter puts the best passage in view, also when it comes while the search is
// under way, and the one that is best when the model has read, unless another one was picked.
func TestNewSearchBeginsAtTheTop(t *testing.T) {
	b := withLease(t)
	first := func(name string) func() bool {
		return func() bool {
			h, ok := b.panel.hit()
			return ok && b.panel.picked == 0 && b.panel.shows && b.panel.results.rows.Current == 1 && filepath.Base(h.file.File.Path) == name
		}
	}
	b.search(t, "dog")
	b.panel.results.rows.Pick(3)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	b.panel.results.rows.Scroll.Offset.Y = 20
	b.search(t, "dog allowed")
	if b.panel.picked >= 0 || b.panel.shows || b.panel.results.rows.Current >= 0 || b.panel.results.rows.Scroll.Offset.Y != 0 {
		t.Errorf("the answer to another question has passage %d picked, at %v", b.panel.picked, b.panel.results.rows.Scroll.Offset)
	}

	b.panel.field.SetText("dog")
	b.panel.field.Submit()
	b.Loop.Until(t, "the best passage, asked for while it is searched", first("lease.txt"))

	b.kept.Sorting = make(chan struct{})
	b.sortBy(t, 1)
	b.search(t, "a dog")
	b.panel.field.Submit()
	b.Loop.Until(t, "the best passage before it is read", first("lease.txt"))
	close(b.kept.Sorting)
	b.Loop.Until(t, "the best passage after it was read", first("minutes.txt"))
}
