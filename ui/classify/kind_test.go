package classify

import (
	"strings"
	"testing"

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
