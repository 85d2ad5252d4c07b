package jinja

import "fmt"

func (in *interp) run(body []stmt, s *scope, out *output) error {
	if err := in.enter(); err != nil {
		return err
	}
	defer in.leave()
	for _, st := range body {
		if err := st.exec(in, s, out); err != nil {
			return err
		}
	}
	return nil
}

// capture runs a body and returns its text.
func (in *interp) capture(body []stmt, s *scope) (string, error) {
	out := &output{in: in}
	if err := in.run(body, s, out); err != nil {
		return "", err
	}
	return out.b.String(), nil
}

func (t *textStmt) exec(in *interp, _ *scope, out *output) error {
	if err := in.step(1); err != nil {
		return err
	}
	return out.write(t.text)
}

func (o *outStmt) exec(in *interp, s *scope, out *output) error {
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

func (i *ifStmt) exec(in *interp, s *scope, out *output) error {
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

func (st *setStmt) exec(in *interp, s *scope, out *output) error {
	v, err := in.eval(st.value, s)
	if err != nil {
		return at(st.line, err)
	}
	return at(st.line, in.assign(st.target, v, s))
}

func (st *setBlockStmt) exec(in *interp, s *scope, out *output) error {
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
	return f.apply(in, s, v)
}

func (f *filterStmt) exec(in *interp, s *scope, out *output) error {
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

func (w *withStmt) exec(in *interp, s *scope, out *output) error {
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

func (g *scopeStmt) exec(in *interp, s *scope, out *output) error {
	return in.run(g.body, newScope(s), out)
}

func (l *loopStmt) exec(*interp, *scope, *output) error { return l.signal }

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
