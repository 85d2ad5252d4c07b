package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TextButton is a quiet button of small text alone, or of a small icon, for what there are
// many of.
type TextButton struct {
	widget.BaseWidget

	keys    *Keyboard
	tapped  func()
	Near    func(bool) // the pointer or the keyboard came, or left; may be nil
	Tip     string     // what it is for, where its text does not say
	Line    *Line
	Icon    fyne.Resource // in the place of the text; nil: the text
	Color   fyne.ThemeColorName
	hovered bool
	focused bool
}

func NewTextButton(k *Keyboard, label string, tapped func()) *TextButton {
	b := &TextButton{keys: k, tapped: tapped, Line: NewCaption(label), Color: ColorMuted}
	b.Line.Whole = true
	b.ExtendBaseWidget(b)
	return b
}

// NewSmallIcon is one with an icon. The tip says what it is for.
func NewSmallIcon(k *Keyboard, icon fyne.Resource, tip string, tapped func()) *TextButton {
	b := NewTextButton(k, tip, tapped)
	b.Icon, b.Tip = icon, tip
	return b
}

// Set changes the text.
func (b *TextButton) Set(label string) {
	b.Line.Set(label)
	b.Refresh()
}

// Natural is the width that shows all of the text.
func (b *TextButton) Natural() float32 { return b.NaturalOf(b.Line.Text) }

// NaturalOf is the width that would show all of another text.
func (b *TextButton) NaturalOf(label string) float32 {
	return fyne.MeasureText(label, b.Line.TextSize, b.Line.Style).Width + 11
}

// Tapped does what the button is for.
func (b *TextButton) Tapped(*fyne.PointEvent) {
	b.keys.Explain(b, false, "", "")
	b.tapped()
	b.keys.strayed(b)
}

// Cursor shows that it can be clicked.
func (b *TextButton) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn marks the button.
func (b *TextButton) MouseIn(*desktop.MouseEvent) { b.mark(true, b.focused) }

// MouseMoved is of no interest.
func (b *TextButton) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (b *TextButton) MouseOut() { b.mark(false, b.focused) }

// FocusGained shows the frame of the keyboard.
func (b *TextButton) FocusGained() {
	b.keys.reveal(b)
	b.mark(b.hovered, true)
}

// FocusLost hides it.
func (b *TextButton) FocusLost() { b.mark(b.hovered, false) }

func (b *TextButton) mark(hovered, focused bool) {
	b.hovered, b.focused = hovered, focused
	if b.Near != nil {
		b.Near(hovered || focused)
	}
	tip := b.Tip
	if tip == "" {
		tip = cutTexts(b.Line)
	}
	b.keys.Explain(b, hovered || focused, tip, b.Line.Text)
	b.Refresh()
}

// TypedRune does nothing.
func (b *TextButton) TypedRune(r rune) { b.keys.strayedRune(b, r) }

// TypedKey presses the button with Enter or the space bar.
func (b *TextButton) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.Key(e), b.keys.strayed(b):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		b.tapped()
		b.keys.strayed(b)
	}
}

// CreateRenderer draws the text on a background for pointer and keyboard.
func (b *TextButton) CreateRenderer() fyne.WidgetRenderer {
	r := &textButtonRenderer{button: b, back: &canvas.Rectangle{CornerRadius: 5}, icon: widget.NewIcon(nil)}
	r.Refresh()
	return r
}

type textButtonRenderer struct {
	button *TextButton
	back   *canvas.Rectangle
	icon   *widget.Icon
}

// smallIcon is the size of an icon among small text.
const smallIcon float32 = 16

func (r *textButtonRenderer) Destroy() {}

func (r *textButtonRenderer) MinSize() fyne.Size {
	if r.button.Icon != nil {
		return fyne.NewSize(smallIcon+12, smallIcon+6)
	}
	return r.button.Line.MinSize().Add(fyne.NewSize(10, 4))
}

func (r *textButtonRenderer) Objects() []fyne.CanvasObject {
	if r.button.Icon != nil {
		return []fyne.CanvasObject{r.back, r.icon}
	}
	return []fyne.CanvasObject{r.back, r.button.Line}
}

func (r *textButtonRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.icon.Move(fyne.NewPos((size.Width-smallIcon)/2, (size.Height-smallIcon)/2))
	r.icon.Resize(fyne.NewSquareSize(smallIcon))
	r.button.Line.Move(fyne.NewPos(5, 2))
	r.button.Line.Resize(size.Subtract(fyne.NewSize(10, 4)))
}

func (r *textButtonRenderer) Refresh() {
	b := r.button
	b.Line.Color = b.Color
	r.back.StrokeWidth = 0
	r.back.Hide()
	if b.hovered {
		b.Line.Color = ColorAccent
		r.back.FillColor = Themed(theme.ColorNameHover)
		r.back.Show()
	}
	if b.focused {
		r.back.FillColor = Themed(theme.ColorNameHover)
		r.back.StrokeColor, r.back.StrokeWidth = Themed(theme.ColorNamePrimary), 1.5
		r.back.Show()
	}
	if b.Icon != nil {
		r.icon.SetResource(Colored(b.Icon, b.Line.Color))
	}
	b.Line.Refresh()
	canvas.Refresh(r.back)
}
