package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TextButton is a quiet button of small text alone, for what there are many of.
type TextButton struct {
	widget.BaseWidget

	keys    *Keyboard
	tapped  func()
	Near    func(bool) // the pointer or the keyboard came, or left; may be nil
	Line    *Line
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

// Set changes the text.
func (b *TextButton) Set(label string) {
	b.Line.Set(label)
	b.Refresh()
}

// Natural is the width that shows all of the text.
func (b *TextButton) Natural() float32 {
	return fyne.MeasureText(b.Line.Text, b.Line.TextSize, b.Line.Style).Width + 11
}

// Tapped does what the button is for.
func (b *TextButton) Tapped(*fyne.PointEvent) { b.tapped() }

// Cursor shows that it can be clicked.
func (b *TextButton) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn marks the button.
func (b *TextButton) MouseIn(*desktop.MouseEvent) { b.mark(true, b.focused) }

// MouseMoved is of no interest.
func (b *TextButton) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (b *TextButton) MouseOut() { b.mark(false, b.focused) }

// FocusGained shows the frame of the keyboard.
func (b *TextButton) FocusGained() { b.mark(b.hovered, true) }

// FocusLost hides it.
func (b *TextButton) FocusLost() { b.mark(b.hovered, false) }

func (b *TextButton) mark(hovered, focused bool) {
	b.hovered, b.focused = hovered, focused
	if b.Near != nil {
		b.Near(hovered || focused)
	}
	b.Refresh()
}

// TypedRune does nothing.
func (b *TextButton) TypedRune(rune) {}

// TypedKey presses the button with Enter or the space bar.
func (b *TextButton) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		b.tapped()
	}
}

// CreateRenderer draws the text on a background for pointer and keyboard.
func (b *TextButton) CreateRenderer() fyne.WidgetRenderer {
	r := &textButtonRenderer{button: b, back: &canvas.Rectangle{CornerRadius: 5}}
	r.Refresh()
	return r
}

type textButtonRenderer struct {
	button *TextButton
	back   *canvas.Rectangle
}

func (r *textButtonRenderer) Destroy() {}

func (r *textButtonRenderer) MinSize() fyne.Size {
	return r.button.Line.MinSize().Add(fyne.NewSize(10, 4))
}

func (r *textButtonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.button.Line}
}

func (r *textButtonRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
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
	b.Line.Refresh()
	canvas.Refresh(r.back)
}
