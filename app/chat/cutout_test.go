package chat

import "testing"

// A passage that is quoted shows where it begins or ends within a sentence.
func TestCutOut(t *testing.T) {
	prose := "Either side may end the lease with sixty days of written notice, unless the tenant has agreed to"
	for passage, want := range map[string]string{
		"Boats float.":             "Boats float.",
		" and boats float.\n":      "… and boats float.",
		", which float.":           "… , which float.",
		prose:                      prose + " …",
		prose + " stay.":           prose + " stay.",
		prose + " | a | row":       prose + " | a | row",
		"Boats\n" + prose + ",":    "Boats\n" + prose + ", …",
		"The end of it\nCosts 1,2": "The end of it\nCosts 1,2",
		"äpfel sind rot.":          "… äpfel sind rot.",
		"":                         "",
	} {
		if got := cutOut(passage); got != want {
			t.Errorf("%q is quoted as %q", passage, got)
		}
	}
}
