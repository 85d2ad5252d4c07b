package prose

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// overdraw is how far beyond what is in view things are drawn, so that a
// little scrolling shows them at once.
const overdraw float32 = 120

// CreateRenderer draws the message. Its objects outlive the renderers that
// Fyne throws away and asks for again.
func (p *Text) CreateRenderer() fyne.WidgetRenderer {
	if p.drawn == nil {
		p.drawn = &proseRenderer{prose: p, frame: &canvas.Rectangle{CornerRadius: 6, StrokeWidth: 1.5}}
	}
	return p.drawn
}

// proseRenderer lends canvas objects to what is in view. Text keeps its object
// as long as it says the same: a new text has to be drawn into a picture.
type proseRenderer struct {
	prose   *Text
	frame   *canvas.Rectangle
	back    rectanglePool // surfaces, bars, lines of tables
	ticks   linePool
	tints   rectanglePool // behind code within text
	chosen  rectanglePool // behind what is selected
	strokes rectanglePool // under links, through what is struck
	texts   keptTexts
	maths   keptMaths
	buttons []*kit.Button
	used    int // of the buttons
	movers  []*mathMover
}

// MinSize is the message's own.
func (r *proseRenderer) MinSize() fyne.Size { return r.prose.MinSize() }

// Destroy leaves the objects to the message.
func (r *proseRenderer) Destroy() {}

// Layout puts everything in its place.
func (r *proseRenderer) Layout(fyne.Size) { r.arrange() }

// Refresh draws everything in the colours of the theme.
func (r *proseRenderer) Refresh() { r.arrange() }

// Objects lists all objects, in use or not, from the back to the front.
func (r *proseRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.frame}
	objects = r.back.addTo(objects)
	objects = r.ticks.addTo(objects)
	objects = r.tints.addTo(objects)
	objects = r.chosen.addTo(objects)
	objects = r.strokes.addTo(objects)
	objects = r.texts.addTo(objects)
	objects = r.maths.addTo(objects)
	for _, b := range r.buttons {
		objects = append(objects, b)
	}
	for _, m := range r.movers {
		objects = append(objects, m)
	}
	return objects
}

// arrange draws what is in view.
func (r *proseRenderer) arrange() {
	p := r.prose
	r.back.begin()
	r.ticks.begin()
	r.tints.begin()
	r.chosen.begin()
	r.strokes.begin()
	r.texts.begin()
	r.maths.begin()
	r.used = 0
	sets, top, bottom := p.visible()
	from, to, some := p.selection()
	first := 0
	if len(sets) > 0 {
		first = slices.Index(p.sets, sets[0])
	}
	for i, s := range sets {
		r.shapes(s, top-overdraw, bottom+overdraw)
		parts, counted := p.foundIn(first + i)
		for k := range s.pieces {
			line := &s.pieces[k]
			if y := s.top + line.y; y+line.height < top-overdraw || y > bottom+overdraw {
				continue
			}
			if n := first + i; some && n >= from.set && n <= to.set {
				r.selected(s, line, n, from, to)
			}
			r.foundParts(s, line, parts, counted)
			r.runs(s, line)
		}
	}
	r.movings(sets, top-overdraw, bottom+overdraw)
	r.focus()
	r.back.end()
	r.ticks.end()
	r.tints.end()
	r.chosen.end()
	r.strokes.end()
	r.texts.end()
	r.maths.end()
	for _, b := range r.buttons[r.used:] {
		b.Hide()
	}
}

// focus frames the message if the keyboard brought the focus to it.
func (r *proseRenderer) focus() {
	p := r.prose
	if !p.focused || p.byMouse {
		r.frame.Hide()
		return
	}
	r.frame.StrokeColor = kit.Themed(theme.ColorNameFocus)
	r.frame.Move(fyne.NewPos(-4, -4))
	r.frame.Resize(p.Size().AddWidthHeight(8, 8))
	r.frame.Show()
}

// shapes draws the areas of a block.
func (r *proseRenderer) shapes(s *set, top, bottom float32) {
	for _, a := range s.shapes {
		if s.top+a.y+a.height < top || s.top+a.y > bottom {
			continue
		}
		if a.tick {
			x, y, c := a.x, s.top+a.y, kit.Themed(a.fill)
			r.ticks.next(x+3, y+6.5, x+5.5, y+9.3, c)
			r.ticks.next(x+5.5, y+9.3, x+10, y+3.8, c)
			continue
		}
		r.back.next(a.x, s.top+a.y, a.width, a.height, a.radius, a.fill, a.stroke)
	}
	for _, h := range s.heads {
		if y := s.top + h.y; y+codeHeadHeight >= top && y <= bottom {
			r.codeHead(h, y)
		}
	}
}

// runs draws the text of a line.
func (r *proseRenderer) runs(s *set, line *piece) {
	for i := range line.runs {
		a := &line.runs[i]
		if a.silent || a.start == a.end && a.math == nil {
			continue
		}
		y := whole(s.top + line.y + line.base - a.face.base)
		if a.tinted {
			r.tints.next(a.x-2.5, y-1, a.width+5, a.face.height+2, 4, kit.ColorTrack, "")
		}
		if a.ref {
			r.tints.next(a.x-1, y, a.width+2, a.face.height, 4, kit.ColorTrack, "")
		}
		if a.doubted {
			r.dashes(a.x, y+a.face.base+2.5, a.width)
		}
		if a.link != nil {
			if !a.ref {
				r.strokes.next(a.x, y+a.face.base+2, a.width, 1, 0, a.color, "")
			}
			if a.link == r.prose.link {
				r.tints.next(a.x-2, y-1, a.width+4, a.face.height+2, 4, kit.ColorTint, theme.ColorNamePrimary)
			}
		}
		if a.struck {
			r.strokes.next(a.x, y+a.face.base-a.face.size*0.3, a.width, 1, 0, a.color, "")
		}
		if a.math != nil {
			r.maths.next(a.math, kit.Themed(a.color), a.x, y+a.face.base)
			continue
		}
		r.texts.next(a.drawn(s.text), a.face, kit.Themed(a.color), a.x, y)
	}
}

// dashes underlines what the program doubts: a line that no link has.
func (r *proseRenderer) dashes(x, y, width float32) {
	const dash, gap float32 = 5, 3
	for end := x + width; x < end; x += dash + gap {
		r.strokes.next(x, y, min(dash, end-x), 1.5, 0.75, theme.ColorNameWarning, "")
	}
}

// selected draws what is selected of a line.
func (r *proseRenderer) selected(s *set, line *piece, n int, from, to spot) {
	a, b := 0, len(s.text)
	if n == from.set {
		a = from.offset
	}
	if n == to.set {
		b = to.offset
	}
	if left, right, ok := line.extent(s.text, a, b); ok {
		r.chosen.next(left-1, s.top+line.y, right-left+2, line.height, 3, theme.ColorNameSelection, "")
	}
}

// codeHead draws the language of code and the button that copies it.
func (r *proseRenderer) codeHead(h codeHead, y float32) {
	p := r.prose
	name := h.code.Language
	if name == "" {
		name = "text"
	}
	f := p.faces.get(kit.TextSmall, fyne.TextStyle{})
	r.texts.next(kit.Ellipsize(name, h.wide-120, kit.TextSmall, f.style), f, kit.Themed(kit.ColorMuted), h.x+codePadding, y+(codeHeadHeight-f.height)/2)
	if r.used == len(r.buttons) {
		r.buttons = append(r.buttons, kit.NewQuietButton(p.keys, "Copy", theme.ContentCopyIcon(), nil))
	}
	b := r.buttons[r.used]
	r.used++
	label, icon := "Copy", theme.ContentCopyIcon()
	if p.copied == h.code {
		label, icon = "Copied", theme.ConfirmIcon()
	}
	if b.Text != label {
		b.SetText(label)
		b.SetIcon(icon)
	}
	b.OnTapped = func() { p.copyCode(h.code) }
	size := fyne.NewSize(b.MinSize().Width, codeHeadHeight-4)
	if b.Size() != size {
		b.Resize(size)
	}
	b.Move(fyne.NewPos(h.x+h.wide-size.Width-3, y+3))
	b.Show()
}
