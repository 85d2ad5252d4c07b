package rerank

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// menu offers what can be done with the text in a row of the results.
func (p *Panel) menu(row int, at fyne.Position) {
	rows := p.results.picture.rows
	c := fyne.CurrentApp().Driver().CanvasForObject(rows)
	if c == nil || p.found == nil {
		return
	}
	rows.Pick(row)
	text := p.results.shownTexts()[row]
	kit.ShowMenu(p.Keys, c, p.offers(text), at, 0)
}

// offers are the ways to go on with a text of the results. One that is off the list since can be copied.
func (p *Panel) offers(text int) []*fyne.MenuItem {
	line, id := p.found.lines[text], p.found.asked.ids[text]
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy text", func() {
			if p.Copy(line, "text.txt") {
				p.Tell("Copied the text.")
			}
		}),
		fyne.NewMenuItem("Use as the question", func() {
			p.write(line)
			p.focusQuestion()
		}),
	}
	if of := p.texts.SourceOf(id); of.File != "" {
		items = append(items, fyne.NewMenuItem(leadsTo(of), func() { p.show(id, of) }))
	}
	if p.texts.Index(id) >= 0 {
		items = append(items, p.list.Offers(id)...)
	}
	return items
}
