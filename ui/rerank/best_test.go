package rerank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/uitest"
)

// ladder are n texts; the double likes the last best for "cat".
func ladder(n int) (lines []string) {
	for i := range n {
		lines = append(lines, "z"+strings.Repeat("z", n-i)+" cat")
	}
	return lines
}

// The best few are shown alone, with their places in both orders, exported alone, and wanted the next time.
func TestBestOfMany(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", ladder(30)...)
	b.ranked(t)
	p, r := b.panel.results.picture, b.panel.results
	if !r.best.view.Visible() || r.best.choice.Options[0] != "All 30 texts" || len(p.right.Texts) != 30 {
		t.Fatalf("offered %q, shown %d", r.best.choice.Options, len(p.right.Texts))
	}
	r.best.choice.SetSelected("The best 3")
	if !slices.Equal(p.right.Texts, []int{29, 28, 27}) || !slices.Equal(p.left.Texts, []int{27, 28, 29}) {
		t.Fatalf("orders %v and %v", p.left.Texts, p.right.Texts)
	}
	rows := uitest.RowsOf(p.rows)
	if !strings.Contains(uitest.AllText(rows[0]), "28") || !strings.Contains(uitest.AllText(rows[0]), "↑ 29") {
		t.Errorf("%d rows, the first says %q", len(rows), uitest.AllText(rows[0]))
	}
	b.panel.copyCSV()
	if got := strings.Count(fyne.CurrentApp().Clipboard().Content(), "\n"); got != 4 {
		t.Errorf("%d lines of CSV", got)
	}
	b.panel.copyTexts()
	if got := fyne.CurrentApp().Clipboard().Content(); got != strings.Join([]string{r.of.lines[29], r.of.lines[28], r.of.lines[27]}, "\n") {
		t.Errorf("copied %q", got)
	}
	b.panel.list.Pick(b.panel.found.asked.ids[0]) // which is not among them
	if p.rows.Current != -1 || r.full.Segment.Text != r.of.lines[0] {
		t.Errorf("row %d, in full %q", p.rows.Current, r.full.Segment.Text)
	}
	b.Saver.Flush()
	if kept := b.Double.Settings().Rerank.Best; kept != 3 {
		t.Errorf("kept %d", kept)
	}
	r.best.choice.SetSelectedIndex(0)
	if len(p.right.Texts) != 30 {
		t.Error("all are not shown again")
	}
}

// Of few texts each has a line. Of many only the largest moves have one, and what a person points at.
func TestLinesOfManyTexts(t *testing.T) {
	few := entered(t, uitest.NewApp(), "cat", animals...)
	few.ranked(t)
	if p := few.panel.results.picture; !p.draws(0) || !p.draws(1) || p.linesText() != "" {
		t.Error("a text of three has no line")
	}
	b := entered(t, uitest.NewApp(), "cat", ladder(30)...)
	b.ranked(t)
	p := b.panel.results.picture
	drawn := 0
	for text := range p.lines {
		if p.draws(text) {
			drawn++
		}
	}
	if drawn != linesOfFar || !p.draws(0) || !p.draws(29) || p.draws(13) { // 29 is the chosen one as well
		t.Errorf("%d lines", drawn)
	}
	p.point(p.right.rows[13])
	if !p.draws(13) {
		t.Error("the text under the pointer has no line")
	}
	p.point(-1)
	if p.draws(13) {
		t.Error("its line stays")
	}
	if !strings.HasPrefix(b.panel.results.scale.Text, p.linesText()) {
		t.Errorf("the legend says %q", b.panel.results.scale.Text)
	}
}

// What undo took back is done again, texts and questions alike.
func TestRedo(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.panel.list.Add([]string{"a newt"})
	b.panel.undo()
	if b.panel.redo(); b.panel.texts.Len() != 4 {
		t.Errorf("%d texts", b.panel.texts.Len())
	}
	b.panel.tabs.Select(viewTry)
	for i := range 2 {
		b.panel.trial.ask(fmt.Sprint("question ", i))
	}
	n := len(b.panel.trial.questions)
	b.panel.trial.forget(n - 1)
	b.panel.undo()
	if got := len(b.panel.trial.questions); got != n {
		t.Fatalf("%d questions of %d are back", got, n)
	}
	if b.panel.redo(); len(b.panel.trial.questions) != n-1 {
		t.Error("the question was not deleted again")
	}
	if b.panel.undo(); len(b.panel.trial.questions) != n {
		t.Error("and does not come back")
	}
}

// A text of the results can be copied, asked, edited and deleted where it stands.
func TestMenuOfAText(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	var names []string
	for _, item := range b.panel.offers(1) {
		names = append(names, item.Label)
	}
	if !slices.Equal(names, []string{"Copy text", "Use as the question", "Edit…", "Delete"}) {
		t.Fatalf("offered %q", names)
	}
	items := b.panel.offers(1)
	items[0].Action()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "a dog" {
		t.Errorf("copied %q", got)
	}
	items[3].Action()
	if b.panel.texts.Len() != 2 || len(b.panel.offers(1)) != 2 {
		t.Errorf("%d texts, and of the deleted one %d offers", b.panel.texts.Len(), len(b.panel.offers(1)))
	}
	items[1].Action()
	if b.panel.query != "a dog" {
		t.Errorf("the question is %q", b.panel.query)
	}
}
