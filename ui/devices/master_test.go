package devices

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

func TestMaster(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	p.monitor.every = time.Hour // the monitor reads nothing meanwhile
	b.Window.SetPadded(false)
	b.Window.SetContent(p.Content())
	b.Window.Resize(fyne.NewSize(1240, 800))
	p.Enter()
	b.Loop.Until(t, "the devices", func() bool { return len(p.page.Objects) == 2 })
	p.Leave()
	b.Idle()
	master.CheckCanvas(t, "devices", b.Window.Canvas())
}
