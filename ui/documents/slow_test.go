package documents

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// What was found for one question never stands under another one, and a slow search can be ended.
// The document in view stays meanwhile, and says what it was found for.
func TestSlowSearch(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.search(t, "dog")
	p.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the document", func() bool { return p.shows })
	b.kept.Mu.Lock()
	b.kept.Seeking = make(chan struct{})
	b.kept.Mu.Unlock()
	p.field.SetText("sixty days")
	b.Loop.Until(t, "the old results to go", func() bool { return p.late })
	r := p.results
	if r.rows.Visible() || r.told.Visible() || !r.stop.Visible() {
		t.Error("what was found for another question is still there, or the search cannot be stopped")
	}
	if v := p.viewer; !v.list.Visible() || v.why.Text != "" || !strings.Contains(v.notes.Segment.Text, "the question before") {
		t.Errorf("the document goes, or says %q and %q of another question", v.notes.Segment.Text, v.why.Text)
	}
	if r.hint.Title.Text != "Searching…" || !r.hint.View.Visible() {
		t.Errorf("it says %q", r.hint.Title.Text)
	}
	test.Tap(r.stop)
	if p.busy || len(p.found) != 0 || r.hint.Title.Text != "The search was stopped" || r.stop.Visible() {
		t.Errorf("after Stop it says %q, with %d passages", r.hint.Title.Text, len(p.found))
	}
	close(b.kept.Seeking)
	p.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the search after Enter", func() bool { return p.of.query == "sixty days" && len(p.found) == 1 })
	if !r.rows.Visible() || r.hint.View.Visible() {
		t.Error("what was found then is not in view")
	}
}

// A search that is repeated says that it goes on while what it found before stands back, and Stop keeps that.
func TestSlowRepetitionIsSaid(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.search(t, "dog")
	b.kept.Mu.Lock()
	b.kept.Seeking = make(chan struct{})
	b.kept.Mu.Unlock()
	p.again()
	r := p.results
	b.Loop.Until(t, "the sign", func() bool { return r.works.view.Visible() })
	if r.works.says.Text != "Searching…" || !r.rows.Visible() || r.stop.Visible() || r.colour() != kit.ColorMuted {
		t.Errorf("it says %q, with the passages in view: %v", r.works.says.Text, r.rows.Visible())
	}
	stop, ok := uitest.Find(r.works.view, func(*kit.TextButton) bool { return true })
	if !ok {
		t.Fatal("it cannot be stopped")
	}
	test.Tap(stop)
	if p.busy || len(p.found) != 2 || r.works.view.Visible() || !r.rows.Visible() || r.colour() == kit.ColorMuted {
		t.Errorf("after Stop: busy %v, %d passages", p.busy, len(p.found))
	}
	close(b.kept.Seeking)
}

// A passage that is opened from elsewhere ends the search under way, with all that was said of it.
func TestPassageEndsASlowSearch(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.search(t, "dog")
	led := p.found[0].result
	b.kept.Mu.Lock()
	b.kept.Opening, b.kept.Seeking = true, make(chan struct{})
	b.kept.Mu.Unlock()
	p.field.SetText("unicorn")
	b.Loop.Until(t, "what is opened", func() bool { return p.opening.Stage != "" })
	p.ShowPassage(led, panel.Chat)
	if p.opening.Stage != "" || p.slow || p.results.works.view.Visible() {
		t.Error("the next search would still say that the model is opened")
	}
	close(b.kept.Seeking)
}

// While a model is opened that is said, and what the words alone find stands there until it is open.
func TestSearchWhileAModelOpens(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.kept.Mu.Lock()
	b.kept.Opening, b.kept.Seeking = true, make(chan struct{})
	b.kept.Mu.Unlock()
	p.field.SetText("unicorn")
	b.Loop.Until(t, "what is opened", func() bool { return p.results.hint.Title.Text == "Opening the model that searches by meaning…" })
	p.field.SetText("sixty days")
	b.Loop.Until(t, "what the words find", func() bool { return len(p.found) == 1 })
	if said := p.results.notes.Segment.Text; !p.busy || !p.early || !strings.Contains(said, "by the words alone so far") || !p.results.rows.Visible() {
		t.Errorf("busy %v, early %v, beside it %q", p.busy, p.early, said)
	}
	p.pick(0)
	b.Loop.Until(t, "the document", func() bool { return p.shows })
	close(b.kept.Seeking)
	b.Loop.Until(t, "the whole search", func() bool { return !p.busy })
	if p.early || strings.Contains(p.results.notes.Segment.Text, "so far") || p.picked != 0 || p.results.hint.View.Visible() {
		t.Errorf("early %v, beside it %q, in view %d", p.early, p.results.notes.Segment.Text, p.picked)
	}
	asked := b.kept.Asked
	if n := len(asked); n < 2 || asked[n-2].Mode != documents.ModeKeyword || asked[n-1].Mode == documents.ModeKeyword {
		t.Errorf("asked %+v", asked)
	}
}

// The same question asked again, as files have changed, leaves in view what there is.
func TestSlowRepetition(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	s := b.panel.session
	if s.under = s.asks(); s.under != s.of {
		t.Errorf("%+v is another search than %+v", s.under, s.of)
	}
	s.narrow.kind = 1
	if s.asks() == s.of {
		t.Error("a filter makes no other search")
	}
}

// How many files are searched, still read and unreadable is one sentence, which follows what is
// known now.
func TestCountsAreLive(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.kept.Alter("Home", func(c *documents.Collection) { c.Files, c.Unread, c.Failed, c.Indexing = 20, 1, 8, true })
	p.noticed(documents.Watched{Collection: "Home", Event: &documents.Event{}})
	p.list()
	b.Loop.Until(t, "the counts", func() bool { return p.session.collections[0].Unread == 1 })
	const said = "20 files searched, 1 still being read, 8 unreadable"
	if got := p.caption(p.session.collections[0]); got != said {
		t.Errorf("the row says %q", got)
	}
	if got := p.allCaption(); got != said {
		t.Errorf("the row of all says %q", got)
	}
	b.search(t, "dog")
	if got := p.results.notes.Segment.Text; got != "“Home”: "+said+"." {
		t.Errorf("beside what was found: %q", got)
	}
	b.kept.Alter("Home", func(c *documents.Collection) { c.Files, c.Unread, c.Indexing = 21, 0, false })
	p.list()
	b.Loop.Until(t, "the end", func() bool { return p.session.collections[0].Unread == 0 })
	if p.results.notes.Visible() && p.results.notes.Segment.Text != "" {
		t.Errorf("the note %q stays when its reason has gone", p.results.notes.Segment.Text)
	}
	p.result.Notes = []string{"one model is not here", "another collection is closed"}
	p.changed(finds)
	if got := p.results.notes.Segment.Text; got != "One model is not here.\nAnother collection is closed." {
		t.Errorf("two notes read %q", got)
	}
}

// A sentence about a run goes when the next one begins; that not all can be watched stays.
func TestNotesAreLive(t *testing.T) {
	b := withLease(t)
	p := b.panel
	p.noticed(documents.Watched{Collection: "Home", Note: "there are more folders than this system can watch"})
	p.noticed(documents.Watched{Collection: "Home", Result: documents.IndexResult{Notices: []string{"the disk is full"}}})
	note := p.collections.note
	b.Loop.Until(t, "the note", func() bool { return note.Segment.Text == "The disk is full." })
	p.noticed(documents.Watched{Collection: "Home", Event: &documents.Event{}})
	p.list()
	b.Loop.Until(t, "the older note", func() bool { return strings.HasPrefix(note.Segment.Text, "There are more folders") })
}

// Of the rows of a table that one passage holds, that with most of the words comes into view.
func TestBestRowOfATable(t *testing.T) {
	b := withLease(t)
	v := b.panel.viewer
	written := "Item,Place\nLamp 1,Shelf 1\nKettle 1,Shelf 2\nKettle 310,Shelf 3\nBolt 4,Shelf 4\n"
	v.laid = documents.Opened{Passage: documents.Span{Start: 11, End: len(written)}}
	at := func(word string) documents.Span {
		i := strings.Index(written, word) - 11
		return documents.Span{Start: i, End: i + len(word)}
	}
	v.sought.result.Text = written[11:]
	v.sought.result.Matches = []documents.Span{at("Kettle 1"), at("Kettle 310"), {Start: at("Kettle 310").Start + 7, End: at("Kettle 310").End}}
	v.pieces = nil
	for from := 0; from < len(written); {
		to := from + strings.IndexByte(written[from:], '\n') + 1
		v.pieces = append(v.pieces, piece{start: from, end: to, row: from > 0, found: from > 0})
		from = to
	}
	if got := v.best(); got != 3 {
		t.Errorf("row %d comes into view", got)
	}
}

// The Tab key stops once at a document, whose text the arrows scroll.
func TestDocumentIsOneStop(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/long.txt": strings.Repeat("A dog barks in the long night, and nobody hears it.\n\n", 60)})
	b := newBench(t, kept)
	p := b.panel
	b.search(t, "dog")
	p.field.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Loop.Until(t, "the document", func() bool { return p.shows })
	c := b.Window.Canvas()
	var texts, lists int
	seen := []fyne.Focusable{}
	for range 60 {
		c.(interface{ FocusNext() }).FocusNext()
		now := c.Focused()
		if slices.Contains(seen, now) {
			break
		}
		seen = append(seen, now)
		switch now.(type) {
		case *prose.Text:
			texts++
		case *kit.List:
			lists++
		}
	}
	if texts != 0 || lists != 1 {
		t.Errorf("Tab stops at %d paragraphs and %d documents", texts, lists)
	}
	list := p.viewer.list
	p.Focus(list)
	before := list.Scroll.Offset.Y
	list.TypedKey(uitest.Key(fyne.KeyDown))
	if list.Scroll.Offset.Y <= before {
		t.Error("an arrow does not scroll")
	}
}

// Escape closes what was opened last: the filter before the document.
func TestEscapeClosesTheFilterFirst(t *testing.T) {
	b := withLease(t)
	p := b.panel
	b.search(t, "dog")
	p.pick(0)
	b.Loop.Until(t, "the document", func() bool { return p.shows })
	for name, escape := range map[string]func(){"the room": p.Escape, "the field": func() { p.field.Escape() }} {
		p.filters.toggle()
		escape()
		if p.filters.open || p.picked < 0 {
			t.Errorf("%s: the filter is open: %v; passage %d", name, p.filters.open, p.picked)
		}
	}
	p.Escape()
	if p.picked >= 0 {
		t.Error("Escape does not close the document then")
	}
}
