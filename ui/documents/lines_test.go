package documents

import (
	"strings"
	"testing"

	"inglenook/markdown"
)

// set is a paragraph as it is drawn, in pieces that end at the bytes cuts.
func set(paragraph string, isMarkdown bool, cuts ...int) string {
	ends := lineEnds(paragraph, isMarkdown)
	var b strings.Builder
	from := 0
	for _, to := range append(cuts, len(paragraph)) {
		for _, part := range inline(paragraph[from:to], 0, ends[from:to]) {
			if t, ok := part.(markdown.Text); ok {
				b.WriteString(t.Text)
			} else {
				b.WriteString("/")
			}
		}
		from = to
	}
	return b.String()
}

func TestLineEnds(t *testing.T) {
	const letter = "The tenant may end this contract with sixty days of\nnotice. The notice has to be given in writing, and it\nis signed by all\ntenants."
	for _, c := range []struct {
		written    string
		isMarkdown bool
		want       string
	}{
		{letter, false, "The tenant may end this contract with sixty days of notice. The notice has to be given in writing, and it is signed by all/tenants."},
		{letter, true, "The tenant may end this contract with sixty days of notice. The notice has to be given in writing, and it is signed by all tenants."},
		{"Harbour Lane Homes\n14 Harbour Lane\nNorwich", false, "Harbour Lane Homes/14 Harbour Lane/Norwich"},
		{"One line ends here.  \nAnother one.", true, "One line ends here.  /Another one."},
		{"Bring these:\n- a lamp\n- a coat", true, "Bring these:/- a lamp/- a coat"},
		{"| a | b |\n| 1 | 2 |", true, "| a | b |/| 1 | 2 |"},
		{"", false, ""},
		{"\n", false, "/"},
	} {
		if got := set(c.written, c.isMarkdown); got != c.want {
			t.Errorf("%q is set as %q, want %q", c.written, got, c.want)
		}
	}
	// A word that was searched for parts a line and changes nothing of its end.
	at := strings.Index(letter, "sixty")
	if got, want := set(letter, false, at, at+5), set(letter, false); got != want {
		t.Errorf("with a marked word: %q, want %q", got, want)
	}
}

func TestWithoutFences(t *testing.T) {
	for written, want := range map[string]string{
		"```go\nfunc a() {}\n```\n": "func a() {}",
		"~~~\na\n\nb\n~~~":          "a\n\nb",
		"func a() {}\n":             "func a() {}",
		"```go\nthe first part":     "the first part",
		"```":                       "",
		"":                          "",
	} {
		if got := withoutFences(written); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}
