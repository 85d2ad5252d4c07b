package repo

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	letters := func(n int) string { return strings.Repeat("a", n) }
	for name, c := range map[string]struct {
		accepts  func(string) bool
		yes, not []string
	}{
		"id": {
			ValidID,
			[]string{"name", "org/name", "a.b_c-d/e", letters(96), letters(96) + "/" + letters(96)},
			[]string{"", "a/b/c", "-a", "a.", "a--b", "a..b", letters(97), "org/" + letters(97), "a/"},
		},
		"commit": {
			ValidCommit,
			[]string{"0123456", letters(64)},
			[]string{"", "012345", letters(65), "0123456G", "ABCDEF01", "0123456\n"},
		},
		"digest": {
			func(s string) bool { return CheckDigest(s) == nil },
			[]string{letters(40), letters(64)},
			[]string{"", letters(39), letters(41), letters(63), letters(65), letters(39) + "g"},
		},
		"revision": {
			func(s string) bool { return CheckRevision(s) == nil },
			[]string{"main", "refs/pr/12", "v1.0+x", "a/b/c/d/e/f/g/h", letters(200)},
			[]string{"", "a/b/c/d/e/f/g/h/i", "/a", "a/", "a//b", "-a", "a..b", "a.lock", "con", letters(201)},
		},
	} {
		for _, s := range c.yes {
			if !c.accepts(s) {
				t.Errorf("the %s %q is refused", name, s)
			}
		}
		for _, s := range c.not {
			if c.accepts(s) {
				t.Errorf("the %s %q is accepted", name, s)
			}
		}
	}
}
