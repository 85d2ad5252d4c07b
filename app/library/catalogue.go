package library

import "inglenook/catalogue"

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

// Title is what a person calls the model: a repository of the catalogue has its name there.
func (m Model) Title() string {
	if m.Source == SourceHubCache {
		if e, ok := catalogue.OfRepo(m.ID); ok {
			return e.Name
		}
	}
	return m.Name
}

// CatalogueDownload is one way to get a model of the catalogue.
type CatalogueDownload = catalogue.Download
