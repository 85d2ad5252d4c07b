package chat

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

//go:embed chat.svg
var chatSVG []byte

// chatIcon is drawn in the colour of that name.
func chatIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("chat.svg", chatSVG), name)
}
