package documents

import (
	"testing"

	"inglenook/app/documents"
)

// What only the words found has its score by meaning too, without a place.
func TestWhyOf(t *testing.T) {
	for _, c := range []struct {
		why  documents.Why
		want string
	}{
		{documents.Why{MeaningRank: 2, Meaning: 0.5, WordsRank: 1, Words: 4.2}, "It comes 2nd by meaning (0.50 of 1) and 1st by its words."},
		{documents.Why{Meaning: 0.24, WordsRank: 1, Words: 4.2}, "It comes 1st by its words and is not near by meaning (0.24 of 1)."},
		{documents.Why{WordsRank: 1, Words: 4.2}, "It comes 1st by its words."},
		{documents.Why{}, ""},
	} {
		if got := whyOf(documents.Result{Why: c.why}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
