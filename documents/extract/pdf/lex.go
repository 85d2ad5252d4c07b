package pdf

import (
	"bytes"
	"math"
	"strconv"
)

// A lexer reads objects from bytes. It never fails: what is no object becomes
// nil, and the end of the bytes ends everything that is open.
type lexer struct {
	data []byte
	at   int
}

const maxNesting = 100 // of arrays and dictionaries

// end is the keyword at the end of the bytes.
const end = keyword("")

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func (l *lexer) skipSpace() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			i := bytes.IndexAny(l.data[l.at:], "\r\n")
			if i < 0 {
				l.at = len(l.data)
				return
			}
			l.at += i
		default:
			return
		}
	}
}

// next reads one object; references only appear where a file's objects are read.
func (l *lexer) next() object { return l.object(0) }

func (l *lexer) object(depth int) object {
	l.skipSpace()
	if l.at >= len(l.data) {
		return end
	}
	switch c := l.data[l.at]; c {
	case '/':
		l.at++
		return l.name()
	case '(':
		l.at++
		return l.literal()
	case '[':
		l.at++
		return l.array(depth + 1)
	case '<':
		if bytes.HasPrefix(l.data[l.at:], []byte("<<")) {
			l.at += 2
			return l.dict(depth + 1)
		}
		l.at++
		return l.hex()
	case '>':
		if bytes.HasPrefix(l.data[l.at:], []byte(">>")) {
			l.at += 2
			return keyword(">>")
		}
		l.at++
		return keyword(">")
	case ')', ']', '{', '}':
		l.at++
		return keyword(c)
	}
	start := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	return word(l.data[start:l.at])
}

// word reads a number, true, false, null or a keyword.
func word(w []byte) object {
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		if n, ok := number(w); ok {
			return n
		}
	}
	switch string(w) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return keyword(w)
}

// number reads an integer or a real, also the odd forms that programs write:
// "--5", "1.2.3" and "12-34" are read as far as they make sense.
func number(w []byte) (object, bool) {
	if n, err := strconv.ParseInt(string(w), 10, 64); err == nil {
		return n, true
	}
	if x, err := strconv.ParseFloat(string(w), 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x, true
	}
	sign := 1.0
	for len(w) > 0 && (w[0] == '-' || w[0] == '+') {
		if w[0] == '-' {
			sign = -1
		}
		w = w[1:]
	}
	value, scale, point := 0.0, 1.0, false
	for i, c := range w {
		switch {
		case c >= '0' && c <= '9' && point:
			scale /= 10
			value += float64(c-'0') * scale
		case c >= '0' && c <= '9':
			value = value*10 + float64(c-'0')
		case c == '.' && !point:
			point = true
		case (c == '.' || c == '-') && i > 0:
			return sign * value, !math.IsInf(value, 0)
		default:
			return nil, false
		}
	}
	return sign * value, len(w) > 0 && !math.IsInf(value, 0)
}

func (l *lexer) name() object {
	start := l.at
	escaped := false
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		escaped = escaped || l.data[l.at] == '#'
		l.at++
	}
	raw := l.data[start:l.at]
	if !escaped {
		return name(raw)
	}
	plain := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if hi, lo := hexDigit(raw[i+1]), hexDigit(raw[i+2]); hi >= 0 && lo >= 0 {
				plain = append(plain, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		plain = append(plain, raw[i])
	}
	return name(plain)
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// literal reads a string in parentheses.
func (l *lexer) literal() object {
	var s []byte
	for open := 1; l.at < len(l.data); l.at++ {
		switch c := l.data[l.at]; c {
		case '(':
			open++
			s = append(s, c)
		case ')':
			if open--; open == 0 {
				l.at++
				return text(s)
			}
			s = append(s, c)
		case '\r': // every line end is one character
			s = append(s, '\n')
			if l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
				l.at++
			}
		case '\\':
			s = l.escape(s)
		default:
			s = append(s, c)
		}
	}
	return text(s)
}

// escape reads what follows a backslash; l.at stays on its last byte.
func (l *lexer) escape(s []byte) []byte {
	l.at++
	if l.at >= len(l.data) {
		return s
	}
	switch c := l.data[l.at]; c {
	case 'n':
		return append(s, '\n')
	case 'r':
		return append(s, '\r')
	case 't':
		return append(s, '\t')
	case 'b':
		return append(s, '\b')
	case 'f':
		return append(s, '\f')
	case '\n':
		return s
	case '\r':
		if l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
			l.at++
		}
		return s
	default:
		if c < '0' || c > '7' {
			return append(s, c)
		}
		code := 0
		for n := 0; n < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; n++ {
			code = code<<3 | int(l.data[l.at]-'0')
			l.at++
		}
		l.at--
		return append(s, byte(code))
	}
}

// hex reads a string of hexadecimal digits.
func (l *lexer) hex() object {
	var s []byte
	high := -1
	for ; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		if c == '>' {
			l.at++
			break
		}
		digit := hexDigit(c)
		switch {
		case digit < 0:
		case high < 0:
			high = digit
		default:
			s = append(s, byte(high<<4|digit))
			high = -1
		}
	}
	if high >= 0 {
		s = append(s, byte(high<<4))
	}
	return text(s)
}

func (l *lexer) array(depth int) object {
	a := array{}
	if depth > maxNesting {
		l.at = len(l.data)
		return a
	}
	for {
		switch o := l.object(depth).(type) {
		case keyword:
			switch o {
			case "]", end:
				return a
			case "R":
				a = withRef(a)
			case ">>", "endobj", "endstream": // the closing bracket is missing
				return a
			}
		default:
			a = append(a, o)
		}
	}
}

func (l *lexer) dict(depth int) object {
	d := dict{}
	if depth > maxNesting {
		l.at = len(l.data)
		return d
	}
	var entries array // keys and values as they come; "5 0 R" is three words
	for {
		o := l.object(depth)
		if k, ok := o.(keyword); ok {
			if k == "R" {
				entries = withRef(entries)
				continue
			}
			if k == ">>" || k == end || k == "endobj" || k == "stream" {
				if k == "stream" || k == "endobj" {
					l.at -= len(k)
				}
				break
			}
			continue
		}
		entries = append(entries, o)
	}
	for i := 0; i+1 < len(entries); {
		key, ok := entries[i].(name)
		if !ok {
			i++
			continue
		}
		d[key] = entries[i+1]
		i += 2
	}
	return d
}

// withRef makes a reference of the last two numbers.
func withRef(a array) array {
	if len(a) < 2 {
		return a
	}
	number, ok1 := a[len(a)-2].(int64)
	generation, ok2 := a[len(a)-1].(int64)
	if !ok1 || !ok2 || number < 0 || number > maxObject || generation < 0 || generation > 65535 {
		return a
	}
	return append(a[:len(a)-2], ref{int(number), int(generation)})
}
