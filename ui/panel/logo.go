package panel

import (
	_ "embed"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
)

// Logo is the program's own icon.
func Logo() fyne.Resource { return fyne.NewStaticResource("icon.png", texts.Icon()) }
