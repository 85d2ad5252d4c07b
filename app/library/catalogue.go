package library

import (
	"path/filepath"
	"strings"

	"inglenook/catalogue"
)

// CatalogueEntry is a hand-picked model.
type CatalogueEntry = catalogue.Entry

// Catalogue lists models worth having. No connection is opened for it.
func (l *Service) Catalogue() []CatalogueEntry {
	list, err := catalogue.Entries()
	if err != nil {
		l.log.Error("catalogue", "error", err) // its test has read it
	}
	return list
}

// Title is what a person calls the model: a repository of the catalogue has its name there. Of
// a repository that is here in several forms, each is called by its type as well.
func (m Model) Title() string {
	if m.ID == StarterChat || m.ID == "" && m.Name == StarterChat {
		return GuideName
	}
	if m.Source != SourceHubCache {
		return m.Name
	}
	repo, form := m.Name, ""
	if parts := strings.SplitN(m.Name, "/", 3); len(parts) == 3 {
		repo, form = parts[0]+"/"+parts[1], parts[2]
	}
	e, known := catalogue.OfRepo(repo)
	switch {
	case !known:
		return m.Name
	case form == "":
		return e.Name
	}
	for _, d := range e.Downloads {
		if d.File == form {
			form = d.Type
		}
	}
	return e.Name + ", " + strings.TrimSuffix(form, ".gguf")
}

// GuideName is what a person calls the tiny model that comes with the program and knows it.
const GuideName = "Inglenook guide"

// TitleOf is what a person calls the model of an id: a Hub id, or the path of a folder or file.
func TitleOf(id string) string {
	if filepath.IsAbs(id) {
		return filepath.Base(id)
	}
	return Model{Name: id, Source: SourceHubCache}.Title()
}

// CatalogueDownload is one way to get a model of the catalogue.
type CatalogueDownload = catalogue.Download
