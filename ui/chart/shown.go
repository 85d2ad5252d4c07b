package chart

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// faded is how much of the colour of a point is left where others are to be seen.
const faded = 0.3

// mapNamed is how many of the points that are to be seen have their texts beside them.
const mapNamed = 6

// Emphasise shows these points, the first before the others, and fades the rest; nil: all are alike.
// Ringed ones have a ring around them.
func (m *PointMap) Emphasise(some []int, ringed bool) {
	m.shown, m.ringed = some, ringed
	if some != nil {
		m.isShown = make([]bool, len(m.points))
		for _, i := range some {
			m.isShown[i] = true
		}
	}
	m.Refresh()
}

// fades reports whether point i stands back behind others.
func (m *PointMap) fades(i int) bool { return m.shown != nil && !m.isShown[i] && i != m.Selected }

// drawRings draws the rings of the points that are to be seen.
func (m *PointMap) drawRings(places []fyne.Position, ring func(p fyne.Position, around, c color.NRGBA)) {
	if !m.ringed {
		return
	}
	for _, i := range slices.Backward(m.shown) {
		if of(m.small, i) == nil && inView(places[i], m.Size()) {
			ring(places[i], kit.Themed(theme.ColorNameForeground), kit.Themed(m.colorOf(i)))
		}
	}
}

// ShowAll brings all points into view again.
func (m *PointMap) ShowAll() {
	m.zoomBy(0, fyne.NewPos(m.Size().Width/2, m.Size().Height/2))
}

// tellZoom tells whether only a part is in view.
func (m *PointMap) tellZoom() {
	if on := m.zoom > 1; on != m.partly {
		m.partly = on
		m.Partly(on)
	}
}

// ShowAll brings all rows and columns into view again.
func (h *HeatMap) ShowAll() {
	h.zoom = heatZoom{}
	h.show(0, 0)
}

// tellZoom tells whether only a part is in view.
func (h *HeatMap) tellZoom() {
	if on := h.inView() < len(h.matrix); on != h.partly {
		h.partly = on
		h.Partly(on)
	}
}

// IsPartly reports whether only a part of the matrix is in view.
func (h *HeatMap) IsPartly() bool { return h.partly }

// Shown are the points that are to be seen before the others; nil: all are alike.
func (m *PointMap) Shown() []int { return m.shown }
