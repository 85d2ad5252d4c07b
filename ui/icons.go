package ui

import (
	_ "embed"

	"fyne.io/fyne/v2"

	"inglenook/app"
)

// logo is the program's own icon.
func logo() fyne.Resource { return fyne.NewStaticResource("icon.png", app.Icon()) }
