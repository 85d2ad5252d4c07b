package find

import (
	"slices"
	"testing"
)

func TestIn(t *testing.T) {
	for _, c := range []struct {
		text, sought string
		want         []string
	}{
		{"The rent is due. RENT, rents.", "rent", []string{"rent", "RENT", "rent"}},
		{"Kraków and Krakow", "krakow", []string{"Kraków", "Krakow"}},
		{"Cafe\u0301 bar", "café", []string{"Cafe\u0301"}},
		{"a\u00a0b\na b", "a b", []string{"a\u00a0b", "a b"}},
		{"It is “his” – the tenant’s", `"his"`, []string{"“his”"}},
		{"the tenant’s", "tenant's", []string{"tenant’s"}},
		{"aaaa", "aa", []string{"aa", "aa"}},
		{"İstanbul", "istanbul", []string{"İstanbul"}},
		{"a ﬁle", "file", []string{"ﬁle"}},
		{"ends here", "here  ", []string{"here"}},
		{"nothing", "x", nil},
		{"nothing", " \n", nil},
		{"", "x", nil},
		{"bad \xff bytes", "bytes", []string{"bytes"}},
	} {
		var got []string
		for _, p := range In(c.text, c.sought) {
			got = append(got, c.text[p[0]:p[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.sought, c.text, got, c.want)
		}
	}
}

// FuzzIn checks that the parts of any text are within it, in order and without overlap.
func FuzzIn(f *testing.F) {
	f.Add("The rent’s\xff due", "RENT'S")
	f.Add("ﬃ", "f")
	f.Fuzz(func(t *testing.T, text, sought string) {
		end := 0
		for _, p := range In(text, sought) {
			if p[0] < end || p[1] <= p[0] || p[1] > len(text) {
				t.Fatalf("%q in %q: %v", sought, text, p)
			}
			end = p[1]
		}
	})
}
