// Package locale is imported for its effect: it settles the language before
// Fyne looks at it. Fyne takes the "C" of C.UTF-8, the locale of containers and
// services, for a language and complains on standard error, in its own
// initialization, before main begins; a modifier as in de_DE@euro disturbs it
// too.
//
// This package comes first because Go initializes packages that are ready in
// the order of their import paths (Go specification, "Program
// initialization"): this one needs os and strings only, and Fyne's needs
// text/template, whose path sorts after this one's.
package locale

import (
	"os"
	"strings"

	"golang.org/x/text/language"
)

func init() {
	if wanted := settled(os.Getenv("LANGUAGE"), current()); wanted != "" {
		os.Setenv("LANGUAGE", wanted)
	}
}

// current is the locale for messages, by the rules of POSIX.
func current() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// settled is the LANGUAGE with which Fyne takes a locale as it is meant; empty
// where it understands what there is. Of a list, what is no language is left out.
func settled(list, locale string) string {
	if locale == "C" || locale == "POSIX" { // Fyne knows these, and reads no list then
		return ""
	}
	if list == "" {
		list = locale
	}
	if list == "" {
		return ""
	}
	var known []string
	for name := range strings.SplitSeq(list, ":") {
		plain, _, _ := strings.Cut(name, "@")
		plain, _, _ = strings.Cut(plain, ".")
		if _, err := language.Parse(plain); err == nil {
			known = append(known, plain)
		}
	}
	switch wanted := strings.Join(known, ":"); wanted {
	case "":
		return "en"
	case list:
		return ""
	default:
		return wanted
	}
}
