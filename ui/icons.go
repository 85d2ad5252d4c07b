package ui

import (
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

//go:embed icons/chat.svg
var chatSVG []byte

//go:embed icons/similarity.svg
var similaritySVG []byte

//go:embed icons/performance.svg
var performanceSVG []byte

//go:embed icons/devices.svg
var devicesSVG []byte

//go:embed icons/models.svg
var modelsSVG []byte

// logo is the program's own icon.
func logo() fyne.Resource { return fyne.NewStaticResource("icon.png", app.Icon()) }

// chatIcon is drawn in the colour of that name.
func chatIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("chat.svg", chatSVG), name)
}

// similarityIcon is drawn in the colour of that name.
func similarityIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("similarity.svg", similaritySVG), name)
}

// performanceIcon is drawn in the colour of that name.
func performanceIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("performance.svg", performanceSVG), name)
}

// devicesIcon is drawn in the colour of that name.
func devicesIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("devices.svg", devicesSVG), name)
}

// modelsIcon is drawn in the colour of that name.
func modelsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("models.svg", modelsSVG), name)
}

// settingsIcon is drawn in the colour of that name.
func settingsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(theme.DefaultTheme().Icon(theme.IconNameSettings), name)
}
