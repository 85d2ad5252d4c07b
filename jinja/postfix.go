package jinja

import (
	"fmt"
	"slices"
	"strconv"
)

// postfix reads attributes, items and calls after a value.
func (p *parser) postfix(e expr) (expr, error) {
	var err error
	for i := 0; err == nil; i++ {
		switch t := p.peek(); {
		case i > maxChain:
			return nil, fmt.Errorf("a chain of more than %d attributes", maxChain)
		case t.is(tokOp, "."):
			e, err = p.attribute(e)
		case t.is(tokOp, "["):
			e, err = p.subscript(e)
		case t.is(tokOp, "("):
			e, err = p.call(e)
		default:
			return e, nil
		}
	}
	return nil, err
}

func (p *parser) attribute(of expr) (expr, error) {
	p.next()
	switch t := p.next(); t.kind {
	case tokName:
		return &attrExpr{of, t.text, int(t.line)}, nil
	case tokInt:
		n, err := strconv.ParseInt(t.text, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is too large", t.text)
		}
		return &itemExpr{of, &constExpr{n}, int(t.line)}, nil
	default:
		return nil, fmt.Errorf("unexpected %s where a name or number is missing", t)
	}
}

// subscript reads "[key]", "[from:to:step]" and "[a, b]".
func (p *parser) subscript(of expr) (expr, error) {
	line := p.line()
	p.next()
	var keys []expr
	for !p.peek().is(tokOp, "]") {
		if len(keys) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return nil, err
			}
		}
		if p.peek().is(tokOp, ":") {
			return p.slice(of, nil, line)
		}
		key, err := p.expression()
		if err != nil {
			return nil, err
		}
		if p.peek().is(tokOp, ":") {
			return p.slice(of, key, line)
		}
		keys = append(keys, key)
	}
	p.next()
	if len(keys) == 1 {
		return &itemExpr{of, keys[0], line}, nil
	}
	return &itemExpr{of, &listExpr{keys, true}, line}, nil
}

func (p *parser) slice(of, from expr, line int) (expr, error) {
	s := &sliceExpr{of: of, from: from, line: line}
	for _, bound := range []*expr{&s.to, &s.step} {
		if !p.skip(tokOp, ":") {
			break
		}
		if t := p.peek(); t.is(tokOp, ":") || t.is(tokOp, "]") {
			continue
		}
		var err error
		if *bound, err = p.expression(); err != nil {
			return nil, err
		}
	}
	return s, p.expect(tokOp, "]")
}

func (p *parser) call(of expr) (expr, error) {
	line := p.line()
	args, err := p.args()
	return &callExpr{of, args, line}, err
}

// args reads "(a, *b, c=d, **e)".
func (p *parser) args() (a argExprs, err error) {
	p.next()
	for first := true; !p.peek().is(tokOp, ")"); first = false {
		if !first {
			if err = p.expect(tokOp, ","); err != nil {
				return a, err
			}
			if p.peek().is(tokOp, ")") {
				break
			}
		}
		switch t := p.peek(); {
		case t.is(tokOp, "*") && a.star == nil && a.stars == nil:
			p.next()
			a.star, err = p.expression()
		case t.is(tokOp, "**") && a.stars == nil:
			p.next()
			a.stars, err = p.expression()
		case t.kind == tokName && p.look().is(tokOp, "=") && a.stars == nil:
			if slices.Contains(a.names, t.text) {
				return a, fmt.Errorf("the argument %q appears twice", t.text)
			}
			p.pos += 2
			var value expr
			value, err = p.expression()
			a.names, a.named = append(a.names, t.text), append(a.named, value)
		case a.star == nil && a.stars == nil && a.names == nil:
			var value expr
			value, err = p.expression()
			a.pos = append(a.pos, value)
		default:
			return a, fmt.Errorf("the arguments of a call are out of order at %s", t)
		}
		if err != nil {
			return a, err
		}
	}
	p.next()
	return a, nil
}

// unknownError is an unknown filter or test. Under a condition it is an error
// only when it is used, elsewhere it is an error when parsed.
type unknownError struct{ kind, name string }

func (e unknownError) Error() string { return fmt.Sprintf("unknown %s %q", e.kind, e.name) }

// dotted reads "name.name".
func (p *parser) dotted() (string, error) {
	name, err := p.name()
	for err == nil && p.skip(tokOp, ".") {
		var more string
		more, err = p.name()
		name += "." + more
	}
	return name, err
}

// filters reads "|name(args)", any number of times.
func (p *parser) filters(of expr) (expr, error) {
	for i := 0; p.peek().is(tokOp, "|"); i++ {
		if i > maxChain {
			return nil, fmt.Errorf("a chain of more than %d filters", maxChain)
		}
		line := p.line()
		p.next()
		name, err := p.dotted()
		if err != nil {
			return nil, err
		}
		f := &filterExpr{of: of, name: name, line: line}
		if p.peek().is(tokOp, "(") {
			if f.args, err = p.args(); err != nil {
				return nil, err
			}
		}
		if !p.known.filter(name) && !p.soft {
			return nil, unknownError{kind: "filter", name: name}
		}
		of = f
	}
	return of, nil
}

// test reads "is name", "is not name", with arguments in parentheses or one
// without.
func (p *parser) test(of expr) (expr, error) {
	line := p.line()
	p.next()
	negated := p.skip(tokName, "not")
	name, err := p.dotted()
	if err != nil {
		return nil, err
	}
	e := &testExpr{of: of, name: name, line: line}
	switch t := p.peek(); {
	case t.is(tokOp, "("):
		e.args, err = p.args()
	case t.is(tokName, "else"), t.is(tokName, "or"), t.is(tokName, "and"):
	case t.is(tokName, "is"):
		return nil, fmt.Errorf("tests can't be chained with is")
	case t.kind == tokName, t.kind == tokString, t.kind == tokInt, t.kind == tokFloat, t.is(tokOp, "["), t.is(tokOp, "{"):
		var arg expr
		if arg, err = p.primary(); err == nil {
			arg, err = p.postfix(arg)
		}
		e.args.pos = []expr{arg}
	}
	if err != nil {
		return nil, err
	}
	if !p.known.test(name) && !p.soft {
		return nil, unknownError{kind: "test", name: name}
	}
	if negated {
		return &unaryExpr{"not", e, line}, nil
	}
	return e, nil
}
