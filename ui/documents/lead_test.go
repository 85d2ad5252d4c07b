package documents

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/markdown"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// oneOf is a passage of the lease, as a chat leads to it.
func oneOf(text, marked string) documents.Result {
	r := documents.Result{Collection: "Home"}
	r.Start = strings.Index(lease, text)
	r.End, r.Text, r.ID = r.Start+len(text), text, 7
	r.Files = []documents.File{{Path: "/papers/lease.txt"}}
	at := strings.Index(text, marked)
	r.Best = documents.Span{Start: at, End: at + len(marked)}
	r.Matches = []documents.Span{r.Best}
	return r
}

// A passage to which a chat leads is shown in its document, with a way back. A search
// afterwards is as ever.
func TestAChatLeadsToAPassage(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	b.panel.ShowPassage(oneOf("The tenant pays the rent on the first day.", "the first day"), panel.Chat)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	v := b.panel.viewer
	if b.panel.field.Text != "" || b.panel.query != "" {
		t.Errorf("the field keeps %q, which has nothing to do with it", b.panel.field.Text)
	}
	if at := v.list.Current; at < 0 || !v.pieces[at].found || v.title.Text != "lease.txt" {
		t.Errorf("in view is %q at %d", v.title.Text, at)
	}
	if got := uitest.AllText(b.panel.results.view); !strings.Contains(got, "From your chat") || b.panel.results.told.Visible() {
		t.Errorf("the results say %q", got)
	}
	test.Tap(uitest.FindButton(t, b.panel.results.view, "Back to the chat"))
	if b.Entered != panel.Chat {
		t.Errorf("the way back leads to %q", b.Entered)
	}
	b.search(t, "sixty days")
	if got := uitest.AllText(b.panel.results.view); strings.Contains(got, "From your chat") && b.panel.results.likeness.Visible() || len(b.panel.found) != 1 {
		t.Errorf("after a search the results say %q", got)
	}
}

// A sentence that begins in one paragraph and ends in the next stands out in both, and what
// follows a passage within its line does not begin with a space.
func TestASentenceOverTwoPieces(t *testing.T) {
	b := withLease(t)
	b.panel.ShowPassage(oneOf("Residential lease\n\nThe tenant pays", "lease\n\nThe tenant"), panel.Chat)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	var strong, first []string
	for _, p := range b.panel.viewer.pieces {
		for i, one := range b.panel.viewer.marked(p) {
			text := one.(markdown.Text)
			if text.Style == markdown.Strong {
				strong = append(strong, text.Text)
			}
			if i == 0 {
				first = append(first, text.Text)
			}
		}
	}
	if !slices.Equal(strong, []string{"lease", "The tenant"}) || !slices.Contains(first, "the rent on the first day.") {
		t.Errorf("in bold are %q; pieces begin with %q", strong, first)
	}
}

// Of a passage that is no longer in its file the window says so.
func TestAPassageThatIsGone(t *testing.T) {
	b := withLease(t)
	r := oneOf("The tenant pays the rent on the first day.", "rent")
	r.Start, r.End = 0, 0 // as where the text was not found again
	b.panel.ShowPassage(r, panel.Chat)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	if got := b.panel.viewer.notes.Segment.Text; !strings.Contains(got, "no longer in this file") {
		t.Errorf("the note is %q", got)
	}
}

// A chat leads to a search in its collection, also for what was searched before.
func TestAChatLeadsToASearch(t *testing.T) {
	b := withLease(t)
	for range 2 {
		b.panel.SearchFor("Home", "sixty days")
		b.Loop.Until(t, "results", func() bool { return b.panel.of.query == "sixty days" && !b.panel.busy })
		if b.panel.session.chosen != "Home" || b.panel.field.Text != "sixty days" || len(b.panel.found) != 1 {
			t.Errorf("searched %q for %q: %d passages", b.panel.session.chosen, b.panel.field.Text, len(b.panel.found))
		}
	}
	asked := b.kept.Asked
	if last := asked[len(asked)-1]; len(last.Collections) != 1 || last.Collections[0] != "Home" {
		t.Errorf("asked: %+v", last)
	}
}
