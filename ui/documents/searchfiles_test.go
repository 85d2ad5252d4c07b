package documents

import (
	"slices"
	"testing"

	"inglenook/app/documents"
)

// A file that is among the documents is searched where it is, with the question; one that is not is
// added first.
func TestFilesOfAChatAreSearched(t *testing.T) {
	b := withLease(t)
	b.panel.SearchFiles([]string{"/papers/lease.txt"}, "sixty days")
	b.Loop.Until(t, "what is found", func() bool { return b.panel.of.query == "sixty days" && len(b.panel.found) == 1 })
	if c, ok := b.panel.collection(); !ok || !slices.ContainsFunc(c.Folders, func(f documents.Folder) bool { return f.Path == "/papers/lease.txt" }) {
		t.Errorf("searched is %+v", c)
	}
	if n := len(b.kept.Added); n > 0 || b.panel.field.Text != "sixty days" {
		t.Errorf("%d files were added; the field holds %q", n, b.panel.field.Text)
	}
	b.panel.SearchFiles([]string{"/papers/lease.txt", "/elsewhere/boat.txt"}, "a boat")
	b.Loop.Until(t, "the file that was missing", func() bool { return len(b.kept.Added) == 1 && b.panel.of.query == "a boat" })
	if got := b.kept.Added[0].Paths; !slices.Equal(got, []string{"/elsewhere/boat.txt"}) {
		t.Errorf("added are %q", got)
	}
}

// Of collections that have some of the files, the one with the most is searched.
func TestWhereMostFilesAre(t *testing.T) {
	had := func(ids ...string) (list []documents.Had) {
		for _, id := range ids {
			list = append(list, documents.Had{Collection: documents.Collection{ID: id}})
		}
		return list
	}
	for want, there := range map[string][]documents.Had{"": nil, "a": had("a", "b"), "b": had("a", "b", "b")} {
		if got := mostOf(there); got != want {
			t.Errorf("most of %d are in %q, want %q", len(there), got, want)
		}
	}
}
