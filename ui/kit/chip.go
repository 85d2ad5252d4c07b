package kit

import (
	"cmp"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Chip is a small rounded area with something in it that can be clicked.
type Chip struct {
	widget.BaseWidget
	keys *Keyboard
	Tip  string // what it is for; "": its texts that are cut
	On   bool   // it is the chosen one of several
	Flat bool   // it has no area until the pointer or the keyboard is on it

	Typed     func(*fyne.KeyEvent) bool // any key first; true: done; may be nil
	Secondary func(at fyne.Position)    // a click with the other button; may be nil

	content *fyne.Container
	open    func()
	hovered bool
	focused bool
}

func NewChip(k *Keyboard, content fyne.CanvasObject, open func()) *Chip {
	c := &Chip{keys: k, content: Inset(content, 2, 10), open: open}
	c.ExtendBaseWidget(c)
	return c
}

// Open says what a click does, where that needs the chip itself.
func (c *Chip) Open(open func()) { c.open = open }

// Tapped opens what the chip stands for.
func (c *Chip) Tapped(*fyne.PointEvent) {
	c.keys.Explain(c, false, "", "")
	c.open()
	c.keys.strayed(c)
}

// TappedSecondary asks what can be done with what the chip stands for.
func (c *Chip) TappedSecondary(e *fyne.PointEvent) {
	if c.Secondary != nil {
		c.keys.Explain(c, false, "", "")
		c.Secondary(e.AbsolutePosition)
	}
}

// Cursor shows that it can be clicked.
func (c *Chip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn marks the chip.
func (c *Chip) MouseIn(*desktop.MouseEvent) {
	c.mark(true, c.focused)
}

// MouseMoved is of no interest.
func (c *Chip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (c *Chip) MouseOut() {
	c.mark(false, c.focused)
}

// FocusGained shows the frame of the keyboard.
func (c *Chip) FocusGained() {
	c.keys.reveal(c)
	c.mark(c.hovered, true)
}

// FocusLost hides it.
func (c *Chip) FocusLost() {
	c.mark(c.hovered, false)
}

func (c *Chip) mark(hovered, focused bool) {
	c.hovered, c.focused = hovered, focused
	c.keys.Explain(c, hovered || focused, cmp.Or(c.Tip, cutTexts(c.content)), "")
	c.Refresh()
}

// TypedRune does nothing.
func (c *Chip) TypedRune(r rune) { c.keys.strayedRune(c, r) }

// TypedKey opens it with Enter or the space bar.
func (c *Chip) TypedKey(e *fyne.KeyEvent) {
	switch {
	case c.keys.Key(e), c.keys.strayed(c):
	case c.Typed != nil && c.Typed(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		c.open()
		c.keys.strayed(c)
	}
}

// CreateRenderer draws the area and its content.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{chip: c, back: &canvas.Rectangle{CornerRadius: 10}}
	r.Refresh()
	return r
}

type chipRenderer struct {
	chip *Chip
	back *canvas.Rectangle
}

func (r *chipRenderer) Destroy()           {}
func (r *chipRenderer) MinSize() fyne.Size { return r.chip.content.MinSize() }
func (r *chipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.chip.content}
}

func (r *chipRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	r.chip.content.Resize(size)
}

func (r *chipRenderer) Refresh() {
	r.back.FillColor, r.back.StrokeWidth = Themed(ColorTrack), 0
	if r.chip.Flat {
		r.back.FillColor = color.Transparent
	}
	if r.chip.hovered || r.chip.On {
		r.back.FillColor = Themed(ColorTint)
	}
	if r.chip.On {
		r.back.StrokeColor, r.back.StrokeWidth = Themed(ColorAccent), 1
	}
	if r.chip.focused {
		r.back.StrokeColor, r.back.StrokeWidth = Themed(theme.ColorNamePrimary), 2
	}
	canvas.Refresh(r.back)
	r.chip.content.Refresh()
}
