package ui

import (
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// choose has a person pick one of several names, over the room in view.
func (s *shell) choose(title string, names []string, picked func(i int)) {
	list := kit.Column(kit.GapSmall)
	for i, name := range names {
		list.Add(kit.NewButton(s.keys, kit.Brief(name), theme.FileIcon(), func() {
			s.sheet.Close()
			picked(i)
		}))
	}
	s.sheet.Open(title, list, true, kit.SheetButton{Name: "Cancel"})
}
