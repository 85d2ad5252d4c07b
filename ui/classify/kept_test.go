package classify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/uitest"
)

// restarted opens the page again with what was kept.
func (b *bench) restarted(t *testing.T) *bench {
	t.Helper()
	b.Saver.Flush()
	d := uitest.NewApp()
	d.Kept, d.Offered = b.Double.Settings(), b.Double.Offered
	return entered(t, d)
}

// What was found is there again after a restart, with the labels given by hand, until the texts change.
func TestFoundIsKept(t *testing.T) {
	b := sorted(t)
	b.page.results.show(3)
	b.page.results.give("parcels")
	again := b.restarted(t)
	if got, want := again.chips(), b.chips(); !slices.Equal(got, want) || !again.page.results.view.Visible() || again.page.stale.Message() != "" {
		t.Fatalf("after a restart the filter offers %q, not %q; stale: %q", got, want, again.page.stale.Message())
	}
	if got, want := again.rows(), b.rows(); !slices.Equal(got, want) {
		t.Errorf("the rows are %q, not %q", got, want)
	}
	if got := again.page.found.details(); !strings.Contains(got, "Each label was read as a sentence") {
		t.Errorf("details: %q", got)
	}
	again.page.list.Add([]string{"one more"})
	if last := again.restarted(t); last.page.found != nil {
		t.Error("a result of other texts is shown after a restart")
	}
}

// Names and gaps are kept too. A result that does not fit the texts is left out.
func TestOtherResultsAreKept(t *testing.T) {
	for kind, line := range map[string]string{"entities": "Last week Ada met Bob", "words": "a cup of ___"} {
		d := withModel(uitest.NewApp(), library.Model{ID: "/models/own", Name: "own", Kind: library.KindEncoder, Classifies: kind})
		b := entered(t, d, line)
		b.classified(t)
		again := b.restarted(t)
		if again.page.found == nil || !slices.Equal(again.rows(), b.rows()) {
			t.Errorf("%s: after a restart %q", kind, again.rows())
			continue
		}
		b.Saver.Flush()
		d.Kept = b.Double.Settings()
		d.Kept.Classify.Texts = []string{"x"}
		if kind == "entities" && entered(t, d).page.found != nil {
			t.Error("names beyond the end of a text are shown")
		}
	}
}

// During a run about other texts or labels, the old result is out of view; of the same it stays.
func TestOldResultDuringARun(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat", "a dog")
	b.classified(t)
	b.page.Start()
	if !b.page.results.view.Visible() {
		t.Error("the result of the same texts goes")
	}
	b.page.stop()
	b.page.list.Add([]string{"a horse"})
	if !b.page.results.view.Visible() {
		t.Error("the result goes before a run")
	}
	b.page.Start()
	if b.page.results.view.Visible() || !b.page.blank.Visible() {
		t.Error("an old result stands beside new texts during a run")
	}
	b.Idle()
	if n := len(b.page.found.lines); n != 3 || !b.page.results.view.Visible() {
		t.Errorf("the result is about %d texts", n)
	}
}

// Samples follow the model, as long as a person has no texts of their own.
func TestSamplesOfAModel(t *testing.T) {
	d := withModel(uitest.NewApp(), library.Model{ID: "/models/gaps", Name: "gaps", Kind: library.KindEncoder, Classifies: "words"})
	b := entered(t, d)
	if got := b.page.texts.Lines()[0]; !strings.Contains(got, "___") || !b.page.begin.Visible() {
		t.Errorf("the first sample is %q", got)
	}
	b.page.Use("starter-embed")
	b.Idle()
	if got := b.page.texts.Lines()[0]; !strings.HasPrefix(got, "The cat is asleep on the warm windowsill") {
		t.Errorf("the first sample is %q", got)
	}
	b.page.list.Add([]string{"mine"})
	b.page.Use("/models/gaps")
	b.Idle()
	if got := b.page.texts.Lines(); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("a person's own texts became %q", got)
	}
}

// The result of a table is exported with all of the table, also after a restart, and labels given by hand do not go
// over to a file that says the same.
func TestResultOfATable(t *testing.T) {
	b := sorted(t)
	sheet := &texts.Sheet{Names: []string{"id", "comment"}, Rows: [][]string{{"7", "late"}, {"8", ""}, {"9", "crushed"}}, First: 2}
	comments := texts.Column{Name: "comment", Lines: []string{"late", "crushed"}, Rows: []int{0, 2}, At: 1}
	ids := texts.Column{Name: "id", Lines: []string{"7", "8", "9"}, Rows: []int{0, 1, 2}}
	table := texts.Texts{Lines: comments.Lines, Taken: comments, Column: 1, Columns: []texts.Column{ids, comments}, Sheet: sheet}
	b.Double.Files["/orders.csv"], b.Double.Files["/copy.csv"] = table, table
	relabelled(b)
	b.page.list.Replace(nil)
	b.page.list.AddFiles([]string{"/orders.csv"})
	b.Idle()
	b.classified(t)
	b.page.results.give("parcels")
	want := "id,comment,number,row,label,by whom,remark,bills,parcels\n7,late,1,2,parcels,by hand,,0.9,0.1\n8,,,3,,,,,\n9,crushed,2,4,bills,model,,0.9,0.1\n"
	if b.page.CopyCSV(); b.FyneApp.Clipboard().Content() != want {
		t.Errorf("copied %q", b.FyneApp.Clipboard().Content())
	}
	if got := b.page.exports()[0].Label; got != "Copy the whole table with their labels (CSV)" {
		t.Errorf("offered is %q", got)
	}
	if got := b.page.found.fileName(); got != filepath.FromSlash("/orders labels.csv") {
		t.Errorf("it is saved as %q", got)
	}
	if got := b.rows(); !strings.HasPrefix(got[0], "1 late") || !strings.HasPrefix(got[1], "2 crushed") {
		t.Errorf("the rows have other numbers than on the list: %q", got)
	}
	b.Saver.Flush()
	d := uitest.NewApp()
	d.Kept, d.Offered, d.Files["/orders.csv"] = b.Double.Settings(), b.Double.Offered, table
	again := entered(t, d)
	if again.page.CopyCSV(); again.FyneApp.Clipboard().Content() != want {
		t.Errorf("after a restart it copied %q", again.FyneApp.Clipboard().Content())
	}
	if path, column := again.page.list.Table(); path != "/orders.csv" || column != 1 {
		t.Errorf("after a restart the table is %q, column %d", path, column)
	}
	b.page.list.Replace(nil)
	b.page.list.AddFiles([]string{"/copy.csv"})
	b.Idle()
	if b.classified(t); len(b.page.found.own) != 0 {
		t.Errorf("another file has the labels %v", b.page.found.own)
	}
}
