package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// sheetWidth is that of a sheet in a window that has room for it.
const sheetWidth float32 = 520

// sheet asks or shows something over the window. Escape closes it.
type sheet struct {
	keys  *keyboard
	over  func() fyne.CanvasObject // something of the window
	popup *widget.PopUp
	title string // of the one that is open
}

func newSheet(k *keyboard, over func() fyne.CanvasObject) *sheet { return &sheet{keys: k, over: over} }

// sheetButton is what can be done with a sheet; it closes it.
type sheetButton struct {
	name string
	run  func() // nil: only closes
	main bool   // the likely one, which Enter presses
}

// open shows a sheet. Scrolled content takes what room there is. The first main
// button has the keyboard, or else the last one.
func (s *sheet) open(title string, content fyne.CanvasObject, scrolled bool, buttons ...sheetButton) {
	s.close()
	c := fyne.CurrentApp().Driver().CanvasForObject(s.over())
	if c == nil {
		return
	}
	line := row(gap)
	var first *button
	for _, b := range buttons {
		made := newButton(s.keys, b.name, nil, func() {
			s.close()
			if b.run != nil {
				b.run()
			}
		})
		if b.main {
			made.Importance = widget.HighImportance
			first = made
		}
		line.Add(made)
	}
	if first == nil && len(line.Objects) > 0 {
		first = line.Objects[len(line.Objects)-1].(*button)
	}
	foot := container.NewBorder(nil, nil, nil, line)
	inner := content
	if scrolled {
		inner = container.NewVScroll(content)
	}
	head := newLine(title, 16, theme.ColorNameForeground)
	head.style.Bold = true
	sheet := inset(bordered(12, head, inner, foot), gapWide, gapWide)
	s.popup, s.title = widget.NewModalPopUp(sheet, c), title
	width := min(sheetWidth, c.Size().Width-4*gap)
	s.popup.Show()
	s.popup.Resize(fyne.NewSize(width, 0))
	content.Resize(fyne.NewSize(width-2*gapWide-4*gapSmall, content.MinSize().Height)) // a wrapped text needs its width first
	height := content.MinSize().Height + head.MinSize().Height + foot.MinSize().Height + 24 + 2*gapWide + 2*gap
	s.popup.Resize(fyne.NewSize(width, min(height, c.Size().Height-4*gap)))
	if first != nil {
		c.Focus(first)
	}
}

// close closes the sheet; false: there is none.
func (s *sheet) close() bool {
	open := s.popup != nil && s.popup.Visible()
	if s.popup != nil {
		s.popup.Hide()
	}
	s.popup, s.title = nil, ""
	return open
}
