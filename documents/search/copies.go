package search

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"inglenook/documents/store"
)

// Names of copies, as file managers and people give them: "lease (1)", "lease - Copy (2)", "Copy of lease",
// "Kopie von lease".
var (
	copiedEnd   = regexp.MustCompile(`(?i)([ _-]|\()(copy|kopie|copie|copia)( ?\(?\d+\)?)?\)?$| ?\(\d+\)$`)
	copiedBegin = regexp.MustCompile(`(?i)^(copy of|kopie von|copie de|copia de|copia di) `)
)

// IsCopy reports whether the name of a file says that it is a copy of another one.
func IsCopy(path string) bool {
	name := filepath.Base(path)
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

// isCopy reports whether a passage is known from copies alone, by their names.
func (r Result) isCopy() bool {
	return !slices.ContainsFunc(r.Files, func(f store.File) bool { return !IsCopy(f.Path) })
}
