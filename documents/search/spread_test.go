package search

import (
	"context"
	"fmt"
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

// A file that has more passages with the words than are read does not keep another one out that has them too.
func TestOneFileLeavesRoom(t *testing.T) {
	s, c := searcher(t)
	e := embedder{}
	var rows []string
	for i := range 90 {
		rows = append(rows, fmt.Sprintf("Order %d of product %d was left at the harbour gate.", i, 7*i))
	}
	put(t, c, e, "/a/orders.csv", rows...)
	put(t, c, e, "/a/notes.txt", "A long walk with many words about other things ended at the harbour gate in the evening of a day.")
	found, err := s.Search(context.Background(), Query{Text: "harbour gate", Spread: true})
	must(t, err)
	n := 0
	for _, f := range found.Files {
		n += len(f.Passages)
	}
	if len(found.Files) < 2 || found.Files[1].File.Path != "/a/notes.txt" || n != DefaultLimit || !found.More {
		t.Errorf("%d passages of %d files", n, len(found.Files))
	}
}
