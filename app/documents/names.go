package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents/store"
	"inglenook/plain"
	"inglenook/regular"
)

// longestName is how many characters the name of a collection may have.
const longestName = 100

// checkName refuses a new name that cannot be told apart or written in a line. A collection
// that has such a name already keeps it.
func checkName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case plain.IsBlank(name):
		return errors.New("a collection needs a name that can be seen; write one")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unwritable):
		return fmt.Errorf("%q cannot be the name of a collection, which is one line; leave out line ends and characters that cannot be seen", plain.Line(name, 60))
	case n > longestName:
		return fmt.Errorf("this name has %d characters, and a collection's may have %d; choose a shorter one", n, longestName)
	}
	return nil
}

// nameFor is a name for a collection of what is added: of a folder its own, with a number where that
// is taken by a collection that covers others; else DefaultName.
func (s *Service) nameFor(ctx context.Context, added []Folder) (string, error) {
	if len(added) != 1 {
		return DefaultName, nil
	}
	path := added[0].Path
	if info, err := regular.Stat(ctx, path); err != nil || !info.IsDir() {
		return DefaultName, nil
	}
	own := filepath.Base(path)
	if checkName(own) != nil || own == string(filepath.Separator) {
		return DefaultName, nil
	}
	kept, err := s.kept(ctx)
	if err != nil {
		return "", err
	}
	all, err := kept.Collections(ctx)
	if err != nil {
		return "", s.sentence(err)
	}
	free := func(name string) bool {
		for _, c := range all {
			if strings.EqualFold(c.Name(), name) {
				folders := foldersOf(c)
				return len(folders) == 0 || slices.ContainsFunc(folders, func(f Folder) bool { return f.Path == path })
			}
		}
		return !slices.ContainsFunc(kept.Closed(), func(c store.Closed) bool { return strings.EqualFold(c.Name, name) })
	}
	name := own
	for n := 2; !free(name); n++ {
		name = fmt.Sprintf("%s %d", own, n)
	}
	return name, nil
}

// unwritable reports whether a character ends a line or steers how text is shown. Joiners
// belong to emoji and to some scripts.
func unwritable(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return plain.Drives(r) || unicode.In(r, unicode.Zl, unicode.Zp) || unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}
