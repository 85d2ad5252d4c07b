package prose

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

// press is the last time that the mouse button went down.
type press struct {
	at    fyne.Position
	when  time.Time
	count int  // of clicks at the same place
	down  bool // the button still is
	moved bool // since it went down
}

// clickReach is how far apart two clicks may be that are one double click.
const clickReach float32 = 4

// MouseDown begins to select: with the second click words, with the third
// blocks.
func (p *Text) MouseDown(e *desktop.MouseEvent) {
	p.take(true)
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	near := e.Position.Subtract(p.press.at)
	again := time.Since(p.press.when) < kit.DoubleClick && max(near.X, -near.X, near.Y, -near.Y) < clickReach
	count := 1
	if again {
		count = p.press.count%3 + 1
	}
	p.press = press{at: e.Position, when: time.Now(), count: count, down: true}
	spot := p.spotAt(e.Position.X, e.Position.Y)
	p.Selects()
	if e.Modifier&fyne.KeyModifierShift != 0 && p.Mark.on {
		p.Mark.head = spot
	} else {
		p.Mark = Marked{anchor: spot, head: spot, unit: unit(count - 1), on: true}
	}
	p.Draw()
}

// MouseUp follows a link if nothing was selected in between.
func (p *Text) MouseUp(e *desktop.MouseEvent) {
	was := p.press
	p.press.down = false
	if e.Button != desktop.MouseButtonPrimary || !was.down || was.moved || was.count > 1 {
		return
	}
	if l := p.linkAt(e.Position); l != nil {
		p.Mark = Marked{}
		p.openLink(l.Address)
	}
}

// Dragged selects up to the pointer.
func (p *Text) Dragged(e *fyne.DragEvent) {
	if !p.press.down {
		return
	}
	p.press.moved = true
	p.reveal(e.Position.Y)
	if head := p.spotAt(e.Position.X, e.Position.Y); head != p.Mark.head {
		p.Mark.head = head
		p.Draw()
	}
}

// DragEnd ends the selecting.
func (p *Text) DragEnd() { p.press.down = false }

// MouseIn is where the pointer comes from.
func (p *Text) MouseIn(e *desktop.MouseEvent) {
	p.hover = e.Position
	p.Near(true)
}

// MouseMoved remembers where the pointer is, for its shape, and tells of what the program
// put there.
func (p *Text) MouseMoved(e *desktop.MouseEvent) {
	p.hover = e.Position
	p.Over(p.put(e.Position), e.AbsolutePosition)
}

// MouseOut tells that the pointer left.
func (p *Text) MouseOut() {
	p.Over("", fyne.Position{})
	p.Near(false)
}

// put returns what the program put at a point: the address of a reference, [Doubted] or "".
func (p *Text) put(at fyne.Position) string {
	switch r := p.runAt(at); {
	case r == nil:
	case r.ref:
		return r.link.Address
	case r.doubted:
		return Doubted
	}
	return ""
}

// Cursor is a hand over links and a bar over text.
func (p *Text) Cursor() desktop.Cursor {
	if p.linkAt(p.hover) != nil {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}

// linkAt is the link under a point.
func (p *Text) linkAt(at fyne.Position) *markdown.Link {
	if r := p.runAt(at); r != nil {
		return r.link
	}
	return nil
}

// runAt is the text of one look under a point; nil: there is none.
func (p *Text) runAt(at fyne.Position) *run {
	for _, s := range p.sets {
		if at.Y < s.top || at.Y > s.top+s.height {
			continue
		}
		for i := range s.pieces {
			line := &s.pieces[i]
			if y := at.Y - s.top; y < line.y || y > line.y+line.height {
				continue
			}
			for k := range line.runs {
				if r := &line.runs[k]; at.X >= r.x && at.X <= r.x+r.width {
					return r
				}
			}
		}
	}
	return nil
}

// TappedSecondary offers what can be done with the text.
func (p *Text) TappedSecondary(e *fyne.PointEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p)
	if c == nil {
		return
	}
	kit.ShowMenu(p.keys, c, p.menu(p.formulaUnder(e.Position)), e.AbsolutePosition, 0)
}

// formulaUnder is the source of the formula under a point; "": there is none.
func (p *Text) formulaUnder(at fyne.Position) string {
	r := p.runAt(at)
	if r == nil || r.math == nil {
		return ""
	}
	for _, s := range p.sets {
		if at.Y >= s.top && at.Y <= s.top+s.height {
			for _, m := range s.maths {
				if r.start >= m[0] && r.end <= m[1] {
					return s.text[m[0]:m[1]]
				}
			}
		}
	}
	return ""
}

// menu is what can be done with the text, and with the formula under the pointer.
func (p *Text) menu(formula string) []*fyne.MenuItem {
	_, _, some := p.selection()
	copySelected := fyne.NewMenuItem("Copy", p.copySelection)
	copySelected.Disabled = !some
	items := []*fyne.MenuItem{copySelected}
	if formula != "" {
		items = append(items, fyne.NewMenuItem("Copy formula", func() { p.Copy(formula, "formula.tex") }))
	}
	if p.Source != "" {
		items = append(items, fyne.NewMenuItem("Copy as Markdown", func() { p.Copy(p.Source, "message.md") }))
	}
	if p.Offers != nil {
		items = append(items, p.Offers(p.SelectedText())...)
	}
	return append(items, fyne.NewMenuItem("Select all", p.selectAll))
}

// copySelection copies what is selected, or the whole message.
func (p *Text) copySelection() {
	text := p.SelectedText()
	if text == "" {
		text = p.plainText()
	}
	p.Copy(text, "message.txt")
}

// copyCode copies a block of code.
func (p *Text) copyCode(c *markdown.Code) {
	if p.Copy(c.Text, "code.txt") {
		p.copied = c
		p.Draw()
	}
}

// take focuses the message.
func (p *Text) take(byMouse bool) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil && c.Focused() != p {
		p.byMouse = byMouse
		c.Focus(p)
	}
}

// Disable has the Tab key go past the text, where what it stands in is reached with it. A click
// still gives it the keyboard.
func (p *Text) Disable() { p.passed = true }

// Enable has the Tab key stop at the text.
func (p *Text) Enable() { p.passed = false }

// Disabled reports whether the Tab key goes past the text. From the one that has the keyboard
// it goes on.
func (p *Text) Disabled() bool { return p.passed && !p.focused }

// FocusGained shows the frame of the keyboard.
func (p *Text) FocusGained() {
	p.focused = true
	p.Draw()
}

// FocusLost hides it.
func (p *Text) FocusLost() {
	p.focused, p.byMouse, p.link = false, false, nil
	p.Draw()
}

// TypedRune does nothing: messages are not edited here.
func (p *Text) TypedRune(rune) {}

// TypedKey goes from link to link with the arrows and follows one with Enter. Where there are no
// links, the arrows move the formulas that are too wide.
func (p *Text) TypedKey(e *fyne.KeyEvent) {
	switch {
	case p.keys.Key(e):
	case e.Name == fyne.KeyRight:
		p.nextLink(1)
	case e.Name == fyne.KeyLeft:
		p.nextLink(-1)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && p.link != nil:
		p.openLink(p.link.Address)
	case p.Rest != nil:
		p.Rest(e)
	}
}

// nextLink chooses the link that is step further on than the chosen one.
func (p *Text) nextLink(step int) {
	var links []*markdown.Link
	var tops []float32
	chosen := -1
	for _, s := range p.sets {
		for i := range s.pieces {
			for _, r := range s.pieces[i].runs {
				if r.link == nil || len(links) > 0 && links[len(links)-1] == r.link {
					continue
				}
				if r.link == p.link {
					chosen = len(links)
				}
				links, tops = append(links, r.link), append(tops, s.top+s.pieces[i].y)
			}
		}
	}
	if len(links) == 0 {
		p.moveMaths(float32(step) * movedByKey)
		return
	}
	if chosen < 0 && step < 0 {
		chosen = 0
	}
	chosen = (chosen + step + len(links)) % len(links)
	p.link = links[chosen]
	p.reveal(tops[chosen])
	p.Draw()
}

// TypedShortcut copies and selects, and leaves the rest to the window.
func (p *Text) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutCopy:
		p.copySelection()
	case *fyne.ShortcutSelectAll:
		p.selectAll()
	default:
		p.keys.Typed(s)
	}
}
