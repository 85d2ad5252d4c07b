package search

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"inglenook/documents/store"
)

// Names of copies without their ending, as file managers and people give them: "lease (1)", "lease - Copy (2)",
// "Copy of lease", "Kopie von lease". A number of more digits is a year.
var (
	copiedEnd   = regexp.MustCompile(`(?i)([ _.-]|\()(copy|backup|bak|kopie|copie|copia)([ _-]?\(?\d+\)?)?\)?$| ?\(\d{1,2}\)$`)
	copiedBegin = regexp.MustCompile(`(?i)^(another )?(copy|backup|kopie|copie|copia)( \(?\d+\)?)? (of|von|de|di) `)
)

// IsCopy reports whether the name of a file says that it is a copy of another one.
func IsCopy(path string) bool {
	name := filepath.Base(path)
	if strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".bak") { // as editors name them
		return true
	}
	name = strings.TrimSuffix(name, filepath.Ext(name))
	return copiedEnd.MatchString(name) || copiedBegin.MatchString(name)
}

// originalsFirst puts the files of the same bytes that are no copies by their names first.
func originalsFirst(files []store.File) {
	slices.SortStableFunc(files, func(a, b store.File) int {
		switch one, other := IsCopy(a.Path), IsCopy(b.Path); {
		case one == other:
			return 0
		case one:
			return 1
		}
		return -1
	})
}
