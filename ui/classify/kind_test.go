package classify

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/uitest"
)

// What the labels are decides the sentence that each becomes; a change of it is said, and it is kept.
func TestKindOfLabels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	b.page.labels.SetText("glad, angry")
	b.classified(t)
	if asked := b.Double.Classifications()[0]; asked.Sentence != "" {
		t.Errorf("topics are read as %q", asked.Sentence)
	}
	b.page.kind.SetSelectedIndex(1)
	if got := b.page.stale.Message(); got != "The labels have changed since this result." {
		t.Errorf("stale: %q", got)
	}
	b.classified(t)
	if asked := b.Double.Classifications()[1]; asked.Sentence != texts.FeelingSentence {
		t.Errorf("feelings are read as %q", asked.Sentence)
	}
	if got := b.page.found.details(); !strings.Contains(got, "“The writer feels glad.”") {
		t.Errorf("details: %q", got)
	}
	again := b.restarted(t)
	if again.page.kind.Selected != "feelings" || again.page.found == nil || again.page.stale.Message() != "" {
		t.Errorf("after a restart the labels are %q, stale: %q", again.page.kind.Selected, again.page.stale.Message())
	}
}

// Of moods it is said that a model that compares meanings is not made for them, until a person closes that.
func TestMoods(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	for labels, mood := range map[string]bool{"Positive, negative": true, "positive, delivery": false} {
		b.page.labels.SetText(labels)
		if b.classified(t); (b.page.moods.Message() != "") != mood {
			t.Errorf("of %q it says %q", labels, b.page.moods.Message())
		}
	}
	b.page.labels.SetText("positive, negative")
	b.classified(t)
	if test.Tap(b.page.moods.Act); b.FoundWords != "sentiment" {
		t.Error("it does not lead to the models")
	}
	test.Tap(b.page.moods.Close)
	if b.classified(t); b.page.moods.Message() != "" {
		t.Error("it is said again after a person closed it")
	}
}
