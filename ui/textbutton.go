package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// textButton is a quiet button of small text alone, for what there are many of.
type textButton struct {
	widget.BaseWidget

	keys    *keyboard
	tapped  func()
	near    func(bool) // the pointer or the keyboard came, or left; may be nil
	line    *line
	color   fyne.ThemeColorName
	hovered bool
	focused bool
}

func newTextButton(k *keyboard, label string, tapped func()) *textButton {
	b := &textButton{keys: k, tapped: tapped, line: newCaption(label), color: colorMuted}
	b.line.whole = true
	b.ExtendBaseWidget(b)
	return b
}

// set changes the text.
func (b *textButton) set(label string) {
	b.line.set(label)
	b.Refresh()
}

// natural is the width that shows all of the text.
func (b *textButton) natural() float32 {
	return fyne.MeasureText(b.line.text, b.line.size, b.line.style).Width + 11
}

// Tapped does what the button is for.
func (b *textButton) Tapped(*fyne.PointEvent) { b.tapped() }

// Cursor shows that it can be clicked.
func (b *textButton) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn marks the button.
func (b *textButton) MouseIn(*desktop.MouseEvent) { b.mark(true, b.focused) }

// MouseMoved is of no interest.
func (b *textButton) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (b *textButton) MouseOut() { b.mark(false, b.focused) }

// FocusGained shows the frame of the keyboard.
func (b *textButton) FocusGained() { b.mark(b.hovered, true) }

// FocusLost hides it.
func (b *textButton) FocusLost() { b.mark(b.hovered, false) }

func (b *textButton) mark(hovered, focused bool) {
	b.hovered, b.focused = hovered, focused
	if b.near != nil {
		b.near(hovered || focused)
	}
	b.Refresh()
}

// TypedRune does nothing.
func (b *textButton) TypedRune(rune) {}

// TypedKey presses the button with Enter or the space bar.
func (b *textButton) TypedKey(e *fyne.KeyEvent) {
	switch {
	case b.keys.key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		b.tapped()
	}
}

// CreateRenderer draws the text on a background for pointer and keyboard.
func (b *textButton) CreateRenderer() fyne.WidgetRenderer {
	r := &textButtonRenderer{button: b, back: &canvas.Rectangle{CornerRadius: 5}}
	r.Refresh()
	return r
}

type textButtonRenderer struct {
	button *textButton
	back   *canvas.Rectangle
}

func (r *textButtonRenderer) Destroy() {}

func (r *textButtonRenderer) MinSize() fyne.Size {
	return r.button.line.MinSize().Add(fyne.NewSize(10, 4))
}

func (r *textButtonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.button.line}
}

func (r *textButtonRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.button.line.Move(fyne.NewPos(5, 2))
	r.button.line.Resize(size.Subtract(fyne.NewSize(10, 4)))
}

func (r *textButtonRenderer) Refresh() {
	b := r.button
	b.line.color = b.color
	r.back.StrokeWidth = 0
	r.back.Hide()
	if b.hovered {
		b.line.color = colorAccent
		r.back.FillColor = themed(theme.ColorNameHover)
		r.back.Show()
	}
	if b.focused {
		r.back.FillColor = themed(theme.ColorNameHover)
		r.back.StrokeColor, r.back.StrokeWidth = themed(theme.ColorNamePrimary), 1.5
		r.back.Show()
	}
	b.line.Refresh()
	canvas.Refresh(r.back)
}
