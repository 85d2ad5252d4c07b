package devices

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// A device that ended the program has a button that tries it again; one that works has
// none.
func TestTryAgain(t *testing.T) {
	d := uitest.NewApp()
	d.Aborted, d.Failing = true, errors.New("the program ended once more")
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	p.monitor.every = time.Hour
	b.Window.SetContent(p.Content())
	p.Enter()
	b.Loop.Until(t, "the button", func() bool { return tryAgain(p) != nil })
	p.Leave() // the monitor works until then
	test.Tap(tryAgain(p))
	b.Idle()
	if tryAgain(p) == nil || tryAgain(p).Disabled() {
		t.Error("after a failure there is no button")
	}
	d.Mu.Lock()
	d.Failing = nil
	d.Mu.Unlock()
	test.Tap(tryAgain(p))
	b.Idle()
	if tryAgain(p) != nil {
		t.Error("a device that works has a button")
	}
	if text := uitest.AllText(p.view); strings.Contains(text, "The program ended") {
		t.Errorf("the page says %q", text)
	}
}

// tryAgain returns the page's button, nil where there is none.
func tryAgain(p *Page) *kit.Button {
	var found *kit.Button
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *kit.Button:
			if o.Text == "Try again" {
				found = o
			}
		case *fyne.Container:
			for _, inner := range o.Objects {
				walk(inner)
			}
		}
	}
	walk(p.page)
	return found
}
