package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Wrap puts objects beside one another at their smallest size, in as many rows
// as their width needs.
type Wrap struct {
	Gap   float32
	width float32 // that it had last
}

func (l *Wrap) place(o []fyne.CanvasObject, put func(fyne.CanvasObject, fyne.Position, fyne.Size)) (height float32) {
	x, y, row := float32(0), float32(0), float32(0)
	for _, one := range o {
		if !one.Visible() {
			continue
		}
		size := one.MinSize()
		if x > 0 && x+size.Width > l.width {
			x, y, row = 0, y+row+l.Gap, 0
		}
		put(one, fyne.NewPos(x, y), size)
		x, row = x+size.Width+l.Gap, max(row, size.Height)
	}
	return y + row
}

// MinSize is as high as the rows of the last width are.
func (l *Wrap) MinSize(o []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, one := range o {
		width = max(width, one.MinSize().Width)
	}
	return fyne.NewSize(width, l.place(o, func(fyne.CanvasObject, fyne.Position, fyne.Size) {}))
}

// Layout places the objects.
func (l *Wrap) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.place(o, func(one fyne.CanvasObject, at fyne.Position, s fyne.Size) {
		one.Move(at)
		one.Resize(s)
	})
}

// WithTail puts a name at the left, a remark in the middle and a figure at the right.
func WithTail(name, remark, figure fyne.CanvasObject) fyne.CanvasObject {
	tail := container.New(&FixedWidth{64}, figure)
	if remark == nil {
		return container.NewBorder(nil, nil, nil, tail, name)
	}
	return container.NewBorder(nil, nil, nil, tail, container.NewGridWithColumns(2, name, remark))
}
