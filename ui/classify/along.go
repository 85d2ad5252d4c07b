package classify

import "fyne.io/fyne/v2"

// Own are the texts of a person on the list; none where samples are among them.
func (p *Page) Own() []string { return p.texts.Own() }

// Take puts other texts in the place of these, and Undo brings them back.
func (p *Page) Take(lines []string) { p.list.Replace(lines) }

// OnCompare says what compares texts with each other.
func (p *Page) OnCompare(compare func(lines []string)) { p.compare = compare }

// compareItem takes the texts over to where they are compared, whatever is there.
func (p *Page) compareItem() *fyne.MenuItem {
	lines := p.texts.Written()
	item := fyne.NewMenuItem("Compare these texts", func() { p.compare(lines) })
	item.Disabled = len(lines) == 0
	return item
}
