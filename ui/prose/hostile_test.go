package prose

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/markdown"
	"inglenook/markdown/markdowntest"
)

// Drawing a reply has no effect outside it, and no reply stops the window.
func TestProseHostileReplies(t *testing.T) {
	guard := markdowntest.NewGuard(t)
	g := newPage(t, "", 500)
	for name, reply := range guard.Replies() {
		if testing.Short() && len(reply) > 50_000 {
			continue
		}
		began := time.Now()
		g.Text.Set(markdown.Parse(reply))
		g.selectAll()
		g.SelectedText()
		g.InView(g.total/2, g.total/2+600)
		g.Resize(fyne.NewSize(300, 600))
		g.InView(0, 600)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
		if n := len(g.drawn.Objects()); n > 5000 {
			t.Fatalf("%s: %d objects are drawn", name, n)
		}
		g.Mark = Marked{}
		g.Draw()
	}
	g.window.Canvas().Capture()
	if len(g.opened) > 0 {
		t.Errorf("opened without a click: %q", g.opened)
	}
}

// A reply that breaks off anywhere can be drawn.
func TestProseAtEveryByte(t *testing.T) {
	g := newPage(t, "", 400)
	var s markdown.Stream
	for i := range len(sample) {
		s.Write(sample[i : i+1])
		g.Stream(s.Blocks())
	}
	want := newPage(t, sample, 400)
	if g.plainText() != want.plainText() || g.total != want.total {
		t.Errorf("in the end: %q, %v high, want %q, %v", g.plainText(), g.total, want.plainText(), want.total)
	}
}
