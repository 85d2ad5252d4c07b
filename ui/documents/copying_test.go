package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/documents"
	"inglenook/ui/uitest"
)

func spanOf(text, part string) documents.Span {
	at := strings.Index(text, part)
	return documents.Span{Start: at, End: at + len(part)}
}

// What is copied with its source is what is marked, with its own line; of a table the row, below the names of the columns.
func TestCopyWhatIsMarked(t *testing.T) {
	for _, c := range []struct{ format, text, context, best, match, want string }{
		{"text", "One.\nTwo.\nThe dog barks.\nFour.", "", "The dog barks.", "dog", "“The dog barks.”\n— a.text, line 7"},
		{"csv", "11109,Perth\n11110,Lyon\n11111,Oslo\n", "a\n\norder,city", "11109,Perth\n11110,Lyon\n11111,Oslo", "11110", "“order,city\n11110,Lyon”\n— a.csv, line 6"},
		{"markdown", "Fruit.\n\n| name | month |\n| --- | --- |\n| fig | May |\n| quince | June |\n", "", "| name | month |\n| --- | --- |\n| fig | May |\n| quince | June |", "quince", "“| name | month |\n| --- | --- |\n| quince | June |”\n— a.markdown, line 10"},
	} {
		f := documents.File{Path: "/papers/a." + c.format, Format: c.format}
		h := hit{file: documents.FileResult{File: f}}
		h.result.Files = []documents.File{f}
		h.result.Text, h.result.Context, h.result.Start, h.result.Line = c.text, c.context, 40, 5
		h.result.Best, h.result.Matches = spanOf(c.text, c.best), []documents.Span{spanOf(c.text, c.match)}
		if got := quotation(h); got != c.want {
			t.Errorf("%s is copied as %q", c.format, got)
		}
		if got := wholeQuotation(h); !strings.Contains(got, strings.TrimSpace(c.text)) || !strings.HasSuffix(got, "line 5") {
			t.Errorf("the whole passage is %q", got)
		}
	}
}

// A click with the other button offers what can be done with a passage.
func TestMenuOfAResult(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	rows := b.panel.results.rows
	uitest.RowsOf(rows)[1].(fyne.SecondaryTappable).TappedSecondary(&fyne.PointEvent{AbsolutePosition: fyne.NewPos(20, 20)})
	got := ""
	for _, o := range b.Window.Canvas().Overlays().List() {
		got += uitest.AllText(o)
	}
	for _, want := range []string{"Copy", "Copy with source", "Copy the whole passage", "Ask about this in Chat", "Open in its app"} {
		if !strings.Contains(got, want) {
			t.Errorf("it offers %q", got)
		}
	}
}

// A passage, or what is selected in a document, leads to a chat about it, and to a search for it.
func TestAskAboutAPassage(t *testing.T) {
	b := withLease(t)
	b.search(t, "sixty days")
	b.panel.pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	v := b.panel.viewer
	v.askAbout()
	if want := [2]string{"lease.txt", "Either side may end the lease with sixty days of written notice."}; b.Inquired != want || b.Question != "sixty days" {
		t.Errorf("asked about %q, %q", b.Inquired, b.Question)
	}
	choose := func(selected, name string) {
		t.Helper()
		for _, item := range v.offersOf(selected, v.pieces[len(v.pieces)-1]) {
			if item.Label == name {
				if item.Disabled {
					t.Errorf("%q cannot be chosen with %q", name, selected)
				}
				item.Action()
				return
			}
		}
		t.Errorf("%q is not offered", name)
	}
	choose("", "Ask about this paragraph in Chat")
	if want := [2]string{"lease.txt", "One cat or one small dog may be kept."}; b.Inquired != want {
		t.Errorf("asked about %q", b.Inquired)
	}
	choose("one small dog", "Ask about this in Chat")
	if b.Inquired[1] != "one small dog" {
		t.Errorf("asked about %q", b.Inquired)
	}
	if items := v.offersOf("", v.pieces[0]); !items[0].Disabled {
		t.Error("a search for nothing is offered")
	}
	choose("the\nneighbour", "Search for this")
	b.Loop.Until(t, "the search", func() bool { return b.panel.of.query == "the neighbour" && !b.panel.busy })
}

// Rows of a table are asked about with the names of their columns.
func TestAskAboutRows(t *testing.T) {
	b := withLease(t)
	h := hit{file: documents.FileResult{File: documents.File{Path: "/papers/a.csv", Format: "csv"}}}
	h.result.Text, h.result.Context, h.result.Start = "1,Perth", "a\n\norder,city", 40
	b.panel.session.askAbout(h)
	if want := [2]string{"a.csv", "order,city\n1,Perth"}; b.Inquired != want {
		t.Errorf("asked about %q", b.Inquired)
	}
}
