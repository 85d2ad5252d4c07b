package chart

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// hoverReach is how far from a value the pointer may be to read it.
const hoverReach = 28

// pointed is the value that the pointer is near; line -1: none.
type pointed struct{ line, place int }

var nothing = pointed{-1, -1}

// MouseIn reads the value under the pointer.
func (p *LinePlot) MouseIn(e *desktop.MouseEvent) { p.point(p.near(e.Position)) }

// MouseMoved reads another one.
func (p *LinePlot) MouseMoved(e *desktop.MouseEvent) { p.point(p.near(e.Position)) }

// MouseOut reads none.
func (p *LinePlot) MouseOut() { p.point(nothing) }

func (p *LinePlot) point(at pointed) {
	if at != p.pointed {
		p.pointed = at
		p.Refresh()
	}
}

// near is the value nearest to a position.
func (p *LinePlot) near(pos fyne.Position) pointed {
	best, reach := nothing, float64(hoverReach)
	area, axis := p.area(), p.axis()
	for k, l := range p.Lines {
		for i, v := range l.Values {
			if math.IsNaN(v) || i >= len(p.Places) {
				continue
			}
			at := area.at(i, axis.share(v))
			if d := math.Hypot(float64(at.X-pos.X), float64(at.Y-pos.Y)); d < reach {
				best, reach = pointed{k, i}, d
			}
		}
	}
	return best
}

// says is what stands beside the value that the pointer is near: which one it is, and how much.
func (p *LinePlot) says() (which, value string) {
	l := p.Lines[p.pointed.line]
	which, value = p.Places[p.pointed.place], kit.Rate(l.Values[p.pointed.place])
	if l.Name != "" && which != "" {
		which += " · "
	}
	if p.Unit != "" {
		value += " " + p.Unit
	}
	if l.Doubts != nil && l.Doubts[p.pointed.place] {
		value += ", not reliable"
	}
	return which + l.Name, value
}

// readPointed draws what is said of a value in a box near its dot, within the plot.
func (r *linePlotRenderer) readPointed(dot fyne.Position) {
	p, size := r.plot, r.plot.Size()
	which, value := p.says()
	var texts []*canvas.Text
	box := fyne.NewSize(0, 6)
	for _, s := range []string{value, which} {
		if s == "" {
			continue
		}
		t := canvas.NewText(kit.Brief(s), kit.Themed(theme.ColorNameForeground))
		t.TextSize, t.TextStyle.Bold = kit.TextSmall, len(texts) == 0
		least := t.MinSize()
		box = fyne.NewSize(max(box.Width, least.Width+12), box.Height+least.Height)
		texts = append(texts, t)
	}
	at := dot.AddXY(10, -box.Height-8)
	at.X = max(0, min(at.X, size.Width-box.Width))
	if at.Y < 0 {
		at.Y = dot.Y + 10
	}
	back := &canvas.Rectangle{FillColor: kit.Themed(theme.ColorNameOverlayBackground), StrokeColor: kit.Themed(kit.ColorLine), StrokeWidth: 1, CornerRadius: 6}
	back.Move(at)
	back.Resize(box)
	ring := &canvas.Circle{FillColor: kit.Themed(p.Lines[p.pointed.line].Fill), StrokeColor: kit.Themed(theme.ColorNameForeground), StrokeWidth: 1.5}
	ring.Move(dot.Subtract(fyne.NewPos(5, 5)))
	ring.Resize(fyne.NewSquareSize(10))
	r.objects = append(r.objects, ring, back)
	y := at.Y + 3
	for _, t := range texts {
		t.Move(fyne.NewPos(at.X+6, y))
		y += t.MinSize().Height
		r.objects = append(r.objects, t)
	}
}
