package master

import "testing"

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		got, want string
		line      int
		is, was   string
	}{
		{"a\n b", "a\n b", 0, "", ""},
		{"a\n b", "a\n c", 2, "b", "c"},
		{"a", "a\nb", 2, "(the end)", "b"},
		{"a\nb", "a", 2, "b", "(the end)"},
	} {
		if line, is, was := difference(c.got, c.want); line != c.line || is != c.is || was != c.was {
			t.Errorf("%q and %q: %d, %q, %q", c.got, c.want, line, is, was)
		}
	}
}
