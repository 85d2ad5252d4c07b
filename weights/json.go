package weights

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads one JSON document (RFC 8259) token by token. Unlike encoding/json
// it reports every key of an object, including repeated ones, holds no copy of
// the document, and limits nesting to maxDepth. The document must be UTF-8.
type scanner struct {
	s     string
	i     int
	depth int
}

// maxDepth is how deep objects and arrays may nest, as in the reference
// implementation.
const maxDepth = 127

var errDepth = errors.New("it is nested too deeply")

func (j *scanner) fail(want string) error {
	if j.i >= len(j.s) {
		return fmt.Errorf("it ends where %s should come", want)
	}
	return fmt.Errorf("%s should come at byte %d, not %q", want, j.i, j.s[j.i])
}

func (j *scanner) space() {
	for j.i < len(j.s) {
		switch j.s[j.i] {
		case ' ', '\t', '\n', '\r':
			j.i++
		default:
			return
		}
	}
}

// next skips white space and consumes c if it comes next.
func (j *scanner) next(c byte) bool {
	j.space()
	if j.i < len(j.s) && j.s[j.i] == c {
		j.i++
		return true
	}
	return false
}

// end returns an error unless only white space remains.
func (j *scanner) end() error {
	j.space()
	if j.i < len(j.s) {
		return j.fail("its end")
	}
	return nil
}

// object calls each with every key; each must read the value.
func (j *scanner) object(each func(key string) error) error {
	if !j.next('{') {
		return j.fail("an object")
	}
	return j.members('}', func() error {
		key, err := j.string()
		if err != nil {
			return err
		}
		if !j.next(':') {
			return j.fail("':'")
		}
		return each(key)
	})
}

// array calls each before every element; each must read it.
func (j *scanner) array(each func() error) error {
	if !j.next('[') {
		return j.fail("an array")
	}
	return j.members(']', each)
}

func (j *scanner) members(end byte, each func() error) error {
	if j.depth++; j.depth > maxDepth {
		return errDepth
	}
	defer func() { j.depth-- }()
	if j.next(end) {
		return nil
	}
	for {
		if err := each(); err != nil {
			return err
		}
		if j.next(end) {
			return nil
		}
		if !j.next(',') {
			return j.fail("',' or '" + string(end) + "'")
		}
	}
}

// string reads a string. Without escapes the result shares the document's memory.
func (j *scanner) string() (string, error) {
	if !j.next('"') {
		return "", j.fail("a string")
	}
	start, escapes := j.i, false
	for ; j.i < len(j.s); j.i++ {
		switch c := j.s[j.i]; {
		case c == '"' && escapes:
			return j.unescape(start)
		case c == '"':
			j.i++
			return j.s[start : j.i-1], nil
		case c == '\\':
			escapes = true
			j.i++ // whatever it is, a quote here does not end the string
		case c < ' ':
			return "", j.fail("a printable character")
		}
	}
	return "", j.fail("'\"'")
}

// unescape resolves the escapes of the string from start to the quote at the
// current byte.
func (j *scanner) unescape(start int) (string, error) {
	end := j.i
	var b strings.Builder
	b.Grow(end - start)
	for j.i = start; j.i < end; {
		if c := j.s[j.i]; c != '\\' {
			b.WriteByte(c)
			j.i++
			continue
		}
		r, err := j.escape()
		if err != nil {
			return "", err
		}
		b.WriteRune(r)
	}
	j.i++
	return b.String(), nil
}

// escape reads one escape sequence, or two that form a surrogate pair. It never
// reads past the closing quote, which is not part of any sequence.
func (j *scanner) escape() (rune, error) {
	const short, means = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	j.i++
	if k := strings.IndexByte(short, j.s[j.i]); k >= 0 {
		j.i++
		return rune(means[k]), nil
	}
	r, ok := j.hex4()
	if !ok {
		return 0, j.fail("an escape")
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if j.s[j.i] == '\\' {
		j.i++
		if low, ok := j.hex4(); ok {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				return r, nil
			}
		}
	}
	return 0, j.fail("the second half of a surrogate pair")
}

// hex4 reads the uXXXX of an escape.
func (j *scanner) hex4() (rune, bool) {
	if j.i+5 > len(j.s) || j.s[j.i] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(j.s[j.i+1:j.i+5], 16, 16)
	if err != nil {
		return 0, false
	}
	j.i += 5
	return rune(v), true
}

// int reads an integer from 0 to 2^63-1, written without point or exponent.
func (j *scanner) int() (int64, error) {
	j.space()
	start := j.i
	text := j.number()
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || text[0] == '-' {
		j.i = start
		return 0, j.fail("a whole number that is not negative and below 2^63")
	}
	return v, nil
}

// number reads the text of a number, "" if none comes next.
func (j *scanner) number() string {
	j.space()
	start := j.i
	digits := func() bool {
		from := j.i
		for j.i < len(j.s) && j.s[j.i]-'0' <= 9 {
			j.i++
		}
		return j.i > from
	}
	take := func(set string) bool {
		if j.i < len(j.s) && strings.IndexByte(set, j.s[j.i]) >= 0 {
			j.i++
			return true
		}
		return false
	}
	take("-")
	if !take("0") && !digits() {
		return ""
	}
	if take(".") && !digits() {
		return ""
	}
	if take("eE") {
		take("+-")
		if !digits() {
			return ""
		}
	}
	return j.s[start:j.i]
}

// null consumes the word null if it comes next.
func (j *scanner) null() bool { return j.word("null") }

func (j *scanner) word(w string) bool {
	j.space()
	if !strings.HasPrefix(j.s[j.i:], w) {
		return false
	}
	j.i += len(w)
	return true
}

// skip skips any value.
func (j *scanner) skip() error {
	j.space()
	if j.i >= len(j.s) {
		return j.fail("a value")
	}
	switch j.s[j.i] {
	case '{':
		return j.object(func(string) error { return j.skip() })
	case '[':
		return j.array(j.skip)
	case '"':
		_, err := j.string()
		return err
	}
	if j.word("null") || j.word("true") || j.word("false") {
		return nil
	}
	start := j.i
	if _, err := strconv.ParseFloat(j.number(), 64); err != nil {
		j.i = start
		return j.fail("a value")
	}
	return nil
}
