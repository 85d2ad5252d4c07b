package textlist

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// menu offers what can be done with the text in row i.
func (l *List) menu(i int, at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(l.Rows)
	if c == nil || i >= len(l.texts.items) {
		return
	}
	l.Rows.Pick(i)
	it := l.texts.items[i]
	items := l.Offers(it.id)
	if l.Menu != nil {
		items = append(l.Menu(it.id), items...)
	}
	if it.picture == nil {
		items = append([]*fyne.MenuItem{fyne.NewMenuItem("Copy text", func() { l.copy(it.text) })}, items...)
	}
	kit.ShowMenu(l.host.Keys, c, items, at, 0)
}

// copy copies a text, unless it is too long for the clipboard.
func (l *List) copy(text string) {
	if kit.ToClipboard(text) {
		l.host.Tell("Copied the text.")
	} else {
		l.host.Tell("The text is too long to be copied; save it in a file instead.")
	}
}

// Offers are the changes of a text of the list that a menu can offer.
func (l *List) Offers(id int) []*fyne.MenuItem {
	i := l.texts.Index(id)
	if i < 0 {
		return nil
	}
	var items []*fyne.MenuItem
	if l.texts.items[i].picture == nil {
		items = append(items, fyne.NewMenuItem("Edit…", func() { l.edit(id) }))
	}
	return append(items, fyne.NewMenuItem("Delete", func() { l.remove(id) }))
}

// Remove deletes a text, and Undo brings it back.
func (l *List) Remove(id int) { l.remove(id) }

// RemoveAll deletes some texts at once, and one Undo brings them back.
func (l *List) RemoveAll(ids []int) {
	l.StopEditing()
	if l.texts.removeAll(ids) > 0 {
		l.edited(true)
		l.Chosen(l.Selected)
	}
}
