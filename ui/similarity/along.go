package similarity

import "fyne.io/fyne/v2"

// bringAlong takes a person's texts over to the area that comes into view, where that has none but samples.
func (p *Panel) bringAlong(classify bool) {
	here, there := p.texts.Own(), p.page.Own()
	switch {
	case classify && len(here) > 0 && len(there) == 0:
		p.page.Take(here)
	case !classify && len(there) > 0 && len(here) == 0:
		p.list.Replace(there)
	}
}

// classifyItem takes the texts over to the other area, whatever that has.
func (p *Panel) classifyItem() *fyne.MenuItem {
	lines := p.texts.Written()
	item := fyne.NewMenuItem("Classify these texts", func() {
		p.page.Take(lines)
		p.turnTo(areaClassify)
	})
	item.Disabled = len(lines) == 0
	return item
}

// compareThese puts the texts of the other area in the place of those here.
func (p *Panel) compareThese(lines []string) {
	p.list.Replace(lines)
	p.turnTo(areaCompare)
}
