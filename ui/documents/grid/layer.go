package grid

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"inglenook/ui/kit"
)

// layer lends rectangles, and texts over them, to what draws.
type layer struct {
	rects []*canvas.Rectangle
	used  int
	texts kit.TextPool
}

func (l *layer) begin() {
	l.used = 0
	l.texts.Begin()
}

func (l *layer) end() {
	for _, r := range l.rects[l.used:] {
		r.Hide()
	}
	l.texts.End()
}

// rect draws a rectangle. Without a name it has no fill, or no frame.
func (l *layer) rect(x, y, width, height, corner float32, fill, stroke fyne.ThemeColorName) {
	if l.used == len(l.rects) {
		l.rects = append(l.rects, &canvas.Rectangle{})
	}
	r := l.rects[l.used]
	l.used++
	r.FillColor, r.StrokeColor, r.StrokeWidth, r.CornerRadius = color.Transparent, color.Transparent, 0, corner
	if fill != "" {
		r.FillColor = kit.Themed(fill)
	}
	if stroke != "" {
		r.StrokeColor, r.StrokeWidth = kit.Themed(stroke), 1.5
	}
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(width, height))
	r.Show()
}

// text draws a text and returns its width.
func (l *layer) text(text string, style fyne.TextStyle, colour fyne.ThemeColorName, x, y float32) float32 {
	t := l.texts.Next(text, kit.TextBody, style, kit.Themed(colour))
	size := t.MinSize()
	t.Move(fyne.NewPos(x, y))
	t.Resize(size)
	return size.Width
}

func (l *layer) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, r := range l.rects {
		objects = append(objects, r)
	}
	return l.texts.AddTo(objects)
}
