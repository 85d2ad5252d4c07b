package rerank

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

// trying opens the room on the view that compares models.
func trying(t *testing.T, query string, lines ...string) *bench {
	t.Helper()
	b := entered(t, uitest.NewApp(), query, lines...)
	b.panel.tabs.Pick(viewTry)
	return b
}

// Two models are tried on marked texts: one finds the marked text first, the other last.
func TestCompareModels(t *testing.T) {
	b := trying(t, "cat", animals...)
	w := b.panel.workbench
	if !b.panel.rank.Disabled() || !strings.Contains(w.verdict.Segment.Text, "Write a question") {
		t.Errorf("without a question: %q", w.verdict.Segment.Text)
	}
	test.Type(b.panel.questions.field, "cat")
	b.panel.questions.field.TypedKey(uitest.Key(fyne.KeyReturn))
	test.Tap(b.panel.rank)
	b.Idle()
	if got := w.verdict.Segment.Text; !strings.HasPrefix(got, "No text is marked yet.") {
		t.Errorf("nothing is marked: %q", got)
	}
	row := slices.IndexFunc(w.answers.order, func(i int) bool { return w.answers.lines[i] == "cat" })
	w.answers.rows.Choose(row)
	w.answers.rows.TypedKey(uitest.Key(fyne.KeySpace))
	w.depth.SetSelectedIndex(0)
	want := "Of the texts that you marked, starter-embed finds 100 % among its first one and org/other 0 %. starter-embed puts them nearer to the top."
	if got := w.verdict.Segment.Text; got != want {
		t.Errorf("the verdict is %q", got)
	}
	w.depth.SetSelectedIndex(1) // the first 3: both find it, one last
	if got := w.details.Segment.Text; got != "Details: Averages over 1 question with marked texts. recall@3: 1.000 and 1.000. nDCG@3: 1.000 and 0.500. Vector size: 26 and 384." {
		t.Errorf("details: %q", got)
	}
	shown := uitest.AllText(w.table.view)
	for _, want := range []string{"100 %", "50 %", "500 texts/s", "15 MB"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the table lacks %q: %q", want, shown)
		}
	}
	b.Saver.Flush()
	kept := b.Double.Settings().Rerank.Questions
	if len(kept) != 1 || kept[0].Text != "cat" || !slices.Equal(kept[0].Right, []int{2}) {
		t.Errorf("kept %+v", kept)
	}
	b.panel.list.Add([]string{"new"})
	if got := w.stale.Message(); got != "The texts have changed since these models were tried." {
		t.Errorf("stale: %q", got)
	}
	test.Tap(w.stale.Act)
	b.Idle()
	if w.stale.Message() != "" {
		t.Errorf("comparing again does not help: %q", w.stale.Message())
	}
	b.panel.questions.rows.TypedKey(uitest.Key(fyne.KeyDelete))
	if len(b.panel.trial.questions) != 0 || !strings.Contains(uitest.AllText(w.answers.view), "No question in view") {
		t.Error("a question cannot be deleted")
	}
}

// The samples come with their answers, so that one button shows what the view does.
func TestSamplesComeWithAnswers(t *testing.T) {
	b := trying(t, "")
	if got := b.panel.workbench.verdict.Segment.Text; !strings.Contains(got, "Press Compare. Three sample questions") {
		t.Errorf("it says %q", got)
	}
	if n := len(b.panel.trial.questions); n != 3 || b.panel.trial.marked(0) != 2 {
		t.Fatalf("%d questions, %d marks", n, b.panel.trial.marked(0))
	}
	b.Host.Keys.Typed(uitest.Ctrl(fyne.KeyReturn))
	b.Idle()
	if s := b.panel.trial.score(0); s.questions != 3 {
		t.Errorf("judged by %d questions", s.questions)
	}
	b.panel.questions.rows.Pick(1)
	if got := b.panel.workbench.answers.title.Segment.Text; !strings.Contains(got, "stale bread") {
		t.Errorf("the question in view is %q", got)
	}
}

// The only embedder is tried alone.
func TestOneModelAlone(t *testing.T) {
	d := uitest.NewApp()
	d.Offered = d.Offered[:1]
	b := entered(t, d, "")
	b.panel.tabs.Pick(viewTry)
	test.Tap(b.panel.rank)
	b.Idle()
	if out := b.panel.trial.done; out == nil || len(out.results) != 1 || strings.Contains(b.panel.workbench.verdict.Segment.Text, " and ") {
		t.Errorf("the verdict is %q", b.panel.workbench.verdict.Segment.Text)
	}
}

// Ten thousand texts can be marked without a wait: only what is in view is drawn.
func TestCompareManyTexts(t *testing.T) {
	b := trying(t, "cat", slices.Repeat(animals, 3334)...)
	b.panel.trial.ask("cat")
	test.Tap(b.panel.rank)
	b.Idle()
	a := b.panel.workbench.answers
	a.rows.Clicked(0)
	if n := len(uitest.RowsOf(a.rows)); n > 40 {
		t.Errorf("%d rows exist", n)
	}
	if b.panel.trial.marked(0) != 1 {
		t.Error("a click marks nothing")
	}
}

// The text that a person looks at stays selected where it moves in the list, and is selected with
// the list beside it.
func TestSelectionStaysOnItsText(t *testing.T) {
	b := trying(t, "cat", animals...)
	p := b.panel
	p.trial.ask("cat")
	a := p.workbench.answers
	a.rows.Pick(1)
	id := a.chosen
	test.Tap(p.rank)
	b.Idle()
	if a.rows.Current < 0 || a.ids[a.order[a.rows.Current]] != id || a.rows.Current == 1 {
		t.Errorf("row %d of %v is selected", a.rows.Current, a.order)
	}
	other := p.texts.IDs()[1]
	p.list.Rows.Pick(1)
	if a.ids[a.order[a.rows.Current]] != other || a.full.Segment.Text != animals[1] {
		t.Errorf("beside, text %d is selected, not %d", a.ids[a.order[a.rows.Current]], other)
	}
}
