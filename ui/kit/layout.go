package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// FixedWidth gives its one object a fixed width.
type FixedWidth struct{ Width float32 }

func (f *FixedWidth) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(f.Width, o[0].MinSize().Height)
}

func (f *FixedWidth) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// FixedHeight gives its one object a fixed height.
type FixedHeight struct{ Height float32 }

func (f *FixedHeight) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, f.Height)
}

func (f *FixedHeight) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// PanesLayout gives the controls on the left a width that suits the window and
// the results the rest.
type PanesLayout struct{ Slim bool } // the first has no more room than a list of names needs

func (PanesLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(max(250, a.Width)+12+b.Width, max(a.Height, b.Height))
}

func (l PanesLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := min(380, max(270, size.Width*0.3))
	if l.Slim {
		w = min(300, max(220, size.Width*0.22))
	}
	w = max(w, o[0].MinSize().Width)
	o[0].Resize(fyne.NewSize(w, size.Height))
	o[1].Move(fyne.NewPos(w+12, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-w-12), size.Height))
}

// ColumnsLayout stacks cards of different heights, in two columns where there
// is room for them. The first half of the cards is the first column.
type ColumnsLayout struct {
	Single bool // one column, a wide one, whatever the room
	width  float32
}

func (c *ColumnsLayout) columns() int {
	if c.width >= 2*settingsWidth && !c.Single {
		return 2
	}
	return 1
}

func (c *ColumnsLayout) place(o []fyne.CanvasObject, put func(o fyne.CanvasObject, at fyne.Position, size fyne.Size)) (height float32) {
	const space = 12
	n := c.columns()
	// The scroll bar has its place beside the cards.
	w := (c.width - GapWide - space*float32(n-1)) / float32(n)
	switch {
	case c.Single:
		w = min(w, 2*settingsWidth)
	case n == 1:
		w = min(w, 1.5*settingsWidth)
	}
	perColumn := (len(o) + n - 1) / n
	for k := range n {
		y := float32(0)
		for _, card := range o[k*perColumn : min(len(o), (k+1)*perColumn)] {
			card.Resize(fyne.NewSize(w, card.MinSize().Height)) // wrapped texts need their width first
			h := card.MinSize().Height
			put(card, fyne.NewPos(float32(k)*(w+space), y), fyne.NewSize(w, h))
			y += h + space
		}
		height = max(height, y-space)
	}
	return height
}

func (c *ColumnsLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	width := float32(0)
	for _, card := range o {
		width = max(width, card.MinSize().Width)
	}
	if c.width == 0 {
		c.width = width
	}
	return fyne.NewSize(width, c.place(o, func(fyne.CanvasObject, fyne.Position, fyne.Size) {}))
}

func (c *ColumnsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	c.place(o, func(card fyne.CanvasObject, at fyne.Position, size fyne.Size) {
		card.Move(at)
		card.Resize(size)
	})
}

// settingsWidth is the smallest width of a column of settings beside another.
const settingsWidth float32 = 480

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

// Capped makes its one object, a scroll, as high as its content, up to a limit.
type Capped struct{ Most float32 }

// underhang is how far letters such as g reach below the height of their line, where a scroll
// would cut them.
const underhang float32 = 2

func (c *Capped) MinSize(o []fyne.CanvasObject) fyne.Size {
	scroll := o[0].(*container.Scroll)
	if !scroll.Content.Visible() {
		return fyne.Size{}
	}
	return fyne.NewSize(40, min(c.Most, scroll.Content.MinSize().Height+underhang))
}

func (c *Capped) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// Cells puts its visible objects beside each other in cells of one size, in as many rows as the
// width needs.
type Cells struct {
	Least float32 // width of a cell; 0: that of the widest object
	width float32 // that it had last
}

// cell is the size of a cell at the least, and how many of n are in a row.
func (l *Cells) cell(o []fyne.CanvasObject) (cell fyne.Size, columns, n int) {
	for _, one := range o {
		if one.Visible() {
			cell, n = cell.Max(one.MinSize()), n+1
		}
	}
	if l.Least > 0 {
		cell.Width = l.Least
	}
	return cell, min(n, max(1, int((l.width+GapSmall)/(cell.Width+GapSmall)))), n
}

func (l *Cells) MinSize(o []fyne.CanvasObject) fyne.Size {
	cell, columns, n := l.cell(o)
	if n == 0 {
		return fyne.Size{}
	}
	rows := float32((n + columns - 1) / columns)
	return fyne.NewSize(cell.Width, rows*(cell.Height+GapSmall)-GapSmall)
}

func (l *Cells) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	cell, columns, _ := l.cell(o)
	cell.Width = (size.Width+GapSmall)/float32(columns) - GapSmall
	i := 0
	for _, one := range o {
		if one.Visible() {
			one.Move(fyne.NewPos(float32(i%columns)*(cell.Width+GapSmall), float32(i/columns)*(cell.Height+GapSmall)))
			one.Resize(cell)
			i++
		}
	}
}

// ByHeight has a function told the height of a container before each layout, so that it can
// leave out what there is no room for.
func ByHeight(c *fyne.Container, tell func(height float32)) *fyne.Container {
	c.Layout = &byHeight{c.Layout, tell}
	return c
}

type byHeight struct {
	whole fyne.Layout
	tell  func(height float32)
}

func (l *byHeight) MinSize(o []fyne.CanvasObject) fyne.Size { return l.whole.MinSize(o) }

func (l *byHeight) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.tell(size.Height)
	l.whole.Layout(o, size)
}

// UpTo has a container ask for that height at most. What it shows where it is higher must not keep
// the window from getting small.
func UpTo(height float32, c *fyne.Container) *fyne.Container {
	c.Layout = &upTo{c.Layout, height}
	return c
}

type upTo struct {
	whole fyne.Layout
	most  float32
}

func (l *upTo) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := l.whole.MinSize(o)
	return fyne.NewSize(m.Width, min(m.Height, l.most))
}

func (l *upTo) Layout(o []fyne.CanvasObject, size fyne.Size) { l.whole.Layout(o, size) }

// UpperMiddle puts its visible objects below each other in the middle, so far from the upper
// edge.
type UpperMiddle struct{ Top float32 }

func (UpperMiddle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (u UpperMiddle) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := u.Top
	for _, one := range o {
		if !one.Visible() {
			continue
		}
		m := one.MinSize()
		m.Width = min(m.Width, size.Width-2*Gap)
		one.Resize(m)
		one.Move(fyne.NewPos((size.Width-m.Width)/2, y))
		y += m.Height + Gap
	}
}

// LowerRight puts its visible objects over each other into the lower right corner.
type LowerRight struct{ Margin float32 }

func (LowerRight) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (l LowerRight) Layout(o []fyne.CanvasObject, size fyne.Size) {
	for _, one := range o {
		m := one.MinSize()
		m.Width = min(m.Width, size.Width-2*l.Margin)
		one.Resize(m)
		one.Move(fyne.NewPos(size.Width-l.Margin-m.Width, size.Height-l.Margin-m.Height))
	}
}

// LowerMiddle puts its visible objects above each other at the lower edge, in the middle.
type LowerMiddle struct{}

func (LowerMiddle) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (LowerMiddle) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := size.Height - Gap
	for i := len(o) - 1; i >= 0; i-- {
		if !o[i].Visible() {
			continue
		}
		m := o[i].MinSize()
		m.Width = min(m.Width, size.Width-2*Gap)
		y -= m.Height
		o[i].Resize(m)
		o[i].Move(fyne.NewPos((size.Width-m.Width)/2, y))
		y -= Gap
	}
}
