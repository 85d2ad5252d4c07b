package rerank

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// passages are texts as Documents hands them over, and one that a person wrote.
func passages() []panel.Sent {
	return []panel.Sent{
		{Text: "a newt and a cat", From: base.Source{File: "/papers/lease.pdf", Place: "page 3", Collection: "Home", Written: "a *newt* and a cat", Start: 40, Page: 3, BestFrom: 2, BestTo: 8}},
		{Text: "a cat", From: base.Source{File: "/papers/list.csv", Place: "row 12"}},
		{Text: "a dog"},
	}
}

// Each text says which file and page it is from, in its row and where it is shown in full; from there the way leads
// back into its document. The next start still knows, and so does a table.
func TestTextsSayWhereTheyAreFrom(t *testing.T) {
	app := uitest.NewApp()
	b := entered(t, app, "cat", animals...)
	b.panel.RankSent("cat", passages())
	b.Loop.Until(t, "the ranking", func() bool { return b.panel.found != nil && b.panel.running == nil && len(b.panel.found.lines) == 3 })
	p := b.panel
	p.pickText(p.texts.IDs()[0])
	rows := ""
	for _, row := range uitest.RowsOf(p.results.picture.rows) {
		rows += uitest.AllText(row)
	}
	for _, want := range []string{"lease.pdf, page 3", "list.csv, row 12"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no row says %q: %q", want, rows)
		}
	}
	from := p.results.source
	if from.says.Text != "lease.pdf, page 3" || !from.view.Visible() {
		t.Errorf("below the text stands %q", from.says.Text)
	}
	test.Tap(from.open)
	if len(b.Shown) != 1 || b.Shown[0].Text != "a *newt* and a cat" || b.Shown[0].Files[0].Path != "/papers/lease.pdf" || b.Shown[0].Start != 40 || b.Shown[0].Page != 3 || b.Shown[0].Best.End != 8 {
		t.Errorf("shown is %+v", b.Shown)
	}
	b.panel.copyCSV()
	if csv := fyne.CurrentApp().Clipboard().Content(); !strings.Contains(csv, "file,place") || !strings.Contains(csv, "/papers/list.csv,row 12") {
		t.Errorf("the table is %q", csv)
	}
	p.pickText(p.texts.IDs()[2])
	if from.view.Visible() {
		t.Errorf("a text that a person wrote is from %q", from.says.Text)
	}
	b.Saver.Flush()
	again := entered(t, app, "")
	if of := again.panel.texts.SourceOf(again.panel.texts.IDs()[0]); of != passages()[0].From {
		t.Errorf("after a restart it is from %+v", of)
	}
	var names []string
	for _, item := range again.panel.offers(1) {
		names = append(names, item.Label)
	}
	if !slices.Contains(names, "Open the file") {
		t.Errorf("offered are %q", names)
	}
}

// Low results show more rows, each with a line of its text.
func TestLowRowsHaveALine(t *testing.T) {
	long := strings.Repeat("a cat sat on the mat and did not move ", 5)
	b := entered(t, uitest.NewApp(), "cat", long+"one", long+"two", long+"three")
	b.ranked(t)
	r := b.panel.results
	r.view.Resize(fyne.NewSize(500, 700))
	if r.picture.rows.Height != twoLines {
		t.Errorf("rows of long texts are %v high", r.picture.rows.Height)
	}
	r.view.Resize(fyne.NewSize(500, lowestResults-1))
	if r.picture.rows.Height != oneLine {
		t.Errorf("where there is little room they are %v high", r.picture.rows.Height)
	}
}
