package pieces

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// Prepared is a text in a form that the library accepts, with the mapping back
// to the caller's bytes.
type Prepared struct {
	Text   string
	given  string
	chunks []chunk // where the two differ, in order; nil for most texts
}

// chunk maps bytes at:end of the prepared text to given:givenEnd of the
// original. Between chunks the two are equal.
type chunk struct{ at, end, given, givenEnd int }

// Prepare replaces what can't be passed to the library. NUL, which would end
// the C string, becomes a mark that the library turns back into NUL. Broken
// UTF-8 becomes U+FFFD, one for each maximal subpart (Unicode 15, section 3.9,
// as Python does). In text that looks like one of our marks the first
// character becomes U+FFFD. If longest is not 0, prepare keeps only the first
// longest letters of a word: WordPiece makes one unknown token of a word of
// more than a hundred or so characters, so the rest, perhaps megabytes,
// changes nothing.
func Prepare(given string, longest int) Prepared {
	p := Prepared{Text: given, given: given}
	if clean(given) && (longest == 0 || !hasLongWord(given, longest)) {
		return p
	}
	var out strings.Builder
	out.Grow(len(given) + 64)
	put := func(i, n int, with string) {
		c := chunk{at: out.Len(), given: i, givenEnd: i + n}
		out.WriteString(with)
		c.end = out.Len()
		p.chunks = append(p.chunks, c)
	}
	letters := 0
	for i := 0; i < len(given); {
		r, n := utf8.DecodeRuneInString(given[i:])
		switch rest := given[i:]; {
		case r == utf8.RuneError && n == 1:
			n = brokenBytes(rest)
			put(i, n, "\uFFFD")
			letters = 0
		case r == 0:
			put(i, n, definition.NulMark)
			letters = 0
		case strings.HasPrefix(rest, definition.NulMark) || strings.HasPrefix(rest, definition.ControlMark):
			put(i, n, "\uFFFD")
			letters = 0
		case longest > 0 && letters > longest && wordRune(r):
			// From here to its last letter the word can be dropped.
			if n = lastLetter(rest); n > 0 {
				put(i, n, "")
			}
			letters = 0
		default:
			out.WriteString(given[i : i+n])
			letters = countLetters(letters, r)
		}
		i += n
	}
	p.Text = out.String()
	return p
}

func clean(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 && !strings.Contains(s, definition.MarkRune)
}

// brokenBytes returns how many bytes at the start of s one U+FFFD replaces: as
// many as could begin a character. s does not begin with valid UTF-8.
func brokenBytes(s string) int {
	n := 1
	if utf8.FullRuneInString(s[:1]) { // no character begins with this byte
		return n
	}
	for n < len(s) && !utf8.FullRuneInString(s[:n+1]) {
		n++
	}
	return n
}

// wordRune reports whether no pre-tokenizer of the BERT kind splits at r.
func wordRune(r rune) bool {
	if r < 0x80 {
		return definition.IsAlnum(r)
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r)) && !chinese(r)
}

// countLetters adds to letters the characters of a word that the model
// certainly counts, too. Normalizing removes some others, by Unicode tables
// older than Go's, so only scripts that were complete by then are counted.
func countLetters(letters int, r rune) int {
	switch {
	case !wordRune(r):
		return 0
	case r < 0x530 && !unicode.IsMark(r), 0xAC00 <= r && r <= 0xD7A3:
		return letters + 1
	}
	return letters
}

// lastLetter returns the end of the last letter that countLetters counts in
// the word at the start of s, 0 if there is none.
func lastLetter(s string) (end int) {
	for end < len(s) && definition.IsAlnum(rune(s[end])) {
		end++
	}
	for i := end; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			break
		}
		if i += size; countLetters(0, r) > 0 {
			end = i
		}
	}
	return end
}

func hasLongWord(s string, longest int) bool {
	letters := 0
	for _, r := range s {
		if letters = countLetters(letters, r); letters > longest+1 {
			return true
		}
	}
	return false
}

// chinese reports whether BERT treats r as a word by itself.
func chinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0xF900 <= r && r <= 0xFAFF ||
		0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2B73F || 0x2B740 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F
}

// Origin maps a range of the prepared text to the caller's bytes.
func (p *Prepared) Origin(start, end int) [2]int {
	if p.chunks == nil {
		return [2]int{start, end}
	}
	from := p.position(start, false)
	if start == end {
		return [2]int{from, from}
	}
	return [2]int{from, max(from, p.position(end, true))}
}

// position maps one position. Inside a chunk it returns the chunk's start, or
// its end if up.
func (p *Prepared) position(at int, up bool) int {
	i := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].at > at }) - 1
	if i < 0 {
		return at
	}
	c := p.chunks[i]
	switch {
	case at >= c.end:
		return c.givenEnd + at - c.end
	case up && at > c.at:
		return c.givenEnd
	}
	return c.given
}
