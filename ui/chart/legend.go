package chart

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Legend explains the colours of a scale: a band between its two ends.
type Legend struct {
	widget.BaseWidget
	scale *Scale
}

func NewLegend() *Legend {
	l := &Legend{}
	l.ExtendBaseWidget(l)
	return l
}

// Set explains another scale.
func (l *Legend) Set(s *Scale) {
	l.scale = s
	l.Refresh()
}

// CreateRenderer draws the band and the values at its ends.
func (l *Legend) CreateRenderer() fyne.WidgetRenderer {
	r := &legendRenderer{legend: l, low: kit.NewCaption(""), high: kit.NewCaption("")}
	r.low.Whole, r.high.Whole = true, true
	r.band = canvas.NewRaster(func(w, h int) image.Image {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		if l.scale == nil || w == 0 {
			return m
		}
		for x := range w {
			c := l.scale.colors[x*255/max(1, w-1)]
			kit.FillRounded(m, image.Rect(x, 0, x+1, h), 0, c)
		}
		return m
	})
	r.Refresh()
	return r
}

type legendRenderer struct {
	legend    *Legend
	band      *canvas.Raster
	low, high *kit.Line
}

func (r *legendRenderer) Destroy() {}
func (r *legendRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.low, r.band, r.high}
}

func (r *legendRenderer) MinSize() fyne.Size {
	low, high := r.low.MinSize(), r.high.MinSize()
	return fyne.NewSize(low.Width+high.Width+96+2*6, low.Height)
}

func (r *legendRenderer) Layout(size fyne.Size) {
	low, high := r.low.MinSize(), r.high.MinSize()
	const height = 8
	r.low.Resize(fyne.NewSize(low.Width, size.Height))
	r.high.Move(fyne.NewPos(size.Width-high.Width, 0))
	r.high.Resize(fyne.NewSize(high.Width, size.Height))
	r.band.Move(fyne.NewPos(low.Width+6, (size.Height-height)/2))
	r.band.Resize(fyne.NewSize(max(0, size.Width-low.Width-high.Width-12), height))
}

func (r *legendRenderer) Refresh() {
	if s := r.legend.scale; s != nil {
		r.legend.scale = spanScale(s.lo, s.hi, kit.InDark()) // the theme may be another one
		r.low.Set(kit.Cosine(s.lo))
		r.high.Set(kit.Cosine(s.hi))
	}
	r.low.Refresh()
	r.high.Refresh()
	r.Layout(r.legend.Size())
	canvas.Refresh(r.band)
}
