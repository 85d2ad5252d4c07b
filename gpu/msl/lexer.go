package msl

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

type tokenKind uint8

const (
	identifier tokenKind = iota
	number
	text // a string literal, quotes included
	punctuation
)

type token struct {
	kind       tokenKind
	start, end int // bytes of the source
}

// span is a range of bytes.
type span struct{ start, end int }

// line is where a part of the source begins that has its own line numbers, by
// #line or at the start.
type line struct {
	offset int // of its first byte
	number int // of its first line
	file   string
}

// parser holds the state that the passes over one source share.
type parser struct {
	source  string
	partial bool // templates may have no instances
	program *Program
	tokens  []token
	match   []int // for each bracket the index of its partner
	lines   []line
	errs    []error

	newlines []int // offsets of line breaks

	functions map[string][]function // by name, struct::name within a struct
	methods   map[string][]string   // by struct
	owner     string                // the struct that is being parsed
	structs   map[string]bool
	templates map[string]*template
}

func newParser(source string) *parser {
	var newlines []int
	for i := 0; i < len(source); i++ {
		if source[i] == '\n' {
			newlines = append(newlines, i)
		}
	}
	return &parser{
		newlines:  newlines,
		source:    source,
		program:   &Program{source: source},
		lines:     []line{{number: 1}},
		functions: map[string][]function{},
		methods:   map[string][]string{},
		structs:   map[string]bool{},
		templates: map[string]*template{},
	}
}

// fail reports a violation at a byte of the source.
func (p *parser) fail(offset int, format string, args ...any) {
	if len(p.errs) >= maxErrors {
		return
	}
	file, number := p.position(offset)
	p.errs = append(p.errs, &Error{file, number, fmt.Sprintf(format, args...)})
}

func (p *parser) position(offset int) (file string, number int) {
	l := p.lines[sort.Search(len(p.lines), func(i int) bool { return p.lines[i].offset > offset })-1]
	return l.file, l.number + p.newlinesBefore(offset) - p.newlinesBefore(l.offset)
}

func (p *parser) newlinesBefore(offset int) int { return sort.SearchInts(p.newlines, offset) }

// is reports whether token i exists and is s.
func (p *parser) is(i int, s string) bool {
	return i >= 0 && i < len(p.tokens) && p.str(i) == s
}

// str returns the text of token i.
func (p *parser) str(i int) string { return p.source[p.tokens[i].start:p.tokens[i].end] }

func (p *parser) isIdentifier(i int) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind == identifier
}

// words joins the tokens from i up to but not including j, with single blanks.
func (p *parser) words(i, j int) string {
	var b strings.Builder
	for ; i < j; i++ {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.str(i))
	}
	return b.String()
}

// lex splits the source into tokens. It drops comments, handles directives, and
// rejects characters outside the dialect.
func (p *parser) lex() {
	s := p.source
	p.tokens = make([]token, 0, len(s)/4)
	fresh := true // only blanks since the line began
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch {
		case c == '\n':
			i++
			fresh = true
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(s[i:], "//"):
			i = endOfLine(s, i)
			continue
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				p.fail(start, "a comment has no end")
				return
			}
			i += n + 4
			continue
		case c == '#' && fresh:
			i = endOfLine(s, i)
			p.directive(start, i)
			continue
		case isLetter(c):
			for i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
				i++
			}
			p.tokens = append(p.tokens, token{identifier, start, i})
		case isDigit(c) || c == '.' && i+1 < len(s) && isDigit(s[i+1]):
			for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '.' ||
				(s[i] == '+' || s[i] == '-') && (s[i-1] == 'e' || s[i-1] == 'E') && !strings.HasPrefix(s[start:], "0x")) {
				i++
			}
			p.tokens = append(p.tokens, token{number, start, i})
		case c == '"':
			n := strings.IndexAny(s[i+1:], "\"\\\n")
			if n < 0 || s[i+1+n] != '"' {
				p.fail(start, "a string that has no end on its line, or a backslash in it")
				return
			}
			i += n + 2
			p.tokens = append(p.tokens, token{text, start, i})
		case strings.HasPrefix(s[i:], "::") || strings.HasPrefix(s[i:], "->"):
			i += 2
			p.tokens = append(p.tokens, token{punctuation, start, i})
		case strings.IndexByte("()[]{}<>;,=+-*/%&|^!~?:.", c) >= 0:
			i++
			p.tokens = append(p.tokens, token{punctuation, start, i})
		default:
			p.fail(start, "a character outside the dialect: %q", rune(c))
			return
		}
		fresh = false
	}
}

// unroll is what may follow #pragma.
var unroll = regexp.MustCompile(`^unroll(\([1-9][0-9]?\))?$`)

// directive parses one line that begins with #.
func (p *parser) directive(start, end int) {
	name, rest, _ := strings.Cut(strings.TrimSpace(p.source[start+1:end]), " ")
	rest, _, _ = strings.Cut(rest, "//")
	rest = strings.TrimSpace(rest)
	switch name {
	case "include":
		if rest != "<metal_stdlib>" && rest != "<metal_simdgroup_matrix>" {
			p.fail(start, "#include %s is outside the dialect: the compiler sees one text, and <metal_stdlib> and <metal_simdgroup_matrix>", rest)
		}
	case "line":
		digits, file, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 {
			p.fail(start, "#line without a number")
			return
		}
		p.lines = append(p.lines, line{min(end+1, len(p.source)), n, strings.Trim(strings.TrimSpace(file), `"`)})
	case "pragma":
		if !unroll.MatchString(rest) {
			p.fail(start, "#pragma %s is outside the dialect, which has #pragma unroll and #pragma unroll(2)", rest)
		}
	default:
		p.fail(start, "#%s is outside the dialect: a macro hides what it stands for from the checks", name)
	}
}

// matchBrackets finds the partner of every bracket.
func (p *parser) matchBrackets() {
	p.match = make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		if t.kind != punctuation || t.end-t.start > 1 {
			continue
		}
		switch c := p.source[t.start]; c {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 {
				p.fail(t.start, "%q closes nothing", rune(c))
				return
			}
			j := open[len(open)-1]
			if partner := p.source[p.tokens[j].start]; strings.IndexByte("([{", partner) != strings.IndexByte(")]}", c) {
				p.fail(t.start, "%q does not close the %q of line %d", rune(c), rune(partner), p.lineOf(j))
				return
			}
			open = open[:len(open)-1]
			p.match[i], p.match[j] = j, i
		}
	}
	if len(open) > 0 {
		j := open[len(open)-1]
		p.fail(p.tokens[j].start, "%q is never closed", rune(p.source[p.tokens[j].start]))
	}
}

func (p *parser) lineOf(i int) int {
	_, number := p.position(p.tokens[i].start)
	return number
}

func endOfLine(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
