package sources

import (
	"slices"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// MenuHost is what the choice of a collection leads to.
type MenuHost struct {
	Keys   *kit.Keyboard
	Choose func(id string) // ""; ask no documents
	Add    func()          // leads to where documents are added
}

// ShowMenu offers the collections above an object, the chosen one ticked.
func ShowMenu(over fyne.CanvasObject, all []documents.Collection, chosen string, h MenuHost) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(over)
	if c == nil {
		return
	}
	var items []*fyne.MenuItem
	if every, _ := Called(all, chat.AllCollections); len(all) > 1 {
		all = append([]documents.Collection{every}, all...)
	}
	for _, one := range all {
		name := kit.Ellipsize(one.Name, 260, kit.TextBody, fyne.TextStyle{}) + " · " + kit.Count(one.Files, "file")
		item := fyne.NewMenuItem(name, func() { h.Choose(one.ID) })
		item.Checked = one.ID == chosen
		items = append(items, item)
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Add documents…", h.Add))
	if chosen != "" {
		items = append(items, fyne.NewMenuItem("Ask no documents", func() { h.Choose("") }))
	}
	kit.ShowMenu(h.Keys, c, items, driver.AbsolutePositionForObject(over).SubtractXY(0, kit.MenuHeight(items)+4), 0)
}

// Called returns the collection of an id or a name, or all of them as one; false: there is none.
func Called(all []documents.Collection, id string) (documents.Collection, bool) {
	if id == chat.AllCollections {
		every := documents.Together(all)
		every.ID = id
		return every, len(all) > 0
	}
	i := slices.IndexFunc(all, func(c documents.Collection) bool { return c.ID == id })
	if i < 0 {
		i = slices.IndexFunc(all, func(c documents.Collection) bool { return c.Name == id })
	}
	if i < 0 {
		return documents.Collection{}, false
	}
	return all[i], true
}
