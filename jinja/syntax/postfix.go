package syntax

import (
	"fmt"
	"slices"
	"strconv"
)

// postfix reads attributes, items and calls after a value.
func (p *parser) postfix(e Expr) (Expr, error) {
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

func (p *parser) attribute(of Expr) (Expr, error) {
	p.next()
	switch t := p.next(); t.kind {
	case tokName:
		return &AttrExpr{of, t.text, int(t.line)}, nil
	case tokInt:
		n, err := strconv.ParseInt(t.text, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is too large", t.text)
		}
		return &ItemExpr{of, &ConstExpr{n}, int(t.line)}, nil
	default:
		return nil, fmt.Errorf("unexpected %s where a name or number is missing", t)
	}
}

// subscript reads "[key]", "[from:to:step]" and "[a, b]".
func (p *parser) subscript(of Expr) (Expr, error) {
	line := p.line()
	p.next()
	var keys []Expr
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
		return &ItemExpr{of, keys[0], line}, nil
	}
	return &ItemExpr{of, &ListExpr{keys, true}, line}, nil
}

func (p *parser) slice(of, from Expr, line int) (Expr, error) {
	s := &SliceExpr{Of: of, From: from, Line: line}
	for _, bound := range []*Expr{&s.To, &s.Step} {
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

func (p *parser) call(of Expr) (Expr, error) {
	line := p.line()
	args, err := p.args()
	return &CallExpr{of, args, line}, err
}

// args reads "(a, *b, c=d, **e)".
func (p *parser) args() (a ArgExprs, err error) {
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
		case t.is(tokOp, "*") && a.Star == nil && a.Stars == nil:
			p.next()
			a.Star, err = p.expression()
		case t.is(tokOp, "**") && a.Stars == nil:
			p.next()
			a.Stars, err = p.expression()
		case t.kind == tokName && p.look().is(tokOp, "=") && a.Stars == nil:
			if slices.Contains(a.Names, t.text) {
				return a, fmt.Errorf("the argument %q appears twice", t.text)
			}
			p.pos += 2
			var value Expr
			value, err = p.expression()
			a.Names, a.Named = append(a.Names, t.text), append(a.Named, value)
		case a.Star == nil && a.Stars == nil && a.Names == nil:
			var value Expr
			value, err = p.expression()
			a.Pos = append(a.Pos, value)
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

// UnknownError is an unknown filter or test. Under a condition it is an error
// only when it is used, elsewhere it is an error when parsed.
type UnknownError struct{ Kind, Name string }

func (e UnknownError) Error() string { return fmt.Sprintf("unknown %s %q", e.Kind, e.Name) }

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
func (p *parser) filters(of Expr) (Expr, error) {
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
		f := &FilterExpr{Of: of, Name: name, Line: line}
		if p.peek().is(tokOp, "(") {
			if f.Args, err = p.args(); err != nil {
				return nil, err
			}
		}
		if !p.known.Filter(name) && !p.soft {
			return nil, UnknownError{Kind: "filter", Name: name}
		}
		of = f
	}
	return of, nil
}

// test reads "is name", "is not name", with arguments in parentheses or one
// without.
func (p *parser) test(of Expr) (Expr, error) {
	line := p.line()
	p.next()
	negated := p.skip(tokName, "not")
	name, err := p.dotted()
	if err != nil {
		return nil, err
	}
	e := &TestExpr{Of: of, Name: name, Line: line}
	switch t := p.peek(); {
	case t.is(tokOp, "("):
		e.Args, err = p.args()
	case t.is(tokName, "else"), t.is(tokName, "or"), t.is(tokName, "and"):
	case t.is(tokName, "is"):
		return nil, fmt.Errorf("tests can't be chained with is")
	case t.kind == tokName, t.kind == tokString, t.kind == tokInt, t.kind == tokFloat, t.is(tokOp, "["), t.is(tokOp, "{"):
		var arg Expr
		if arg, err = p.primary(); err == nil {
			arg, err = p.postfix(arg)
		}
		e.Args.Pos = []Expr{arg}
	}
	if err != nil {
		return nil, err
	}
	if !p.known.Test(name) && !p.soft {
		return nil, UnknownError{Kind: "test", Name: name}
	}
	if negated {
		return &UnaryExpr{"not", e, line}, nil
	}
	return e, nil
}
