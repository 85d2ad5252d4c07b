package panel

import (
	_ "embed"

	"fyne.io/fyne/v2"

	"inglenook/app"
)

// Logo is the program's own icon.
func Logo() fyne.Resource { return fyne.NewStaticResource("icon.png", app.Icon()) }
