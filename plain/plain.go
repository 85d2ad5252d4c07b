// Package plain makes text from outside fit to be shown: names in files, answers
// of servers, arguments, errors that quote any of them. Such a text may be
// megabytes long, reorder the line that it is put in, or drive a terminal.
//
// The doors are few, and each uses this package: the widgets of ui/kit, the log,
// and what the command line prints.
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text as one line of at most most characters. Runs of white space
// become one space, hidden characters are made [Visible], and a text that is cut
// ends with "…".
func Line(text string, most int) string {
	return Cut(Visible(squeeze(text, most+1)), most)
}

// squeeze returns up to most characters of a text, with one space for each run of
// white space.
func squeeze(text string, most int) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = count > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			count++
			space = false
		}
		if count >= most {
			break
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// Cut shortens a line to most characters, the last of them "…".
func Cut(line string, most int) string {
	if len(line) <= most {
		return line
	}
	count, end := 0, 0 // end is where the last character but one would begin
	for i := range line {
		if count++; count == most {
			end = i
		}
		if count > most {
			return strings.TrimRightFunc(line[:end], joinsOn) + "…"
		}
	}
	return line
}

// joinsOn reports whether a character means nothing at the end of a line: white
// space, or a joiner of two parts of an emoji.
func joinsOn(r rune) bool { return unicode.IsSpace(r) || r == zeroWidthJoiner }

// Text returns a text of at most most characters, 100 or more. It keeps line ends
// and tabs, and makes hidden characters [Visible]. A longer text loses its middle, because a
// sentence about a mistake ends with what to do, and says how much that was.
func Text(text string, most int) string {
	return ends(Visible(ends(text, most)), most)
}

// ends keeps the two ends of a text that is longer than most characters.
func ends(text string, most int) string {
	if len(text) <= most || len(text) <= most*utf8.UTFMax && utf8.RuneCountInString(text) <= most {
		return text
	}
	const note = " … (%d bytes are left out here) … "
	room := most - len(note) - 10 // the digits of the largest number that strings have, and some
	head, tail := First(text, room*2/3), Last(text, room/3)
	return head + fmt.Sprintf(note, len(text)-len(head)-len(tail)) + tail
}

// First returns the first n characters of a text, or all where it has fewer.
func First(text string, n int) string {
	at := 0
	for range min(n, len(text)) {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at]
}

// Last is [First] from the end.
func Last(text string, n int) string {
	at := len(text)
	for range min(n, len(text)) {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}

// Terminal returns a text without the characters that drive a terminal: they move
// its cursor, recolour it, make it answer as if somebody typed, or turn the
// direction of its lines. They become their pictures (U+2400 and on), or U+FFFD
// where they have none, as do bytes that are no UTF-8. Everything else stays,
// also line ends and tabs, so a text may come in pieces.
func Terminal(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case r < ' ':
			return '␀' + r
		case r == '\x7f':
			return '␡'
		case Drives(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// IsBlank reports whether a text has nothing that can be seen: it is empty, or all white
// space, control characters and the like.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// Drives reports whether a character drives a terminal: a control character, or one
// that turns the direction of the text after it.
func Drives(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
