package markdown

import (
	"context"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Class is the kind of a piece of code, which determines its colour.
type Class uint8

// The classes.
const (
	Plain Class = iota
	Keyword
	Name // of a type, a function, an attribute
	String
	Number
	Comment
	Operator
	Inserted // in a diff
	Deleted
)

// Span is a piece of code of one class.
type Span struct {
	Text  string
	Class Class
}

// Limits of Highlight. Its lexers are backtracking regular expressions, which
// are slow on some texts.
const (
	maxCode     = 1 << 17 // bytes
	maxCodeLine = 1 << 12 // bytes of one line
	codeTime    = 2 * time.Second
)

// Highlight splits code into spans, which together are the code. It returns one
// plain span if it does not know the language, if the code is too long or takes
// too long, or if ctx is cancelled. Call it on a goroutine of its own: some
// languages take milliseconds per kilobyte.
func Highlight(ctx context.Context, language, code string) []Span {
	plain := []Span{{Text: code}}
	lexer := lexerOf(language)
	if lexer == nil || len(code) > maxCode || longestLine(code) > maxCodeLine {
		return plain
	}
	ctx, cancel := context.WithTimeout(ctx, codeTime)
	defer cancel()
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, code)
	if err != nil {
		return plain
	}
	var spans []Span
	at := 0
	for token := range tokens.Stdlib() {
		if ctx.Err() != nil || !strings.HasPrefix(code[at:], token.Value) {
			return plain
		}
		at += len(token.Value)
		spans = extend(spans, token.Value, classOf(token.Type))
	}
	if at < len(code) {
		spans = extend(spans, code[at:], Plain)
	}
	return spans
}

// extend appends to the last span if that has the same class.
func extend(spans []Span, text string, class Class) []Span {
	if text == "" {
		return spans
	}
	if n := len(spans); n > 0 {
		last := &spans[n-1]
		if last.Class == class || strings.TrimSpace(text) == "" {
			last.Text += text
			return spans
		}
	}
	return append(spans, Span{text, class})
}

func longestLine(code string) int {
	longest := 0
	for line := range strings.Lines(code) {
		longest = max(longest, len(line))
	}
	return longest
}

// classOf maps chroma's many token types to our few classes.
func classOf(t chroma.TokenType) Class {
	switch t {
	case chroma.KeywordType, chroma.NameClass, chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameBuiltin, chroma.NameTag,
		chroma.NameAttribute, chroma.NameDecorator, chroma.NameException, chroma.NameNamespace, chroma.NameProperty, chroma.GenericHeading, chroma.GenericSubheading:
		return Name
	case chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.KeywordConstant:
		return Keyword
	case chroma.GenericInserted:
		return Inserted
	case chroma.GenericDeleted:
		return Deleted
	case chroma.OperatorWord:
		return Keyword
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return Keyword
	case t.InSubCategory(chroma.String):
		return String
	case t.InSubCategory(chroma.Number):
		return Number
	case t.InCategory(chroma.Comment):
		return Comment
	case t.InCategory(chroma.Operator):
		return Operator
	}
	return Plain
}

// lexerOf returns the lexer for the language after a fence, or nil if it is not
// supported.
func lexerOf(name string) chroma.Lexer {
	known, ok := languages[strings.ToLower(name)]
	if !ok {
		return nil
	}
	return lexers.Get(known)
}
