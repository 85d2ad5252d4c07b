package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Formulas stand between \( and \), \[ and \], $$ and $$, or $ and $. Prices, variables of a
// shell and escaped brackets look alike, so the rules are careful: what is within must look
// like a formula, and one that does not end is text.

// maxFormula bounds the bytes of a formula.
const maxFormula = 16 << 10

var (
	kindMath      = ast.NewNodeKind("Math")
	kindMathBlock = ast.NewNodeKind("MathBlock")
)

// math is a formula within text.
type math struct {
	ast.BaseInline
	written     string // with the signs around it
	within      string
	display     bool
	start, stop int // bytes of the source
}

// Kind is that of goldmark's tree.
func (*math) Kind() ast.NodeKind { return kindMath }

// Dump is for people who look for a mistake.
func (m *math) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// mathParser finds formulas within text.
type mathParser struct{}

// Trigger returns what a formula may begin with.
func (mathParser) Trigger() []byte { return []byte{'\\', '$'} }

// Parse parses a formula at the beginning of block.
func (mathParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	open, end := signs(line)
	if open == "" {
		return nil
	}
	before := block.PrecendingCharacter()
	if open == "$" && (before == '$' || wordly(before)) {
		return nil
	}
	m := &math{display: open == "$$" || open == `\[`, start: segment.Start}
	var b strings.Builder
	from := len(open) // of what is within in the line
	s := search{end: end}
	for {
		at, failed := s.line(line[from:])
		if failed || b.Len() > maxFormula {
			return nil
		}
		if at >= 0 {
			b.Write(line[:from+at+len(end)])
			m.written = b.String()
			m.within = m.written[len(open) : len(m.written)-len(end)]
			m.stop = segment.Start + from + at + len(end)
			after, _ := utf8.DecodeRune(line[from+at+len(end):])
			if !plausible(open, m.within) || open == "$" && wordly(after) {
				return nil
			}
			block.Advance(from + at + len(end))
			return m
		}
		b.Write(line)
		from = 0
		block.AdvanceLine()
		if line, segment = block.PeekLine(); line == nil || open == "$" {
			return nil
		}
	}
}

// signs returns the signs that begin and end a formula at the start of a line.
func signs(line []byte) (open, end string) {
	switch {
	case bytes.HasPrefix(line, []byte(`\(`)):
		return `\(`, `\)`
	case bytes.HasPrefix(line, []byte(`\[`)):
		return `\[`, `\]`
	case bytes.HasPrefix(line, []byte("$$$")):
		return "", ""
	case bytes.HasPrefix(line, []byte("$$")):
		return "$$", "$$"
	case bytes.HasPrefix(line, []byte("$")):
		return "$", "$"
	}
	return "", ""
}

// search looks for the end of a formula, line by line. A dollar in braces is one of text.
type search struct {
	end   string
	depth int
}

// line returns where the end is; -1: not in this line. It reports whether there cannot be any.
func (s *search) line(line []byte) (at int, failed bool) {
	for i := 0; i < len(line); i++ {
		if s.depth == 0 && bytes.HasPrefix(line[i:], []byte(s.end)) {
			return i, false
		}
		switch line[i] {
		case '\\':
			i++
		case '{':
			s.depth++
		case '}':
			if s.depth--; s.depth < 0 {
				return -1, true
			}
		case '`':
			return -1, true
		}
	}
	return -1, false
}

// wordly reports whether a character belongs to a word.
func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// plausible reports whether what stands between the signs of a formula looks like one.
func plausible(open, within string) bool {
	trimmed := strings.TrimSpace(within)
	if trimmed == "" || len(within) > maxFormula {
		return false
	}
	formal := strings.ContainsAny(trimmed, `\^_=`)
	switch open {
	case "$":
		if trimmed != within || strings.Contains(within, "\n") {
			return false
		}
		if first := trimmed[0]; first >= '0' && first <= '9' && !formal && prose(trimmed, 1) { // a price
			return false
		}
	case `\[`: // an escaped bracket: [1], [ ], [note]
		if !formal && !strings.ContainsAny(trimmed, "+-*/<>") && !strings.HasPrefix(within, "\n") {
			return false
		}
	}
	return formal || !prose(trimmed, 2)
}

// prose reports whether so many words of at least two letters follow each other.
func prose(s string, count int) bool {
	found := 0
	for _, field := range strings.Fields(s) {
		field = strings.Trim(field, ",.;:!?()'\"")
		letters := 0
		for _, r := range field {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if letters >= 2 && letters == utf8.RuneCountInString(field) {
			if found++; found >= count {
				return true
			}
		} else {
			found = 0
		}
	}
	return false
}
