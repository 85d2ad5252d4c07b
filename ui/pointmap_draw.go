package ui

import (
	"image"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

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
