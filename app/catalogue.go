package app

import "inglenook/catalogue"

// CatalogueEntry is a hand-picked model.
type CatalogueEntry = catalogue.Entry

// Catalogue lists models worth having. No connection is opened for it.
func (a *App) Catalogue() []CatalogueEntry {
	list, err := catalogue.Entries()
	if err != nil {
		a.log.Error("catalogue", "error", err) // its test has read it
	}
	return list
}

// Catalogued returns the entry of a Hub id; false: there is none.
func (a *App) Catalogued(id string) (CatalogueEntry, bool) {
	return catalogue.Find(a.Catalogue(), id)
}
