package documents

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
)

// What only the words found has its score by meaning too, without a place.
func TestWhyOf(t *testing.T) {
	for _, c := range []struct {
		why  documents.Why
		want string
	}{
		{documents.Why{MeaningRank: 2, Meaning: 0.5, WordsRank: 1, Words: 4.2}, "2nd best match by meaning and best match by words."},
		{documents.Why{Meaning: 0.24, WordsRank: 1, Words: 4.2}, "Best match by words, but not close by meaning."},
		{documents.Why{WordsRank: 1, Words: 4.2}, "Best match by words."},
		{documents.Why{}, ""},
	} {
		if got := whyOf(documents.Result{Why: c.why}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The key that leads to the search selects the old question: typing replaces it.
func TestAskAnew(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	b.panel.askAnew()
	test.Type(b.panel.field, "cat")
	if got := b.panel.field.Text; got != "cat" {
		t.Errorf("the question is %q", got)
	}
}

// Beside the place of a passage stands which other files have it.
func TestAlsoIn(t *testing.T) {
	h := hit{file: documents.FileResult{File: documents.File{Path: "/a/lease.txt"}}, first: true}
	h.result.Files, h.result.Line, h.result.Headings = []documents.File{{Path: "/a/lease.txt"}}, 1, []string{"Pets"}
	say := func() string { return placeOf(h.result, alsoIn(h), sameText(h.result)) }
	if got := say(); got != "line 1 · Pets" {
		t.Errorf("of one that is nowhere else: %q", got)
	}
	h.result.Twins, h.result.Copies = []documents.File{{Path: "/a/lease copy.txt"}}, 2
	if got := say(); got != "line 1 · also in lease copy.txt · the same text in 1 more passage · Pets" {
		t.Errorf("of one with a copy: %q", got)
	}
	h.file.Also = []documents.File{{Path: "/old/lease.txt"}}
	if got := alsoIn(h); got != "also in old/lease.txt and 1 other file" {
		t.Errorf("of one in three files: %q", got)
	}
	if h.first = false; alsoIn(h) != "also in lease copy.txt" {
		t.Errorf("further passages of the file say %q", alsoIn(h))
	}
}
