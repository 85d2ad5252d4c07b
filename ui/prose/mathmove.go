package prose

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// A formula that is too wide for a message shows a part of itself. A wheel that goes sideways
// moves it, the wheel with Shift, the pointer that drags it, and the arrow keys.
const (
	moveBar    float32 = 10 // below such a formula: a bar says which part is in view
	movedByKey float32 = 60
)

// movingMath is a formula that can be moved, in its place within a block.
type movingMath struct {
	part         *mathPart
	x, y, height float32
}

// within is the whole formula in a place that is narrower. It stays where a person moved it.
func (f *setFormula) within(width float32) *mathPart {
	if f.moves == nil || f.moves.place != width {
		moved := &mathPart{Piece: f.whole.Piece, scale: 1, place: width}
		if f.moves != nil {
			moved.move(f.moves.shift)
		}
		f.moves = moved
	}
	return f.moves
}

// most is how far a part can be moved.
func (m *mathPart) most() float32 { return float32(m.Width)*m.scale - m.place }

// move moves a part that is wider than its place.
func (m *mathPart) move(by float32) { m.shift = max(0, min(m.shift+by, m.most())) }

// moveMaths moves every formula in view that can be moved.
func (p *Text) moveMaths(by float32) {
	sets, _, _ := p.visible()
	for _, s := range sets {
		for _, m := range s.moving {
			m.part.move(by)
		}
	}
	p.Draw()
}

// movings draws the bars of the formulas that can be moved, and puts what moves them over them.
func (r *proseRenderer) movings(sets []*set, top, bottom float32) {
	used := 0
	for _, s := range sets {
		for _, m := range s.moving {
			y := s.top + m.y
			if y+m.height < top || y > bottom {
				continue
			}
			all := m.part.place + m.part.most()
			long := m.part.place * m.part.place / all
			bar := y + m.height - 4
			r.back.next(m.x, bar, m.part.place, 3, 1.5, kit.ColorTrack, "")
			r.back.next(m.x+m.part.shift*m.part.place/all, bar, long, 3, 1.5, kit.ColorMuted, "")
			if used == len(r.movers) {
				r.movers = append(r.movers, newMathMover(r.prose))
			}
			over := r.movers[used]
			used++
			over.part = m.part
			over.Move(fyne.NewPos(m.x, y))
			over.Resize(fyne.NewSize(m.part.place, m.height))
			over.Show()
		}
	}
	for _, m := range r.movers[used:] {
		m.Hide()
	}
}

// mathMover lies over a formula that is too wide, and moves it.
type mathMover struct {
	widget.BaseWidget
	text *Text
	part *mathPart
}

func newMathMover(t *Text) *mathMover {
	m := &mathMover{text: t}
	m.ExtendBaseWidget(m)
	return m
}

// CreateRenderer draws nothing.
func (m *mathMover) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

func (m *mathMover) move(by float32) {
	m.part.move(by)
	m.text.Draw()
}

// Scrolled moves the formula sideways. A wheel that goes up or down moves the page.
func (m *mathMover) Scrolled(e *fyne.ScrollEvent) {
	keys, _ := fyne.CurrentApp().Driver().(desktop.Driver)
	switch {
	case e.Scrolled.DX != 0:
		m.move(-e.Scrolled.DX)
	case keys != nil && keys.CurrentKeyModifiers()&fyne.KeyModifierShift != 0:
		m.move(-e.Scrolled.DY)
	case m.text.Wheel != nil:
		m.text.Wheel(e)
	}
}

// Dragged moves the formula with the pointer.
func (m *mathMover) Dragged(e *fyne.DragEvent) { m.move(-e.Dragged.DX) }

// DragEnd leaves the formula where it is.
func (m *mathMover) DragEnd() {}

// Cursor says that it can be moved.
func (m *mathMover) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// TappedSecondary offers what can be done with the text below.
func (m *mathMover) TappedSecondary(e *fyne.PointEvent) {
	below := *e
	below.Position = e.Position.Add(m.Position())
	m.text.TappedSecondary(&below)
}
