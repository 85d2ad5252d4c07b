package chart

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Bar is a bar alone, in a row that says the rest.
type Bar struct {
	widget.BaseWidget
	Share    float64 // of its width that is filled
	Fill     fyne.ThemeColorName
	Doubtful bool // its value is not to be relied on: it is hatched
}

func NewBar() *Bar {
	b := &Bar{}
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer draws the bar on its track.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{bar: b, track: &canvas.Rectangle{CornerRadius: 3}, part: &canvas.Rectangle{CornerRadius: 3}, hatch: newHatch()}
	r.Refresh()
	return r
}

type barRenderer struct {
	bar         *Bar
	track, part *canvas.Rectangle
	hatch       *hatch
}

func (r *barRenderer) Destroy()           {}
func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(20, barThickness) }
func (r *barRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.hatch.drawn, r.part}
}

func (r *barRenderer) Layout(size fyne.Size) {
	top := (size.Height - barThickness) / 2
	r.track.Move(fyne.NewPos(0, top))
	r.track.Resize(fyne.NewSize(size.Width, barThickness))
	r.part.Move(fyne.NewPos(0, top))
	r.part.Resize(fyne.NewSize(max(3, size.Width*float32(min(1, r.bar.Share))), barThickness))
	r.hatch.under(r.part)
}

func (r *barRenderer) Refresh() {
	r.track.FillColor = kit.Themed(kit.ColorTrack)
	dressPart(r.part, r.bar.Fill, r.bar.Doubtful)
	kit.Show(r.part, r.bar.Share > 0)
	r.hatch.show(r.bar.Fill, r.bar.Doubtful && r.bar.Share > 0)
	r.Layout(r.bar.Size())
	canvas.Refresh(r.bar)
}

// dressPart colours the filled part of a bar; where its value is not to be relied on, only its outline:
// the hatch lies under it.
func dressPart(part *canvas.Rectangle, fill fyne.ThemeColorName, doubtful bool) {
	part.FillColor, part.StrokeWidth = kit.Themed(fill), 0
	if doubtful {
		part.FillColor, part.StrokeColor, part.StrokeWidth = color.Transparent, kit.Themed(fill), 1.5
	}
}

// hatch are slanted lines that fill a bar whose value is not to be relied on. A paler colour would not
// do: it stands for fewer threads.
type hatch struct {
	drawn *canvas.Raster
	fill  color.Color
}

// Steps of a hatch, in pixels.
const (
	hatchEvery = 7
	hatchWide  = 2
)

func newHatch() *hatch {
	h := &hatch{fill: color.Transparent}
	h.drawn = canvas.NewRasterWithPixels(func(x, y, _, _ int) color.Color {
		if (x+y)%hatchEvery < hatchWide {
			return h.fill
		}
		return color.Transparent
	})
	return h
}

// show draws the lines in a colour, or hides them.
func (h *hatch) show(fill fyne.ThemeColorName, on bool) {
	h.fill = kit.Themed(fill)
	kit.Show(h.drawn, on)
	if on {
		h.drawn.Refresh()
	}
}

// under lays the lines under a bar, within its outline.
func (h *hatch) under(part *canvas.Rectangle) {
	h.drawn.Move(part.Position().AddXY(1, 1))
	h.drawn.Resize(part.Size().Subtract(fyne.NewSquareSize(2)))
}
