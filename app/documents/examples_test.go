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

// A heading becomes a question about what it names, without its number; one that is a single word, or
// a sentence, does not. Questions of one person to another are not asked.
func TestQuestionsAboutHeadings(t *testing.T) {
	for heading, want := range map[string]string{
		"5. Ending the lease":    "What is written about ending the lease?",
		"2.1 Rotation of crops":  "What is written about rotation of crops?",
		"IV. Visitors and pets":  "What is written about visitors and pets?",
		"A Guide to Norwich":     "What is written about A Guide to Norwich?",
		"A weight type":          "What is written about a weight type?",
		"GPU of the server":      "What is written about GPU of the server?",
		"Introduction":           "",
		"A B C D":                "",
		"Table A 12":             "",
		"IN AUTUMN AND WINTER":   "",
		"Ice on the upper …":     "",
		"12 14 18":               "",
		"3":                      "",
		"":                       "",
		"Ice on the upper ponds": "What is written about ice on the upper ponds?",
		"The tenant keeps the garden in order all year long": "",
	} {
		if got := questionAbout(heading); got != want || got != "" && !worthAsking(got) {
			t.Errorf("%q becomes %q, want %q", heading, got, want)
		}
	}
	for question, want := range map[string]bool{
		"When is rent due?": true, "Who pays for the roof?": true, "What do you think, Tom?": false, "Is that it?": false, "Where’s he gone?": false,
		"How many rooms are there?": false, "Who repairs its roof?": false, "Where do we meet?": false,
	} {
		if got := asksAbout(question); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}
