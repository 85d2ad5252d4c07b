package ui

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Sizes of the map.
const (
	mapMargin     float32 = 22
	pointRadius   float32 = 5
	pointReach    float32 = 14  // the pointer is at a point within this distance
	mapLabelShare float32 = 0.5 // of the width, for a label at most
	mapTexts              = 24  // more points than this have only their numbers
	mapLabels             = 80  // labels at most
	mapLinks              = 3   // neighbours that the chosen point is linked to
)

// pointMap draws texts as points of a plane. A point is found with the pointer
// and chosen with a click or the arrow keys.
type pointMap struct {
	widget.BaseWidget

	keys   *keyboard
	chosen func(i int) // a person chose a point
	point  func(i int) // the pointer is at a point; -1: at none

	labels []string
	points [][2]float64
	tint   func(i int) float64 // how near point i is to the chosen one, 0 to 1
	near   []int               // the neighbours of the chosen point, the nearest first

	selected, hovered int // -1: none
	focused           bool
	current           *pointMapRenderer
}

func newPointMap(k *keyboard) *pointMap {
	m := &pointMap{keys: k, selected: -1, hovered: -1, chosen: func(int) {}, point: func(int) {}}
	m.ExtendBaseWidget(m)
	return m
}

// show draws other points.
func (m *pointMap) show(labels []string, points [][2]float64) {
	m.labels = make([]string, len(labels))
	for i, l := range labels {
		m.labels[i] = brief(l)
	}
	m.points, m.tint, m.near = points, nil, nil
	m.selected, m.hovered = -1, -1
	m.Refresh()
}

// choose marks point i, links it to its neighbours and colours the others by
// their nearness; -1: none.
func (m *pointMap) choose(i int, near []int, tint func(int) float64) {
	m.selected, m.near, m.tint = i, near, tint
	m.Refresh()
}

// places gives the points where they lie in an area of the given size: the
// plane keeps its proportions and fills the area as far as they allow.
func (m *pointMap) places(size fyne.Size) []fyne.Position {
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
	for i, p := range m.points {
		places[i] = fyne.NewPos(
			size.Width/2+float32((p[0]-(low[0]+high[0])/2)*zoom),
			size.Height/2-float32((p[1]-(low[1]+high[1])/2)*zoom))
	}
	return places
}

// at gives the point nearest to a position; -1 where none is in reach.
func (m *pointMap) at(pos fyne.Position) int {
	best, nearest := -1, pointReach
	for i, p := range m.places(m.Size()) {
		if d := float32(math.Hypot(float64(p.X-pos.X), float64(p.Y-pos.Y))); d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

// MouseIn finds the point at the pointer.
func (m *pointMap) MouseIn(e *desktop.MouseEvent) { m.MouseMoved(e) }

// MouseMoved finds the point at the pointer.
func (m *pointMap) MouseMoved(e *desktop.MouseEvent) { m.hover(m.at(e.Position)) }

// MouseOut forgets it.
func (m *pointMap) MouseOut() { m.hover(-1) }

func (m *pointMap) hover(i int) {
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
func (m *pointMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(m); c != nil {
		c.Focus(m)
	}
	if i := m.at(e.Position); i >= 0 {
		m.chosen(i)
	}
}

// FocusGained marks the chosen point.
func (m *pointMap) FocusGained() {
	m.focused = true
	m.Refresh()
}

// FocusLost takes the mark away.
func (m *pointMap) FocusLost() {
	m.focused = false
	m.Refresh()
}

// TypedRune does nothing.
func (m *pointMap) TypedRune(rune) {}

// TypedKey goes to the nearest point in the direction of the arrow.
func (m *pointMap) TypedKey(e *fyne.KeyEvent) {
	if m.keys.key(e) || len(m.points) == 0 {
		return
	}
	direction, ok := map[fyne.KeyName][2]float64{
		fyne.KeyLeft: {-1, 0}, fyne.KeyRight: {1, 0}, fyne.KeyUp: {0, 1}, fyne.KeyDown: {0, -1},
	}[e.Name]
	if !ok {
		return
	}
	if m.selected < 0 {
		m.chosen(0)
	} else if i := m.towards(m.selected, direction); i >= 0 {
		m.chosen(i)
	}
}

// towards gives the nearest point that lies in a direction from point i, what
// lies aside counting as farther; -1: none lies there.
func (m *pointMap) towards(i int, direction [2]float64) int {
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
func (m *pointMap) MinSize() fyne.Size { return fyne.NewSize(120, 100) }

// CreateRenderer draws points, links and labels.
func (m *pointMap) CreateRenderer() fyne.WidgetRenderer {
	r := &pointMapRenderer{pointMap: m, dots: canvas.NewRaster(m.paint), tip: &canvas.Rectangle{CornerRadius: 5}, tipText: canvas.NewText("", color.Black)}
	for range mapLinks {
		r.links = append(r.links, canvas.NewLine(color.Transparent))
	}
	m.current = r
	r.Refresh()
	return r
}

// paint draws the points, w by h pixels.
func (m *pointMap) paint(w, h int) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	size := m.Size()
	if size.Width <= 0 || w == 0 {
		return picture
	}
	zoom := float64(w) / float64(size.Width)
	ground, far, close := themed(colorCard), mix(themed(colorCard), themed(colorMuted), 0.55), themed(theme.ColorNamePrimary)
	radius := float64(pointRadius)
	if len(m.points) > 150 {
		radius = 3.5
	}
	dot := func(p fyne.Position, radius float64, c color.NRGBA) {
		x, y := float64(p.X)*zoom, float64(p.Y)*zoom
		fillDisc(picture, x, y, (radius+1.2)*zoom, ground)
		fillDisc(picture, x, y, radius*zoom, c)
	}
	places := m.places(size)
	for i, p := range places {
		c := close
		if m.tint != nil {
			c = mix(far, close, m.tint(i))
		}
		dot(p, radius, c)
	}
	if i := m.selected; i >= 0 && i < len(places) {
		ring := radius + 3
		if m.focused {
			ring = radius + 4.5
		}
		dot(places[i], ring, themed(theme.ColorNameForeground))
		fillDisc(picture, float64(places[i].X)*zoom, float64(places[i].Y)*zoom, (radius+1.2)*zoom, ground)
		fillDisc(picture, float64(places[i].X)*zoom, float64(places[i].Y)*zoom, radius*zoom, close)
	}
	return picture
}

type pointMapRenderer struct {
	pointMap *pointMap
	dots     *canvas.Raster
	links    []*canvas.Line
	labels   textPool
	tip      *canvas.Rectangle
	tipText  *canvas.Text
}

func (r *pointMapRenderer) MinSize() fyne.Size { return r.pointMap.MinSize() }
func (r *pointMapRenderer) Destroy()           {}

func (r *pointMapRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, len(r.links)+len(r.labels.texts)+3)
	for _, l := range r.links {
		objects = append(objects, l)
	}
	return append(r.labels.addTo(append(objects, r.dots)), r.tip, r.tipText)
}

// Refresh draws everything anew.
func (r *pointMapRenderer) Refresh() {
	r.Layout(r.pointMap.Size())
	canvas.Refresh(r.dots)
	canvas.Refresh(r.pointMap)
}

// Layout places points, links and labels.
func (r *pointMapRenderer) Layout(size fyne.Size) {
	m := r.pointMap
	places := m.places(size)
	r.dots.Resize(size)
	for k, l := range r.links {
		l.Hide()
		if m.selected >= 0 && m.selected < len(places) && k < len(m.near) {
			c := themed(theme.ColorNamePrimary)
			c.A = uint8(150 - 40*k)
			l.StrokeColor, l.StrokeWidth = c, 1.5
			l.Position1, l.Position2 = places[m.selected], places[m.near[k]]
			l.Show()
			canvas.Refresh(l)
		}
	}
	r.writeLabels(size, places)
	r.showTip()
}

// writeLabels labels as many points as there is room for: the chosen one
// first, then its neighbours, then the others.
func (r *pointMapRenderer) writeLabels(size fyne.Size, places []fyne.Position) {
	m := r.pointMap
	r.labels.begin()
	defer r.labels.end()
	placer := &labelPlacer{area: box{2, 2, size.Width - 2, size.Height - 2}}
	for _, p := range places {
		placer.points = append(placer.points, around(p, pointRadius))
	}
	done := make([]bool, len(places))
	write := func(i int, full bool, c color.Color, bold bool) {
		if done[i] || r.labels.used >= mapLabels {
			return
		}
		style := fyne.TextStyle{Bold: bold}
		number := strconv.Itoa(i + 1)
		tries := []string{number}
		if full {
			long := ellipsize(number+"  "+m.labels[i], mapLabelShare*size.Width, textSmall, style)
			short := ellipsize(number+"  "+m.labels[i], mapLabelShare*size.Width/2, textSmall, style)
			tries = []string{long, short, number}
		}
		for k, s := range tries {
			size := fyne.MeasureText(s, textSmall, style)
			at, ok := placer.place(places[i], size)
			if !ok && i == m.selected && k == len(tries)-1 {
				at, ok = placer.force(places[i], size), true
			}
			if ok {
				t := r.labels.next(s, textSmall, style, c)
				t.Move(at)
				t.Resize(size)
				done[i] = true
				return
			}
		}
	}
	all := len(places) <= mapTexts
	if m.selected >= 0 && m.selected < len(places) {
		write(m.selected, true, themed(colorAccent), true)
		for _, i := range m.near {
			write(i, true, themed(theme.ColorNameForeground), false)
		}
	}
	for i := range places {
		write(i, all, themed(colorMuted), false)
	}
}

// showTip writes the text of the point at the pointer beside it.
func (r *pointMapRenderer) showTip() {
	m, size := r.pointMap, r.pointMap.Size()
	i := m.hovered
	if i < 0 || i >= len(m.points) {
		r.tip.Hide()
		r.tipText.Hide()
		return
	}
	t := r.tipText
	t.Color, t.TextSize = themed(theme.ColorNameBackground), textSmall
	t.Text = ellipsize(strconv.Itoa(i+1)+"  "+m.labels[i], size.Width-4*gap, textSmall, t.TextStyle)
	text := t.MinSize()
	outer := text.AddWidthHeight(2*gap, gap)
	p := m.places(size)[i]
	x := min(max(0, p.X-outer.Width/2), size.Width-outer.Width)
	y := p.Y - outer.Height - 12
	if y < 0 {
		y = p.Y + 12
	}
	r.tip.FillColor = themed(theme.ColorNameForeground)
	r.tip.Move(fyne.NewPos(x, y))
	r.tip.Resize(outer)
	t.Move(fyne.NewPos(x+gap, y+gap/2))
	t.Resize(text)
	r.tip.Show()
	t.Show()
	canvas.Refresh(r.tip)
	canvas.Refresh(t)
}
