package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// NameLength returns how many bytes at the start of s make a name.
func NameLength(s string) int {
	for i, r := range s {
		if r == '_' || unicode.IsLetter(r) || i > 0 && (unicode.IsDigit(r) || unicode.IsMark(r)) {
			continue
		}
		return i
	}
	return len(s)
}

// number reads an integer (decimal, 0x, 0o, 0b) or a float, "_" between digits.
func (l *lexer) number(rest string) {
	digits := func(i int, set string) int {
		in := func(i int) bool { return i < len(rest) && strings.IndexByte(set, rest[i]) >= 0 }
		for in(i) || i < len(rest) && rest[i] == '_' && in(i+1) {
			i++
		}
		return i
	}
	const decimal = "0123456789"
	kind, n := tokInt, digits(0, decimal)
	if l.pos == 0 || l.src[l.pos-1] != '.' {
		end := n
		if end+1 < len(rest) && rest[end] == '.' && IsDigit(rest[end+1]) {
			end = digits(end+1, decimal)
		}
		if e := end; e+1 < len(rest) && rest[e]|0x20 == 'e' {
			if e++; rest[e] == '+' || rest[e] == '-' {
				e++
			}
			if e < len(rest) && IsDigit(rest[e]) {
				end = digits(e, decimal)
			}
		}
		if end > n {
			kind, n = tokFloat, end
		}
	}
	if kind == tokInt && rest[0] == '0' {
		n = digits(0, "0")
		if len(rest) > 2 {
			sets := map[byte]string{'x': "0123456789abcdefABCDEF", 'o': "01234567", 'b': "01"}
			if set, ok := sets[rest[1]|0x20]; ok {
				if end := digits(2, set); end > 2 {
					n = end
				}
			}
		}
	}
	l.add(kind, strings.ReplaceAll(rest[:n], "_", ""))
	l.advance(n)
}

// IsDigit reports whether c is a digit of ASCII.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) str(rest string) error {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			text, err := unescape(rest[1:i])
			if err != nil {
				return err
			}
			l.add(tokString, text)
			l.advance(i + 1)
			return nil
		}
	}
	return fmt.Errorf("unexpected character %q: a string is not closed", rest[0])
}

var escapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// unescape resolves a string literal's escapes as Python does.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i] // a literal never ends with a lone backslash
		if text, ok := escapes[c]; ok {
			b.WriteString(text)
			continue
		}
		if width, ok := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; ok {
			if i+1+width > len(s) {
				return "", fmt.Errorf("the escape \\%c in a string is cut short", c)
			}
			n, err := strconv.ParseUint(s[i+1:i+1+width], 16, 32)
			if err != nil || n > unicode.MaxRune {
				return "", fmt.Errorf("the escape \\%c%s in a string is no character", c, s[i+1:i+1+width])
			}
			b.WriteRune(rune(n))
			i += width
			continue
		}
		if c >= '0' && c <= '7' {
			n, j := 0, i
			for ; j < len(s) && j < i+3 && s[j] >= '0' && s[j] <= '7'; j++ {
				n = n*8 + int(s[j]-'0')
			}
			b.WriteRune(rune(n))
			i = j - 1
			continue
		}
		b.WriteByte('\\')
		b.WriteByte(c)
	}
	return b.String(), nil
}
