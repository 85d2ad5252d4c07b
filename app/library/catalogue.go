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

// CatalogueDownload is one way to get a model of the catalogue.
type CatalogueDownload = catalogue.Download
