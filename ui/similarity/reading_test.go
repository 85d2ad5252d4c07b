package similarity

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"inglenook/app/held"
	"inglenook/ui/uitest"
)

// Where reading took long, 8 bits are offered; a check on the texts decides, a box shows
// and changes it, and the texts are compared again by themselves.
func TestReadIn8Bits(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took = 24 * time.Second
	d.Reads.Finds = held.Held{Weights: held.EightBits, Checked: 8, Times: 1.62, Alike: 0.99957}
	b := opened(t, d)
	p := b.panel
	if got := p.reading.Offer.Message(); got != "starter-embed read for 24 s. In 8 bits it may be faster." || p.reading.Check.Visible() {
		t.Fatalf("offered: %q, box in view: %v", got, p.reading.Check.Visible())
	}
	test.Tap(p.reading.Offer.Act)
	b.Idle()
	if asked := d.Reads.Asked; len(asked) != 1 || asked[0].Model != "starter-embed" || asked[0].Work != held.Embed || len(asked[0].Texts) != len(p.result.Texts) {
		t.Fatalf("checked: %+v", asked)
	}
	if !p.reading.Check.Visible() || !p.reading.Check.Checked || p.reading.Check.Text != "Read in 8 bits (1.6 times as fast, 99.95 % alike)" {
		t.Errorf("box: %v, %v, %q", p.reading.Check.Visible(), p.reading.Check.Checked, p.reading.Check.Text)
	}
	if got := p.facts.Segment.Text; !strings.Contains(got, "in 8 bits") || p.stale.Message() != "" || p.reading.Offer.Message() != "" {
		t.Errorf("in 8 bits: %q, %q, %q", got, p.stale.Message(), p.reading.Offer.Message())
	}
	p.reading.Check.SetChecked(false)
	b.Idle()
	if got := p.stale.Message(); got != "Reading in 8 bits was switched on or off since this comparison." {
		t.Errorf("stale: %q", got)
	}
	p.start()
	b.Idle()
	if got := p.facts.Segment.Text; strings.Contains(got, "8 bits") || p.reading.Offer.Message() != "" || !p.reading.Check.Visible() {
		t.Errorf("as in the file again: %q, %q, box %v", got, p.reading.Offer.Message(), p.reading.Check.Visible())
	}
	p.picker.ID = "org/other"
	p.refresh()
	if p.reading.Check.Visible() {
		t.Error("the box stays in view for another model")
	}
}

// A check that fails says so, and nothing changes.
func TestReadIn8BitsFails(t *testing.T) {
	d := uitest.NewApp()
	d.Reads.Took, d.Reads.Fails = 30*time.Second, errors.New("there is not enough memory; close other programs")
	b := opened(t, d)
	test.Tap(b.panel.reading.Offer.Act)
	b.Idle()
	if got := b.panel.reading.Offer.Message(); got != "There is not enough memory; close other programs." || b.panel.reading.Check.Visible() || b.panel.stale.Message() != "" {
		t.Errorf("%q, %q", got, b.panel.stale.Message())
	}
}
