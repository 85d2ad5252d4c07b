package kit

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
)

const PictureScale float32 = 2

const PictureWidth float32 = 1180

// Drawn is a picture of so many points of height, without a window.
func Drawn(sheet fyne.CanvasObject, height float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(PictureScale)
	c.SetContent(sheet)
	c.Resize(fyne.NewSize(PictureWidth, height))
	return c.Capture()
}
