package documents

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/plain"
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

// unwritable reports whether a character ends a line or steers how text is shown. Joiners
// belong to emoji and to some scripts.
func unwritable(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return plain.Drives(r) || unicode.In(r, unicode.Zl, unicode.Zp) || unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}
