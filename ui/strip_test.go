package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/uitest"
)

// A server and the offline mode, which the strip names, do not widen the smallest window: the device makes
// room for them, and is named whole again where there is enough.
func TestTheStripInASmallWindow(t *testing.T) {
	b := newWindow(t, uitest.NewApp())
	b.status.showDevice("CPU · Intel(R) Xeon(R) Platinum 8375C Processor @ 2.90GHz · 128 threads")
	b.status.showServing("127.0.0.1:11435 · 12 programs")
	b.status.showOffline(true)
	for _, p := range b.panels {
		b.show(p.Info().ID)
		b.window.Resize(fyne.NewSize(640, 480))
		if m := b.view.MinSize(); m.Width > 640 || m.Height > 480 {
			t.Errorf("%s needs %v", p.Info().ID, m)
		}
	}
	if end := b.status.offline.Position().X + b.status.offline.Size().Width; !b.status.device.Cut() || end > 640-railWidth {
		t.Errorf("the chips end at %v, and the device is cut: %t", end, b.status.device.Cut())
	}
	if b.window.Resize(fyne.NewSize(1240, 800)); b.status.device.Cut() {
		t.Errorf("the device has %v of %v", b.status.device.Size().Width, b.status.device.Natural())
	}
}
