package formula

import (
	"strings"
	"unicode/utf8"
)

// Kinds of tokens. A character that means nothing special is its own kind, charToken.
type tokenKind uint8

const (
	endToken tokenKind = iota
	charToken
	commandToken // \name
	openToken    // {
	closeToken   // }
	superToken   // ^
	subToken     // _
	primeToken   // '
	alignToken   // &
	lineToken    // \\
	spaceToken   // ~
)

// token is a piece of the source.
type token struct {
	kind  tokenKind
	char  rune
	name  string // of a command
	start int    // bytes of the source
	end   int
}

// lexer splits LaTeX into tokens, without the white space between them.
type lexer struct {
	source string
	at     int
}

// peek returns the next token.
func (l *lexer) peek() token {
	at := l.at
	for at < len(l.source) && strings.IndexByte(" \t\r\n", l.source[at]) >= 0 {
		at++
	}
	if at == len(l.source) {
		return token{kind: endToken, start: at, end: at}
	}
	r, n := utf8.DecodeRuneInString(l.source[at:])
	t := token{kind: charToken, char: r, start: at, end: at + n}
	switch r {
	case '{':
		t.kind = openToken
	case '}':
		t.kind = closeToken
	case '^':
		t.kind = superToken
	case '_':
		t.kind = subToken
	case '\'', '’':
		t.kind = primeToken
	case '&':
		t.kind = alignToken
	case '~', '\u00a0':
		t.kind = spaceToken
	case '\\':
		return l.command(at)
	}
	return t
}

// command returns the token of a command: a backslash with letters, or with one other sign.
func (l *lexer) command(at int) token {
	end := at + 1
	for end < len(l.source) && asciiLetter(l.source[end]) {
		end++
	}
	if end == at+1 && end < len(l.source) {
		_, n := utf8.DecodeRuneInString(l.source[end:])
		end += n
	}
	t := token{kind: commandToken, name: l.source[at+1 : end], start: at, end: end}
	if t.name == `\` || t.name == "cr" || t.name == "newline" {
		t.kind = lineToken
	}
	return t
}

func asciiLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// next takes the next token.
func (l *lexer) next() token {
	t := l.peek()
	l.at = t.end
	return t
}

// raw takes an argument in braces as it is written; false: there is none.
func (l *lexer) raw() (string, bool) {
	if l.peek().kind != openToken {
		return "", false
	}
	l.next()
	depth, from := 1, l.at
	for i := l.at; i < len(l.source); i++ {
		switch l.source[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				l.at = i + 1
				return l.source[from:i], true
			}
		}
	}
	return "", false
}

// option takes an argument in square brackets as it is written; false: there is none.
func (l *lexer) option() (string, bool) {
	t := l.peek()
	if t.kind != charToken || t.char != '[' {
		return "", false
	}
	depth := 0
	for i := t.end; i < len(l.source); i++ {
		switch l.source[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case ']':
			if depth == 0 {
				l.at = i + 1
				return l.source[t.end:i], true
			}
		}
	}
	return "", false
}

// star takes the star of a command's name, if there is one.
func (l *lexer) star() bool {
	if l.at < len(l.source) && l.source[l.at] == '*' {
		l.at++
		return true
	}
	return false
}
