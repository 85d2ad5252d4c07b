package locale

import "testing"

func TestPlain(t *testing.T) {
	for locale, want := range map[string]string{
		"": "", "C": "", "POSIX": "", "en_US.UTF-8": "", "de_DE": "",
		"C.UTF-8": "en", "C.utf8": "en", "POSIX.UTF-8": "en", "C@x": "en",
		"de_DE@euro": "de_DE", "de_DE.UTF-8@euro": "de_DE",
	} {
		if got := plain(locale); got != want {
			t.Errorf("plain(%q) = %q, want %q", locale, got, want)
		}
	}
}
