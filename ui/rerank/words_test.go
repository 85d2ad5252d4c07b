package rerank

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// In a narrow window each text says its place and score by both models, and no part without room is drawn.
func TestNarrowPictureOfTwoModels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.panel.beside(true)
	out := b.ranked(t)
	row := b.panel.results.picture.newRow()
	b.panel.results.picture.fill(0, row)
	row.Resize(fyne.NewSize(500, oneLine))
	parts := row.(*fyne.Container).Objects
	for i, o := range parts {
		if o.Visible() && o.Size().Width < 8 {
			t.Errorf("part %d has a width of %v", i, o.Size().Width)
		}
	}
	text := out.rankings[1].Ranking[0].Index
	want := "3rd by starter-embed, score " + scoreText(out.rankings[0].Scores()[text], 1)
	if first := parts[rowFirst].(*kit.Line); !first.Visible() || first.Text != want {
		t.Errorf("below the text stands %q, not %q", first.Text, want)
	}
}

// What has changed since is said whole, and a bar is not called an answer where meanings were compared.
func TestWordsOfARanking(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	if got := b.panel.results.scale.Text; got != "A longer bar: closer in meaning." {
		t.Errorf("bars of an embedding model: %q", got)
	}
	b.panel.field.SetText("dog")
	b.panel.list.Add([]string{"a bird"})
	if got := b.panel.stale.Message(); got != "Question and texts have changed since this was sorted." {
		t.Errorf("stale: %q", got)
	}
	b.panel.beside(true)
	b.ranked(t)
	if got := b.panel.results.scale.Text; got != "A longer bar: a better answer." {
		t.Errorf("bars of a reranker: %q", got)
	}
}

// How far two models agree is said in words, and the count and its measure are behind a button.
func TestAgreementInWords(t *testing.T) {
	for want, a := range map[string]texts.Agreement{
		"Both models put the texts in the same order.":       {Same: 3},
		"The models put the texts in opposite orders.":       {Other: 3},
		"They put the texts in nearly the same order.":       {Same: 190, Other: 10},
		"They put the texts in nearly opposite orders.":      {Same: 5, Other: 190},
		"They mostly agree about the order of the texts.":    {Same: 165, Other: 25},
		"They agree about a part of the order of the texts.": {Same: 153, Other: 47},
		"They mostly disagree about the order of the texts.": {Same: 29, Other: 71},
		"Their orders of the texts have little in common.":   {Same: 10, Other: 9},
	} {
		if got := agreementText(a); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.panel.beside(true)
	b.ranked(t)
	r := b.panel.results
	if r.foot.Open() || r.foot.Below().Visible() || r.foot.Took.Text != "3 texts in 80 ms" {
		t.Errorf("below stands %q, with details: %v", r.foot.Took.Text, r.foot.Open())
	}
	more, ok := uitest.Find(r.view, func(x *kit.TextButton) bool { return x.Line.Text == "Details" })
	if !ok {
		t.Fatal("there is no button for the details")
	}
	test.Tap(more)
	if got := uitest.AllText(r.foot.Below()); !r.foot.Below().Visible() || !strings.Contains(got, "The models agree about the order of 0 of 3 pairs.") {
		t.Errorf("the details are %q", got)
	}
}

// Beside its figures each model has a verdict in words.
func TestShortVerdict(t *testing.T) {
	for want, s := range map[string]score{
		"Finds all, first": {found: 6, marked: 6, first: 3, questions: 3},
		"Finds all":        {found: 6, marked: 6, first: 2, questions: 3},
		"Finds nearly all": {found: 6, marked: 7, questions: 3},
		"Finds most":       {found: 4, marked: 7, questions: 3},
		"Finds half":       {found: 2, marked: 4, questions: 3},
		"Finds few":        {found: 1, marked: 4, questions: 3},
		"Finds none":       {marked: 4, questions: 3},
	} {
		if got := shortVerdict(s); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
	out := &tried{results: make([]texts.FindResult, 2)}
	rows := measuresOf(out, []score{{found: 4, marked: 4, first: 1, questions: 1}, {marked: 4, questions: 1}}, 3)
	if rows[0].values != [2]string{"Finds all, first", "Finds none"} || rows[0].better != -1 || rows[1].better != 0 {
		t.Errorf("%+v", rows)
	}
	if rows = measuresOf(out, make([]score, 2), 3); rows[0].values != [2]string{} {
		t.Errorf("where nothing is marked it says %q", rows[0].values)
	}
}
