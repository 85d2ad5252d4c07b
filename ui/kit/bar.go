package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Bar is a thin horizontal bar, filled from the left.
type Bar struct {
	widget.BaseWidget

	Value  float64 // 0 to 1
	Marked float64 // how much of it, at its end, has a colour of its own
	height float32
	Fill   fyne.ThemeColorName
}

func NewBar(height float32) *Bar {
	b := &Bar{height: height, Fill: theme.ColorNamePrimary}
	b.ExtendBaseWidget(b)
	return b
}

func (b *Bar) Set(value float64) {
	if value = min(1, max(0, value)); value != b.Value {
		b.Value = value
		b.Refresh()
	}
}

// Mark gives the end of the filled part a colour of its own.
func (b *Bar) Mark(value float64) {
	if value = min(1, max(0, value)); value != b.Marked {
		b.Marked = value
		b.Refresh()
	}
}

// Colour gives the filled part another colour.
func (b *Bar) Colour(fill fyne.ThemeColorName) {
	if fill != b.Fill {
		b.Fill = fill
		b.Refresh()
	}
}

// CreateRenderer draws the track and the filled part.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{bar: b, track: &canvas.Rectangle{}, part: &canvas.Rectangle{}, marked: &canvas.Rectangle{}}
	r.Refresh()
	return r
}

type barRenderer struct {
	bar                 *Bar
	track, part, marked *canvas.Rectangle
}

func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(24, r.bar.height) }
func (r *barRenderer) Destroy()           {}
func (r *barRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.part, r.marked}
}

func (r *barRenderer) Layout(size fyne.Size) {
	h := min(size.Height, r.bar.height)
	y := (size.Height - h) / 2
	r.track.Move(fyne.NewPos(0, y))
	r.track.Resize(fyne.NewSize(size.Width, h))
	width := float32(r.bar.Value) * size.Width
	if r.bar.Value > 0 {
		width = min(max(width, h), size.Width)
	}
	r.part.Move(fyne.NewPos(0, y))
	r.part.Resize(fyne.NewSize(width, h))
	share := min(width, float32(r.bar.Marked)*size.Width)
	r.marked.Move(fyne.NewPos(width-share, y))
	r.marked.Resize(fyne.NewSize(share, h))
	r.marked.Hidden = share == 0
}

func (r *barRenderer) Refresh() {
	for _, rect := range []*canvas.Rectangle{r.track, r.part, r.marked} {
		rect.CornerRadius = r.bar.height / 2
	}
	r.track.FillColor, r.part.FillColor, r.marked.FillColor = Themed(ColorTrack), Themed(r.bar.Fill), Themed(ColorSeries2)
	r.Layout(r.bar.Size())
	canvas.Refresh(r.track)
	canvas.Refresh(r.part)
	canvas.Refresh(r.marked)
}

// RunControls are what a panel shows in place of its start button while it works: how
// far it is, and a way to end it.
type RunControls struct {
	Cancel   *Button
	Progress *fyne.Container
	Stage    *Line
	Left     *Line
	Bar      *Bar
}

func NewRunControls(keys *Keyboard, stop func()) RunControls {
	r := RunControls{
		Cancel: NewButton(keys, "Cancel", theme.CancelIcon(), stop),
		Stage:  NewLine("", TextSmall, theme.ColorNameForeground), Left: NewCaption(""), Bar: NewBar(6),
	}
	r.Left.Whole = true
	r.Progress = container.NewBorder(nil, nil, nil, r.Cancel,
		Inset(Column(6, container.NewBorder(nil, nil, nil, r.Left, r.Stage), r.Bar), 0, GapSmall))
	r.Progress.Hide()
	return r
}

// Waiting moves beside a line while what it says is under way, so that nobody takes a wait for the
// end. It stands still where a person wants that nothing moves.
type Waiting struct {
	View *fyne.Container
	On   bool
	dots *widget.Activity
}

func NewWaiting() *Waiting {
	w := &Waiting{dots: widget.NewActivity()}
	w.View = container.NewCenter(w.dots)
	w.View.Hide()
	return w
}

// Set has it move, or ends that.
func (w *Waiting) Set(on bool) {
	w.On = on
	if on = on && Moves(); on {
		w.dots.Start()
	} else {
		w.dots.Stop()
	}
	Show(w.View, on)
}
