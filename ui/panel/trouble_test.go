package panel

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// A reason is a short sentence; what can be checked stands below it once a person asks.
func TestTrouble(t *testing.T) {
	test.NewTempApp(t)
	changed := 0
	x := NewTrouble(&kit.Keyboard{}, func() { changed++ })
	if x.View.Visible() {
		t.Error("it says something at first")
	}
	x.Set("hub.test cannot be reached; check the connection, the proxy and the model store address", "It tries again.")
	if got := x.why.Segment.Text; got != "hub.test cannot be reached. It tries again." || x.hint.Flat.Visible() || !x.More.Visible() || !x.View.Visible() {
		t.Errorf("it says %q", got)
	}
	test.Tap(x.More)
	if got := x.hint.Segment.Text; got != "Check the connection, the proxy and the model store address." || !x.hint.Flat.Visible() || changed != 1 {
		t.Errorf("the details are %q", got)
	}
	x.Set("the disk is full", "")
	if got := x.why.Segment.Text; got != "The disk is full." || x.More.Visible() || x.hint.Flat.Visible() {
		t.Errorf("without details it says %q", got)
	}
	if x.Set("", ""); x.View.Visible() {
		t.Error("it stays when nothing is wrong")
	}
}
