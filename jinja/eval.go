package jinja

import "fmt"

func (in *interp) evalName(e *nameExpr, s *scope) (any, error) {
	if err := in.step(1); err != nil {
		return nil, at(e.line, err)
	}
	if v, ok := s.get(e.name); ok {
		return v, nil
	}
	if f, ok := globals[e.name]; ok {
		return f, nil
	}
	return undefinedName(e.name), nil
}

// eval evaluates one level deeper.
func (in *interp) eval(e expr, s *scope) (any, error) {
	if err := in.enter(); err != nil {
		return nil, err
	}
	v, err := in.value(e, s)
	in.leave()
	return v, err
}

// value evaluates an expression on this level.
func (in *interp) value(e expr, s *scope) (any, error) {
	switch e := e.(type) {
	case *constExpr:
		return e.value, nil
	case *nameExpr:
		return in.evalName(e, s)
	case *attrExpr:
		return in.evalAttr(e, s)
	case *itemExpr:
		return in.evalItem(e, s)
	case *sliceExpr:
		return in.evalSlice(e, s)
	case *callExpr:
		return in.evalCall(e, s)
	case *filterExpr:
		return in.evalFilter(e, s)
	case *testExpr:
		return in.evalTest(e, s)
	case *unaryExpr:
		return in.evalUnary(e, s)
	case *binaryExpr:
		return in.evalBinary(e, s)
	case *logicExpr:
		return in.evalLogic(e, s)
	case *compareExpr:
		return in.evalCompare(e, s)
	case *concatExpr:
		return in.evalConcat(e, s)
	case *ifExpr:
		return in.evalIf(e, s)
	case *listExpr:
		return in.evalList(e, s)
	case *dictExpr:
		return in.evalDict(e, s)
	}
	return nil, fmt.Errorf("an expression of the type %T has no value", e)
}

func (in *interp) evalAll(list []expr, s *scope) ([]any, error) {
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

func (in *interp) evalAttr(e *attrExpr, s *scope) (any, error) {
	of, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	v, err := in.attr(of, e.name)
	return v, at(e.line, err)
}

func (in *interp) evalItem(e *itemExpr, s *scope) (any, error) {
	of, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	key, err := in.eval(e.key, s)
	if err != nil {
		return nil, err
	}
	v, err := in.item(of, key)
	return v, at(e.line, err)
}

func (in *interp) evalSlice(e *sliceExpr, s *scope) (any, error) {
	of, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	var bounds [3]any
	for i, b := range []expr{e.from, e.to, e.step} {
		if b == nil {
			continue
		}
		if bounds[i], err = in.eval(b, s); err != nil {
			return nil, err
		}
	}
	v, err := in.slice(of, bounds)
	return v, at(e.line, err)
}

func (in *interp) evalCall(e *callExpr, s *scope) (any, error) {
	return in.callWith(e, s, nil)
}

// callWith calls with the block of a call tag, if caller is not nil.
func (in *interp) callWith(e *callExpr, s *scope, caller callable) (any, error) {
	of, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	a, err := in.args(&e.args, s)
	if err != nil {
		return nil, at(e.line, err)
	}
	if caller != nil {
		a.names, a.named = append(a.names, "caller"), append(a.named, caller)
	}
	v, err := in.call(of, a)
	return v, at(e.line, err)
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

func (in *interp) args(e *argExprs, s *scope) (a args, err error) {
	if a.pos, err = in.evalAll(e.pos, s); err != nil {
		return a, err
	}
	if a.named, err = in.evalAll(e.named, s); err != nil {
		return a, err
	}
	a.names = e.names[:len(e.names):len(e.names)]
	if e.star != nil {
		more, err := in.eval(e.star, s)
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
	if e.stars != nil {
		more, err := in.eval(e.stars, s)
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

func (in *interp) evalFilter(e *filterExpr, s *scope) (any, error) {
	v, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	return in.apply(e, s, v)
}

// apply runs the filters of a filter block on its text: those inside first.
func (in *interp) apply(e *filterExpr, s *scope, v any) (any, error) {
	a, err := in.args(&e.args, s)
	if err != nil {
		return nil, at(e.line, err)
	}
	v, err = in.filter(e.name, v, a)
	return v, at(e.line, err)
}

func (in *interp) filter(name string, v any, a args) (any, error) {
	f, ok := in.filters[name]
	if !ok {
		return nil, unknownError{kind: "filter", name: name}
	}
	if err := in.enter(); err != nil {
		return nil, err
	}
	defer in.leave()
	return f(in, v, a)
}

func (in *interp) evalTest(e *testExpr, s *scope) (any, error) {
	v, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	a, err := in.args(&e.args, s)
	if err != nil {
		return nil, err
	}
	ok, err := in.test(e.name, v, a)
	return ok, at(e.line, err)
}

func (in *interp) test(name string, v any, a args) (bool, error) {
	f, ok := tests[name]
	if !ok {
		return false, unknownError{kind: "test", name: name}
	}
	return f(in, v, a)
}

func (in *interp) evalUnary(e *unaryExpr, s *scope) (any, error) {
	v, err := in.eval(e.of, s)
	if err != nil {
		return nil, err
	}
	if e.op == "not" {
		return !truth(v), nil
	}
	v, err = negate(v, e.op == "-")
	return v, at(e.line, err)
}

func (in *interp) evalBinary(e *binaryExpr, s *scope) (any, error) {
	a, err := in.eval(e.a, s)
	if err != nil {
		return nil, err
	}
	b, err := in.eval(e.b, s)
	if err != nil {
		return nil, err
	}
	v, err := in.binary(e.op, a, b)
	return v, at(e.line, err)
}

func (in *interp) evalLogic(e *logicExpr, s *scope) (any, error) {
	a, err := in.eval(e.a, s)
	if err != nil || truth(a) != e.and {
		return a, err
	}
	return in.eval(e.b, s)
}

func (in *interp) evalCompare(e *compareExpr, s *scope) (any, error) {
	a, err := in.eval(e.first, s)
	if err != nil {
		return nil, err
	}
	for _, r := range e.rest {
		b, err := in.eval(r.of, s)
		if err != nil {
			return nil, err
		}
		var ok bool
		switch r.op {
		case "in":
			ok, err = in.contains(a, b)
		case "not in":
			ok, err = in.contains(a, b)
			ok = !ok
		default:
			ok, err = comparators[r.op](in, a, b)
		}
		if err != nil || !ok {
			return false, at(e.line, err)
		}
		a = b
	}
	return true, nil
}

func (in *interp) evalConcat(e *concatExpr, s *scope) (any, error) {
	texts := make([]string, len(e.parts))
	for i, part := range e.parts {
		v, err := in.eval(part, s)
		if err != nil {
			return nil, err
		}
		if texts[i], err = in.str(v); err != nil {
			return nil, at(e.line, err)
		}
	}
	v, err := in.join("", texts)
	return v, at(e.line, err)
}

func (in *interp) evalIf(e *ifExpr, s *scope) (any, error) {
	test, err := in.eval(e.test, s)
	if err != nil {
		return nil, err
	}
	if truth(test) {
		return in.eval(e.then, s)
	}
	if e.otherwise == nil {
		return &undefined{"an if without else gave nothing"}, nil
	}
	return in.eval(e.otherwise, s)
}

func (in *interp) evalList(e *listExpr, s *scope) (any, error) {
	items, err := in.evalAll(e.items, s)
	if err != nil {
		return nil, err
	}
	if e.tuple {
		return &Tuple{items}, nil
	}
	return &List{items}, nil
}

func (in *interp) evalDict(e *dictExpr, s *scope) (any, error) {
	if err := in.allocItems(6 + 4*len(e.keys)); err != nil {
		return nil, err
	}
	d := NewDict()
	for i := range e.keys {
		key, err := in.eval(e.keys[i], s)
		if err != nil {
			return nil, err
		}
		value, err := in.eval(e.values[i], s)
		if err != nil {
			return nil, err
		}
		if err := d.put(key, value); err != nil {
			return nil, at(e.line, err)
		}
	}
	return d, nil
}
