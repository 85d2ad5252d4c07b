package settings

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// The masters show the cards that look the same on every computer.
func TestMasters(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Threads = 2
	b, p := inSettings(t, d)
	b.Idle()
	for name, card := range map[string]fyne.CanvasObject{
		"network": p.network.view, "devices": p.devices, "theme": p.buildThemes(),
		"keys": keyColumns([][2]string{{"Esc", "Cancel"}, {"Delete", "Delete the text"}, {"F2", "Edit the text"}}),
	} {
		t.Run(name, func(t *testing.T) { master.Check(t, name, kit.Card(card), fyne.NewSize(520, 480)) })
	}
}
