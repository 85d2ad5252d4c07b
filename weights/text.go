package weights

import (
	"fmt"
	"strconv"
	"strings"
)

// quote formats a name from a file for a message: unchanged if it is plain,
// else in quotes with control characters escaped, and shortened if it is long.
func quote(name string) string {
	const most = 120
	unusual := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
	switch {
	case len(name) > most:
		return strconv.Quote(name[:most]) + "…"
	case name == "" || strings.ContainsFunc(name, unusual):
		return strconv.Quote(name)
	}
	return name
}

// shapeText formats a shape as [30522 384].
func shapeText(shape []int) string {
	const most = 8
	if len(shape) > most {
		return fmt.Sprintf("[%s … %d more]", strings.Trim(fmt.Sprint(shape[:most]), "[]"), len(shape)-most)
	}
	return fmt.Sprint(shape)
}

// list returns the first few of many names, which are quoted already.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// damaged returns the error about a file that violates its format.
func damaged(name string, why error) error {
	return fmt.Errorf("%s is damaged: %w: download the model again", quote(name), why)
}
