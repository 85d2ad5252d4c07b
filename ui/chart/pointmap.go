package chart

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Sizes of the map.
const (
	mapMargin     float32 = 22
	pointRadius   float32 = 5
	pointReach    float32 = 14  // the pointer is at a point within this distance
	mapLabelShare float32 = 0.5 // of the width, for a label at most
	mapTexts              = 24  // more points than this have only their numbers
	mapLabels             = 80  // labels at most
	MapLinks              = 3   // neighbours that the chosen point is linked to
	mapZoomMost           = 40
	mapZoomStep           = 1.25
)

// PointMap draws texts as points of a plane. A point is found with the pointer
// and chosen with a click or the arrow keys.
type PointMap struct {
	widget.BaseWidget

	keys   *kit.Keyboard
	Chosen func(i int)                   // a person chose a point
	point  func(i int)                   // the pointer is at a point; -1: at none
	Asked  func(i int, at fyne.Position) // a click with the other button on a point; may be nil
	Partly func(bool)                    // only a part of the map is in view now, or all of it

	labels []string
	small  []image.Image // in place of points; nil: none
	points [][2]float64
	groups []int               // of each point; nil: there are none
	zoom   float32             // 1: all points are in view
	shift  fyne.Position       // of the middle, in points of the screen
	tint   func(i int) float64 // how near point i is to the chosen one, 0 to 1
	near   []int               // the neighbours of the chosen point, the nearest first

	shown   []int  // the points that are to be seen before the others; nil: all alike
	isShown []bool // of each point
	ringed  bool   // the shown points have a ring
	partly  bool   // as Partly was told

	Selected, hovered int // -1: none
	focused           bool
	current           *pointMapRenderer
}

func NewPointMap(k *kit.Keyboard) *PointMap {
	m := &PointMap{keys: k, zoom: 1, Selected: -1, hovered: -1, Chosen: func(int) {}, point: func(int) {}, Partly: func(bool) {}}
	m.ExtendBaseWidget(m)
	return m
}

// Set draws other points.
func (m *PointMap) Set(labels []string, points [][2]float64) {
	m.labels = make([]string, len(labels))
	for i, l := range labels {
		m.labels[i] = kit.Brief(l)
	}
	m.points, m.tint, m.near, m.groups = points, nil, nil, nil
	m.zoom, m.shift = 1, fyne.Position{}
	m.Selected, m.hovered = -1, -1
	m.shown, m.ringed = nil, false
	m.tellZoom()
	m.Refresh()
}

// SetGroups colours the points, each by the number of a colour: that of its group; nil: they have none.
func (m *PointMap) SetGroups(of []int) {
	m.groups = of
	m.Refresh()
}

// GroupColor is the colour of that number.
func GroupColor(k int) fyne.ThemeColorName { return groupColors[min(k, len(groupColors)-1)] }

// groupColors are those of the groups; more of them than these have the last.
var groupColors = []fyne.ThemeColorName{theme.ColorNamePrimary, kit.ColorSeries2, kit.ColorSeries3, kit.ColorSeries4, kit.ColorSeries5, kit.ColorSeries6, kit.ColorMuted}

// colorOf is the colour of point i's group.
func (m *PointMap) colorOf(i int) fyne.ThemeColorName {
	if i >= len(m.groups) {
		return theme.ColorNamePrimary
	}
	return GroupColor(m.groups[i])
}

// SetPictures draws pictures in the place of the points that have one. It comes before Set.
func (m *PointMap) SetPictures(small []image.Image) { m.small = small }

// side is how wide and high pictures are, smaller where there are many.
func (m *PointMap) side() float32 {
	switch n := len(m.points); {
	case n <= mapTexts:
		return 40
	case n <= mapLabels:
		return 28
	}
	return 16
}

// Choose marks point i, links it to its neighbours and colours the others by
// their nearness; -1: none.
func (m *PointMap) Choose(i int, near []int, tint func(int) float64) {
	m.Selected, m.near, m.tint = i, near, tint
	m.reveal(i)
	m.Refresh()
}

// places returns the points where they lie in an area of the given size: the
// plane keeps its proportions and fills the area as far as they allow.
func (m *PointMap) places(size fyne.Size) []fyne.Position {
	places := make([]fyne.Position, len(m.points))
	if len(m.points) == 0 {
		return places
	}
	low, high := m.points[0], m.points[0]
	for _, p := range m.points {
		for axis := range p {
			low[axis], high[axis] = min(low[axis], p[axis]), max(high[axis], p[axis])
		}
	}
	room := size.SubtractWidthHeight(2*mapMargin, 2*mapMargin)
	fit := func(room float32, axis int) float64 {
		if span := high[axis] - low[axis]; span > 1e-9 {
			return float64(max(1, room)) / span
		}
		return math.Inf(1)
	}
	zoom := min(fit(room.Width, 0), fit(room.Height, 1))
	if math.IsInf(zoom, 1) {
		zoom = 0 // all in one place
	}
	zoom *= float64(m.zoom)
	for i, p := range m.points {
		places[i] = fyne.NewPos(
			size.Width/2+m.shift.X+float32((p[0]-(low[0]+high[0])/2)*zoom),
			size.Height/2+m.shift.Y-float32((p[1]-(low[1]+high[1])/2)*zoom))
	}
	return places
}

// inView reports whether a place is within the map.
func inView(p fyne.Position, size fyne.Size) bool {
	return p.X >= 0 && p.Y >= 0 && p.X <= size.Width && p.Y <= size.Height
}

// zoomBy makes the map larger so many times; what is at a place stays there.
func (m *PointMap) zoomBy(times float32, at fyne.Position) {
	before := m.zoom
	m.zoom = min(mapZoomMost, max(1, m.zoom*times))
	middle := fyne.NewPos(m.Size().Width/2, m.Size().Height/2)
	from := at.Subtract(middle)
	grown := m.zoom / before
	m.shift = from.Subtract(fyne.NewPos((from.X-m.shift.X)*grown, (from.Y-m.shift.Y)*grown))
	m.pan(0, 0)
}

// pan moves the map, not farther than its points are.
func (m *PointMap) pan(dx, dy float32) {
	mostX, mostY := m.Size().Width*(m.zoom-1)/2, m.Size().Height*(m.zoom-1)/2
	m.shift = fyne.NewPos(min(mostX, max(-mostX, m.shift.X+dx)), min(mostY, max(-mostY, m.shift.Y+dy)))
	m.hover(-1)
	m.tellZoom()
	m.Refresh()
}

// Scrolled makes the map larger or smaller around the pointer.
func (m *PointMap) Scrolled(e *fyne.ScrollEvent) {
	switch {
	case e.Scrolled.DY > 0:
		m.zoomBy(mapZoomStep, e.Position)
	case e.Scrolled.DY < 0:
		m.zoomBy(1/mapZoomStep, e.Position)
	}
}

// Dragged moves the map.
func (m *PointMap) Dragged(e *fyne.DragEvent) { m.pan(e.Dragged.DX, e.Dragged.DY) }

// DragEnd leaves it there.
func (m *PointMap) DragEnd() {}

// reveal moves the map so that point i is in view.
func (m *PointMap) reveal(i int) {
	if m.zoom == 1 || i < 0 || i >= len(m.points) {
		return
	}
	size := m.Size()
	if p := m.places(size)[i]; !inView(p, size) {
		m.pan(size.Width/2-p.X, size.Height/2-p.Y)
	}
}

// at returns the point nearest to a position; -1 where none is in reach.
func (m *PointMap) at(pos fyne.Position) int {
	best, nearest := -1, float32(math.Inf(1))
	for i, p := range m.places(m.Size()) {
		reach := pointReach
		if of(m.small, i) != nil {
			reach = max(reach, m.side()/2)
		}
		if d := float32(math.Hypot(float64(p.X-pos.X), float64(p.Y-pos.Y))); d < reach && d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

// MouseIn finds the point at the pointer.
func (m *PointMap) MouseIn(e *desktop.MouseEvent) { m.MouseMoved(e) }

// MouseMoved finds the point at the pointer.
func (m *PointMap) MouseMoved(e *desktop.MouseEvent) { m.hover(m.at(e.Position)) }

// MouseOut forgets it.
func (m *PointMap) MouseOut() { m.hover(-1) }

func (m *PointMap) hover(i int) {
	if i == m.hovered {
		return
	}
	m.hovered = i
	if m.current != nil {
		m.current.showTip()
	}
	m.point(i)
}

// Tapped chooses the point.
func (m *PointMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(m); c != nil {
		c.Focus(m)
	}
	if i := m.at(e.Position); i >= 0 {
		m.Chosen(i)
	}
}

// TappedSecondary asks what can be done with the point.
func (m *PointMap) TappedSecondary(e *fyne.PointEvent) {
	if i := m.at(e.Position); i >= 0 && m.Asked != nil {
		m.Chosen(i)
		m.Asked(i, e.AbsolutePosition)
	}
}

// FocusGained marks the chosen point.
func (m *PointMap) FocusGained() {
	m.focused = true
	m.Refresh()
}

// FocusLost takes the mark away.
func (m *PointMap) FocusLost() {
	m.focused = false
	m.Refresh()
}

// TypedRune makes the map larger with +, smaller with −, and shows all of it with 0.
func (m *PointMap) TypedRune(r rune) {
	middle := fyne.NewPos(m.Size().Width/2, m.Size().Height/2)
	if m.Selected >= 0 && m.Selected < len(m.points) {
		middle = m.places(m.Size())[m.Selected]
	}
	switch r {
	case '+', '=':
		m.zoomBy(mapZoomStep, middle)
	case '-', '−':
		m.zoomBy(1/mapZoomStep, middle)
	case '0':
		m.ShowAll()
	}
}

// TypedKey goes to the nearest point in the direction of the arrow.
func (m *PointMap) TypedKey(e *fyne.KeyEvent) {
	if m.keys.Key(e) || len(m.points) == 0 {
		return
	}
	direction, ok := map[fyne.KeyName][2]float64{
		fyne.KeyLeft: {-1, 0}, fyne.KeyRight: {1, 0}, fyne.KeyUp: {0, 1}, fyne.KeyDown: {0, -1},
	}[e.Name]
	if !ok {
		return
	}
	if m.Selected < 0 {
		m.Chosen(0)
	} else if i := m.towards(m.Selected, direction); i >= 0 {
		m.Chosen(i)
	}
}

// towards returns the nearest point that lies in a direction from point i, what
// lies aside counting as farther; -1: none lies there.
func (m *PointMap) towards(i int, direction [2]float64) int {
	best, nearest := -1, math.Inf(1)
	for j, p := range m.points {
		dx, dy := p[0]-m.points[i][0], p[1]-m.points[i][1]
		along := dx*direction[0] + dy*direction[1]
		aside := math.Abs(dx*direction[1]) + math.Abs(dy*direction[0])
		if j == i || along <= 0 {
			continue
		}
		if d := along + 2*aside; d < nearest {
			best, nearest = j, d
		}
	}
	return best
}

// MinSize leaves room for a few points.
func (m *PointMap) MinSize() fyne.Size { return fyne.NewSize(120, 100) }
