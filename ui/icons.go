package ui

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

//go:embed icons/inglenook.svg
var inglenookSVG []byte

//go:embed icons/similarity.svg
var similaritySVG []byte

// Icon is the program's own icon: a fire in its nook.
func Icon() fyne.Resource { return fyne.NewStaticResource("inglenook.svg", inglenookSVG) }

// similarityIcon is drawn in the colour of that name.
func similarityIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("similarity.svg", similaritySVG), name)
}

// settingsIcon is drawn in the colour of that name.
func settingsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(theme.DefaultTheme().Icon(theme.IconNameSettings), name)
}
