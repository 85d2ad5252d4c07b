package chart

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// thumbs lends the images of a drawing, as kit.TextPool does texts.
type thumbs struct {
	images []*canvas.Image
	used   int
}

func (t *thumbs) begin() { t.used = 0 }

// put shows a picture in a box around a middle.
func (t *thumbs) put(small image.Image, middle fyne.Position, size fyne.Size) {
	if t.used == len(t.images) {
		m := canvas.NewImageFromImage(nil)
		m.FillMode = canvas.ImageFillContain
		t.images = append(t.images, m)
	}
	m := t.images[t.used]
	t.used++
	m.Image = small
	m.Move(middle.SubtractXY(size.Width/2, size.Height/2))
	m.Resize(size)
	m.Show()
	m.Refresh()
}

// end hides what was not lent.
func (t *thumbs) end() {
	for _, m := range t.images[t.used:] {
		m.Hide()
	}
}

func (t *thumbs) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, m := range t.images {
		objects = append(objects, m)
	}
	return objects
}

// of returns picture i of a list, nil where it has none.
func of(pictures []image.Image, i int) image.Image {
	if i < len(pictures) {
		return pictures[i]
	}
	return nil
}
