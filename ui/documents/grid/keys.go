package grid

import "fyne.io/fyne/v2"

// FocusGained picks a cell in view where none is picked and the keyboard came by a key.
func (g *Grid) FocusGained() {
	g.focused = true
	if g.Current == None && !g.clicked && g.rows.Length() > 0 {
		g.Current = g.inView()
		g.tell()
	}
	g.Has(!g.clicked)
	g.draw()
}

// inView is a cell to begin at: the marked one, or the first that nothing hides.
func (g *Grid) inView() Place {
	if g.Best >= 0 {
		return Place{g.Best, 0}
	}
	row := int(g.Scroll.Offset.Y / rowHeight())
	if g.Scroll.Offset.Y > 0 {
		row += 2
	}
	return Place{g.rowAt(min(row, g.rows.Length()-1)), 0}
}

// FocusLost takes the ring away.
func (g *Grid) FocusLost() {
	g.focused = false
	g.Has(false)
	g.draw()
}

// TypedRune does nothing: cells take no text.
func (g *Grid) TypedRune(rune) {}

// TypedKey goes from cell to cell. Enter sorts by the column.
func (g *Grid) TypedKey(e *fyne.KeyEvent) {
	if g.keys.Key(e) || g.rows.Length() == 0 {
		return
	}
	p, page, last := g.Current, max(1, int(g.Scroll.Size().Height/rowHeight())-2), g.rows.Length()-1
	if p == None {
		p = g.inView()
	}
	place := g.placeOf(p.Row)
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		g.sortBy(g.sectionOf(p.Row), p.Column)
		return
	case fyne.KeyUp:
		place--
	case fyne.KeyDown:
		place++
	case fyne.KeyLeft:
		p.Column--
	case fyne.KeyRight:
		p.Column++
	case fyne.KeyPageUp:
		place -= page
	case fyne.KeyPageDown:
		place += page
	case fyne.KeyHome:
		place = 0
	case fyne.KeyEnd:
		place = last
	default:
		return
	}
	p.Row = g.rowAt(max(0, min(place, last)))
	p.Column = max(0, min(p.Column, len(g.sectionOf(p.Row).widths)-1))
	if g.rows.Kind(p.Row) == Title {
		p.Column = 0
	}
	g.pick(p)
}

// TypedShortcut copies the picked cell, and gives the window's shortcuts to the window.
func (g *Grid) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutCopy); ok && g.Current != None {
		g.Copied(textOf(g.rows.Cells(g.Current.Row), g.Current.Column))
		return
	}
	g.keys.Typed(s)
}
