package rerank

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// What was found is there after the next start, until the texts change.
func TestResultIsKept(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "cat", animals...)
	b.panel.beside(true)
	b.ranked(t)
	want := b.panel.found
	want.rankings[0].Notes = []string{"two texts were cut"}
	b.panel.keepFound()
	b.Saver.Flush()
	d.Kept = d.Settings()
	b = entered(t, d, "cat", animals...)
	got := b.panel.found
	if got == nil || !b.panel.results.view.Visible() || b.panel.stale.Message() != "" {
		t.Fatalf("after a start there is %+v, and %q", got, b.panel.stale.Message())
	}
	for i, r := range want.rankings {
		if !slices.Equal(got.rankings[i].Order().Texts, r.Order().Texts) || !slices.Equal(got.rankings[i].Scores(), r.Scores()) || got.rankings[i].Model.Title() != r.Model.Title() {
			t.Errorf("model %d: %+v, before %+v", i, got.rankings[i], r)
		}
	}
	if said := b.panel.results.foot.Details.Segment.Text; !strings.Contains(said, "two texts were cut") {
		t.Errorf("of what was found it says %q", said)
	}
	if got.agreement != want.agreement {
		t.Errorf("they agree on %+v, before %+v", got.agreement, want.agreement)
	}
	if len(d.Rankings()) != 2 {
		t.Error("it was sorted again")
	}
	b.panel.list.Add([]string{"another one"})
	b.Saver.Flush()
	if kept := d.Settings().Rerank; len(kept.Found) != 0 || kept.Asked != "" {
		t.Errorf("of other texts is kept: %+v", kept)
	}
}

// A hint that a person closed stays closed until something else has changed.
func TestStaleHintCloses(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	p := b.panel
	p.field.SetText("dog")
	test.Tap(p.stale.Close)
	p.refresh()
	if p.stale.Message() != "" {
		t.Errorf("%q came back", p.stale.Message())
	}
	p.list.Add([]string{"one more"})
	p.field.SetText("cat")
	if p.stale.Message() == "" {
		t.Error("another change is not told")
	}
}

// A long question is wrapped in its field; one that no field can lay out in time stays in a line.
func TestQuestionIsWrapped(t *testing.T) {
	b := entered(t, uitest.NewApp(), strings.Repeat("how long does it keep ", 8), animals...)
	f := b.panel.field
	if !f.MultiLine || f.Wrapping != fyne.TextWrapWord || f.Size().Height < 2*kit.TextBody {
		t.Errorf("the field is %v high", f.Size().Height)
	}
	b.panel.Rank(strings.Repeat("long", 1<<18), animals)
	b.Idle()
	if f.MultiLine {
		t.Error("a megabyte is wrapped")
	}
	b.panel.Rank("short", animals)
	b.Idle()
	if !f.MultiLine || f.Text != "short" {
		t.Errorf("%q is not wrapped", kit.Brief(f.Text))
	}
}

// Where the best text fits no better than it fits other questions, that is said, also after the next
// start.
func TestNoneStandsOutIsSaid(t *testing.T) {
	d := uitest.NewApp()
	none := func(r *texts.RerankResult) {
		for i := range r.Ranking {
			r.Ranking[i].Score = float32(i) / 1000
		}
		r.Elsewhere = []float32{0.03, 0.01, 0.02, 0, 0.05}
	}
	d.Ranked.Change = none
	b := entered(t, d, "cat", animals...)
	said := func() bool {
		return b.panel.results.doubt.Visible() && b.panel.results.none.Segment.Text == "None of these texts seems to answer this."
	}
	b.ranked(t)
	if !said() || !d.Rankings()[0].Compare {
		t.Errorf("that no text stands out is not said: %q", b.panel.results.none.Segment.Text)
	}
	if r := b.panel.results; b.panel.picked != -1 || r.picture.rows.Current != -1 || r.whole.Visible() {
		t.Errorf("text %d is chosen as if it were the answer", b.panel.picked)
	}
	if r := b.panel.results; r.foot.Open() || !strings.Contains(r.foot.Details.Segment.Text, "Questions about something else were compared too") {
		t.Errorf("the reason is not behind a button: %q", r.foot.Details.Segment.Text)
	}
	b.Saver.Flush()
	d.Kept = d.Settings()
	if b = entered(t, d, "cat", animals...); !said() || b.panel.picked != -1 {
		t.Error("after a start it is not said")
	}
	d.Ranked.Change = func(r *texts.RerankResult) { r.Elsewhere = []float32{-0.3, -0.1, -0.2, -0.1} }
	b.ranked(t)
	if said() || !b.panel.results.whole.Visible() {
		t.Error("it is said of a text that stands out")
	}
	d.Ranked.Change = none
	b.ranked(t)
	if r := b.panel.results; !said() || r.whole.Visible() {
		t.Errorf("the text of the question before is still there: %q", r.full.Segment.Text)
	}
}

// Beside another model it is said which one finds no answer.
func TestNoneStandsOutSaysToWhom(t *testing.T) {
	d := uitest.NewApp()
	doubtful := 1 // of the runs
	d.Ranked.Change = func(r *texts.RerankResult) {
		if doubtful--; doubtful >= 0 {
			for i := range r.Ranking {
				r.Ranking[i].Score = float32(i) / 1000
			}
			r.Elsewhere = []float32{0.03, 0.01, 0.02, 0, 0.05}
		}
	}
	b := entered(t, d, "cat", animals...)
	b.panel.beside(true)
	b.ranked(t)
	r := b.panel.results
	if got := r.none.Segment.Text; !r.doubt.Visible() || got != "By starter-embed, none of these texts seems to answer this." {
		t.Errorf("over both models it says %q", got)
	}
	if r.tabs.Pick(showSecond); r.doubt.Visible() {
		t.Errorf("of the other model it says %q", r.none.Segment.Text)
	}
	doubtful = 2
	b.ranked(t)
	if r.tabs.Pick(showBoth); r.none.Segment.Text != "By both models, none of these texts seems to answer this." {
		t.Errorf("of both it says %q", r.none.Segment.Text)
	}
}

// Where only vectors were compared, what a reranker does beyond is said, with a way to one where none
// is there.
func TestWayToAReranker(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "cat", animals...)
	b.ranked(t)
	r := b.panel.results
	if !r.better.Visible() || r.get.Visible() {
		t.Errorf("what a reranker does is said: %v, and a way to one is shown beside one: %v", r.better.Visible(), r.get.Visible())
	}
	for _, size := range []fyne.Size{fyne.NewSize(900, 800), fyne.NewSize(640, 300), fyne.NewSize(900, 800)} {
		r.view.Resize(size)
		if r.better.Visible() != (size.Height > lowResults) {
			t.Errorf("at %v it is in view: %v", size, r.better.Visible())
		}
	}
	b.panel.setModels(slices.DeleteFunc(slices.Clone(b.panel.models), func(m library.Model) bool { return m.Kind == library.KindReranker }))
	if !r.get.Visible() {
		t.Error("no way leads to a reranker where none is there")
	}
	never, ok := uitest.Find(r.better, func(x *kit.TextButton) bool { return x.Line.Text == "Not now" })
	if !ok {
		t.Fatal("it cannot be closed")
	}
	test.Tap(never)
	b.ranked(t)
	if r.better.Visible() {
		t.Error("it comes again after it was closed")
	}
	b.Saver.Flush()
	d.Kept = d.Settings()
	if b = entered(t, d, "cat", animals...); b.panel.results.better.Visible() {
		t.Error("it comes again after a start")
	}
}

// After Clear the old result is not in view, and Undo brings it back with the texts.
func TestClearTakesTheResult(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	test.Tap(uitest.FindButton(t, b.panel.Content(), "Clear"))
	b.Idle()
	if b.panel.results.view.Visible() || !b.panel.blank.Visible() || !b.panel.export.Disabled() || b.panel.stale.Message() != "" {
		t.Error("without texts the old result is in view")
	}
	b.panel.list.Undo()
	b.Idle()
	if !b.panel.results.view.Visible() || b.panel.blank.Visible() || b.panel.stale.Message() != "" {
		t.Error("with the texts the result does not come back")
	}
}

// For the same question the text that a person looks at stays in view; for another one the best is.
func TestAnotherQuestionShowsTheBest(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	last := b.panel.found.rankings[0].Ranking[2].Index
	b.panel.pickResult(last)
	if out := b.ranked(t); b.panel.picked != last {
		t.Errorf("text %d of %v is in view", b.panel.picked, out.rankings[0].Ranking)
	}
	b.panel.ask("dog")
	if out := b.ranked(t); b.panel.picked != out.rankings[0].Ranking[0].Index {
		t.Errorf("text %d of %v is in view", b.panel.picked, out.rankings[0].Ranking)
	}
}
