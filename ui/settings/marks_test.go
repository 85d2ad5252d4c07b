package settings

import (
	"testing"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// What is searched for stands out among the settings of its card, until something else is.
func TestMarks(t *testing.T) {
	uitest.NewStage(t, uitest.NewApp())
	proxy, speed := kit.NewLine("Proxy", kit.TextBody, theme.ColorNameForeground), kit.NewLine("Speed limit", kit.TextBody, kit.ColorMuted)
	all := container.NewVBox(proxy, container.NewHBox(speed))
	var m marks
	if m.set(all, "prox"); proxy.Color != theme.ColorNamePrimary || speed.Color != kit.ColorMuted {
		t.Errorf("proxy has %s, speed %s", proxy.Color, speed.Color)
	}
	if m.set(all, "limit of speed"); proxy.Color != theme.ColorNameForeground || speed.Color != theme.ColorNamePrimary {
		t.Errorf("proxy has %s, speed %s", proxy.Color, speed.Color)
	}
	if m.set(all, ""); speed.Color != kit.ColorMuted {
		t.Errorf("speed stays %s", speed.Color)
	}
}
