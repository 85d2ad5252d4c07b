package documents

import (
	"context"
	"slices"

	"inglenook/app/documents"
	"inglenook/ui/panel"
)

// SearchFiles leads to files, with a question to them. Those that no collection has are added; those
// that are there already are searched where they are.
func (p *Panel) SearchFiles(paths []string, question string) {
	p.ShowError(nil)
	p.focusField()
	look := func(collection string) {
		if question == "" {
			p.choose(collection)
			return
		}
		p.SearchFor(collection, question)
	}
	p.Work(func(ctx context.Context) {
		all, err := p.library.Collections(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			at, missing := holding(p.inView(all), paths)
			if len(missing) == 0 {
				p.Tell("What you attached is among your documents already.")
				look(at)
				return
			}
			p.add(p.takes(), missing, func(to documents.Collection) {
				p.Tell(addedText(panel.Dropped{Files: missing}, to.Name))
				look(to.ID)
			})
		})
	})
}

// holding returns the collection that has the most of some files; "": none has one. missing are those
// that none has.
func holding(all []documents.Collection, paths []string) (id string, missing []string) {
	most := 0
	missing = slices.Clone(paths)
	for _, c := range all {
		n := 0
		for _, path := range paths {
			if slices.ContainsFunc(c.Folders, func(f documents.Folder) bool { return f.Holds(path) }) {
				n++
				missing = slices.DeleteFunc(missing, func(m string) bool { return m == path })
			}
		}
		if n > most {
			id, most = c.ID, n
		}
	}
	return id, missing
}
