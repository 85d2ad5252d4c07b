package jinja

import (
	"fmt"

	"inglenook/jinja/syntax"
)

func (in *interp) evalName(e *syntax.NameExpr, s *scope) (any, error) {
	if err := in.step(1); err != nil {
		return nil, syntax.At(e.Line, err)
	}
	if v, ok := s.get(e.Name); ok {
		return v, nil
	}
	if f, ok := globals[e.Name]; ok {
		return f, nil
	}
	return undefinedName(e.Name), nil
}

// eval evaluates one level deeper.
func (in *interp) eval(e syntax.Expr, s *scope) (any, error) {
	if err := in.enter(); err != nil {
		return nil, err
	}
	v, err := in.value(e, s)
	in.leave()
	return v, err
}

// value evaluates an expression on this level.
func (in *interp) value(e syntax.Expr, s *scope) (any, error) {
	switch e := e.(type) {
	case *syntax.ConstExpr:
		return e.Value, nil
	case *syntax.NameExpr:
		return in.evalName(e, s)
	case *syntax.AttrExpr:
		return in.evalAttr(e, s)
	case *syntax.ItemExpr:
		return in.evalItem(e, s)
	case *syntax.SliceExpr:
		return in.evalSlice(e, s)
	case *syntax.CallExpr:
		return in.evalCall(e, s)
	case *syntax.FilterExpr:
		return in.evalFilter(e, s)
	case *syntax.TestExpr:
		return in.evalTest(e, s)
	case *syntax.UnaryExpr:
		return in.evalUnary(e, s)
	case *syntax.BinaryExpr:
		return in.evalBinary(e, s)
	case *syntax.LogicExpr:
		return in.evalLogic(e, s)
	case *syntax.CompareExpr:
		return in.evalCompare(e, s)
	case *syntax.ConcatExpr:
		return in.evalConcat(e, s)
	case *syntax.IfExpr:
		return in.evalIf(e, s)
	case *syntax.ListExpr:
		return in.evalList(e, s)
	case *syntax.DictExpr:
		return in.evalDict(e, s)
	}
	return nil, fmt.Errorf("an expression of the type %T has no value", e)
}

func (in *interp) evalAll(list []syntax.Expr, s *scope) ([]any, error) {
	if err := in.allocItems(len(list)); err != nil {
		return nil, err
	}
	out := make([]any, len(list))
	for i, e := range list {
		var err error
		if out[i], err = in.eval(e, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (in *interp) evalAttr(e *syntax.AttrExpr, s *scope) (any, error) {
	of, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	v, err := in.attr(of, e.Name)
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalItem(e *syntax.ItemExpr, s *scope) (any, error) {
	of, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	key, err := in.eval(e.Key, s)
	if err != nil {
		return nil, err
	}
	v, err := in.item(of, key)
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalSlice(e *syntax.SliceExpr, s *scope) (any, error) {
	of, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	var bounds [3]any
	for i, b := range []syntax.Expr{e.From, e.To, e.Step} {
		if b == nil {
			continue
		}
		if bounds[i], err = in.eval(b, s); err != nil {
			return nil, err
		}
	}
	v, err := in.slice(of, bounds)
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalCall(e *syntax.CallExpr, s *scope) (any, error) {
	return in.callWith(e, s, nil)
}

// callWith calls with the block of a call tag, if caller is not nil.
func (in *interp) callWith(e *syntax.CallExpr, s *scope, caller callable) (any, error) {
	of, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	a, err := in.args(&e.Args, s)
	if err != nil {
		return nil, syntax.At(e.Line, err)
	}
	if caller != nil {
		a.names, a.named = append(a.names, "caller"), append(a.named, caller)
	}
	v, err := in.call(of, a)
	return v, syntax.At(e.Line, err)
}

func (in *interp) call(of any, a args) (any, error) {
	if err := in.enter(); err != nil {
		return nil, err
	}
	defer in.leave()
	switch f := of.(type) {
	case *undefined:
		return nil, f.err()
	case callable:
		return f.call(in, a)
	}
	return nil, fmt.Errorf("%s can't be called", typeName(of))
}

func (in *interp) args(e *syntax.ArgExprs, s *scope) (a args, err error) {
	if a.pos, err = in.evalAll(e.Pos, s); err != nil {
		return a, err
	}
	if a.named, err = in.evalAll(e.Named, s); err != nil {
		return a, err
	}
	a.names = e.Names[:len(e.Names):len(e.Names)]
	if e.Star != nil {
		more, err := in.eval(e.Star, s)
		if err != nil {
			return a, err
		}
		items, err := in.iterate(more)
		if err != nil {
			return a, err
		}
		if err := in.allocItems(len(items)); err != nil {
			return a, err
		}
		a.pos = append(a.pos, items...)
	}
	if e.Stars != nil {
		more, err := in.eval(e.Stars, s)
		if err != nil {
			return a, err
		}
		d, ok := more.(*Dict)
		if !ok {
			return a, fmt.Errorf("** needs a dict, not %s", typeName(more))
		}
		if err := in.allocItems(d.Len()); err != nil {
			return a, err
		}
		for _, e := range d.entries {
			name, ok := text(e.key)
			if !ok {
				return a, fmt.Errorf("** needs strings as keys, not %s", typeName(e.key))
			}
			a.names, a.named = append(a.names, name), append(a.named, e.value)
		}
	}
	return a, nil
}

func (in *interp) evalFilter(e *syntax.FilterExpr, s *scope) (any, error) {
	v, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	return in.apply(e, s, v)
}

// apply runs the filters of a filter block on its text: those inside first.
func (in *interp) apply(e *syntax.FilterExpr, s *scope, v any) (any, error) {
	a, err := in.args(&e.Args, s)
	if err != nil {
		return nil, syntax.At(e.Line, err)
	}
	v, err = in.filter(e.Name, v, a)
	return v, syntax.At(e.Line, err)
}

func (in *interp) filter(name string, v any, a args) (any, error) {
	f, ok := in.filters[name]
	if !ok {
		return nil, syntax.UnknownError{Kind: "filter", Name: name}
	}
	if err := in.enter(); err != nil {
		return nil, err
	}
	defer in.leave()
	return f(in, v, a)
}

func (in *interp) evalTest(e *syntax.TestExpr, s *scope) (any, error) {
	v, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	a, err := in.args(&e.Args, s)
	if err != nil {
		return nil, err
	}
	ok, err := in.test(e.Name, v, a)
	return ok, syntax.At(e.Line, err)
}

func (in *interp) test(name string, v any, a args) (bool, error) {
	f, ok := tests[name]
	if !ok {
		return false, syntax.UnknownError{Kind: "test", Name: name}
	}
	return f(in, v, a)
}

func (in *interp) evalUnary(e *syntax.UnaryExpr, s *scope) (any, error) {
	v, err := in.eval(e.Of, s)
	if err != nil {
		return nil, err
	}
	if e.Op == "not" {
		return !truth(v), nil
	}
	v, err = negate(v, e.Op == "-")
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalBinary(e *syntax.BinaryExpr, s *scope) (any, error) {
	a, err := in.eval(e.A, s)
	if err != nil {
		return nil, err
	}
	b, err := in.eval(e.B, s)
	if err != nil {
		return nil, err
	}
	v, err := in.binary(e.Op, a, b)
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalLogic(e *syntax.LogicExpr, s *scope) (any, error) {
	a, err := in.eval(e.A, s)
	if err != nil || truth(a) != e.And {
		return a, err
	}
	return in.eval(e.B, s)
}

func (in *interp) evalCompare(e *syntax.CompareExpr, s *scope) (any, error) {
	a, err := in.eval(e.First, s)
	if err != nil {
		return nil, err
	}
	for _, r := range e.Rest {
		b, err := in.eval(r.Of, s)
		if err != nil {
			return nil, err
		}
		var ok bool
		switch r.Op {
		case "in":
			ok, err = in.contains(a, b)
		case "not in":
			ok, err = in.contains(a, b)
			ok = !ok
		default:
			ok, err = comparators[r.Op](in, a, b)
		}
		if err != nil || !ok {
			return false, syntax.At(e.Line, err)
		}
		a = b
	}
	return true, nil
}

func (in *interp) evalConcat(e *syntax.ConcatExpr, s *scope) (any, error) {
	texts := make([]string, len(e.Parts))
	for i, part := range e.Parts {
		v, err := in.eval(part, s)
		if err != nil {
			return nil, err
		}
		if texts[i], err = in.str(v); err != nil {
			return nil, syntax.At(e.Line, err)
		}
	}
	v, err := in.join("", texts)
	return v, syntax.At(e.Line, err)
}

func (in *interp) evalIf(e *syntax.IfExpr, s *scope) (any, error) {
	test, err := in.eval(e.Test, s)
	if err != nil {
		return nil, err
	}
	if truth(test) {
		return in.eval(e.Then, s)
	}
	if e.Otherwise == nil {
		return &undefined{"an if without else gave nothing"}, nil
	}
	return in.eval(e.Otherwise, s)
}

func (in *interp) evalList(e *syntax.ListExpr, s *scope) (any, error) {
	items, err := in.evalAll(e.Items, s)
	if err != nil {
		return nil, err
	}
	if e.Tuple {
		return &Tuple{items}, nil
	}
	return &List{items}, nil
}

func (in *interp) evalDict(e *syntax.DictExpr, s *scope) (any, error) {
	if err := in.allocItems(6 + 4*len(e.Keys)); err != nil {
		return nil, err
	}
	d := NewDict()
	for i := range e.Keys {
		key, err := in.eval(e.Keys[i], s)
		if err != nil {
			return nil, err
		}
		value, err := in.eval(e.Values[i], s)
		if err != nil {
			return nil, err
		}
		if err := d.put(key, value); err != nil {
			return nil, syntax.At(e.Line, err)
		}
	}
	return d, nil
}
