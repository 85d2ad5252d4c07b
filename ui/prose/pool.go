package prose

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"inglenook/ui/kit"
)

// Pools lend canvas objects to a layout, which must not make new ones each
// time it runs (see TextPool). An object is refreshed only if it changed.

// rectanglePool lends rectangles.
type rectanglePool struct {
	all  []*canvas.Rectangle
	used int
}

func (p *rectanglePool) begin() { p.used = 0 }

func (p *rectanglePool) next(x, y, width, height, radius float32, fill, stroke fyne.ThemeColorName) {
	if p.used == len(p.all) {
		p.all = append(p.all, &canvas.Rectangle{})
	}
	r := p.all[p.used]
	p.used++
	var fillColor, strokeColor color.Color
	strokeWidth := float32(0)
	if stroke != "" {
		strokeColor, strokeWidth = kit.Themed(stroke), 1
		within := kit.Themed(stroke) // the edge of a stroke is mixed with what is within
		within.A = 0
		fillColor = within
	}
	if fill != "" {
		fillColor = kit.Themed(fill)
	}
	changed := r.FillColor != fillColor || r.StrokeColor != strokeColor || r.StrokeWidth != strokeWidth || r.CornerRadius != radius
	r.FillColor, r.StrokeColor, r.StrokeWidth, r.CornerRadius = fillColor, strokeColor, strokeWidth, radius
	r.Move(fyne.NewPos(x, y))
	r.Resize(fyne.NewSize(width, height))
	r.Show()
	if changed {
		canvas.Refresh(r)
	}
}

func (p *rectanglePool) end() {
	for _, r := range p.all[p.used:] {
		r.Hide()
	}
}

func (p *rectanglePool) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, r := range p.all {
		objects = append(objects, r)
	}
	return objects
}

// linePool lends lines.
type linePool struct {
	all  []*canvas.Line
	used int
}

func (p *linePool) begin() { p.used = 0 }

func (p *linePool) next(x1, y1, x2, y2 float32, c color.Color) {
	if p.used == len(p.all) {
		p.all = append(p.all, &canvas.Line{StrokeWidth: 1.6})
	}
	l := p.all[p.used]
	p.used++
	l.Position1, l.Position2, l.StrokeColor = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2), c
	l.Show()
	canvas.Refresh(l)
}

func (p *linePool) end() {
	for _, l := range p.all[p.used:] {
		l.Hide()
	}
}

func (p *linePool) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, l := range p.all {
		objects = append(objects, l)
	}
	return objects
}

// keptTexts lends text objects, to each text one that says it already if there
// is one: another text has to be drawn into a picture first.
type keptTexts struct {
	all    []*canvas.Text
	keys   []textKey // each of all
	wanted []wantedText
}

type textKey struct {
	text  string
	face  *face
	color color.NRGBA
}

type wantedText struct {
	textKey
	at fyne.Position
}

func (k *keptTexts) begin() { k.wanted = k.wanted[:0] }

func (k *keptTexts) next(text string, f *face, c color.NRGBA, x, y float32) {
	k.wanted = append(k.wanted, wantedText{textKey{text, f, c}, fyne.NewPos(x, y)})
}

// end gives every text its object, and hides those that are left.
func (k *keptTexts) end() {
	have := make(map[textKey][]int, len(k.all))
	for i, key := range k.keys {
		have[key] = append(have[key], i)
	}
	taken := make([]bool, len(k.all))
	var others []wantedText
	for _, w := range k.wanted {
		same := have[w.textKey]
		if len(same) == 0 {
			others = append(others, w)
			continue
		}
		i := same[0]
		have[w.textKey], taken[i] = same[1:], true
		k.all[i].Move(w.at)
		k.all[i].Show()
	}
	next := 0
	for _, w := range others {
		for next < len(taken) && taken[next] {
			next++
		}
		if next == len(k.all) {
			k.all, k.keys, taken = append(k.all, &canvas.Text{}), append(k.keys, textKey{}), append(taken, false)
		}
		k.set(next, w)
		taken[next] = true
	}
	for i, used := range taken {
		if !used {
			k.all[i].Hide()
		}
	}
}

func (k *keptTexts) set(i int, w wantedText) {
	t := k.all[i]
	k.keys[i] = w.textKey
	t.Text, t.TextSize, t.TextStyle, t.Color = w.text, w.face.size, w.face.style, w.color
	t.Move(w.at)
	t.Show()
	canvas.Refresh(t)
}

func (k *keptTexts) addTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, t := range k.all {
		objects = append(objects, t)
	}
	return objects
}
