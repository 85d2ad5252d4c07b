package locale

import "testing"

func TestSettled(t *testing.T) {
	for _, c := range []struct{ list, locale, want string }{
		{"", "", ""},
		{"", "C", ""},
		{"", "POSIX", ""},
		{"", "de_DE", ""},
		{"", "en_US.UTF-8", "en_US"},
		{"de:fr", "C.UTF-8", ""},
		{"", "C.UTF-8", "en"},
		{"", "C.utf8", "en"},
		{"", "POSIX.UTF-8", "en"},
		{"", "C@x", "en"},
		{"", "de_DE@euro", "de_DE"},
		{"", "de_DE.UTF-8@euro", "de_DE"},
		{"", "nonsense", "en"},
		{"", "xx_YY", "en"},
		{"", "zz", "en"},
		{"", "1", "en"},
		{"", "\xff", "en"},
		{"nonsense:de", "de_DE", "de"},
		{"C", "de_DE", "en"},
		{":", "de_DE", "en"},
		{"de:nonsense:fr", "C", ""},
	} {
		if got := settled(c.list, c.locale); got != c.want {
			t.Errorf("LANGUAGE=%q, %q: %q, want %q", c.list, c.locale, got, c.want)
		}
	}
}
