package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Segments offers a few options side by side, one of which is chosen.
type Segments struct {
	widget.BaseWidget

	keys    *Keyboard
	Options []string
	chosen  func(i int)
	Index   int
	focused bool
}

func NewSegments(k *Keyboard, options []string, chosen func(i int)) *Segments {
	s := &Segments{keys: k, Options: options, chosen: chosen}
	s.ExtendBaseWidget(s)
	return s
}

// Select chooses option i without telling anybody.
func (s *Segments) Select(i int) {
	s.Index = i
	s.Refresh()
}

// Rename renames option i.
func (s *Segments) Rename(i int, name string) {
	if s.Options[i] != name {
		s.Options = slices.Clone(s.Options)
		s.Options[i] = name
		s.Refresh()
	}
}

func (s *Segments) Pick(i int) {
	if i < 0 || i >= len(s.Options) || i == s.Index {
		return
	}
	s.Select(i)
	s.chosen(i)
}

// Tapped chooses the option under the pointer.
func (s *Segments) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	s.Pick(int(e.Position.X / (s.Size().Width / float32(len(s.Options)))))
}

// FocusGained shows the frame of the keyboard.
func (s *Segments) FocusGained() {
	s.focused = true
	s.Refresh()
}

// FocusLost hides it.
func (s *Segments) FocusLost() {
	s.focused = false
	s.Refresh()
}

// TypedRune does nothing.
func (s *Segments) TypedRune(rune) {}

// TypedKey goes to the option before or after.
func (s *Segments) TypedKey(e *fyne.KeyEvent) {
	switch {
	case s.keys.Key(e):
	case e.Name == fyne.KeyLeft:
		s.Pick(s.Index - 1)
	case e.Name == fyne.KeyRight:
		s.Pick(s.Index + 1)
	}
}

// CreateRenderer draws the options on a track, the chosen one raised.
func (s *Segments) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentsRenderer{segments: s, track: &canvas.Rectangle{CornerRadius: 8}, raised: &canvas.Rectangle{CornerRadius: 6}}
	for _, o := range s.Options {
		t := NewLine(o, TextBody, theme.ColorNameForeground)
		t.Align = fyne.TextAlignCenter
		r.texts = append(r.texts, t)
	}
	r.Refresh()
	return r
}

type segmentsRenderer struct {
	segments      *Segments
	track, raised *canvas.Rectangle
	texts         []*Line
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
	for _, o := range r.segments.Options {
		widest = widest.Max(fyne.MeasureText(Brief(o), TextBody, fyne.TextStyle{Bold: true}))
	}
	return fyne.NewSize((widest.Width+3*Gap)*float32(len(r.texts)), widest.Height+2*Gap)
}

func (r *segmentsRenderer) Layout(size fyne.Size) {
	const rim = 3
	r.track.Resize(size)
	w := (size.Width - 2*rim) / float32(len(r.texts))
	for i, t := range r.texts {
		t.Move(fyne.NewPos(rim+float32(i)*w+GapSmall, 0))
		t.Resize(fyne.NewSize(w-2*GapSmall, size.Height))
	}
	r.raised.Move(fyne.NewPos(rim+float32(r.segments.Index)*w, rim))
	r.raised.Resize(fyne.NewSize(w, size.Height-2*rim))
}

func (r *segmentsRenderer) Refresh() {
	s := r.segments
	r.track.FillColor, r.raised.FillColor = Themed(ColorTrack), Themed(ColorCard)
	r.raised.StrokeWidth, r.raised.StrokeColor = 1, Themed(ColorLine)
	if s.focused {
		r.raised.StrokeWidth, r.raised.StrokeColor = 2, Themed(theme.ColorNamePrimary)
	}
	for i, t := range r.texts {
		t.Text = Brief(s.Options[i])
		t.Style.Bold = i == s.Index
		t.Color = ColorMuted
		if i == s.Index {
			t.Color = theme.ColorNameForeground
		}
		t.Refresh()
	}
	r.Layout(s.Size())
	canvas.Refresh(r.track)
	canvas.Refresh(r.raised)
}

// Yielding gives its one object the width that it likes, or less where there is
// less: names are cut then.
type Yielding struct{}

func (Yielding) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(160, o[0].MinSize().Height)
}

func (Yielding) Layout(o []fyne.CanvasObject, size fyne.Size) {
	like := o[0].MinSize()
	o[0].Resize(fyne.NewSize(min(size.Width, like.Width), like.Height))
}
