package documents

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// Fits reports whether a collection can be searched by meaning with a model; why not.
func Fits(m library.Model) (why string, ok bool) {
	if len(embedders([]library.Model{m})) == 0 {
		return m.Name + " is not made for comparing texts by their meaning.", false
	}
	return "", true
}

// Use asks which collection this model is to search by meaning. Its files are read again then, so
// nothing begins before a person says so.
func (p *Panel) Use(m library.Model) {
	p.Work(func(ctx context.Context) {
		all, err := p.library.Collections(ctx)
		p.Do(func() {
			if err = errors.Join(err, ctx.Err()); err != nil {
				p.fail(err)
				return
			}
			p.askFor(m, p.inView(all))
		})
	})
}

// askFor asks which of these collections a model is to search.
func (p *Panel) askFor(m library.Model, all []documents.Collection) {
	if len(all) == 0 {
		p.sheet.Open("There are no documents yet", kit.NewParagraph("Add a folder or files first. Then “"+manageName+"” lets you choose "+m.Title()+" for them.", theme.ColorNameForeground).Flat, false, kit.SheetButton{Name: "Close", Main: true})
		return
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	choice := kit.NewChoice(p.Keys, nil, nil)
	choice.Offer(names, max(0, slices.IndexFunc(all, func(c documents.Collection) bool { return c.ID == p.chosen })))
	content := kit.Column(kit.Gap, kit.Column(2, kit.NewName("Collection"), choice),
		kit.NewParagraph("All its files are read again with this model, in the background. You can search meanwhile.", kit.ColorMuted).Flat)
	p.sheet.Open("Search by meaning with "+m.Title(), content, false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Use it", Main: true, Run: func() {
			if i := choice.SelectedIndex(); i >= 0 {
				p.setModel(all[i], m)
			}
		}})
}
