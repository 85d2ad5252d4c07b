package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// maxSource is more than ten times the longest template known.
const maxSource = 256_000 // bytes

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokData
	tokBlockBegin
	tokBlockEnd
	tokVarBegin
	tokVarEnd
	tokName
	tokString
	tokInt
	tokFloat
	tokOp
)

type token struct {
	kind tokenKind
	line int32
	text string // of data, names, strings (unescaped), operators and numbers
}

func (t token) is(kind tokenKind, text string) bool { return t.kind == kind && t.text == text }

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the template"
	case tokBlockEnd:
		return "%}"
	case tokVarEnd:
		return "}}"
	case tokData, tokBlockBegin, tokVarBegin:
		return "template text"
	}
	return fmt.Sprintf("%.40q", t.text)
}

// lexer follows the rules of jinja2/lexer.py, with trim_blocks (removes a
// newline after a block's end) and lstrip_blocks (removes white space between
// the start of a line and a block). A "+" turns either off at one place.
type lexer struct {
	src       string
	pos       int
	line      int32
	lineStart bool // the last text read ended with a newline
	tokens    []token
}

func lex(source string) ([]token, error) {
	if len(source) > maxSource {
		return nil, fmt.Errorf("it has %s, more than the %s that a template may have", humanize.Bytes(uint64(len(source))), humanize.Bytes(maxSource))
	}
	if !utf8.ValidString(source) {
		source = strings.ToValidUTF8(source, "\uFFFD")
	}
	source = strings.TrimSuffix(newlines.Replace(source), "\n")
	l := &lexer{src: source, line: 1, lineStart: true}
	for l.pos < len(l.src) {
		if err := l.root(); err != nil {
			return nil, &lineError{int(l.line), err}
		}
	}
	l.add(tokEOF, "")
	return l.tokens, nil
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (l *lexer) add(kind tokenKind, text string) {
	l.tokens = append(l.tokens, token{kind, l.line, text})
}

// advance moves past n bytes.
func (l *lexer) advance(n int) string {
	s := l.src[l.pos : l.pos+n]
	l.pos += n
	l.line += int32(strings.Count(s, "\n"))
	if n > 0 {
		l.lineStart = s[n-1] == '\n'
	}
	return s
}

func (l *lexer) rest() string { return l.src[l.pos:] }

// root reads text up to the next tag, and the tag.
func (l *lexer) root() error {
	rest := l.rest()
	tag := -1
	for i := 0; i+1 < len(rest); i++ {
		if rest[i] == '{' && (rest[i+1] == '{' || rest[i+1] == '%' || rest[i+1] == '#') {
			tag = i
			break
		}
	}
	if tag < 0 {
		l.data(l.advance(len(rest)))
		return nil
	}
	kind := rest[tag+1]
	sign := byte(0)
	if tag+2 < len(rest) && (rest[tag+2] == '-' || rest[tag+2] == '+') {
		sign = rest[tag+2]
	}
	lineStart := l.lineStart
	line := l.line
	text := l.advance(tag)
	l.strip(text, kind, sign, lineStart, line)
	if kind == '%' {
		if n := rawBegin(rest[tag:]); n > 0 {
			l.advance(n)
			return l.raw()
		}
	}
	l.advance(2)
	if sign != 0 {
		l.advance(1)
	}
	switch kind {
	case '#':
		return l.comment()
	case '%':
		l.add(tokBlockBegin, "")
		return l.code(tokBlockEnd)
	}
	l.add(tokVarBegin, "")
	return l.code(tokVarEnd)
}

func (l *lexer) data(text string) {
	if text != "" {
		l.add(tokData, text)
	}
}

// strip emits the text before a tag without the white space that the tag
// removes.
func (l *lexer) strip(text string, kind, sign byte, lineStart bool, line int32) {
	switch {
	case sign == '-':
		text = strings.TrimRightFunc(text, IsSpace)
	case sign != '+' && kind != '{':
		from := strings.LastIndexByte(text, '\n') + 1
		if (from > 0 || lineStart) && strings.TrimLeftFunc(text[from:], IsSpace) == "" {
			text = text[:from]
		}
	}
	if text != "" {
		l.tokens = append(l.tokens, token{tokData, line, text})
	}
}

// tagEnd measures a tag's end at the start of s: close, with "-" and the white
// space after it, or "+", or alone with the newline after it if trim.
func tagEnd(s, close string, trim bool) int {
	if strings.HasPrefix(s, "-"+close) {
		after := s[1+len(close):]
		return 1 + len(close) + len(after) - len(strings.TrimLeftFunc(after, IsSpace))
	}
	if trim && strings.HasPrefix(s, "+"+close) {
		return 1 + len(close)
	}
	if !strings.HasPrefix(s, close) {
		return 0
	}
	if trim && strings.HasPrefix(s[len(close):], "\n") {
		return len(close) + 1
	}
	return len(close)
}

// comment skips to its end. Jinja accepts an unclosed comment at the very end
// of a template.
func (l *lexer) comment() error {
	rest := l.rest()
	if rest == "" {
		return nil
	}
	for i := range len(rest) {
		if n := tagEnd(rest[i:], "#}", true); n > 0 {
			l.advance(i + n)
			return nil
		}
	}
	return fmt.Errorf("a comment is not closed; #} is missing")
}

// rawBegin measures "{% raw %}" at the start of s.
func rawBegin(s string) int {
	inner := s[2:]
	if inner != "" && (inner[0] == '-' || inner[0] == '+') {
		inner = inner[1:]
	}
	inner = strings.TrimLeftFunc(inner, IsSpace)
	inner, ok := strings.CutPrefix(inner, "raw")
	if !ok {
		return 0
	}
	inner = strings.TrimLeftFunc(inner, IsSpace)
	n := tagEnd(inner, "%}", false)
	if n == 0 {
		return 0
	}
	return len(s) - len(inner) + n
}

func (l *lexer) raw() error {
	rest := l.rest()
	if rest == "" { // as with comments
		return nil
	}
	for i := 0; ; i++ {
		next := strings.Index(rest[i:], "{%")
		if next < 0 {
			return fmt.Errorf("a raw block is not closed; {%% endraw %%} is missing")
		}
		i += next
		after := rest[i+2:]
		sign := byte(0)
		if after != "" && (after[0] == '-' || after[0] == '+') {
			sign = after[0]
			after = after[1:]
		}
		after, ok := strings.CutPrefix(strings.TrimLeftFunc(after, IsSpace), "endraw")
		after = strings.TrimLeftFunc(after, IsSpace)
		n := tagEnd(after, "%}", true)
		if !ok || n == 0 {
			continue
		}
		lineStart, line := l.lineStart, l.line
		text := l.advance(i)
		l.strip(text, '%', sign, lineStart, line)
		l.advance(len(rest) - i - len(after) + n)
		return nil
	}
}

// Operators, longest first.
var operators = []string{
	"//", "**", "==", "!=", ">=", "<=",
	"+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";",
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// code reads the inside of a tag up to its end. While a bracket is open, the
// end is an ordinary operator.
func (l *lexer) code(end tokenKind) error {
	close := "%}"
	if end == tokVarEnd {
		close = "}}"
	}
	var open []string
	for l.pos < len(l.src) {
		rest := l.rest()
		if len(open) == 0 {
			if n := tagEnd(rest, close, end == tokBlockEnd); n > 0 {
				l.add(end, "")
				l.advance(n)
				return nil
			}
		}
		if n := len(rest) - len(strings.TrimLeftFunc(rest, IsSpace)); n > 0 {
			l.advance(n)
			continue
		}
		switch c := rest[0]; {
		case c >= '0' && c <= '9':
			l.number(rest)
		case c == '"' || c == '\'':
			if err := l.str(rest); err != nil {
				return err
			}
		default:
			if n := NameLength(rest); n > 0 {
				l.add(tokName, rest[:n])
				l.advance(n)
				continue
			}
			op := operatorAt(rest)
			if op == "" {
				r, _ := utf8.DecodeRuneInString(rest)
				return fmt.Errorf("unexpected character %q", r)
			}
			switch op {
			case "(", "[", "{":
				open = append(open, closers[op])
			case ")", "]", "}":
				if len(open) == 0 {
					return fmt.Errorf("unexpected %q", op)
				}
				if want := open[len(open)-1]; want != op {
					return fmt.Errorf("unexpected %q where %q is missing", op, want)
				}
				open = open[:len(open)-1]
			}
			l.add(tokOp, op)
			l.advance(len(op))
		}
	}
	return fmt.Errorf("a tag is not closed; %s is missing", close)
}

func operatorAt(s string) string {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// IsSpace implements Python's str.isspace for one character.
func IsSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}
