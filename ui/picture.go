package ui

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
)

const pictureScale float32 = 2

const pictureWidth float32 = 1180

// drawn is a picture of so many points of height, without a window.
func drawn(sheet fyne.CanvasObject, height float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(pictureScale)
	c.SetContent(sheet)
	c.Resize(fyne.NewSize(pictureWidth, height))
	return c.Capture()
}
