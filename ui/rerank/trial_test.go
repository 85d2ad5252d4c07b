package rerank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/panel"
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
	b := trying(t, "", animals...)
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
	want := "starter-embed finds the text that you marked in first place, and org/other does not."
	if got := w.verdict.Segment.Text; got != want {
		t.Errorf("the verdict is %q", got)
	}
	w.depth.SetSelectedIndex(1) // the first 3: both find it, one last
	if got := w.foot.Details.Segment.Text; got != "On average over these questions: recall@3 1.000 and 1.000, nDCG@3 1.000 and 0.500. Numbers in a vector: 26 and 384." {
		t.Errorf("details: %q", got)
	}
	if w.foot.Open() || w.foot.Took.Text != "Counted for 1 question with marked texts" {
		t.Errorf("below stands %q, with the details: %v", w.foot.Took.Text, w.foot.Open())
	}
	shown := uitest.AllText(w.table.view)
	for _, want := range []string{"1 of 1", "0 of 1", "500 texts/s", "15 MB"} {
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

// Which model finds more is said in counts and words, whatever the counts are.
func TestVerdictInWords(t *testing.T) {
	out := &tried{results: []texts.FindResult{{Model: library.Model{Name: "a"}}, {Model: library.Model{Name: "b"}}}}
	for _, c := range []struct {
		depth int
		want  string
		of    []score
	}{
		{3, "Both models find all 4 texts that you marked among their first 3, equally near to the top.", []score{{found: 4, marked: 4}, {found: 4, marked: 4}}},
		{3, "Both models find 2 of 4 texts that you marked among their first 3. b puts them nearer to the top.", []score{{found: 2, marked: 4, ndcg: 0.3}, {found: 2, marked: 4, ndcg: 0.5}}},
		{1, "Both models find the text that you marked in first place.", []score{{found: 1, marked: 1}, {found: 1, marked: 1}}},
		{5, "b finds all 2 texts that you marked among its first 5, and a none.", []score{{marked: 2}, {found: 2, marked: 2}}},
		{5, "a finds 3 of 4 texts that you marked among its first 5, and b 1.", []score{{found: 3, marked: 4}, {found: 1, marked: 4}}},
		{5, "Neither model finds a text that you marked among its first 5.", []score{{marked: 4}, {marked: 4}}},
		{5, "a does not find the text that you marked among its first 5.", []score{{marked: 1}}},
		{5, "a finds none of the 3 texts that you marked among its first 5.", []score{{marked: 3}}},
	} {
		for i := range c.of {
			c.of[i].questions = 1
		}
		if got := verdictText(out, c.of, c.depth); got != c.want {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}

// Texts with equal scores are found only where all of them are among the first.
func TestEqualScoresAreNotFound(t *testing.T) {
	b := trying(t, "cat", animals...)
	b.panel.trial.ask("cat")
	b.panel.trial.mark(b.panel.texts.IDs()[0], true)
	b.panel.trial.done = &tried{ids: b.panel.texts.IDs(), questions: []string{"cat"}, results: []texts.FindResult{{Orders: []texts.Order{texts.NewOrder([]float64{1, 1, 0})}}}}
	for depth, found := range map[int]int{1: 0, 3: 1} {
		b.panel.trial.depth = depth
		if s := b.panel.trial.score(0); s.found != found || s.first != 0 || s.marked != 1 {
			t.Errorf("of the first %d: %+v", depth, s)
		}
	}
}

// The question that texts were sorted for comes along, once, and the next one takes its place while
// nothing is marked for it.
func TestQuestionComesAlong(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	p := b.panel
	turn := func(question string) []string {
		p.tabs.Pick(viewRank)
		p.field.SetText(question)
		p.tabs.Pick(viewTry)
		var all []string
		for _, q := range p.trial.questions {
			all = append(all, q.text)
		}
		return all
	}
	if got := turn("a dog?"); !slices.Equal(got, []string{"a dog?"}) || p.trial.at != 0 {
		t.Errorf("the questions are %q", got)
	}
	if got := turn("a cat?"); !slices.Equal(got, []string{"a cat?"}) {
		t.Errorf("then they are %q", got)
	}
	p.trial.mark(p.texts.IDs()[0], true)
	if got := turn("a bird?"); !slices.Equal(got, []string{"a cat?", "a bird?"}) || p.trial.at != 1 {
		t.Errorf("with a mark they are %q", got)
	}
	p.trial.forget(1)
	if got := turn("a bird?"); !slices.Equal(got, []string{"a cat?"}) {
		t.Errorf("a question that was deleted comes again: %q", got)
	}
}

// The first mark moves no row.
func TestRowsStayWhereTheyAre(t *testing.T) {
	b := trying(t, "")
	a := b.panel.workbench.answers
	b.Window.Resize(fyne.NewSize(1240, 800))
	top := func() float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(a.rows).Y }
	before := top()
	a.rows.Clicked(0)
	b.Idle()
	if now := top(); now != before {
		t.Errorf("the rows moved from %v to %v", before, now)
	}
}

// In the smallest window some rows are in view, also below a notice that they are out of date.
func TestRowsInASmallWindow(t *testing.T) {
	b := trying(t, "")
	test.Tap(b.panel.rank)
	b.Idle()
	b.Window.Resize(fyne.NewSize(640, 480))
	a := b.panel.workbench.answers
	if h := a.rows.Size().Height; h < 3*a.rows.Height {
		t.Errorf("the rows have a height of %v", h)
	}
	b.panel.list.Add([]string{"new"})
	b.panel.panes.Front(panel.PaneResult)
	if h := a.rows.Size().Height; h < 3*a.rows.Height {
		t.Errorf("below a notice the rows have a height of %v", h)
	}
}

// What was compared can be taken elsewhere as a table.
func TestComparisonIsCopied(t *testing.T) {
	b := trying(t, "cat", animals...)
	p := b.panel
	p.trial.ask("cat")
	p.trial.mark(p.texts.IDs()[2], true)
	if !p.export.Disabled() {
		t.Error("nothing can be exported before anything was compared")
	}
	test.Tap(p.rank)
	b.Idle()
	p.copyCSV()
	got := b.FyneApp.Clipboard().Content()
	if want := "question,text,marked,starter-embed place,org/other place\ncat,cat,true,1,3\n"; !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1+len(animals) || p.export.Disabled() {
		t.Errorf("the copy is %q", got)
	}
}

// A question that was deleted comes back with its marks, and so do the sample questions, which then
// stay beside own ones.
func TestQuestionsComeBack(t *testing.T) {
	b := trying(t, "")
	tr := b.panel.trial
	names := func() (all []string) {
		for i, q := range tr.questions {
			all = append(all, fmt.Sprintf("%s %d", q.text, tr.marked(i)))
		}
		return all
	}
	before := names()
	tr.forget(1)
	if b.Offered.Button != "Undo" || !strings.HasPrefix(b.Offered.What, "Deleted the question") {
		t.Fatalf("it offers %+v", b.Offered)
	}
	b.Host.Keys.Typed(uitest.Ctrl(fyne.KeyZ))
	if got := names(); !slices.Equal(got, before) || tr.at != 1 {
		t.Errorf("brought back %q, not %q", got, before)
	}
	tr.ask("mine?")
	if got := names(); !slices.Equal(got, []string{"mine? 0"}) || b.Offered.What != "Your question took the place of the 3 sample questions." {
		t.Errorf("%q, and it offers %q", got, b.Offered.What)
	}
	b.Offered.Act()
	b.Offered.Act() // again: nothing
	tr.ask("another?")
	if got := names(); !slices.Equal(got, append(slices.Clone(before), "mine? 0", "another? 0")) {
		t.Errorf("then there are %q", got)
	}
	tr.mark(tr.texts.IDs()[0], true)
	tr.forget(tr.at)
	tr.undo()
	if got := names(); got[len(got)-1] != "another? 1" {
		t.Errorf("the mark did not come back: %q", got)
	}
}

// Among many texts those with some words are found, and after a run the list begins at its top.
func TestFindAmongManyTexts(t *testing.T) {
	lines := make([]string, 250)
	for i := range lines {
		lines[i] = fmt.Sprintf("Text %d", i)
	}
	b := trying(t, "", lines...)
	b.panel.trial.ask("which?")
	a := b.panel.workbench.answers
	a.find.SetText("TEXT 24")
	if n := len(a.order); n != 13 { // 24, 124, 224 and 240 to 249
		t.Errorf("%d texts are found", n)
	}
	a.rows.Clicked(0)
	if right := b.panel.trial.questions[0].right; !right[b.panel.texts.IDs()[24]] {
		t.Errorf("marked: %v", right)
	}
	a.find.SetText("nothing like it")
	if got := uitest.AllText(a.hint.View); !a.hint.View.Visible() || !strings.Contains(got, "No text found") {
		t.Errorf("it says %q", got)
	}
	a.find.SetText("")
	a.rows.Choose(249)
	if a.rows.Scroll.Offset.Y == 0 {
		t.Fatal("the list is not long enough for this test")
	}
	b.panel.trial.try()
	b.Idle()
	if got := a.rows.Scroll.Offset.Y; got != 0 {
		t.Errorf("after a run the list stands at %v", got)
	}
}

// Without a question nothing that was compared before is in view.
func TestNoQuestionShowsNoTable(t *testing.T) {
	b := trying(t, "", animals...)
	b.panel.trial.ask("cat")
	b.panel.trial.try()
	b.Idle()
	b.panel.trial.forget(0)
	w := b.panel.workbench
	if w.figures.Visible() || w.stale.Message() != "" || !strings.HasPrefix(w.verdict.Segment.Text, "No questions.") {
		t.Errorf("it says %q and %q", w.verdict.Segment.Text, w.stale.Message())
	}
	b.panel.trial.undo()
	if !w.figures.Visible() || w.stale.Message() != "" {
		t.Error("what was compared does not come back with its question")
	}
}

// Where models found the texts is there after the next start, with the same verdict, until the texts change.
func TestComparisonIsKept(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "", animals...)
	b.panel.tabs.Pick(viewTry)
	b.panel.trial.ask("cat")
	b.panel.trial.mark(b.panel.texts.IDs()[2], true)
	test.Tap(b.panel.rank)
	b.Idle()
	want := b.panel.workbench
	b.Saver.Flush()
	d.Kept = d.Settings()
	b = entered(t, d, "", animals...)
	b.panel.tabs.Pick(viewTry)
	w := b.panel.workbench
	if w.shown() == nil || w.verdict.Segment.Text != want.verdict.Segment.Text || w.stale.Message() != "" || uitest.AllText(w.table.view) != uitest.AllText(want.table.view) {
		t.Errorf("after a start it says %q, before %q; stale: %q", w.verdict.Segment.Text, want.verdict.Segment.Text, w.stale.Message())
	}
	if w.foot.Details.Segment.Text != want.foot.Details.Segment.Text {
		t.Errorf("details: %q, before %q", w.foot.Details.Segment.Text, want.foot.Details.Segment.Text)
	}
	b.panel.list.Add([]string{"another one"})
	b.Saver.Flush()
	if kept := d.Settings().Rerank; len(kept.Tried)+len(kept.TriedWith) > 0 {
		t.Errorf("of other texts is kept: %+v", kept.Tried)
	}
}

// The models are tried in the order in which they sort, until a person chooses others.
func TestModelsAreTriedInTheirOrder(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	p := b.panel
	first := p.trial.pair[0]
	second := p.trial.pair[1]
	p.choose(0, second)
	p.tabs.Pick(viewTry)
	if p.trial.pair != [2]string{second, first} {
		t.Errorf("%q sorts, and tried are %q", second, p.trial.pair)
	}
	p.tabs.Pick(viewRank)
	p.trial.choose(0, first)
	p.trial.choose(1, second)
	p.tabs.Pick(viewTry)
	if p.trial.pair != [2]string{first, second} {
		t.Errorf("the models that a person chose are %q now", p.trial.pair)
	}
}
