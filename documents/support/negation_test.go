package support

import "testing"

// TestContradiction compares claims with sentences that say the same or the opposite.
func TestContradiction(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		against         bool
	}{
		{"Dogs are allowed.", "Dogs are allowed.", false},
		{"Dogs are not allowed.", "Dogs are allowed.", true},
		{"Dogs are allowed.", "Dogs aren't allowed.", true},
		{"Dogs aren’t allowed.", "Dogs are not allowed.", false},
		{"Dogs are never allowed.", "No dogs are allowed.", false},
		{"Dogs are not allowed.", "Dogs are forbidden.", false},
		{"Dogs are allowed.", "Dogs are forbidden.", true},
		{"Dogs are not forbidden.", "Dogs are forbidden.", true},
		{"The fee is due no later than Monday.", "The fee is due by Monday.", false},
		{"The house is not only large.", "The house is large.", false},
		{"The door is open before nine.", "The door is open after nine.", true},
		{"It costs more than last year.", "It costs less than last year.", true},
		{"The oldest value is dropped.", "The newest value is dropped.", true},
		{"Those who break the rules go home.", "Those who do not keep to the rules go home.", false},
		{"It is on the heap, not on the stack.", "It is on the heap.", false},
		{"No, dogs are allowed.", "Dogs are allowed.", false},
		{"Nobody may smoke.", "Nobody may smoke.", false},
		{"The trip works without a map.", "The trip works with a map.", true},
		{"Hunde sind nicht erlaubt.", "Hunde sind erlaubt.", true},
		{"Hunde sind nicht erlaubt.", "Es sind keine Hunde erlaubt.", false},
		{"Les chiens ne sont pas admis.", "Les chiens sont admis.", true},
		{"", "", false},
	} {
		if word := contradiction(read(c.claim), read(c.sentence)); (word != "") != c.against {
			t.Errorf("%q and %q: %q", c.claim, c.sentence, word)
		}
	}
}

// TestNames finds the names of sentences, and them in other texts.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		claim, passage string
		missing        string
	}{
		{"The chair is Ruth Hallam.", "Ruth Hallam was elected.", ""},
		{"The chair is Martha Hallam.", "Ruth Hallam was elected.", "Martha"},
		{"Ruth Hallam's vote counts.", "the vote of Ruth Hallam", ""},
		{"Martha Hallam is the chair.", "Ruth Hallam was elected.", "Martha"},
		{"Payment is due.", "The fee is due.", ""},
		{"He was born in Geneva.", "I am by birth a Genevese.", ""},
		{"He was born in Australia.", "He was born in Austria.", "Australia"},
		{"It is made by NASA.", "The National Aeronautics and Space Administration makes it.", ""},
		{"It is made by ESA.", "The National Aeronautics and Space Administration makes it.", "ESA"},
		{"It needs an x86 processor.", "It runs on x86.", ""},
		{"It needs an A7 processor.", "It runs on x86.", "A7"},
		{"The letter is for José.", "The letter is for JOSE.", ""},
		{"Der Verein hat einen Garten, eine Hütte und einen Zaun.", "Vereinsgarten", ""}, // all nouns have capitals
	} {
		j := newJudge("", []Passage{{Text: c.passage}})
		missing := ""
		for _, n := range namesOf(c.claim) {
			if !j.knows(j.pages[0], n) {
				missing = n.word
				break
			}
		}
		if missing != c.missing {
			t.Errorf("%q and %q: %q, not %q", c.claim, c.passage, missing, c.missing)
		}
	}
}
