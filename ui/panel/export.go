package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// NewExport is the button that takes a result elsewhere: it opens a menu of the ways there are now.
func NewExport(k *kit.Keyboard, ways func() []*fyne.MenuItem) *kit.Button {
	b := kit.NewQuietButton(k, "Export…", theme.DocumentSaveIcon(), nil)
	b.OnTapped = func() { kit.ShowMenuBelow(k, b, ways, 0) }
	return b
}
