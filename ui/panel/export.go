package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// NewExport is the button that takes a result elsewhere: it opens a menu of the ways there are now.
func NewExport(k *kit.Keyboard, ways func() []*fyne.MenuItem) *kit.Button {
	b := kit.NewQuietButton(k, "Export…", theme.DocumentSaveIcon(), nil)
	b.OnTapped = func() {
		driver := fyne.CurrentApp().Driver()
		if c := driver.CanvasForObject(b); c != nil {
			kit.ShowMenu(k, c, ways(), driver.AbsolutePositionForObject(b).AddXY(0, b.Size().Height+2), 0)
		}
	}
	return b
}
