package documents

import (
	"slices"
	"testing"
)

// Only what ends in a question mark is a question, also where its line was wrapped; a comment is not
// read.
func TestQuestionsIn(t *testing.T) {
	got := questionsIn("4. Repairs\n\nThe landlord keeps\nthe roof in order. Who pays\nfor it? The tenant pays for light bulbs.\n\n<!-- Should this\n\nstay? -->\n\nWhen is rent due?\n\n<!-- Is it so? Yes.")
	if want := []string{"Who pays for it?", "When is rent due?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := questionsIn("Is this a note?\n\nYes. --> It is text."); len(got) > 0 {
		t.Errorf("the end of a comment asks %q", got)
	}
}
