package tokenizer

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// hostileTexts are texts that break tokenizers.
func hostileTexts() map[string]string {
	texts := map[string]string{
		"empty": "", "a space": " ", "spaces": strings.Repeat(" ", 5000), "a NUL": "\x00", "NULs": strings.Repeat("\x00", 3000),
		"NUL inside": "hello\x00world", "NUL around": "\x00hello\x00", "CRLF": "a\r\nb\r\n\r\n", "only CR": "\r\r\r", "newlines": strings.Repeat("\n", 5000), "tabs": strings.Repeat("\t", 5000),
		"byte order mark": "\ufefftext", "marks in a row": "a" + strings.Repeat("\u0301", 5000), "joiners": strings.Repeat("\u200d", 5000), "right to left": "\u202eabc\u202c", "variation selectors": "a\ufe0f\ufe0e",
		"one long word": strings.Repeat("a", 300_000), "long word with accents": strings.Repeat("é", 20_000), "long word with marks": strings.Repeat("e\u0301", 20_000),
		"long word in capitals": strings.Repeat("AB", 10_000), "long number": strings.Repeat("7", 20_000), "long Chinese": strings.Repeat("猫", 30_000),
		"long Thai": strings.Repeat("ไทย", 10_000), "long emoji": strings.Repeat("🚀", 20_000), "long Korean": strings.Repeat("한", 30_000), "families": strings.Repeat("👩‍👩‍👧", 2000),
		"punctuation": strings.Repeat("!?", 20_000), "quotes": strings.Repeat("\"'", 10_000), "brackets": strings.Repeat("[](){}<>", 2000), "underscores": strings.Repeat("_", 50_000), "hashes": strings.Repeat("##", 10_000),
		"apostrophes": strings.Repeat("'s", 20_000), "spaces and letters": strings.Repeat("a    b", 5000), "space before the end": strings.Repeat("a", 20_000) + strings.Repeat(" ", 20_000),
		"spaces then a letter": strings.Repeat(" ", 100_000) + "a", "newlines then a letter": strings.Repeat("\n", 100_000) + "a", "mixed white space": strings.Repeat(" \t\r\n\u00a0\u3000", 5000),
		"lone lead byte": "\xc3", "lone continuation": "\x80", "overlong": "\xc0\xaf", "surrogate halves": "\xed\xa0\x80\xed\xb0\x80", "too large": "\xf5\x80\x80\x80", "cut short": "\xf0\x9f\x98", "bad in the middle": "good \xff good",
		"random bytes": string(noise(50_000)), "all broken": strings.Repeat("\xff", 20_000), "all continuations": strings.Repeat("\x80", 20_000), "broken at the end": strings.Repeat("word ", 5000) + "\xe2\x82",
		"UTF-16": "h\x00e\x00l\x00l\x00o\x00", "control characters": "\x01\x02\x03\x1b[31m\x7f", "replacement characters": strings.Repeat("\ufffd", 1000),
		"our own marks": definition.NulMark + definition.ControlMark + "[CLS]" + definition.MarkRune, "broken mark": "\xef\xb7\x90\xef\xb7", "many marks": strings.Repeat(definition.NulMark, 3000),
		"control tokens": strings.Repeat("[CLS]<s></s>[MASK]<mask>", 500), "control tokens apart": strings.Repeat(" <mask> ", 5000), "unknown": strings.Repeat("[UNK]", 1000),
		"metaspaces": strings.Repeat("▁", 5000), "byte-level spaces": strings.Repeat("Ġ", 5000), "byte tokens": strings.Repeat("<0x0A>", 1000),
		"a formula": strings.Repeat("∑∫√", 5000), "ligatures": strings.Repeat("ﬁ", 5000), "expanding": strings.Repeat("ﷺ", 3000), "Turkish": strings.Repeat("İı", 5000), "sharp s": strings.Repeat("ẞß", 5000),
		"compatibility": strings.Repeat("㍿①Ⅳ", 2000), "Hangul parts": strings.Repeat("\u1112\u1161\u11ab", 5000), "tags": "\U000e0041\U000e007f", "flags": strings.Repeat("🇩🇪", 2000), "base64": strings.Repeat("QUJD+/==", 10_000), "minified code": strings.Repeat("a=b;c(d,e);", 5000),
		"one letter words": strings.Repeat("a ", 30_000), "alternating": strings.Repeat("aA1-", 10_000), "a URL": "https://" + strings.Repeat("x", 3000) + ".example/?" + strings.Repeat("k=v&", 3000),
	}
	for plane := range 17 {
		var b strings.Builder
		for r := rune(plane << 16); r < rune(plane+1)<<16; r += 97 {
			if utf8.ValidRune(r) {
				b.WriteRune(r)
			}
		}
		texts[fmt.Sprintf("plane %d", plane)] = b.String()
	}
	return texts
}

// noise is a fixed sequence of bytes that look random.
func noise(n int) []byte {
	data := make([]byte, n)
	x := uint32(1)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	return data
}

// TestHostileTexts encodes bad texts with every kind of tokenizer and makes sure that
// nothing panics, offsets stay inside the text, tokens cover it, and two calls that mean
// the same return the same.
func TestHostileTexts(t *testing.T) {
	texts := hostileTexts()
	if len(texts) < 60 {
		t.Fatalf("only %d texts", len(texts))
	}
	for _, name := range []string{"wordpiece", "roberta-prefix", "xlm-roberta"} {
		t.Run(name, func(t *testing.T) {
			_, tok := loadFixture(t, name)
			for what, text := range texts {
				e := mustEncode(t, tok, text, Options{Attributes: true})
				checkOffsets(t, text, e)
				if !slices.IsSortedFunc(e.Offsets[1:len(e.Offsets)-1], func(a, b [2]int) int { return a[1] - b[1] }) {
					t.Errorf("%s: offsets go back", what)
				}
				if _, err := tok.Decode(e.IDs, true); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				short := mustEncode(t, tok, text, Options{MaxLength: 16})
				if n := min(16, len(e.IDs)); len(short.IDs) != n || !slices.Equal(short.IDs[:n-1], e.IDs[:n-1]) {
					t.Errorf("%s: the first %d ids are %v, want %v", what, n, short.IDs, e.IDs[:n])
				}
				if short.Truncated != (len(e.IDs) > 16) {
					t.Errorf("%s: Truncated is %v, but there are %d tokens", what, short.Truncated, len(e.IDs))
				}
			}
		})
	}
}

// TestWordOfMegabytes checks that a word that is too long for WordPiece becomes one token
// that covers all of it.
func TestWordOfMegabytes(t *testing.T) {
	_, tok := loadFixture(t, "wordpiece")
	for _, c := range []struct {
		word string
		n    int
	}{{"a", 10 << 20}, {"é", 200_000}, {"Ж", 200_000}, {"e\u0301", 100_000}, {"한", 100_000}, {"ab1", 100_000}} {
		word := strings.Repeat(c.word, c.n)
		e := mustEncode(t, tok, "the "+word+" lake", Options{Attributes: true})
		if want := []string{"[CLS]", "the", "[UNK]", "lake", "[SEP]"}; !slices.Equal(e.Tokens, want) {
			t.Errorf("a word of %d times %q has the tokens %.200q", c.n, c.word, e.Tokens)
			continue
		}
		end := 4 + len(word)
		if strings.HasSuffix(c.word, "\u0301") { // an accent that is removed belongs to no token
			end -= len("\u0301")
		}
		if want := [2]int{4, end}; e.Offsets[2] != want {
			t.Errorf("the word is at %v, want %v", e.Offsets[2], want)
		}
		if want := [2]int{4 + len(word) + 1, 4 + len(word) + 5}; e.Offsets[3] != want {
			t.Errorf("the next word is at %v, want %v", e.Offsets[3], want)
		}
	}
}

// TestEmptyResultIsAnError uses a vocabulary without an unknown token. For other words the
// library fails and returns no tokens, which must not look like an empty text.
func TestEmptyResultIsAnError(t *testing.T) {
	tok := fromBytes(t, sections(map[string]string{
		"added_tokens": "", "decoder": "null",
		"model": `{"type":"Unigram","unk_id":null,"vocab":[["a",-1],["b",-1]]}`,
	}), definition.Config{})
	if _, err := tok.Encode("a zzz", Options{}); err == nil {
		t.Error("the library's failure went unnoticed")
	} else if !strings.Contains(err.Error(), "failed on this text") {
		t.Errorf("the sentence is %q", err)
	}
	for _, text := range []string{"", " ", "a b"} {
		if _, err := tok.Encode(text, Options{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// cpu returns the processor time that this process has used, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// patience is the processor time, in seconds, that even a slow machine needs at most to
// open a small file. The mistakes that it guards against take minutes.
const patience = 60

// TestLinearTime compares processor times, which vary less on a busy machine than time on
// the clock.
func TestLinearTime(t *testing.T) {
	for _, name := range []string{"wordpiece", "roberta", "xlm-roberta"} {
		_, tok := loadFixture(t, name)
		for what, unit := range map[string]string{"words": "the kettle sings ", "one word": "kettle", "spaces": "  ", "newlines": "\n"} {
			measure := func(size int) float64 {
				start := cpu()
				mustEncode(t, tok, strings.Repeat(unit, size/len(unit)), Options{})
				return cpu() - start
			}
			measure(20_000)
			small, large := measure(30_000), measure(300_000)
			if large > 10*4*small+0.2 {
				t.Errorf("%s, %s: 300 kB takes %.3f s, 30 kB %.3f s", name, what, large, small)
			}
		}
	}
}

// rss returns the memory that this process uses, in bytes.
func rss(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("memory in use can't be read on %s", runtime.GOOS)
	}
	var total, resident int
	if _, err := fmt.Sscan(string(data), &total, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize()
}

// TestFlatMemory makes hundreds of calls, some of them very large. Their results take
// about 30 MB in total.
func TestFlatMemory(t *testing.T) {
	for _, name := range []string{"wordpiece", "roberta"} {
		_, tok := loadFixture(t, name)
		call := func(n, size int) {
			for i := range n {
				text := strings.Repeat(fmt.Sprintf("The kettle %d sings, word%d. ", i, i*7919), size/30)
				e := mustEncode(t, tok, text, Options{Attributes: i%2 == 0})
				if _, err := tok.Decode(e.IDs[:min(100, len(e.IDs))], true); err != nil {
					t.Fatal(err)
				}
			}
		}
		call(1, 1<<20) // the caches fill
		before := rss(t)
		call(500, 1000)
		call(1, 1<<20)
		if grown := rss(t) - before; grown > 20<<20 {
			t.Errorf("%s: memory grew by %d MB", name, grown>>20)
		} else {
			t.Logf("%s: memory grew by %d kB", name, grown>>10)
		}
	}
}
