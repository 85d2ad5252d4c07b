package plain

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, with\ttab\nand line": "plain, with\ttab\nand line",
		"é 中文 عربي ไทย हिन्दी":       "é 中文 عربي ไทย हिन्दी",
		"a\u202eb":             "a⟨U+202E⟩b",
		"a\u200b\u200b\u200bb": "a⟨U+200B×3⟩b",
		"\x1b[1m\x00":          "⟨U+001B⟩[1m⟨U+0000⟩",
		"👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f 1\ufe0f\u20e3": "👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f 1\ufe0f\u20e3",
		"می\u200cخواهم": "می\u200cخواهم",
		"क्\u200dष":     "क्\u200dष",
		"a\u200db":      "a⟨U+200D⟩b",
		"x\ufe0f":       "x⟨U+FE0F⟩",
		"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F": "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
		"\U0001F3F4\U000E0068": "\U0001F3F4⟨U+E0068⟩",
		"so\u00adft\ufeff":     "so⟨U+00AD⟩ft⟨U+FEFF⟩",
		"\xff":                 "\ufffd",
		"e" + strings.Repeat("\u0301", 20) + "x" + strings.Repeat("\u0300", 21) + "\u0301": "e" + strings.Repeat("\u0301", 20) + "x" + strings.Repeat("\u0300", 20) + "⟨U+0300⟩⟨U+0301⟩",
		"e" + strings.Repeat("\u0301", 1000):                                               "e" + strings.Repeat("\u0301", 20) + "⟨U+0301×980⟩",
		"葛\U000E0100":                                                                      "葛\U000E0100",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if again := Visible(want); again != want {
			t.Errorf("%q becomes %q the second time", want, again)
		}
	}
}

// hostile are texts that a file or a server may contain.
var hostile = map[string]string{
	"long":              strings.Repeat("A", 200_000),
	"long and wide":     strings.Repeat("中", 100_000),
	"words":             strings.Repeat("a word ", 50_000),
	"spaces":            strings.Repeat(" ", 100_000),
	"lines":             strings.Repeat("line\n", 50_000),
	"turned around":     "a\u202egnp.exe\u2066b\u2069",
	"only overrides":    strings.Repeat("\u202e\u202d", 50_000),
	"a terminal's":      "\x1b[2J\x1b]0;title\x07\u009b2J\x7f",
	"return":            "ok\rnot ok",
	"no UTF-8":          "a\xff\xfeb" + strings.Repeat("\x80", 50_000),
	"cut within a rune": strings.Repeat("é", 333)[:665],
	"accents":           "e" + strings.Repeat("\u0301", 50_000),
	"joiners":           strings.Repeat("\u200d", 50_000),
	"separators":        "a\u2028b\u2029c\u0085d\u00a0e",
	"nothing":           "",
	"emoji":             strings.Repeat("👩\u200d👩\u200d👧", 1000),
	"nulls":             strings.Repeat("\x00", 50_000),
}

// TestBounds: whatever the limit, every text becomes short, valid UTF-8, without control
// and without invisible characters.
func TestBounds(t *testing.T) {
	for name, text := range hostile {
		for _, most := range []int{100, 101, 400, 2000, 1 << 20} {
			line, lines := Line(text, most), Text(text, most)
			for way, got := range map[string]string{"line": line, "text": lines, "piece": Terminal(text)} {
				if way != "piece" && utf8.RuneCountInString(got) > most {
					t.Errorf("%s as a %s of %d: %d characters", name, way, most, utf8.RuneCountInString(got))
				}
				if !utf8.ValidString(got) {
					t.Errorf("%s as a %s: no UTF-8", name, way)
				}
				for _, r := range got {
					if Drives(r) && r != '\n' && r != '\t' || way == "line" && unicode.IsSpace(r) && r != ' ' {
						t.Errorf("%s as a %s of %d has %U", name, way, most, r)
						break
					}
				}
			}
			if again := Line(line, most); again != line {
				t.Errorf("%s: the second time another line, %.60q and %.60q", name, line, again)
			}
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"short": "short", "exactly 10": "exactly 10", "eleven long": "eleven lo…", "a\n\tb  c  d ": "a b c d", " ": "",
		"日本語日本語日本語日本": "日本語日本語日本語…", "\u202eabc": "⟨U+202E⟩a…", "word and more": "word and…",
	} {
		if got := Line(in, 10); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextKeepsBothEnds(t *testing.T) {
	got := Text("config.json names "+strings.Repeat("A", 200_000)+"; choose another model", 200)
	if !strings.HasPrefix(got, "config.json names AAAA") || !strings.HasSuffix(got, "AAAA; choose another model") || !strings.Contains(got, " bytes are left out here) ") {
		t.Errorf("%q", got)
	}
	if got := Text("two\nlines\tand a tab", 100); got != "two\nlines\tand a tab" {
		t.Errorf("%q", got)
	}
}

func TestTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "a\x1b[2Jb": "a␛[2Jb", "\x00\x07\x7f": "␀␇␡", "a\r\nb\rc": "a\nbc",
		"\u009b31m": "\ufffd31m", "\xff\x9b": "\ufffd\ufffd", "日本🙂 👩\u200d👧": "日本🙂 👩\u200d👧", "a\u202eb\u2069": "a\ufffdb\ufffd",
	} {
		if got := Terminal(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1<<63 - 1: "more than a day", 24 * time.Hour: "about 24 hours", 2 * time.Hour: "about 2 hours", 10 * time.Minute: "10 minutes", 2 * time.Minute: "2 minutes", 150 * time.Second: "2.5 minutes", 170 * time.Second: "3 minutes", 9*time.Minute + 50*time.Second: "10 minutes", 12*time.Minute + 29*time.Second: "12 minutes",
		90 * time.Second: "90 seconds", 119*time.Second + 1: "2 minutes", 1500 * time.Millisecond: "2 seconds", time.Second: "a second", time.Millisecond: "a second", -time.Hour: "a second",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v is %q, not %q", d, got, want)
		}
	}
}
