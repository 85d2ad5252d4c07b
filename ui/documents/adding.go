package documents

import (
	"strings"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// newCollection asks for the name of a collection, and then for what it holds. Without a name a folder gives it its
// own.
func (p *Panel) newCollection() {
	name := kit.NewEntry(p.Keys)
	name.SetPlaceHolder("For example: Contracts")
	add := func(paths []string) { p.addNew(strings.TrimSpace(name.Text), paths) }
	folder := func() { p.Files().OpenFolder(func(path string) { add([]string{path}) }) }
	name.Submit = func() { p.sheet.Close(); folder() }
	about := "A collection is folders and files that are searched together. They stay where they are, and may be in other collections too."
	p.sheet.Open("New collection", kit.Column(kit.Gap, kit.NewParagraph(about, theme.ColorNameForeground).Flat, kit.Column(2, kit.NewName("Name"), name)), false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Choose files…", Run: func() { p.Files().OpenSeveral(add) }}, kit.SheetButton{Name: "Choose a folder…", Main: true, Run: folder})
	p.Focus(name)
}

// addNew makes the collection of a name cover what was chosen for it, and searches in it from now on.
func (p *Panel) addNew(name string, paths []string) {
	p.add(name, paths, func(to documents.Collection) {
		p.Tell(addedText(asDocuments(paths), to.Name))
		p.chosen = to.ID
	})
}
