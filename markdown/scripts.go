package markdown

import (
	"slices"
	"unicode"
)

// Scripts returns the writing systems that occur in a text, as Unicode names
// them (Han, Hiragana, Hangul, Arabic, Devanagari, Thai, Hebrew, Latin, …), in
// alphabetical order. Characters shared by several scripts do not count.
func Scripts(text string) []string {
	found := map[string]bool{}
	var last *unicode.RangeTable
	for _, r := range text {
		if r < 0x80 {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				found["Latin"] = true
			}
			continue
		}
		if last != nil && unicode.Is(last, r) {
			continue
		}
		if unicode.In(r, unicode.Common, unicode.Inherited) {
			continue
		}
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				found[name], last = true, table
				break
			}
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
