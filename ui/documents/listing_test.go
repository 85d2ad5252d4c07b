package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

// Of a file with many passages few are listed, and a row says how many more there are.
func TestOneFileDoesNotFillTheList(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/a.txt": strings.Repeat("A dog barks.\n\n", 7), "/papers/b.txt": "The dog sleeps."})
	b := newBench(t, kept)
	width := b.Window.Canvas().Size().Width
	b.Window.Resize(fyne.NewSize(width, 480))
	b.search(t, "dog")
	r := b.panel.results
	if len(b.panel.found) != 8 || len(r.entries) != 6 || r.entries[3].more != 5 || r.entries[5].hit != 7 {
		t.Fatalf("%d passages in rows %+v", len(b.panel.found), r.entries)
	}
	if got := uitest.AllText(r.rows); !strings.Contains(got, "5 more in this file") || !strings.Contains(got, "7 passages") {
		t.Errorf("the rows say %q", got)
	}
	r.rows.Pick(3)
	if b.panel.picked >= 0 || len(r.entries) != 6 {
		t.Error("an arrow key opens more than a passage")
	}
	r.rows.Pick(4) // the name of a file is no passage
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows && b.panel.picked == 7 })
	r.rows.Clicked(3)
	if len(r.entries) != 10 || b.panel.picked != 7 || r.rows.Current != 9 {
		t.Errorf("after a click there are rows %+v, row %d is marked", r.entries, r.rows.Current)
	}
	b.search(t, "dogs")
	b.search(t, "dog")
	if len(r.entries) != 6 {
		t.Errorf("another search lists %d rows", len(r.entries))
	}
	b.panel.Focus(r.rows)
	r.rows.Pick(3)
	r.rows.TypedKey(uitest.Key(fyne.KeyReturn))
	if len(r.entries) != 10 || b.panel.picked != 2 || r.rows.Current != 3 {
		t.Errorf("after Enter there are %d rows, row %d is marked, passage %d in view", len(r.entries), r.rows.Current, b.panel.picked)
	}
	b.search(t, "dogs")
	b.search(t, "dog")
	b.panel.pick(7)
	for height, rows := range map[float32]int{2000: 10, 480: 6} { // where there is room, more are listed
		b.Window.Resize(fyne.NewSize(width, height))
		if len(r.entries) != rows || r.rows.Current != rows-1 || b.panel.picked != 7 {
			t.Errorf("in a window %v high are %d rows, row %d is marked, passage %d in view", height, len(r.entries), r.rows.Current, b.panel.picked)
		}
	}
}

// Escape closes what narrows and sorts a search, before it empties the field.
func TestEscapeClosesFilterAndSort(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	for _, press := range []func(){b.panel.Escape, func() { b.panel.field.Escape() }} {
		for _, button := range []*kit.Button{b.panel.filters.button, b.panel.sorting.button} {
			test.Tap(button)
			if !b.panel.filters.row.Visible() && !b.panel.sorting.row.Visible() {
				t.Fatal("nothing opens")
			}
			press()
			if b.panel.filters.row.Visible() || b.panel.sorting.row.Visible() || b.panel.field.Text != "dog" {
				t.Errorf("Escape leaves %q", b.panel.field.Text)
			}
		}
	}
}

// Where fewer passages are found than before, no row of those before is drawn any more.
func TestFewerAreFound(t *testing.T) {
	b := withPages(t, false)
	r := b.panel.results
	r.rows.Hide()
	b.panel.found = b.panel.found[:1]
	r.refresh()
	if len(r.entries) != 2 || !r.rows.Visible() {
		t.Errorf("one passage is in rows %+v", r.entries)
	}
}

// More passages than are shown at first can be shown, with the row at the end, also of those like one. What is picked
// stays.
func TestMorePassagesAreShown(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/long.txt": strings.Repeat("A dog barks.\n\n", 50)})
	b := newBench(t, kept)
	b.search(t, "dog")
	r := b.panel.results
	next := func() bool { return r.isNext(len(r.entries)-1) && strings.HasPrefix(r.facts.Text, "The best ") }
	if len(b.panel.found) != documents.MostFound || !next() {
		t.Fatalf("%d passages, %q", len(b.panel.found), r.facts.Text)
	}
	b.panel.pick(3)
	picked, _ := b.panel.hit()
	for _, want := range []int{40, 50} {
		r.click(len(r.entries) - 1)
		b.Loop.Until(t, "more passages", func() bool { return len(b.panel.found) == want && !b.panel.busy })
		if next() != (want < 50) {
			t.Errorf("of %d passages it says %q", want, r.facts.Text)
		}
	}
	if now, ok := b.panel.hit(); !ok || now.result.ID != picked.result.ID {
		t.Error("the passage that was picked is no longer in view")
	}
	b.search(t, "dog barks")
	if len(b.panel.found) != documents.MostFound {
		t.Errorf("another question shows %d", len(b.panel.found))
	}
	b.panel.pick(0)
	b.panel.moreLike()
	b.Loop.Until(t, "those like it", func() bool { return b.panel.of.like != 0 && !b.panel.busy })
	r.sendToRerank()
	if b.Sent.Query != "A dog barks." {
		t.Errorf("those like a passage are ranked by %q", b.Sent.Query)
	}
	before := len(b.panel.found)
	r.click(len(r.entries) - 1)
	b.Loop.Until(t, "more like it", func() bool { return len(b.panel.found) > before && !b.panel.busy })
}

// In Rerank the passages stand in their own order, those of one file not together, and of those like one the best is in
// view.
func TestRerankGetsTheRank(t *testing.T) {
	b := withPages(t, false)
	p := b.panel
	for i := range p.found {
		p.found[i].result.Score = float64(i % 2)
	}
	p.results.sendToRerank()
	if want := sentOf(p.found[1].result); len(b.Sent.Texts) != len(p.found) || b.Sent.Texts[0] != want {
		t.Errorf("sent are %q, the best is %q", b.Sent.Texts, want)
	}
	b.panel.pick(1)
	b.panel.moreLike()
	b.Loop.Until(t, "those like it", func() bool { return p.of.like != 0 && !p.busy })
	if p.picked != 0 {
		t.Errorf("of those like it, passage %d is in view", p.picked)
	}
}
