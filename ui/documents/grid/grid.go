// Package grid shows the rows of a table: columns as wide as what is in them, within a limit, the row
// that names them and the first column always in view. A click on the name of a column sorts the rows
// by it. Only the cells in view are drawn, so that a table may be long.
package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Kind is what a row is for.
type Kind int

// The kinds of rows.
const (
	Values Kind = iota
	Names       // of the columns
	Title       // of what follows; it has one cell, as wide as the table
)

// Cell is what one column has in a row.
type Cell struct {
	Text   string
	Strong [][2]int // bytes of Text that stand out, in order
}

// Rows are what a grid shows. All are asked on the window's goroutine.
type Rows struct {
	Length func() int
	Kind   func(i int) Kind
	Cells  func(i int) []Cell
	Found  func(i int) bool // the row belongs to what was found
}

// Place is a cell. Its row is that of Rows, wherever it is shown.
type Place struct{ Row, Column int }

// None is no cell.
var None = Place{-1, -1}

// Grid shows rows. One cell may be picked: with a click or with the arrow keys.
type Grid struct {
	widget.BaseWidget

	Best    int                                // the row that is marked among those that were found; -1: none
	Picked  func(name, text string, some bool) // a person picked a cell, under a column of that name, or none any more
	Copied  func(text string)                  // a person copies the picked cell
	Has     func(keyboard bool)                // it got the keyboard by a key, or lost it
	Current Place

	wanted   Place // that was gone to, until a person scrolls
	keys     *kit.Keyboard
	rows     Rows
	sections []section
	order    []int          // the rows as they are shown, from the top; nil: as they are in Rows
	places   []int          // where each row is shown
	seen     map[int][]Cell // of the rows that were drawn last
	find     func(text string) [][2]int
	here     Place // the cell with the part that stands out most
	part     int   // its number among those of the cell
	focused  bool
	clicked  bool

	Scroll *container.Scroll
	area   *area
}

// New makes a grid without rows.
func New(keys *kit.Keyboard) *Grid {
	g := &Grid{
		Best: -1, Picked: func(string, string, bool) {}, Copied: func(string) {}, Has: func(bool) {},
		Current: None, wanted: None, here: None, keys: keys, rows: Rows{Length: func() int { return 0 }},
	}
	g.area = newArea(g)
	g.Scroll = container.NewScroll(g.area)
	g.Scroll.OnScrolled = func(fyne.Position) {
		g.hush()
		g.wanted = None
		g.draw()
	}
	g.ExtendBaseWidget(g)
	return g
}

// Set shows other rows from their beginning on.
func (g *Grid) Set(rows Rows) {
	g.rows, g.seen, g.Best, g.Current, g.wanted, g.here = rows, nil, -1, None, None, None
	g.sections, g.order, g.places = sectionsOf(rows), nil, nil
	g.Scroll.Offset = fyne.Position{}
	g.fit()
}

// ShowFound marks what find returns of the text of each cell: bytes, in order. The part with that number
// of a cell stands out most. Without find nothing is marked.
func (g *Grid) ShowFound(find func(text string) [][2]int, here Place, part int) {
	g.find, g.here, g.part = find, here, part
	g.draw()
}

// GoTo brings a cell into view.
func (g *Grid) GoTo(p Place) {
	if p.Row < 0 || p.Row >= g.rows.Length() {
		return
	}
	g.wanted = p
	size, high := g.Scroll.Size(), rowHeight()
	at, s := g.Scroll.Offset, g.sectionOf(p.Row)
	top := float32(g.placeOf(p.Row)) * high
	over := float32(0) // what the names of the columns hide
	if s.names >= 0 && p.Row > s.names {
		over = high
	}
	if top-over < at.Y {
		at.Y = top - over
	} else if top+high > at.Y+size.Height {
		at.Y = top - over - (size.Height-over)/3
	}
	kept := s.kept(size.Width) // the first column hides so much
	switch left, width := s.left(p.Column), s.width(p.Column); {
	case p.Column == 0 && kept > 0: // it is always in view
	case left >= at.X+kept && left+width <= at.X+size.Width: // it is in view
	case left+width <= size.Width:
		at.X = 0
	case left < at.X+kept:
		at.X = left - kept - kit.Gap
	default: // no further than it takes
		at.X = min(left-kept-kit.Gap, left+width+kit.Gap-size.Width)
	}
	g.scrollTo(at)
}

// scrollTo goes to a place, within what there is.
func (g *Grid) scrollTo(at fyne.Position) {
	whole, size := g.area.MinSize(), g.Scroll.Size()
	at.X = max(0, min(at.X, whole.Width-size.Width))
	at.Y = max(0, min(at.Y, whole.Height-size.Height))
	g.Scroll.Offset = at
	g.Scroll.Refresh()
	g.draw()
}

// pick picks a cell and brings it into view.
func (g *Grid) pick(p Place) {
	g.Current = p
	g.tell()
	g.GoTo(p)
	g.draw()
}

// hush takes away what the pointer was told.
func (g *Grid) hush() {
	if g.keys != nil {
		g.keys.Tip.Hide()
	}
}

// tell says which cell is picked.
func (g *Grid) tell() {
	p := g.Current
	if p.Row < 0 {
		g.Picked("", "", false)
		return
	}
	name := ""
	if s := g.sectionOf(p.Row); s.names >= 0 && s.names != p.Row {
		name = textOf(g.rows.Cells(s.names), p.Column)
	}
	g.Picked(name, textOf(g.rows.Cells(p.Row), p.Column), true)
}

func textOf(cells []Cell, column int) string {
	if column < 0 || column >= len(cells) {
		return ""
	}
	return cells[column].Text
}

// fit gives the columns their widths for the room that there is.
func (g *Grid) fit() {
	for i := range g.sections {
		g.sections[i].fit(g.Scroll.Size().Width - forBar)
	}
	g.area.Resize(g.area.MinSize().Max(g.Scroll.Size()))
	g.Scroll.Refresh()
	g.draw()
}

// Resize fits the columns into another width. The cell that was gone to stays in view.
func (g *Grid) Resize(size fyne.Size) {
	if size == g.Size() {
		return
	}
	wanted := g.wanted // also after the scroll has moved what no longer fits
	g.BaseWidget.Resize(size)
	g.fit()
	if wanted != None { // in another width it takes less scrolling, or more
		g.Scroll.Offset.X = 0
		g.GoTo(wanted)
	}
}

// Refresh draws the grid again, in the colours and sizes of now.
func (g *Grid) Refresh() {
	g.BaseWidget.Refresh()
	g.draw()
}

// MinSize is that of a few cells.
func (g *Grid) MinSize() fyne.Size { return fyne.NewSize(120, 3*rowHeight()) }

// CreateRenderer draws the scrolled area.
func (g *Grid) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.Scroll) }
