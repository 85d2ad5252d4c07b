package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// bar is a thin horizontal bar, filled from the left.
type bar struct {
	widget.BaseWidget

	value  float64 // 0 to 1
	height float32
	fill   fyne.ThemeColorName
}

func newBar(height float32) *bar {
	b := &bar{height: height, fill: theme.ColorNamePrimary}
	b.ExtendBaseWidget(b)
	return b
}

func (b *bar) set(value float64) {
	if value = min(1, max(0, value)); value != b.value {
		b.value = value
		b.Refresh()
	}
}

// CreateRenderer draws the track and the filled part.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{bar: b, track: &canvas.Rectangle{}, part: &canvas.Rectangle{}}
	r.Refresh()
	return r
}

type barRenderer struct {
	bar         *bar
	track, part *canvas.Rectangle
}

func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(24, r.bar.height) }
func (r *barRenderer) Destroy()           {}
func (r *barRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.part}
}

func (r *barRenderer) Layout(size fyne.Size) {
	h := min(size.Height, r.bar.height)
	y := (size.Height - h) / 2
	r.track.Move(fyne.NewPos(0, y))
	r.track.Resize(fyne.NewSize(size.Width, h))
	width := float32(r.bar.value) * size.Width
	if r.bar.value > 0 {
		width = max(width, h)
	}
	r.part.Move(fyne.NewPos(0, y))
	r.part.Resize(fyne.NewSize(width, h))
}

func (r *barRenderer) Refresh() {
	for _, rect := range []*canvas.Rectangle{r.track, r.part} {
		rect.CornerRadius = r.bar.height / 2
	}
	r.track.FillColor, r.part.FillColor = themed(colorTrack), themed(r.bar.fill)
	r.Layout(r.bar.Size())
	canvas.Refresh(r.track)
	canvas.Refresh(r.part)
}
