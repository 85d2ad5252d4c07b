package pieces

import (
	"strings"
	"testing"

	"inglenook/tokenizer/definition"
)

func TestPrepare(t *testing.T) {
	for _, c := range []struct {
		given   string
		longest int
		want    string
	}{
		{"", 0, ""},
		{"plai", 3, "plai"},
		{"plain", 3, "plai"},
		{"a\x00b", 0, "a" + definition.NulMark + "b"},
		{"\xff\xfe", 0, "\uFFFD\uFFFD"},
		{"\xe2\x82x", 0, "\uFFFDx"},
		{"\xf0\x9f\x98", 0, "\uFFFD"},
		{"\xed\xa0\x80", 0, "\uFFFD\uFFFD\uFFFD"},
		{"\xf4\x90\x80\x80", 0, strings.Repeat("\uFFFD", 4)},
		{"\uFFFD\uFDD0", 0, "\uFFFD\uFDD0"},
		{definition.NulMark, 0, "\uFFFD\uFDD1"},
		{definition.ControlMark + "x", 0, "\uFFFD\uFDD2x"},
		{"aaaaaaaa bb", 3, "aaaa bb"},
		{"aaaaaaaa\u0301\u0301!", 3, "aaaa\u0301\u0301!"},
		{"aaaaaa猫aaaaaa", 3, "aaaa猫aaaa"},
		{"aaaaaa.aaaaaa", 3, "aaaa.aaaa"},
	} {
		if p := Prepare(c.given, c.longest); p.Text != c.want {
			t.Errorf("prepare(%q, %d) is %q, want %q", c.given, c.longest, p.Text, c.want)
		}
	}
}

// TestOrigin maps ranges of prepared texts back to the original.
func TestOrigin(t *testing.T) {
	const given = "ab\x00c\xff\xe2\x82d" // prepared: ab (0:2), mark (2:8), c (8:9), U+FFFD (9:12), U+FFFD (12:15), d (15:16)
	p := Prepare(given, 0)
	for _, c := range [][4]int{
		{0, 2, 0, 2},
		{2, 8, 2, 3},
		{5, 8, 2, 3},
		{2, 5, 2, 3},
		{8, 9, 3, 4},
		{9, 12, 4, 5},
		{12, 15, 5, 7},
		{15, 16, 7, 8},
		{0, 16, 0, 8},
		{9, 15, 4, 7},
		{16, 16, 8, 8},
		{4, 4, 2, 2},
	} {
		if got := p.Origin(c[0], c[1]); got != [2]int{c[2], c[3]} {
			t.Errorf("bytes %d:%d come from %v, want %v", c[0], c[1], got, c[2:])
		}
	}
	long := Prepare("xx aaaaaaaaaa yy", 3) // prepared: xx aaaa yy
	for _, c := range [][4]int{{0, 2, 0, 2}, {3, 7, 3, 13}, {8, 10, 14, 16}} {
		if got := long.Origin(c[0], c[1]); got != [2]int{c[2], c[3]} {
			t.Errorf("bytes %d:%d come from %v, want %v", c[0], c[1], got, c[2:])
		}
	}
}
