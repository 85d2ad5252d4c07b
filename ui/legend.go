package ui

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// legend explains the colours of a scale: a band between its two ends.
type legend struct {
	widget.BaseWidget
	scale *scale
}

func newLegend() *legend {
	l := &legend{}
	l.ExtendBaseWidget(l)
	return l
}

// show explains another scale.
func (l *legend) show(s *scale) {
	l.scale = s
	l.Refresh()
}

// CreateRenderer draws the band and the values at its ends.
func (l *legend) CreateRenderer() fyne.WidgetRenderer {
	r := &legendRenderer{legend: l, low: newCaption(""), high: newCaption("")}
	r.low.whole, r.high.whole = true, true
	r.band = canvas.NewRaster(func(w, h int) image.Image {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		if l.scale == nil || w == 0 {
			return m
		}
		for x := range w {
			c := l.scale.colors[x*255/max(1, w-1)]
			fillRounded(m, image.Rect(x, 0, x+1, h), 0, c)
		}
		return m
	})
	r.Refresh()
	return r
}

type legendRenderer struct {
	legend    *legend
	band      *canvas.Raster
	low, high *line
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
		r.legend.scale = spanScale(s.lo, s.hi, inDark()) // the theme may be another one
		r.low.set(cosine(s.lo))
		r.high.set(cosine(s.hi))
	}
	r.low.Refresh()
	r.high.Refresh()
	r.Layout(r.legend.Size())
	canvas.Refresh(r.band)
}
