package support

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markers are signs in an answer that are not part of what it says: where a model says
// that it has something from, the addresses of links, and tags.
var markers = []*regexp.Regexp{
	regexp.MustCompile(`\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\]`),
	regexp.MustCompile(`【[^】]{0,40}】`),
	regexp.MustCompile(`(?i)[(\[](?:see |from )?(?:the )?` + source + `\s*(?:#|no\.?\s*)?\d{1,3}` + further + `[)\]]`),
	regexp.MustCompile(`\]\([^()\s]*(?:\s+"[^"]*")?\)`),
	regexp.MustCompile(`</?[a-zA-Z][^<>]{0,200}>`),
	regexp.MustCompile(`^\s{0,3}(?:>\s?)+`),
}

// What names a passage, and what may follow its number.
const (
	source  = `(?:passages?|sources?|documents?|texts?|context|excerpts?)`
	further = `(?:\s*(?:,|;|and|&|to|–|-)\s*(?:passage\s*)?\d{1,3})*`
)

// lead is how a sentence may begin that says where it is from, such as "According to
// passage 2," and "The text says that". The first group stays.
var lead = regexp.MustCompile(`(?i)(^\s*|[.!?]\s+)` +
	`(?:(?:according to|as (?:stated|described|mentioned|shown|noted|written|said) in|based on|in|from) (?:the |this |these |your )?(?:(?:provided|given|first|second|third) )?` +
	source + `(?: provided| given)?(?:\s*#?\d{1,3}` + further + `)?\s*[,:]` +
	`|(?:the )?` + source + `\s*(?:#?\d{1,3}` + further + `)?\s+(?:says?|states?|mentions?|tells?(?: us)?|explains?|notes?|reads?)\s+that\b)`)

// withoutMarkers returns the answer with spaces in place of its markers and of Markdown's
// emphasis, so that every byte stays in its place. Code stays as it is.
func withoutMarkers(answer string) string {
	plain := []byte(answer)
	at, open := 0, ""
	for line := range strings.Lines(answer) {
		part := plain[at : at+len(line)]
		at += len(line)
		mark := fence.FindStringSubmatch(line)
		switch {
		case mark != nil && open == "":
			open = mark[1]
		case mark != nil && strings.HasPrefix(mark[1], open):
			open = ""
		case open == "" && !underline.MatchString(line):
			unmark(part)
		}
	}
	return string(plain)
}

func unmark(line []byte) {
	for _, m := range markers {
		for _, at := range m.FindAllIndex(line, -1) {
			blank(line[at[0]:at[1]])
		}
	}
	for _, at := range lead.FindAllSubmatchIndex(line, -1) {
		blank(line[at[3]:at[1]])
		beginSentence(line[at[1]:])
	}
	for i := 0; i < len(line); {
		end := i + 1
		for end < len(line) && line[end] == line[i] {
			end++
		}
		if isEmphasis(line, i, end) {
			blank(line[i:end])
		}
		i = end
	}
}

// beginSentence writes a capital for the small letter that a text begins with, if it is one of
// ASCII, so that a sentence begins there.
func beginSentence(text []byte) {
	for i, b := range text {
		if b != ' ' {
			if b >= 'a' && b <= 'z' {
				text[i] = b - 'a' + 'A'
			}
			return
		}
	}
}

// isEmphasis reports whether a run of one sign is Markdown's. A star between spaces is a
// sign of its own, and a _ between letters is part of a name.
func isEmphasis(line []byte, start, end int) bool {
	before, _ := utf8.DecodeLastRune(line[:start])
	after, _ := utf8.DecodeRune(line[end:])
	left, right := start > 0 && !unicode.IsSpace(before), end < len(line) && !unicode.IsSpace(after)
	switch line[start] {
	case '`', '[', ']':
		return true
	case '*':
		return left || right
	case '_':
		return (left || right) && !(left && right && letter(before) && letter(after))
	case '~':
		return end-start == 2
	}
	return false
}

// blank writes spaces over everything but line ends.
func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
