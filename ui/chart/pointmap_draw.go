package chart

import (
	"image"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// CreateRenderer draws points, links and labels.
func (m *PointMap) CreateRenderer() fyne.WidgetRenderer {
	r := &pointMapRenderer{pointMap: m, dots: canvas.NewRaster(m.paint), frame: &canvas.Rectangle{CornerRadius: 5}, tip: &canvas.Rectangle{CornerRadius: 5}, tipText: canvas.NewText("", color.Black)}
	for range MapLinks {
		r.links = append(r.links, canvas.NewLine(color.Transparent))
	}
	m.current = r
	r.Refresh()
	return r
}

// paint draws the points, w by h pixels.
func (m *PointMap) paint(w, h int) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	size := m.Size()
	if size.Width <= 0 || w == 0 {
		return picture
	}
	zoom := float64(w) / float64(size.Width)
	ground, far := kit.Themed(kit.ColorCard), kit.Mix(kit.Themed(kit.ColorCard), kit.Themed(kit.ColorMuted), 0.55)
	radius := float64(pointRadius)
	if len(m.points) > 150 {
		radius = 3.5
	}
	dot := func(p fyne.Position, radius float64, c color.NRGBA) {
		x, y := float64(p.X)*zoom, float64(p.Y)*zoom
		kit.FillDisc(picture, x, y, (radius+1.2)*zoom, ground)
		kit.FillDisc(picture, x, y, radius*zoom, c)
	}
	places := m.places(size)
	for i, p := range places {
		if of(m.small, i) != nil || !inView(p, size) {
			continue
		}
		c := kit.Themed(m.colorOf(i))
		switch {
		case m.fades(i):
			c = kit.Mix(ground, c, faded)
		case m.tint == nil || m.shown != nil:
		case m.groups == nil:
			c = kit.Mix(far, c, m.tint(i))
		default: // the colour says the group first
			c = kit.Mix(far, c, 0.45+0.55*m.tint(i))
		}
		dot(p, radius, c)
	}
	m.drawRings(places, func(p fyne.Position, around color.NRGBA, c color.NRGBA) {
		dot(p, radius+3, around)
		dot(p, radius, c)
	})
	if i := m.Selected; i >= 0 && i < len(places) && of(m.small, i) == nil && inView(places[i], size) {
		close := kit.Themed(m.colorOf(i))
		ring := radius + 3
		if m.focused {
			ring = radius + 4.5
		}
		dot(places[i], ring, kit.Themed(theme.ColorNameForeground))
		kit.FillDisc(picture, float64(places[i].X)*zoom, float64(places[i].Y)*zoom, (radius+1.2)*zoom, ground)
		kit.FillDisc(picture, float64(places[i].X)*zoom, float64(places[i].Y)*zoom, radius*zoom, close)
	}
	return picture
}

type pointMapRenderer struct {
	pointMap *PointMap
	dots     *canvas.Raster
	links    []*canvas.Line
	labels   kit.TextPool
	pictures thumbs
	frame    *canvas.Rectangle // around the chosen picture
	tip      *canvas.Rectangle
	tipText  *canvas.Text
}

func (r *pointMapRenderer) MinSize() fyne.Size { return r.pointMap.MinSize() }
func (r *pointMapRenderer) Destroy()           {}

func (r *pointMapRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, len(r.links)+len(r.labels.Texts)+3)
	for _, l := range r.links {
		objects = append(objects, l)
	}
	objects = r.pictures.addTo(append(objects, r.dots, r.frame))
	return append(r.labels.AddTo(objects), r.tip, r.tipText)
}

// Refresh redraws everything.
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
		if m.Selected >= 0 && m.Selected < len(places) && k < len(m.near) && inView(places[m.Selected], size) && inView(places[m.near[k]], size) {
			c := kit.Themed(theme.ColorNamePrimary)
			c.A = uint8(150 - 40*k)
			l.StrokeColor, l.StrokeWidth = c, 1.5
			l.Position1, l.Position2 = places[m.Selected], places[m.near[k]]
			l.Show()
			canvas.Refresh(l)
		}
	}
	r.showPictures(places)
	r.writeLabels(size, places)
	r.showTip()
}

// showPictures puts pictures where their points are, the chosen one in a frame.
func (r *pointMapRenderer) showPictures(places []fyne.Position) {
	m, side := r.pointMap, r.pointMap.side()
	r.pictures.begin()
	r.frame.Hide()
	for i, p := range places {
		small := of(m.small, i)
		if small == nil || !inView(p, m.Size()) {
			continue
		}
		if r.pictures.put(small, p, fyne.NewSquareSize(side)); i != m.Selected {
			continue
		}
		width := float32(2)
		if m.focused {
			width = 3
		}
		r.frame.FillColor, r.frame.StrokeColor, r.frame.StrokeWidth = kit.Themed(kit.ColorCard), kit.Themed(theme.ColorNamePrimary), width
		r.frame.Move(p.SubtractXY(side/2+4, side/2+4))
		r.frame.Resize(fyne.NewSquareSize(side + 8))
		r.frame.Show()
		canvas.Refresh(r.frame)
	}
	r.pictures.end()
}

// writeLabels labels as many points as there is room for: the chosen one
// first, then its neighbours, then the others.
func (r *pointMapRenderer) writeLabels(size fyne.Size, places []fyne.Position) {
	m := r.pointMap
	r.labels.Begin()
	defer r.labels.End()
	placer := &labelPlacer{area: box{2, 2, size.Width - 2, size.Height - 2}}
	done := make([]bool, len(places)) // a picture needs no label
	for i, p := range places {
		half := pointRadius
		if done[i] = of(m.small, i) != nil; done[i] {
			half = m.side() / 2
		}
		done[i] = done[i] || !inView(p, size)
		placer.points = append(placer.points, around(p, half))
	}
	write := func(i int, full bool, c color.Color, bold bool) {
		if done[i] || r.labels.Used >= mapLabels {
			return
		}
		style := fyne.TextStyle{Bold: bold}
		number := strconv.Itoa(i + 1)
		tries := []string{number}
		if full {
			long := kit.Ellipsize(number+"  "+m.labels[i], mapLabelShare*size.Width, kit.TextSmall, style)
			short := kit.Ellipsize(number+"  "+m.labels[i], mapLabelShare*size.Width/2, kit.TextSmall, style)
			tries = []string{long, short, number}
		}
		for k, s := range tries {
			size := fyne.MeasureText(s, kit.TextSmall, style)
			at, ok := placer.place(places[i], size)
			if !ok && i == m.Selected && k == len(tries)-1 {
				at, ok = placer.force(places[i], size), true
			}
			if ok {
				t := r.labels.Next(s, kit.TextSmall, style, c)
				t.Move(at)
				t.Resize(size)
				done[i] = true
				return
			}
		}
	}
	seen := 0
	for _, p := range places {
		if inView(p, size) {
			seen++
		}
	}
	all := seen <= mapTexts
	if m.Selected >= 0 && m.Selected < len(places) {
		write(m.Selected, true, kit.Themed(kit.ColorAccent), true)
		for _, i := range m.near {
			write(i, true, kit.Themed(theme.ColorNameForeground), false)
		}
	}
	for k, i := range m.shown {
		write(i, k < mapNamed, kit.Themed(theme.ColorNameForeground), false)
	}
	for i := range places {
		if !m.fades(i) {
			write(i, all, kit.Themed(kit.ColorMuted), false)
		}
	}
}

// showTip writes the text of the point at the pointer beside it.
func (r *pointMapRenderer) showTip() {
	m, size := r.pointMap, r.pointMap.Size()
	i := m.hovered
	if i < 0 || i >= len(m.points) || !inView(m.places(size)[i], size) {
		r.tip.Hide()
		r.tipText.Hide()
		return
	}
	t := r.tipText
	t.Color, t.TextSize = kit.Themed(theme.ColorNameBackground), kit.TextSmall
	t.Text = kit.Ellipsize(strconv.Itoa(i+1)+"  "+m.labels[i], size.Width-4*kit.Gap, kit.TextSmall, t.TextStyle)
	text := t.MinSize()
	outer := text.AddWidthHeight(2*kit.Gap, kit.Gap)
	p := m.places(size)[i]
	x := min(max(0, p.X-outer.Width/2), size.Width-outer.Width)
	away := float32(12)
	if of(m.small, i) != nil {
		away = m.side()/2 + 6
	}
	y := p.Y - outer.Height - away
	if y < 0 {
		y = p.Y + away
	}
	r.tip.FillColor = kit.Themed(theme.ColorNameForeground)
	r.tip.Move(fyne.NewPos(x, y))
	r.tip.Resize(outer)
	t.Move(fyne.NewPos(x+kit.Gap, y+kit.Gap/2))
	t.Resize(text)
	r.tip.Show()
	t.Show()
	canvas.Refresh(r.tip)
	canvas.Refresh(t)
}
