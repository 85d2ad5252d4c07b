package jinja

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

var constants = map[string]any{
	"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil,
}

// comparisons are the operators of compareExpr, beside "in" and "not in".
var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

// binary returns the binding power of the arithmetic operators. They are all
// left-associative, "**" too.
var binary = map[string]int{"+": 1, "-": 1, "~": 2, "*": 3, "/": 3, "//": 3, "%": 3, "**": 4}

func (p *parser) expression() (expr, error) { return p.conditional() }

// tuple reads "a, b" or one expression. The name after also ends it.
func (p *parser) tuple(conditional bool, after string) (expr, error) {
	one := p.or
	if conditional {
		one = p.conditional
	}
	return p.items(one, after, false)
}

func (p *parser) items(one func() (expr, error), after string, parenthesized bool) (expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var items []expr
	tuple := false
	for {
		t := p.peek()
		if t.kind == tokVarEnd || t.kind == tokBlockEnd || t.is(tokOp, ")") || after != "" && t.is(tokName, after) {
			break
		}
		item, err := one()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !p.skip(tokOp, ",") {
			break
		}
		tuple = true
	}
	switch {
	case len(items) == 1 && !tuple:
		return items[0], nil
	case len(items) == 0 && !parenthesized:
		return nil, fmt.Errorf("unexpected %s where an expression is missing", p.peek())
	}
	return &listExpr{items, true}, nil
}

// conditional reads "a if b else c".
func (p *parser) conditional() (expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	soft := p.soft
	defer func() { p.depth--; p.soft = soft }()
	start := p.pos
	e, err := p.or()
	if err != nil {
		// The part before an "if" may use unknown filters, and only now is it
		// known to be such a part.
		if _, unknown := err.(unknownError); !unknown || soft {
			return nil, err
		}
		failed := p.pos
		p.pos, p.soft = start, true
		again, retried := p.or()
		if retried != nil || !p.peek().is(tokName, "if") {
			p.pos = failed
			return nil, err
		}
		e = again
	}
	for i := 0; p.skip(tokName, "if"); i++ {
		if i > maxNesting {
			return nil, fmt.Errorf("a chain of more than %d conditions", maxNesting)
		}
		p.soft = true
		c := &ifExpr{then: e}
		if c.test, err = p.or(); err != nil {
			return nil, err
		}
		if p.skip(tokName, "else") {
			if c.otherwise, err = p.conditional(); err != nil {
				return nil, err
			}
		}
		e = c
	}
	return e, nil
}

func (p *parser) or() (expr, error) { return p.logic("or", p.and) }

func (p *parser) and() (expr, error) { return p.logic("and", p.not) }

func (p *parser) logic(word string, side func() (expr, error)) (expr, error) {
	e, err := side()
	for i := 0; err == nil && p.skip(tokName, word); i++ {
		if i > maxChain {
			return nil, fmt.Errorf("a chain of more than %d times %q", maxChain, word)
		}
		var b expr
		b, err = side()
		e = &logicExpr{word == "and", e, b}
	}
	return e, err
}

func (p *parser) not() (expr, error) {
	line := p.line()
	if !p.skip(tokName, "not") {
		return p.compare()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e, err := p.not()
	return &unaryExpr{"not", e, line}, err
}

func (p *parser) compare() (expr, error) {
	line := p.line()
	first, err := p.arithmetic(1)
	if err != nil {
		return nil, err
	}
	var rest []operand
	for {
		op := p.comparison()
		if op == "" {
			break
		}
		of, err := p.arithmetic(1)
		if err != nil {
			return nil, err
		}
		rest = append(rest, operand{op, of})
	}
	if rest == nil {
		return first, nil
	}
	return &compareExpr{first, rest, line}, nil
}

// comparison reads an operator, or returns "".
func (p *parser) comparison() string {
	t := p.peek()
	switch {
	case t.kind == tokOp:
		if slices.Contains(comparisons, t.text) {
			return p.next().text
		}
	case t.is(tokName, "in"):
		return p.next().text
	case t.is(tokName, "not") && p.look().is(tokName, "in"):
		p.pos += 2
		return "not in"
	}
	return ""
}

// arithmetic is Pratt's loop: it reads operators that bind at least as tightly
// as power.
func (p *parser) arithmetic(power int) (expr, error) {
	e, err := p.unary(true)
	for i := 0; err == nil; i++ {
		t := p.peek()
		bind, ok := binary[t.text]
		if t.kind != tokOp || !ok || bind < power {
			break
		}
		if i > maxChain {
			return nil, fmt.Errorf("a chain of more than %d operators", maxChain)
		}
		p.next()
		var b expr
		if b, err = p.arithmetic(bind + 1); err != nil {
			break
		}
		if t.text != "~" {
			e = &binaryExpr{t.text, e, b, int(t.line)}
		} else if c, ok := e.(*concatExpr); ok && i > 0 {
			c.parts = append(c.parts, b)
		} else {
			e = &concatExpr{[]expr{e, b}, int(t.line)}
		}
	}
	return e, err
}

// unary reads signs, one value and what follows it: attributes, items, calls
// and, unless it is preceded by a sign, filters and tests.
func (p *parser) unary(filters bool) (expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var e expr
	var err error
	if t := p.peek(); t.is(tokOp, "-") || t.is(tokOp, "+") {
		p.next()
		e, err = p.unary(false)
		e = &unaryExpr{t.text, e, int(t.line)}
	} else {
		e, err = p.primary()
	}
	if err == nil {
		e, err = p.postfix(e)
	}
	for i := 0; err == nil && filters; i++ {
		switch t := p.peek(); {
		case i > maxChain:
			return nil, fmt.Errorf("a chain of more than %d filters", maxChain)
		case t.is(tokOp, "|"):
			e, err = p.filters(e)
		case t.is(tokName, "is"):
			e, err = p.test(e)
		case t.is(tokOp, "("):
			e, err = p.call(e)
		default:
			return e, nil
		}
	}
	return e, err
}

func (p *parser) primary() (expr, error) {
	t := p.peek()
	switch t.kind {
	case tokName:
		p.next()
		if value, ok := constants[t.text]; ok {
			return &constExpr{value}, nil
		}
		p.mention(t.text)
		return &nameExpr{t.text, int(t.line)}, nil
	case tokString:
		var text strings.Builder
		for p.peek().kind == tokString {
			text.WriteString(p.next().text)
		}
		return &constExpr{text.String()}, nil
	case tokInt:
		p.next()
		n, err := strconv.ParseInt(t.text, 0, 64)
		if t.text[0] == '0' && err != nil { // 00
			n, err = strconv.ParseInt(t.text, 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is too large", t.text)
		}
		return &constExpr{n}, nil
	case tokFloat:
		p.next()
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, fmt.Errorf("%.40s is no number", t.text)
		}
		return &constExpr{f}, nil
	case tokOp:
		switch t.text {
		case "(":
			p.next()
			e, err := p.items(p.conditional, "", true)
			if err != nil {
				return nil, err
			}
			return e, p.expect(tokOp, ")")
		case "[":
			return p.list()
		case "{":
			return p.dict()
		}
	}
	return nil, fmt.Errorf("unexpected %s", t)
}

// mention records the names that make a macro accept more than its parameters.
func (p *parser) mention(name string) {
	for _, m := range p.macros {
		switch name {
		case "caller":
			m.caller = true
		case "varargs":
			m.varargs = true
		case "kwargs":
			m.kwargs = true
		}
	}
}

func (p *parser) list() (expr, error) {
	p.next()
	e := &listExpr{}
	for !p.peek().is(tokOp, "]") {
		if len(e.items) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return nil, err
			}
			if p.peek().is(tokOp, "]") {
				break
			}
		}
		item, err := p.expression()
		if err != nil {
			return nil, err
		}
		e.items = append(e.items, item)
	}
	return e, p.expect(tokOp, "]")
}

func (p *parser) dict() (expr, error) {
	e := &dictExpr{line: p.line()}
	p.next()
	for !p.peek().is(tokOp, "}") {
		if len(e.keys) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return nil, err
			}
			if p.peek().is(tokOp, "}") {
				break
			}
		}
		key, err := p.expression()
		if err != nil {
			return nil, err
		}
		if err := p.expect(tokOp, ":"); err != nil {
			return nil, err
		}
		value, err := p.expression()
		if err != nil {
			return nil, err
		}
		e.keys, e.values = append(e.keys, key), append(e.values, value)
	}
	return e, p.expect(tokOp, "}")
}
