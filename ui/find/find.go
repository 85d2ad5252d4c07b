// Package find finds words within a text as people look for them: large and small letters,
// accents, kinds of quotes and of white space make no difference.
package find

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// In returns where a text has what is sought, in bytes and in order. Parts do not overlap. Nothing
// is found where what is sought is empty or white space alone.
func In(text, sought string) (parts [][2]int) {
	wanted := bytes.TrimSpace(folded(sought, nil))
	if len(wanted) == 0 || !bytes.Contains(folded(text, nil), wanted) {
		return nil
	}
	var from []int // the byte of text that each folded byte is from
	in := folded(text, &from)
	for at := 0; ; {
		i := bytes.Index(in[at:], wanted)
		if i < 0 {
			return parts
		}
		start := at + i
		at = start + len(wanted)
		next := at // the first byte of the character behind the part
		for next < len(in) && from[next] == from[at-1] {
			next++
		}
		end := len(text)
		if next < len(in) {
			end = from[next]
		}
		if n := len(parts); n == 0 || from[start] >= parts[n-1][1] { // a character can hold two
			parts = append(parts, [2]int{from[start], end})
		}
	}
}

// folded is a text as it is compared. from gets the byte of the text that each folded byte is from;
// it may be nil.
func folded(text string, from *[]int) []byte {
	out := make([]byte, 0, len(text)+8)
	for i, r := range text {
		before := len(out)
		out = appendFolded(out, r)
		if from != nil {
			for range len(out) - before {
				*from = append(*from, i)
			}
		}
	}
	return out
}

func appendFolded(out []byte, r rune) []byte {
	switch {
	case 'A' <= r && r <= 'Z':
		return append(out, byte(r)+'a'-'A')
	case r == '\n' || r == '\t' || r == '\r':
		return append(out, ' ')
	case r < utf8.RuneSelf:
		return append(out, byte(r))
	case unicode.IsSpace(r):
		return append(out, ' ')
	case r == '“' || r == '”' || r == '„':
		return append(out, '"')
	case r == '‘' || r == '’':
		return append(out, '\'')
	}
	for _, part := range norm.NFKD.String(string(r)) {
		if !unicode.Is(unicode.Mn, part) {
			out = utf8.AppendRune(out, unicode.ToLower(part))
		}
	}
	return out
}
