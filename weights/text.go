package weights

import (
	"fmt"
	"strconv"
	"strings"
)

// quote shows a name that comes from a file: as it is where it is plain, else
// in quotes with control characters escaped, and never longer than a message
// can bear.
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

// shapeText writes a shape as [30522 384].
func shapeText(shape []int) string {
	const most = 8
	if len(shape) > most {
		return fmt.Sprintf("[%s … %d more]", strings.Trim(fmt.Sprint(shape[:most]), "[]"), len(shape)-most)
	}
	return fmt.Sprint(shape)
}

// list names the first few of many, already quoted.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// damaged is the sentence for a file that breaks the rules of its format.
func damaged(name string, why error) error {
	return fmt.Errorf("%s is damaged: %w: download the model again", quote(name), why)
}
