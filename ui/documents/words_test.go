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
