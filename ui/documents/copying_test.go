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
	for _, want := range []string{"Copy", "Copy with source", "Copy the whole passage", "Open in its app"} {
		if !strings.Contains(got, want) {
			t.Errorf("it offers %q", got)
		}
	}
}
