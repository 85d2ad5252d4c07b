package kit

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// sheetWidth is that of a sheet in a window that has room for it.
const sheetWidth float32 = 520

// Sheet asks or shows something over the window. Escape closes it.
type Sheet struct {
	keys   *Keyboard
	on     func() fyne.Canvas
	Popup  *Float
	Title  string  // of the one that is open
	Width  float32 // where the window has room for it; 0: that of most sheets
	Height float32 // of the content, where the window has room for it; 0: what the content needs

	main   *Button              // of the one that is open; nil: it has none
	before func(*fyne.KeyEvent) // what keys did that no widget took
}

// NewSheet makes one over the window that shows an object.
func NewSheet(k *Keyboard, over func() fyne.CanvasObject) *Sheet {
	return &Sheet{keys: k, on: func() fyne.Canvas { return fyne.CurrentApp().Driver().CanvasForObject(over()) }}
}

// SheetButton is what can be done with a sheet; it closes it, unless it stays.
type SheetButton struct {
	Name string
	Run  func() // nil: only closes
	Main bool   // the likely one, which Enter presses
	// Stays leaves it to Run whether the sheet is closed.
	Stays bool
}

// Open shows a sheet. Scrolled content takes what room there is. The first main
// button has the keyboard, or else the last one.
func (s *Sheet) Open(title string, content fyne.CanvasObject, scrolled bool, buttons ...SheetButton) {
	s.Close()
	c := s.on()
	if c == nil {
		return
	}
	line := Row(Gap)
	var first *Button
	s.main = nil
	for _, b := range buttons {
		made := NewButton(s.keys, b.Name, nil, func() {
			if !b.Stays {
				s.Close()
			}
			if b.Run != nil {
				b.Run()
			}
		})
		if b.Main {
			made.Importance = widget.HighImportance
			first, s.main = made, made
		}
		line.Add(made)
	}
	if first == nil && len(line.Objects) > 0 {
		first = line.Objects[len(line.Objects)-1].(*Button)
	}
	foot := container.NewBorder(nil, nil, nil, line)
	inner := content
	if scrolled {
		inner = container.NewVScroll(content)
	}
	head := NewLine(title, 16, theme.ColorNameForeground)
	head.Style.Bold = true
	sheet := Inset(Bordered(12, head, inner, foot), GapWide, GapWide)
	s.Popup, s.Title = NewAsking(s.keys, sheet, c), title
	width := min(cmp.Or(s.Width, sheetWidth), c.Size().Width-4*Gap)
	s.Popup.Hidden = s.gone
	s.Popup.Show()
	s.Popup.SizeContent(fyne.NewSize(width, 0))
	content.Resize(fyne.NewSize(width-2*GapWide-4*GapSmall, content.MinSize().Height)) // a wrapped text needs its width first
	height := max(s.Height, content.MinSize().Height) + head.MinSize().Height + foot.MinSize().Height + 24 + 2*GapWide + 2*Gap
	s.Popup.SizeContent(fyne.NewSize(width, min(height, c.Size().Height-4*Gap)))
	if first != nil {
		c.Focus(first)
	}
	s.takeEscape(c)
}

// takeEscape has Escape close the sheet even where no widget of it has the keyboard, as
// after a click beside it.
func (s *Sheet) takeEscape(c fyne.Canvas) {
	before := c.OnTypedKey()
	s.before = before
	c.SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case e.Name == fyne.KeyEscape && s.Close():
		case before != nil:
			before(e)
		}
	})
}

// Close closes the sheet; false: there is none.
func (s *Sheet) Close() bool {
	open := s.Popup != nil
	if open {
		s.Popup.Hide()
	}
	return open
}

// gone follows that the sheet was closed.
func (s *Sheet) gone() {
	s.Popup.Canvas.SetOnTypedKey(s.before)
	s.Popup, s.Title = nil, ""
}
