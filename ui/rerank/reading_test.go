package rerank

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/held"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Of two models one at a time is offered 8 bits, with its name, and the texts are sorted again by
// themselves, read as was found for it. The offer goes with its model.
func TestJudgesReadIn8Bits(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took = 24 * time.Second
	d.Reads.Finds = held.Held{Weights: held.EightBits, Checked: 3, Times: 1.4, Alike: 0.9995}
	b := entered(t, d, "honey", "a bee", "a dog", "an ant")
	b.panel.beside(true)
	b.ranked(t)
	first, second := b.panel.sides.first.reading, b.panel.sides.second.reading
	if got := first.Offer.Message(); got != "starter-embed read for 24 s. In 8 bits it may be faster." || second.Offer.Message() != "" {
		t.Fatalf("offered: %q, %q", got, second.Offer.Message())
	}
	test.Tap(first.Offer.Act)
	b.Idle()
	if asked := d.Reads.Asked; len(asked) != 1 || asked[0].Work != held.Rerank || asked[0].Question != "honey" || asked[0].Model != b.panel.judges[0].model {
		t.Fatalf("checked: %+v", asked)
	}
	if !first.Check.Visible() || second.Check.Visible() || first.Offer.Message() != "" {
		t.Errorf("boxes: %v, %v; offer: %q", first.Check.Visible(), second.Check.Visible(), first.Offer.Message())
	}
	out := b.panel.found
	if out.rankings[0].Held.Weights != held.EightBits || out.rankings[1].Held.Weights != "" || b.panel.stale.Message() != "" {
		t.Errorf("read as %+v and %+v, stale: %q", out.rankings[0].Held, out.rankings[1].Held, b.panel.stale.Message())
	}
	if got := b.panel.results.foot.Details.Segment.Text; strings.Count(got, "in 8 bits") != 1 {
		t.Errorf("facts: %q", got)
	}
	if second.Offer.Message() == "" {
		t.Fatal("the second model is not offered 8 bits after the first")
	}
	b.panel.beside(false)
	if got := second.Offer.Message(); got != "" {
		t.Errorf("the offer stays without its model: %q", got)
	}
}

// Of several notices one is in view, and the next when that is closed.
func TestOneNoticeAtATime(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took = 24 * time.Second
	b := entered(t, d, "honey", "a bee", "a dog", "an ant")
	b.ranked(t)
	b.panel.field.SetText("wax")
	var count func(o fyne.CanvasObject) int
	count = func(o fyne.CanvasObject) (n int) {
		box, ok := o.(*fyne.Container)
		if !ok || !box.Visible() {
			return 0
		}
		for _, notice := range []*kit.Notice{b.panel.notice, b.panel.stale, b.panel.sides.first.reading.Offer} {
			if box == notice.View {
				n++
			}
		}
		for _, child := range box.Objects {
			n += count(child)
		}
		return n
	}
	inView := func() int { return count(b.panel.view) }
	if inView() != 1 || b.panel.stale.Message() == "" {
		t.Errorf("%d notices are in view", inView())
	}
	b.panel.ShowError(errors.New("it broke"))
	if inView() != 1 {
		t.Errorf("%d notices are in view beside an error", inView())
	}
	test.Tap(b.panel.notice.Close)
	test.Tap(b.panel.stale.Close)
	b.panel.refresh()
	if inView() != 1 || b.panel.sides.first.reading.Offer.Message() == "" {
		t.Errorf("after closing them %d notices are in view", inView())
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
