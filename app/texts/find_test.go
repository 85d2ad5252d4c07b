package texts

import (
	"slices"
	"strings"
	"testing"
)

func TestAnswering(t *testing.T) {
	text := "We sell shoes. Shoes that are returned within thirty days are paid back. Gifts are not."
	from, words := Answering("When can I return shoes?", text)
	var found []string
	for _, w := range words {
		found = append(found, text[w[0]:w[1]])
	}
	if !strings.HasPrefix(text[from:], "Shoes that") || !slices.Equal(found, []string{"shoes", "Shoes", "returned"}) {
		t.Errorf("the answer begins %q, its words are %q", text[from:], found)
	}
	for _, question := range []string{"", "weather"} {
		if from, words := Answering(question, text); from != 0 || words != nil {
			t.Errorf("%q: %d, %v", question, from, words)
		}
	}
}
