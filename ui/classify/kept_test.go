package classify

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/library"
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
