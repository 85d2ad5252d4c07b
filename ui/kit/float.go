package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const (
	floatCorner float32 = 12
	floatInset  float32 = 4 // around the content

	// fade is how long what floats takes to come.
	fade = 120 * time.Millisecond
)

// Float is content with round corners over the window. It goes with Escape, and with a click
// beside it unless it asks something.
type Float struct {
	widget.BaseWidget
	Content fyne.CanvasObject
	Canvas  fyne.Canvas
	Hidden  func() // it went; may be nil

	keys  *Keyboard
	asks  bool // it covers the rest of the window until it is answered
	shown bool
	at    fyne.Position // where nothing is asked
	size  fyne.Size
	tips  *fyne.Container
	veil  *canvas.Rectangle // over the content while it comes
}

// NewFloat makes one that is not shown yet.
func NewFloat(k *Keyboard, content fyne.CanvasObject, c fyne.Canvas) *Float {
	f := &Float{Content: content, Canvas: c, keys: k, tips: container.NewWithoutLayout(), veil: &canvas.Rectangle{CornerRadius: floatCorner}}
	f.veil.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// NewAsking makes one in the middle of the window, which covers the rest.
func NewAsking(k *Keyboard, content fyne.CanvasObject, c fyne.Canvas) *Float {
	f := NewFloat(k, content, c)
	f.asks = true
	return f
}

// ShowAt shows it with its upper left corner at a place, as far as there is room.
func (f *Float) ShowAt(at fyne.Position) {
	f.at = at
	f.Show()
}

// Show shows it.
func (f *Float) Show() {
	if !f.shown {
		f.shown = true
		f.Canvas.Overlays().Add(f)
		f.keys.floats = append(f.keys.floats, f)
		f.keys.Tip.Within(f.tips)
		f.comes()
	}
	f.BaseWidget.Show()
	f.BaseWidget.Resize(f.Canvas.Size())
	f.Refresh()
}

// comes has the content come out of its ground, if things may move.
func (f *Float) comes() {
	if !Moves() {
		return
	}
	f.veil.Show()
	a := fyne.NewAnimation(fade, func(done float32) {
		c := Themed(theme.ColorNameOverlayBackground)
		c.A = uint8(255 * (1 - done))
		f.veil.FillColor = c
		Show(f.veil, done < 1)
		canvas.Refresh(f.veil)
	})
	a.Curve = fyne.AnimationEaseOut
	a.Start()
}

// Hide takes it away, with what floats above it.
func (f *Float) Hide() {
	if !f.shown {
		return
	}
	f.shown = false
	f.Canvas.Overlays().Remove(f)
	f.keys.dropped(f)
	f.BaseWidget.Hide()
	if f.Hidden != nil {
		f.Hidden()
	}
	// What had the keyboard before a question has it again. Where nothing had it, the keys that
	// are typed after the answer still reach somebody.
	if f.asks && f.keys.Home != nil && f.Canvas.Overlays().Top() == nil && f.Canvas.Focused() == nil {
		f.keys.Home()
	}
}

// SizeContent makes it as large as this, with the room around its content; never smaller
// than the content.
func (f *Float) SizeContent(size fyne.Size) {
	f.size = size
	f.Refresh()
}

// Tapped closes it where the click was beside it.
func (f *Float) Tapped(e *fyne.PointEvent) {
	if at, size := f.area(); !f.asks && !within(e.Position, at, size) {
		f.Hide()
	}
}

// TappedSecondary does the same.
func (f *Float) TappedSecondary(e *fyne.PointEvent) { f.Tapped(e) }

func within(p, at fyne.Position, size fyne.Size) bool {
	return p.X >= at.X && p.Y >= at.Y && p.X <= at.X+size.Width && p.Y <= at.Y+size.Height
}

// area is where it lies in the window.
func (f *Float) area() (fyne.Position, fyne.Size) {
	room := f.Canvas.Size()
	size := f.size.Min(room).Max(f.Content.MinSize().AddWidthHeight(2*floatInset, 2*floatInset))
	if f.asks {
		return fyne.NewPos(max(0, (room.Width-size.Width)/2), max(0, (room.Height-size.Height)/2)), size
	}
	return fyne.NewPos(max(0, min(f.at.X, room.Width-size.Width)), max(0, min(f.at.Y, room.Height-size.Height))), size
}

// MinSize is that of the content with the room around it.
func (f *Float) MinSize() fyne.Size {
	return f.Content.MinSize().AddWidthHeight(2*floatInset, 2*floatInset)
}

// CreateRenderer draws a shadow, the area and its content.
func (f *Float) CreateRenderer() fyne.WidgetRenderer {
	r := &floatRenderer{float: f, shade: &canvas.Rectangle{}, back: &canvas.Rectangle{CornerRadius: floatCorner}}
	for i := range 4 {
		r.shadow = append(r.shadow, &canvas.Rectangle{CornerRadius: floatCorner + float32(i)*2})
	}
	r.Refresh()
	return r
}

type floatRenderer struct {
	float  *Float
	shade  *canvas.Rectangle // over the rest of the window
	shadow []*canvas.Rectangle
	back   *canvas.Rectangle
}

func (r *floatRenderer) Destroy()           {}
func (r *floatRenderer) MinSize() fyne.Size { return r.float.MinSize() }

func (r *floatRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.shade}
	for _, s := range r.shadow {
		objects = append(objects, s)
	}
	return append(objects, r.back, r.float.Content, r.float.veil, r.float.tips)
}

func (r *floatRenderer) Layout(window fyne.Size) {
	f := r.float
	at, size := f.area()
	r.shade.Resize(window)
	for i, s := range r.shadow {
		grow := float32(i+1) * 2
		s.Move(at.SubtractXY(grow, grow-2))
		s.Resize(size.AddWidthHeight(2*grow, 2*grow))
	}
	r.back.Move(at)
	r.back.Resize(size)
	f.Content.Move(at.AddXY(floatInset, floatInset))
	f.Content.Resize(size.SubtractWidthHeight(2*floatInset, 2*floatInset))
	f.veil.Move(at)
	f.veil.Resize(size)
	f.tips.Resize(window)
}

func (r *floatRenderer) Refresh() {
	Show(r.shade, r.float.asks)
	r.shade.FillColor = Themed(theme.ColorNameShadow)
	for i, s := range r.shadow {
		c := Themed(theme.ColorNameShadow)
		c.A = uint8(int(c.A) / (3 + 2*i))
		s.FillColor = c
		canvas.Refresh(s)
	}
	r.back.FillColor = Themed(theme.ColorNameOverlayBackground)
	r.back.StrokeColor, r.back.StrokeWidth = Themed(ColorLine), 1
	r.Layout(r.float.Canvas.Size())
	canvas.Refresh(r.shade)
	canvas.Refresh(r.back)
	r.float.Content.Refresh()
}
