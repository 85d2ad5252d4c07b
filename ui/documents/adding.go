package documents

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
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

// Drop adds files and folders to the collection in view, and shows those that are there already.
func (p *Panel) Drop(d panel.Dropped) {
	paths := append(slices.Clone(d.Folders), d.Files...)
	if len(paths) == 0 {
		return
	}
	name := p.takes()
	p.Work(func(ctx context.Context) {
		there, err := p.library.Had(ctx, name, paths)
		if err != nil { // to add them fails with the same, and says so
			there = nil
		}
		p.Do(func() { p.addRest(name, d, paths, there) })
	})
}

// addRest adds what of paths is not there.
func (p *Panel) addRest(name string, d panel.Dropped, paths []string, there []documents.Had) {
	there, paths = p.split(paths, there)
	if len(paths) == 0 {
		p.Tell(hadText(there))
		p.showHad(there)
		return
	}
	d = d.Of(paths)
	_, chosen := p.collection()
	p.add(name, paths, func(to documents.Collection) {
		p.Tell(addedText(d, to.Name) + alsoThere(len(there)))
		if !chosen && len(d.Folders) == 0 { // nobody named the collection
			p.back = nil
			p.toast.Offer("Added "+kit.Count(len(paths), "file")+" to “"+to.Name+"”.", "Rename…", theme.DocumentCreateIcon(), func() {
				p.toast.Hide()
				p.showDetails(to)
			})
		}
	})
}

// split parts what is to be added into what is there, in a collection that is in view, and what is missing.
func (p *Panel) split(paths []string, had []documents.Had) (there []documents.Had, missing []string) {
	there = slices.DeleteFunc(had, func(h documents.Had) bool { return p.hidden[h.Collection.ID] })
	for _, path := range paths {
		if !slices.ContainsFunc(there, func(h documents.Had) bool { return h.Path == path }) {
			missing = append(missing, path)
		}
	}
	return there, missing
}

// showHad shows what was to be added and is there: a file as a document, and of more the collection that has them.
func (p *Panel) showHad(there []documents.Had) {
	first := there[0]
	if len(there) == 1 && first.File.Path != "" {
		p.panes.Front(panel.PaneResult)
		p.showDocument(first.File, first.Collection)
		return
	}
	for _, h := range there {
		if h.Collection.ID != first.Collection.ID {
			return
		}
	}
	p.choose(first.Collection.ID)
}

// hadText says that all that was to be added is there.
func hadText(there []documents.Had) string {
	name := "“" + kit.Brief(there[0].Collection.Name) + "”"
	for _, h := range there {
		if h.Collection.ID != there[0].Collection.ID {
			name = "your collections"
		}
	}
	if len(there) > 1 {
		all := "All " + strconv.Itoa(len(there))
		if len(there) == 2 {
			all = "Both"
		}
		return all + " are in " + name + " already. Changes in them are noticed."
	}
	what := "“" + kit.Brief(filepath.Base(there[0].Path)) + "”"
	if there[0].File.Path == "" {
		what = "The folder " + what
	}
	return what + " is in " + name + " already. Changes in it are noticed."
}

// alsoThere says how many were not added, as they are there.
func alsoThere(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " 1 was there already."
	}
	return " " + strconv.Itoa(n) + " were there already."
}

// addedText says what was added to the collection of a name.
func addedText(d panel.Dropped, name string) string {
	to := " to “" + kit.Brief(name) + "”. "
	switch folders, files := len(d.Folders), len(d.Files); {
	case folders == 0:
		return "Added " + kit.Count(files, "file") + to + "Nothing is moved or copied."
	case folders == 1 && files == 0 && filepath.Base(d.Folders[0]) == name:
		return "Added the folder “" + name + "”. Changes in it are noticed."
	case folders == 1 && files == 0:
		return "Added the folder “" + filepath.Base(d.Folders[0]) + "”" + to + "Changes in it are noticed."
	case files == 0:
		return "Added " + kit.Count(folders, "folder") + to + "Changes in them are noticed."
	default:
		return "Added " + kit.Count(folders, "folder") + " and " + kit.Count(files, "file") + to + "Nothing is moved or copied."
	}
}

// addPaths adds what a person has chosen, a folder with a model too.
func (p *Panel) addPaths(paths []string) {
	p.Drop(asDocuments(paths))
}

// asDocuments sorts what a person has chosen; a folder with a model is a folder like others.
func asDocuments(paths []string) panel.Dropped {
	d := panel.Sorted(paths)
	return panel.Dropped{Folders: append(d.Folders, d.Models...), Files: d.Files}
}
