package devices

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// TestCardsHaveRoom: the devices are seen also if they come after all else has been laid out.
func TestCardsHaveRoom(t *testing.T) {
	d := uitest.NewApp()
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	p.monitor.every = time.Hour
	b.Window.SetContent(p.Content())
	b.Window.Resize(fyne.NewSize(1240, 800))
	p.monitor.resized()
	b.Idle()
	p.show(panel.OfferedDevices(p.Host.App, ""))
	if got := p.page.Size().Height; got <= 0 || got < p.page.MinSize().Height {
		t.Errorf("the cards have a height of %v and need %v", got, p.page.MinSize().Height)
	}
}
