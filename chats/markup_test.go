package chats

import "testing"

func TestWithoutMarkup(t *testing.T) {
	for written, want := range map[string]string{
		"> 5\\. Ending\n> \n> The lease":                      "5. Ending\n\nThe lease",
		"## Rent\nIt is **high** and `fixed`.":                "Rent\nIt is high and fixed.",
		"> | Month | Crop |\n> |---|---|\n> | May | Peas |\n": "Month · Crop\n\nMay · Peas\n",
		"a > b, C# and 2 * 3":                                 "a > b, C# and 2 * 3",
		"":                                                    "",
	} {
		if got := WithoutMarkup(written); got != want {
			t.Errorf("%q becomes %q, want %q", written, got, want)
		}
	}
}

// What is found in an answer is shown as a person reads it; what a person wrote stays.
func TestSearchShowsNoMarkup(t *testing.T) {
	text := "They say:\n\n> 5\\. Ending the lease\n> \n> Either side may **end** it."
	from := len("They say:\n\n> 5\\. Ending the ")
	line, match := excerpt(text, from, from+len("lease"), WithoutMarkup)
	if line != "They say: 5. Ending the lease Either side may end it." || line[match[0]:match[1]] != "lease" {
		t.Errorf("%q, %v", line, match)
	}
	if line, _ = excerpt(text, from, from+5, asWritten); line != "They say: > 5\\. Ending the lease > > Either side may **end** it." {
		t.Errorf("%q", line)
	}
}
