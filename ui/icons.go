package ui

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

//go:embed icons/similarity.svg
var similaritySVG []byte

// logo is the program's own icon.
func logo() fyne.Resource { return fyne.NewStaticResource("icon.png", app.Icon()) }

// similarityIcon is drawn in the colour of that name.
func similarityIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("similarity.svg", similaritySVG), name)
}

// settingsIcon is drawn in the colour of that name.
func settingsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(theme.DefaultTheme().Icon(theme.IconNameSettings), name)
}
