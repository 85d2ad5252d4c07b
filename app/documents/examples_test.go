package documents

import (
	"slices"
	"testing"
)

// A sentence becomes the question that it answers; what is no such sentence becomes none.
func TestQuestionOf(t *testing.T) {
	for sentence, want := range map[string]string{
		"The deposit is two months of rent":        "What is the deposit?",
		"The rent is due on the first day":         "Is the rent due on the first day?",
		"The tenant may keep one small dog":        "May the tenant keep one small dog?",
		"Either side may end the lease early":      "May either side end the lease early?",
		"The lamp was lit by Anna":                 "Was the lamp lit by Anna?",
		"Who kept the lamp burning?":               "Who kept the lamp burning?",
		"The man who is here sleeps well":          "",
		"It is a long way":                         "",
		"Der Mieter zahlt die Miete am ersten Tag": "",
		"The rent": "",
		"The end":  "",
		"The boiler, which is old, must be replaced": "",
	} {
		if got := questionOf(sentence); got != want {
			t.Errorf("%q gives %q, want %q", sentence, got, want)
		}
	}
}

// A heading is no sentence, and a sentence is found where its line was wrapped.
func TestSentencesIn(t *testing.T) {
	got := sentencesIn("4. Repairs\n\nThe landlord keeps\nthe roof in order. Who pays? The tenant pays for light bulbs.\n\nItem | Cost")
	if want := []string{"The landlord keeps the roof in order", "Who pays?", "The tenant pays for light bulbs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
