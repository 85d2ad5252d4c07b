package syntax

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

func (p *parser) expression() (Expr, error) { return p.conditional() }

// tuple reads "a, b" or one expression. The name after also ends it.
func (p *parser) tuple(conditional bool, after string) (Expr, error) {
	one := p.or
	if conditional {
		one = p.conditional
	}
	return p.items(one, after, false)
}

func (p *parser) items(one func() (Expr, error), after string, parenthesized bool) (Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var items []Expr
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
	return &ListExpr{items, true}, nil
}

// conditional reads "a if b else c".
func (p *parser) conditional() (Expr, error) {
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
		if _, unknown := err.(UnknownError); !unknown || soft {
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
		c := &IfExpr{Then: e}
		if c.Test, err = p.or(); err != nil {
			return nil, err
		}
		if p.skip(tokName, "else") {
			if c.Otherwise, err = p.conditional(); err != nil {
				return nil, err
			}
		}
		e = c
	}
	return e, nil
}

func (p *parser) or() (Expr, error) { return p.logic("or", p.and) }

func (p *parser) and() (Expr, error) { return p.logic("and", p.not) }

func (p *parser) logic(word string, side func() (Expr, error)) (Expr, error) {
	e, err := side()
	for i := 0; err == nil && p.skip(tokName, word); i++ {
		if i > maxChain {
			return nil, fmt.Errorf("a chain of more than %d times %q", maxChain, word)
		}
		var b Expr
		b, err = side()
		e = &LogicExpr{word == "and", e, b}
	}
	return e, err
}

func (p *parser) not() (Expr, error) {
	line := p.line()
	if !p.skip(tokName, "not") {
		return p.compare()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	e, err := p.not()
	return &UnaryExpr{"not", e, line}, err
}

func (p *parser) compare() (Expr, error) {
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
	return &CompareExpr{first, rest, line}, nil
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
func (p *parser) arithmetic(power int) (Expr, error) {
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
		var b Expr
		if b, err = p.arithmetic(bind + 1); err != nil {
			break
		}
		if t.text != "~" {
			e = &BinaryExpr{t.text, e, b, int(t.line)}
		} else if c, ok := e.(*ConcatExpr); ok && i > 0 {
			c.Parts = append(c.Parts, b)
		} else {
			e = &ConcatExpr{[]Expr{e, b}, int(t.line)}
		}
	}
	return e, err
}

// unary reads signs, one value and what follows it: attributes, items, calls
// and, unless it is preceded by a sign, filters and tests.
func (p *parser) unary(filters bool) (Expr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var e Expr
	var err error
	if t := p.peek(); t.is(tokOp, "-") || t.is(tokOp, "+") {
		p.next()
		e, err = p.unary(false)
		e = &UnaryExpr{t.text, e, int(t.line)}
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

func (p *parser) primary() (Expr, error) {
	t := p.peek()
	switch t.kind {
	case tokName:
		p.next()
		if value, ok := constants[t.text]; ok {
			return &ConstExpr{value}, nil
		}
		p.mention(t.text)
		return &NameExpr{t.text, int(t.line)}, nil
	case tokString:
		var text strings.Builder
		for p.peek().kind == tokString {
			text.WriteString(p.next().text)
		}
		return &ConstExpr{text.String()}, nil
	case tokInt:
		p.next()
		n, err := strconv.ParseInt(t.text, 0, 64)
		if t.text[0] == '0' && err != nil { // 00
			n, err = strconv.ParseInt(t.text, 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is too large", t.text)
		}
		return &ConstExpr{n}, nil
	case tokFloat:
		p.next()
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, fmt.Errorf("%.40s is no number", t.text)
		}
		return &ConstExpr{f}, nil
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
			m.Caller = true
		case "varargs":
			m.Varargs = true
		case "kwargs":
			m.Kwargs = true
		}
	}
}

func (p *parser) list() (Expr, error) {
	p.next()
	e := &ListExpr{}
	for !p.peek().is(tokOp, "]") {
		if len(e.Items) > 0 {
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
		e.Items = append(e.Items, item)
	}
	return e, p.expect(tokOp, "]")
}

func (p *parser) dict() (Expr, error) {
	e := &DictExpr{Line: p.line()}
	p.next()
	for !p.peek().is(tokOp, "}") {
		if len(e.Keys) > 0 {
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
		e.Keys, e.Values = append(e.Keys, key), append(e.Values, value)
	}
	return e, p.expect(tokOp, "}")
}
