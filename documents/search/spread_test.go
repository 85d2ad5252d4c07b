package search

import (
	"strings"
	"testing"

	"inglenook/documents/store"
)

// A file gives few of the first passages, where others were found too, and none is lost.
func TestSpread(t *testing.T) {
	of := func(files string) (list []Result) {
		for i, f := range strings.Split(files, "") {
			r := Result{}
			r.ID, r.Files = int64(i), []store.File{{Path: f}}
			list = append(list, r)
		}
		return list
	}
	for given, want := range map[string]string{
		"aaaaaabbc":                  "aaaabbcaa",
		"aaaaaa":                     "aaaaaa",
		"aaaabbbbccccaaaab":          "aaaabbbbccccaaaab",
		"aaaaaaaaaaaaaaaaaaaabcdefg": "aaaabcdefgaaaaaaaaaaaaaaaa",
		"abacaaaaabbbbcdefghij":      "abacaabbbcdeaaabfghij",
	} {
		var got string
		seen := map[int64]bool{}
		for _, r := range spread(of(given)) {
			got += r.Files[0].Path
			seen[r.ID] = true
		}
		if got != want || len(seen) != len(given) {
			t.Errorf("of %q comes %q, want %q", given, got, want)
		}
	}
}
