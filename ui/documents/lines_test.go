package documents

import (
	"strings"
	"testing"

	"inglenook/markdown"
)

// set is a paragraph as it is drawn, with a stroke for each line end.
func set(paragraph, format string) string {
	var b strings.Builder
	for _, part := range inline(legibleOf(paragraph, format, "").text, 0) {
		if t, ok := part.(markdown.Text); ok {
			b.WriteString(t.Text)
		} else {
			b.WriteString("/")
		}
	}
	return b.String()
}

func TestLineEnds(t *testing.T) {
	const letter = "The tenant may end this contract with sixty days of\nnotice. The notice has to be given in writing, and it\nis signed by all\ntenants."
	for _, c := range []struct {
		written, format, want string
	}{
		{letter, "text", "The tenant may end this contract with sixty days of notice. The notice has to be given in writing, and it is signed by all/tenants."},
		{letter, "markdown", "The tenant may end this contract with sixty days of notice. The notice has to be given in writing, and it is signed by all tenants."},
		{"Harbour Lane Homes\n14 Harbour Lane\nNorwich", "text", "Harbour Lane Homes/14 Harbour Lane/Norwich"},
		{"One line ends here.  \nAnother one.", "markdown", "One line ends here./Another one."},
		{"Bring these:\n- a lamp\n- a coat", "markdown", "Bring these:/• a lamp/• a coat"},
		{"| a | b |\n| 1 | 2 |", "markdown", "a · b/1 · 2"},
		{"", "text", ""},
		{"\n", "text", "/"},
	} {
		if got := set(c.written, c.format); got != c.want {
			t.Errorf("%q is set as %q, want %q", c.written, got, c.want)
		}
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
