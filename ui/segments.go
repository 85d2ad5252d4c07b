package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// segments offers a few options side by side, one of which is chosen.
type segments struct {
	widget.BaseWidget

	keys    *keyboard
	options []string
	chosen  func(i int)
	index   int
	focused bool
}

func newSegments(k *keyboard, options []string, chosen func(i int)) *segments {
	s := &segments{keys: k, options: options, chosen: chosen}
	s.ExtendBaseWidget(s)
	return s
}

// show chooses option i without telling anybody.
func (s *segments) show(i int) {
	s.index = i
	s.Refresh()
}

// rename gives option i another name.
func (s *segments) rename(i int, name string) {
	if s.options[i] != name {
		s.options = slices.Clone(s.options)
		s.options[i] = name
		s.Refresh()
	}
}

func (s *segments) pick(i int) {
	if i < 0 || i >= len(s.options) || i == s.index {
		return
	}
	s.show(i)
	s.chosen(i)
}

// Tapped chooses the option under the pointer.
func (s *segments) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	s.pick(int(e.Position.X / (s.Size().Width / float32(len(s.options)))))
}

// FocusGained shows the frame of the keyboard.
func (s *segments) FocusGained() {
	s.focused = true
	s.Refresh()
}

// FocusLost hides it.
func (s *segments) FocusLost() {
	s.focused = false
	s.Refresh()
}

// TypedRune does nothing.
func (s *segments) TypedRune(rune) {}

// TypedKey goes to the option before or after.
func (s *segments) TypedKey(e *fyne.KeyEvent) {
	switch {
	case s.keys.key(e):
	case e.Name == fyne.KeyLeft:
		s.pick(s.index - 1)
	case e.Name == fyne.KeyRight:
		s.pick(s.index + 1)
	}
}

// CreateRenderer draws the options on a track, the chosen one raised.
func (s *segments) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentsRenderer{segments: s, track: &canvas.Rectangle{CornerRadius: 8}, raised: &canvas.Rectangle{CornerRadius: 6}}
	for _, o := range s.options {
		t := newLine(o, textBody, theme.ColorNameForeground)
		t.align = fyne.TextAlignCenter
		r.texts = append(r.texts, t)
	}
	r.Refresh()
	return r
}

type segmentsRenderer struct {
	segments      *segments
	track, raised *canvas.Rectangle
	texts         []*line
}

func (r *segmentsRenderer) Destroy() {}

func (r *segmentsRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.track, r.raised}
	for _, t := range r.texts {
		objects = append(objects, t)
	}
	return objects
}

func (r *segmentsRenderer) MinSize() fyne.Size {
	var widest fyne.Size
	for _, o := range r.segments.options {
		widest = widest.Max(fyne.MeasureText(o, textBody, fyne.TextStyle{Bold: true}))
	}
	return fyne.NewSize((widest.Width+3*gap)*float32(len(r.texts)), widest.Height+2*gap)
}

func (r *segmentsRenderer) Layout(size fyne.Size) {
	const rim = 3
	r.track.Resize(size)
	w := (size.Width - 2*rim) / float32(len(r.texts))
	for i, t := range r.texts {
		t.Move(fyne.NewPos(rim+float32(i)*w+gapSmall, 0))
		t.Resize(fyne.NewSize(w-2*gapSmall, size.Height))
	}
	r.raised.Move(fyne.NewPos(rim+float32(r.segments.index)*w, rim))
	r.raised.Resize(fyne.NewSize(w, size.Height-2*rim))
}

func (r *segmentsRenderer) Refresh() {
	s := r.segments
	r.track.FillColor, r.raised.FillColor = themed(colorTrack), themed(colorCard)
	r.raised.StrokeWidth, r.raised.StrokeColor = 1, themed(colorLine)
	if s.focused {
		r.raised.StrokeWidth, r.raised.StrokeColor = 2, themed(theme.ColorNamePrimary)
	}
	for i, t := range r.texts {
		t.text = s.options[i]
		t.style.Bold = i == s.index
		t.color = colorMuted
		if i == s.index {
			t.color = theme.ColorNameForeground
		}
		t.Refresh()
	}
	r.Layout(s.Size())
	canvas.Refresh(r.track)
	canvas.Refresh(r.raised)
}

// yielding gives its one object the width that it likes, or less where there is
// less: names are cut then.
type yielding struct{}

func (yielding) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, o[0].MinSize().Height)
}

func (yielding) Layout(o []fyne.CanvasObject, size fyne.Size) {
	like := o[0].MinSize()
	o[0].Resize(fyne.NewSize(min(size.Width, like.Width), like.Height))
}
