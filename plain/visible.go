package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible replaces the characters of a text that could hide, reorder or
// invisibly carry something with their code, such as ⟨U+202E⟩, or ⟨U+200B×5⟩ for
// several of the same. It keeps those that a script or an emoji needs at their
// position: joiners within emoji and between letters of scripts that join,
// selectors after what they select, flags made of tags, tab and line feed. Of the
// accents on one letter it keeps 20: text may pile up thousands. Bytes that are not
// UTF-8 become U+FFFD.
func Visible(s string) string {
	at := firstUnusual(s)
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:at])
	before, marks := lastRune(s[:at]), 0
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if flag := flagAt(s[at:]); flag > 0 {
			b.WriteString(s[at : at+flag])
			at, before = at+flag, 0
			continue
		}
		if marks++; !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		}
		rest := s[at+size:]
		if marks <= mostMarks && (!hidden(r) || needed(r, before, rest)) {
			b.WriteRune(r)
			at, before = at+size, r
			continue
		}
		count, same := 1, s[at:at+size]
		for at += size; strings.HasPrefix(s[at:], same); at += size {
			count++
		}
		if count == 1 {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			fmt.Fprintf(&b, "⟨U+%04X×%d⟩", r, count)
		}
		before = 0
	}
	return b.String()
}

// mostMarks is how many accents a letter may have.
const mostMarks = 20

// firstUnusual returns the position of the first byte that is not plain ASCII.
func firstUnusual(s string) int {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(s)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	blackFlag          = '\U0001F3F4'
)

// drawn lists format characters that have a shape.
var drawn = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0600, 0x0605, 1}, {0x06dd, 0x06dd, 1}, {0x070f, 0x070f, 1}, {0x0890, 0x0891, 1}, {0x08e2, 0x08e2, 1}},
	R32: []unicode.Range32{{0x110bd, 0x110bd, 1}, {0x110cd, 0x110cd, 1}, {0x13430, 0x1343f, 1}},
}

// blank lists letters, marks and separators that draw nothing and do not look
// like a space: the grapheme joiner, Hangul fillers, line separators.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{{0x034f, 0x034f, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x2028, 0x2029, 1}, {0x3164, 0x3164, 1}, {0xfe00, 0xfe0f, 1}, {0xffa0, 0xffa0, 1}},
	R32: []unicode.Range32{{0xe0000, 0xe0fff, 1}},
}

// hidden reports whether a character draws nothing or reorders others.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x7f:
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, blank) && !unicode.Is(drawn, r)
}

// joining lists the scripts in which a joiner or non-joiner changes the shape of
// letters.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Phags_Pa, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese,
	unicode.Javanese, unicode.Tai_Tham, unicode.Lao, unicode.Thai,
}

// needed reports whether a hidden character has a function between the text
// before and after it.
func needed(r, before rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == zeroWidthJoiner && pictorial(before):
		return pictorial(after)
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return unicode.In(before, joining...) && (unicode.In(after, joining...) || unicode.IsSpace(after) || rest == "")
	case r == 0xfe0e || r == 0xfe0f: // as text, as an emoji
		return pictorial(before) || before >= '0' && before <= '9' || before == '#' || before == '*' || unicode.In(before, unicode.So, unicode.Sm, unicode.Po)
	case r >= 0xfe00 && r <= 0xfe0d, r >= 0xe0100 && r <= 0xe01ef: // variants of ideographs
		return unicode.Is(unicode.Han, before)
	case r >= 0x180b && r <= 0x180f: // variants of letters
		return unicode.Is(unicode.Mongolian, before)
	case r == 0x17b4 || r == 0x17b5:
		return unicode.Is(unicode.Khmer, before)
	}
	return false
}

// pictorial reports whether a character is part of an emoji.
func pictorial(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2190 && r <= 0x2bff, r == 0xfe0f, r == 0x20e3, r == 0x3030, r == 0x303d, r == 0xa9, r == 0xae:
		return true
	}
	return false
}

// flagAt returns the length of a flag made of tags at the start of s; 0: none.
func flagAt(s string) int {
	if r, _ := utf8.DecodeRuneInString(s); r != blackFlag {
		return 0
	}
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		flag := []rune{blackFlag}
		for _, letter := range region {
			flag = append(flag, 0xe0000+letter)
		}
		if f := string(append(flag, 0xe007f)); strings.HasPrefix(s, f) {
			return len(f)
		}
	}
	return 0
}
