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
	ring    Ring
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

// Offer offers other options, of which one is chosen, without telling anybody.
func (s *Segments) Offer(options []string, chosen int) {
	s.Options, s.Index = options, chosen
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
	s.ring.Click(s)
	edges := s.edges(s.Size().Width)
	for i := range s.Options {
		if e.Position.X < edges[i+1] || i == len(s.Options)-1 {
			s.Pick(i)
			return
		}
	}
}

// edges returns where each option begins within a width, and where the last ends. The
// options are equally wide where each has room for its name; a long name takes from the
// room around short ones.
func (s *Segments) edges(width float32) []float32 {
	edges := make([]float32, len(s.Options)+1)
	if len(s.Options) == 0 {
		return edges
	}
	widths := make([]float32, len(s.Options))
	var widest, all float32
	for i, o := range s.Options {
		widths[i] = nameWidth(o)
		widest, all = max(widest, widths[i]), all+widths[i]
	}
	share, rest := width/float32(len(widths)), (width-all)/float32(len(widths))
	for i, w := range widths {
		switch {
		case share >= widest:
			w = share
		case rest >= 0:
			w += rest
		default:
			w *= width / all
		}
		edges[i+1] = edges[i] + w
	}
	return edges
}

// nameWidth is the width of an option whose name is just not cut.
func nameWidth(name string) float32 {
	return fyne.MeasureText(Brief(name), TextBody, fyne.TextStyle{Bold: true}).Width + 2*Gap
}

// Natural is the width in which no name is cut.
func (s *Segments) Natural() float32 {
	width := float32(2 * segmentsRim)
	for _, o := range s.Options {
		width += nameWidth(o)
	}
	return width
}

// segmentsRim is the rim of the track around the options.
const segmentsRim = 3

// FocusGained shows the frame of the keyboard.
func (s *Segments) FocusGained() {
	s.ring.Gained()
	s.keys.reveal(s)
	s.Refresh()
}

// FocusLost hides it.
func (s *Segments) FocusLost() {
	s.ring.Lost()
	s.Refresh()
}

// TypedRune does nothing.
func (s *Segments) TypedRune(rune) {}

// TypedKey goes to the option before or after.
func (s *Segments) TypedKey(e *fyne.KeyEvent) {
	s.ring.Gained() // from now on the keyboard is in use
	defer s.Refresh()
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
	const rim = segmentsRim
	r.track.Resize(size)
	edges := r.segments.edges(size.Width - 2*rim)
	r.raised.Resize(fyne.Size{})
	for i, t := range r.texts {
		t.Move(fyne.NewPos(rim+edges[i]+GapSmall, 0))
		t.Resize(fyne.NewSize(edges[i+1]-edges[i]-2*GapSmall, size.Height))
		if i == r.segments.Index {
			r.raised.Move(fyne.NewPos(rim+edges[i], rim))
			r.raised.Resize(fyne.NewSize(edges[i+1]-edges[i], size.Height-2*rim))
		}
	}
}

func (r *segmentsRenderer) Refresh() {
	s := r.segments
	r.track.FillColor, r.raised.FillColor = Themed(ColorTrack), Themed(ColorCard)
	r.raised.StrokeWidth, r.raised.StrokeColor = 1, Themed(ColorLine)
	if s.ring.On {
		r.raised.StrokeWidth, r.raised.StrokeColor = 2, Themed(theme.ColorNamePrimary)
	}
	for len(r.texts) < len(s.Options) {
		line := NewLine("", TextBody, theme.ColorNameForeground)
		line.Align = fyne.TextAlignCenter
		r.texts = append(r.texts, line)
	}
	r.texts = r.texts[:len(s.Options)]
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
