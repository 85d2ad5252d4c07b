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
)

func init() {
	if os.Getenv("LANGUAGE") != "" {
		return
	}
	if name := plain(current()); name != "" {
		os.Setenv("LANGUAGE", name)
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

// plain is the language that Fyne should take for a locale; empty where it
// understands the locale itself.
func plain(locale string) string {
	name, _, _ := strings.Cut(locale, "@")
	name, _, _ = strings.Cut(name, ".")
	switch {
	case name == locale:
		return ""
	case name == "C" || name == "POSIX":
		return "en"
	case strings.Contains(locale, "@"):
		return name
	}
	return ""
}
