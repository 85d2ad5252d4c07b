package syntax

import (
	"fmt"
	"slices"
	"strings"
)

// maxNesting limits the parser's recursion, maxChain the length of a chain of
// operators, whose tree is as deep. Python also stops at some hundred brackets.
const (
	maxNesting = 400
	maxChain   = 1000
)

// parser uses recursive descent for the tags (here) and Pratt's method for the
// operators (expr.go).
type parser struct {
	known  Known
	tokens []token
	pos    int
	depth  int
	soft   bool        // directly inside an if, where an unknown filter is an error only when used
	loops  int         // for blocks around
	macros []*MacroDef // macros around, innermost last
}

// Known reports which filters and tests there are.
type Known struct{ Filter, Test func(name string) bool }

// Parse reads the source of a template. Its errors have the line and the problem.
func Parse(source string, k Known) ([]Stmt, error) {
	tokens, err := lex(source)
	if err != nil {
		return nil, err
	}
	p := &parser{known: k, tokens: tokens}
	body, err := p.body()
	if err == nil && p.peek().kind != tokEOF {
		err = fmt.Errorf("unexpected tag %s", p.peek())
	}
	if err != nil {
		return nil, At(int(p.peek().line), err)
	}
	return body, nil
}

func (p *parser) peek() token { return p.tokens[p.pos] }

func (p *parser) look() token { return p.tokens[min(p.pos+1, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.pos]
	if t.kind != tokEOF {
		p.pos++
	}
	return t
}

func (p *parser) skip(kind tokenKind, text string) bool {
	if p.peek().is(kind, text) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(kind tokenKind, text string) error {
	if !p.skip(kind, text) {
		want := token{kind: kind, text: text}
		return fmt.Errorf("unexpected %s where %s is missing", p.peek(), want)
	}
	return nil
}

func (p *parser) name() (string, error) {
	if t := p.peek(); t.kind != tokName {
		return "", fmt.Errorf("unexpected %s where a name is missing", t)
	}
	return p.next().text, nil
}

func (p *parser) line() int { return int(p.peek().line) }

func (p *parser) deeper() error {
	if p.depth++; p.depth > maxNesting {
		return fmt.Errorf("it is nested more than %d deep", maxNesting)
	}
	return nil
}

// body reads statements up to one of the end tags, whose name is then the next
// token, or to the end of the template if ends is empty.
func (p *parser) body(ends ...string) ([]Stmt, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var list []Stmt
	for {
		line := p.line()
		switch t := p.next(); t.kind {
		case tokData:
			list = append(list, &TextStmt{t.text})
		case tokVarBegin:
			e, err := p.tuple(true, "")
			if err != nil {
				return nil, err
			}
			if err := p.expect(tokVarEnd, ""); err != nil {
				return nil, err
			}
			list = append(list, &OutStmt{e, line})
		case tokBlockBegin:
			if t := p.peek(); t.kind == tokName && slices.Contains(ends, t.text) {
				return list, nil
			}
			s, err := p.statement()
			if err != nil {
				return nil, err
			}
			if err := p.expect(tokBlockEnd, ""); err != nil {
				return nil, err
			}
			list = append(list, s)
		default:
			if len(ends) > 0 {
				return nil, fmt.Errorf("the template ends where {%% %s %%} is missing", strings.Join(ends, " %} or {% "))
			}
			return list, nil
		}
	}
}

// block reads the end of the tag, a body and the end tag's name.
func (p *parser) block(ends ...string) (body []Stmt, end string, err error) {
	p.skip(tokOp, ":")
	if err = p.expect(tokBlockEnd, ""); err != nil {
		return nil, "", err
	}
	if body, err = p.body(ends...); err != nil {
		return nil, "", err
	}
	return body, p.next().text, nil
}

// inner is like block, for bodies with a scope of their own.
func (p *parser) inner(ends ...string) (body []Stmt, end string, err error) {
	soft := p.soft
	p.soft = false
	body, end, err = p.block(ends...)
	p.soft = soft
	return body, end, err
}

// statements returns the tags. It is a function because its entries refer to
// it.
func statements() map[string]func(*parser) (Stmt, error) {
	return map[string]func(*parser) (Stmt, error){
		"if":         (*parser).ifTag,
		"for":        (*parser).forTag,
		"set":        (*parser).setTag,
		"macro":      (*parser).macroTag,
		"call":       (*parser).callTag,
		"filter":     (*parser).filterTag,
		"with":       (*parser).withTag,
		"generation": (*parser).generationTag,
		"print":      (*parser).printTag,
		"break":      (*parser).loopTag,
		"continue":   (*parser).loopTag,
	}
}

// refused lists tags of Jinja that would read other files, or that are useful
// only with other files.
var refused = []string{"include", "import", "from", "extends", "block", "autoescape"}

func (p *parser) statement() (Stmt, error) {
	t := p.peek()
	if t.kind != tokName {
		return nil, fmt.Errorf("unexpected %s where the name of a tag is missing", t)
	}
	if read, ok := statements()[t.text]; ok {
		return read(p)
	}
	if slices.Contains(refused, t.text) {
		return nil, fmt.Errorf("the tag %q is not for chat templates, which stand alone", t.text)
	}
	return nil, fmt.Errorf("unknown tag %q", t.text)
}

func (p *parser) ifTag() (Stmt, error) {
	soft := p.soft
	p.soft = true
	defer func() { p.soft = soft }()
	s := &IfStmt{}
	for {
		p.next() // if, elif
		test, err := p.tuple(false, "")
		if err != nil {
			return nil, err
		}
		body, end, err := p.block("elif", "else", "endif")
		if err != nil {
			return nil, err
		}
		s.Tests, s.Bodies = append(s.Tests, test), append(s.Bodies, body)
		switch end {
		case "elif":
			p.pos--
			continue
		case "else":
			s.Otherwise, _, err = p.block("endif")
		}
		return s, err
	}
}

func (p *parser) forTag() (Stmt, error) {
	s := &ForStmt{Line: p.line()}
	p.next()
	var err error
	if s.Target, err = p.target(false); err != nil {
		return nil, err
	}
	if err = p.expect(tokName, "in"); err != nil {
		return nil, err
	}
	if s.Of, err = p.tuple(false, "recursive"); err != nil {
		return nil, err
	}
	if p.skip(tokName, "if") {
		if s.Test, err = p.expression(); err != nil {
			return nil, err
		}
	}
	s.Recursive = p.skip(tokName, "recursive")
	p.loops++
	body, end, err := p.inner("endfor", "else")
	p.loops--
	if err != nil {
		return nil, err
	}
	if s.Body = body; end == "else" {
		s.Otherwise, _, err = p.inner("endfor")
	}
	return s, err
}

func (p *parser) setTag() (Stmt, error) {
	line := p.line()
	p.next()
	to, err := p.target(true)
	if err != nil {
		return nil, err
	}
	if p.skip(tokOp, "=") {
		value, err := p.tuple(true, "")
		return &SetStmt{to, value, line}, err
	}
	s := &SetBlockStmt{Target: to, Line: line}
	if s.Filter, err = p.filters(nil); err != nil {
		return nil, err
	}
	s.Body, _, err = p.inner("endset")
	return s, err
}

func (p *parser) filterTag() (Stmt, error) {
	p.tokens[p.pos] = token{kind: tokOp, text: "|", line: p.peek().line}
	filter, err := p.filters(nil)
	if err != nil {
		return nil, err
	}
	body, _, err := p.inner("endfilter")
	return &FilterStmt{filter, body}, err
}

func (p *parser) withTag() (Stmt, error) {
	s := &WithStmt{Line: p.line()}
	p.next()
	for p.peek().kind != tokBlockEnd {
		if len(s.Targets) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return nil, err
			}
		}
		to, err := p.target(false)
		if err != nil {
			return nil, err
		}
		if err := p.expect(tokOp, "="); err != nil {
			return nil, err
		}
		value, err := p.expression()
		if err != nil {
			return nil, err
		}
		s.Targets, s.Values = append(s.Targets, to), append(s.Values, value)
	}
	var err error
	s.Body, _, err = p.inner("endwith")
	return s, err
}

func (p *parser) generationTag() (Stmt, error) {
	p.next()
	loops := p.loops
	p.loops = 0
	body, _, err := p.inner("endgeneration")
	p.loops = loops
	return &ScopeStmt{body}, err
}

func (p *parser) printTag() (Stmt, error) {
	line := p.line()
	p.next()
	e := &ConcatExpr{Line: line}
	for p.peek().kind != tokBlockEnd {
		if len(e.Parts) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return nil, err
			}
		}
		part, err := p.expression()
		if err != nil {
			return nil, err
		}
		e.Parts = append(e.Parts, part)
	}
	return &OutStmt{e, line}, nil
}

func (p *parser) loopTag() (Stmt, error) {
	t := p.next()
	if p.loops == 0 {
		return nil, fmt.Errorf("{%% %s %%} outside a loop", t.text)
	}
	return &LoopStmt{Signal(t.text)}, nil
}

// target reads the left side of an assignment: names, tuples of them, and with
// namespaces the attribute of one.
func (p *parser) target(namespaces bool) (Target, error) {
	to := Target{line: p.line()}
	first, err := p.oneTarget(namespaces)
	if err != nil || !p.peek().is(tokOp, ",") {
		return first, err
	}
	to.Many = []Target{first}
	for p.skip(tokOp, ",") {
		if t := p.peek(); t.kind == tokBlockEnd || t.is(tokName, "in") || t.is(tokOp, ")") || t.is(tokOp, "=") {
			break
		}
		next, err := p.oneTarget(namespaces)
		if err != nil {
			return to, err
		}
		to.Many = append(to.Many, next)
	}
	return to, nil
}

func (p *parser) oneTarget(namespaces bool) (Target, error) {
	if p.skip(tokOp, "(") {
		if err := p.deeper(); err != nil {
			return Target{}, err
		}
		defer func() { p.depth-- }()
		to, err := p.target(namespaces)
		if err != nil {
			return to, err
		}
		return to, p.expect(tokOp, ")")
	}
	to := Target{line: p.line()}
	name, err := p.name()
	if err != nil {
		return to, err
	}
	if _, constant := constants[name]; constant {
		return to, fmt.Errorf("%q can't be assigned to", name)
	}
	to.Name = name
	if namespaces && p.skip(tokOp, ".") {
		to.Attr, err = p.name()
	}
	return to, err
}
