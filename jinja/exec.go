package jinja

import "fmt"

func (in *interp) run(body []stmt, s *scope, out *output) error {
	if err := in.enter(); err != nil {
		return err
	}
	defer in.leave()
	for _, st := range body {
		if err := in.exec(st, s, out); err != nil {
			return err
		}
	}
	return nil
}

func (in *interp) exec(st stmt, s *scope, out *output) error {
	switch st := st.(type) {
	case *textStmt:
		return in.execText(st, s, out)
	case *outStmt:
		return in.execOut(st, s, out)
	case *ifStmt:
		return in.execIf(st, s, out)
	case *forStmt:
		return in.execFor(st, s, out)
	case *setStmt:
		return in.execSet(st, s, out)
	case *setBlockStmt:
		return in.execSetBlock(st, s, out)
	case *macroStmt:
		return in.execMacro(st, s, out)
	case *callStmt:
		return in.execCall(st, s, out)
	case *filterStmt:
		return in.execFilter(st, s, out)
	case *withStmt:
		return in.execWith(st, s, out)
	case *scopeStmt:
		return in.execScope(st, s, out)
	case *loopStmt:
		return st.signal
	}
	return fmt.Errorf("a statement of the type %T can't be run", st)
}

// capture runs a body and returns its text.
func (in *interp) capture(body []stmt, s *scope) (string, error) {
	out := &output{in: in}
	if err := in.run(body, s, out); err != nil {
		return "", err
	}
	return out.b.String(), nil
}

func (in *interp) execText(t *textStmt, _ *scope, out *output) error {
	if err := in.step(1); err != nil {
		return err
	}
	return out.write(t.text)
}

func (in *interp) execOut(o *outStmt, s *scope, out *output) error {
	v, err := in.eval(o.of, s)
	if err != nil {
		return at(o.line, err)
	}
	text, err := in.str(v)
	if err != nil {
		return at(o.line, err)
	}
	return at(o.line, out.write(text))
}

func (in *interp) execIf(i *ifStmt, s *scope, out *output) error {
	for n, test := range i.tests {
		v, err := in.eval(test, s)
		if err != nil {
			return err
		}
		if truth(v) {
			return in.run(i.bodies[n], s, out)
		}
	}
	return in.run(i.otherwise, s, out)
}

func (in *interp) execSet(st *setStmt, s *scope, out *output) error {
	v, err := in.eval(st.value, s)
	if err != nil {
		return at(st.line, err)
	}
	return at(st.line, in.assign(st.target, v, s))
}

func (in *interp) execSetBlock(st *setBlockStmt, s *scope, out *output) error {
	text, err := in.capture(st.body, newScope(s))
	if err != nil {
		return err
	}
	v, err := in.applyBlock(st.filter, text, s)
	if err != nil {
		return err
	}
	return at(st.line, in.assign(st.target, v, s))
}

// applyBlock runs the filters of a block on its text, the innermost first.
func (in *interp) applyBlock(filter expr, text string, s *scope) (any, error) {
	f, ok := filter.(*filterExpr)
	if !ok {
		return text, nil
	}
	v, err := in.applyBlock(f.of, text, s)
	if err != nil {
		return nil, err
	}
	return in.apply(f, s, v)
}

func (in *interp) execFilter(f *filterStmt, s *scope, out *output) error {
	text, err := in.capture(f.body, newScope(s))
	if err != nil {
		return err
	}
	v, err := in.applyBlock(f.filter, text, s)
	if err != nil {
		return err
	}
	if text, err = in.str(v); err != nil {
		return err
	}
	return out.write(text)
}

func (in *interp) execWith(w *withStmt, s *scope, out *output) error {
	inner := newScope(s)
	for i, e := range w.values {
		v, err := in.eval(e, s)
		if err != nil {
			return at(w.line, err)
		}
		if err := in.assign(w.targets[i], v, inner); err != nil {
			return at(w.line, err)
		}
	}
	return in.run(w.body, inner, out)
}

func (in *interp) execScope(g *scopeStmt, s *scope, out *output) error {
	return in.run(g.body, newScope(s), out)
}

func (in *interp) assign(to target, v any, s *scope) error {
	switch {
	case to.many != nil:
		items, err := in.iterate(v)
		if err != nil {
			return err
		}
		if len(items) != len(to.many) {
			return fmt.Errorf("%d values can't be unpacked into %d names", len(items), len(to.many))
		}
		for i, one := range to.many {
			if err := in.assign(one, items[i], s); err != nil {
				return err
			}
		}
		return nil
	case to.attr != "":
		of, ok := s.get(to.name)
		if !ok {
			return undefinedName(to.name).err()
		}
		ns, ok := of.(*namespace)
		if !ok {
			return fmt.Errorf("%s is no namespace, so its attribute %q can't be set", to.name, to.attr)
		}
		return ns.set(in, to.attr, v)
	}
	if _, known := s.vars[to.name]; !known {
		if err := in.alloc(64); err != nil {
			return err
		}
	}
	s.vars[to.name] = v
	return nil
}
