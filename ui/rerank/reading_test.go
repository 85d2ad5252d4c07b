package rerank

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"inglenook/app/held"
	"inglenook/ui/uitest"
)

// Each of two models is offered 8 bits for itself, and reads as was found for it.
func TestJudgesReadIn8Bits(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took = 4 * time.Second
	d.Reads.Finds = held.Held{Weights: held.EightBits, Checked: 3, Times: 1.4, Alike: 0.9995}
	b := entered(t, d, "honey", "a bee", "a dog", "an ant")
	b.panel.beside(true)
	b.ranked(t)
	first, second := b.panel.sides.first.reading, b.panel.sides.second.reading
	if first.Offer.Message() == "" || second.Offer.Message() == "" {
		t.Fatalf("offered: %q, %q", first.Offer.Message(), second.Offer.Message())
	}
	test.Tap(second.Offer.Act)
	b.Idle()
	if asked := d.Reads.Asked; len(asked) != 1 || asked[0].Work != held.Rerank || asked[0].Question != "honey" || asked[0].Model != b.panel.judges[1].model {
		t.Fatalf("checked: %+v", asked)
	}
	if first.Check.Visible() || !second.Check.Visible() || b.panel.stale.Message() != "The way of reading has changed since this was sorted." {
		t.Errorf("boxes: %v, %v; stale: %q", first.Check.Visible(), second.Check.Visible(), b.panel.stale.Message())
	}
	out := b.ranked(t)
	if out.rankings[0].Held.Weights != "" || out.rankings[1].Held.Weights != held.EightBits || b.panel.stale.Message() != "" {
		t.Errorf("read as %+v and %+v, stale: %q", out.rankings[0].Held, out.rankings[1].Held, b.panel.stale.Message())
	}
	if got := b.panel.results.foot.Details.Segment.Text; strings.Count(got, "in 8 bits") != 1 {
		t.Errorf("facts: %q", got)
	}
}

// Two texts say nothing about an order, so nothing is offered.
func TestTooFewForACheck(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took = 4 * time.Second
	b := entered(t, d, "honey", "a bee", "a dog")
	b.ranked(t)
	if got := b.panel.sides.first.reading.Offer.Message(); got != "" {
		t.Errorf("offered: %q", got)
	}
}
