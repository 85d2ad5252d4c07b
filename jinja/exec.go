package jinja

import (
	"fmt"

	"inglenook/jinja/syntax"
)

func (in *interp) run(body []syntax.Stmt, s *scope, out *output) error {
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

func (in *interp) exec(st syntax.Stmt, s *scope, out *output) error {
	switch st := st.(type) {
	case *syntax.TextStmt:
		return in.execText(st, s, out)
	case *syntax.OutStmt:
		return in.execOut(st, s, out)
	case *syntax.IfStmt:
		return in.execIf(st, s, out)
	case *syntax.ForStmt:
		return in.execFor(st, s, out)
	case *syntax.SetStmt:
		return in.execSet(st, s, out)
	case *syntax.SetBlockStmt:
		return in.execSetBlock(st, s, out)
	case *syntax.MacroStmt:
		return in.execMacro(st, s, out)
	case *syntax.CallStmt:
		return in.execCall(st, s, out)
	case *syntax.FilterStmt:
		return in.execFilter(st, s, out)
	case *syntax.WithStmt:
		return in.execWith(st, s, out)
	case *syntax.ScopeStmt:
		return in.execScope(st, s, out)
	case *syntax.LoopStmt:
		return st.Signal
	}
	return fmt.Errorf("a statement of the type %T can't be run", st)
}

// capture runs a body and returns its text.
func (in *interp) capture(body []syntax.Stmt, s *scope) (string, error) {
	out := &output{in: in}
	if err := in.run(body, s, out); err != nil {
		return "", err
	}
	return out.b.String(), nil
}

func (in *interp) execText(t *syntax.TextStmt, _ *scope, out *output) error {
	if err := in.step(1); err != nil {
		return err
	}
	return out.write(t.Text)
}

func (in *interp) execOut(o *syntax.OutStmt, s *scope, out *output) error {
	v, err := in.eval(o.Of, s)
	if err != nil {
		return syntax.At(o.Line, err)
	}
	text, err := in.str(v)
	if err != nil {
		return syntax.At(o.Line, err)
	}
	return syntax.At(o.Line, out.write(text))
}

func (in *interp) execIf(i *syntax.IfStmt, s *scope, out *output) error {
	for n, test := range i.Tests {
		v, err := in.eval(test, s)
		if err != nil {
			return err
		}
		if truth(v) {
			return in.run(i.Bodies[n], s, out)
		}
	}
	return in.run(i.Otherwise, s, out)
}

func (in *interp) execSet(st *syntax.SetStmt, s *scope, out *output) error {
	v, err := in.eval(st.Value, s)
	if err != nil {
		return syntax.At(st.Line, err)
	}
	return syntax.At(st.Line, in.assign(st.Target, v, s))
}

func (in *interp) execSetBlock(st *syntax.SetBlockStmt, s *scope, out *output) error {
	text, err := in.capture(st.Body, newScope(s))
	if err != nil {
		return err
	}
	v, err := in.applyBlock(st.Filter, text, s)
	if err != nil {
		return err
	}
	return syntax.At(st.Line, in.assign(st.Target, v, s))
}

// applyBlock runs the filters of a block on its text, the innermost first.
func (in *interp) applyBlock(filter syntax.Expr, text string, s *scope) (any, error) {
	f, ok := filter.(*syntax.FilterExpr)
	if !ok {
		return text, nil
	}
	v, err := in.applyBlock(f.Of, text, s)
	if err != nil {
		return nil, err
	}
	return in.apply(f, s, v)
}

func (in *interp) execFilter(f *syntax.FilterStmt, s *scope, out *output) error {
	text, err := in.capture(f.Body, newScope(s))
	if err != nil {
		return err
	}
	v, err := in.applyBlock(f.Filter, text, s)
	if err != nil {
		return err
	}
	if text, err = in.str(v); err != nil {
		return err
	}
	return out.write(text)
}

func (in *interp) execWith(w *syntax.WithStmt, s *scope, out *output) error {
	inner := newScope(s)
	for i, e := range w.Values {
		v, err := in.eval(e, s)
		if err != nil {
			return syntax.At(w.Line, err)
		}
		if err := in.assign(w.Targets[i], v, inner); err != nil {
			return syntax.At(w.Line, err)
		}
	}
	return in.run(w.Body, inner, out)
}

func (in *interp) execScope(g *syntax.ScopeStmt, s *scope, out *output) error {
	return in.run(g.Body, newScope(s), out)
}

func (in *interp) assign(to syntax.Target, v any, s *scope) error {
	switch {
	case to.Many != nil:
		items, err := in.iterate(v)
		if err != nil {
			return err
		}
		if len(items) != len(to.Many) {
			return fmt.Errorf("%d values can't be unpacked into %d names", len(items), len(to.Many))
		}
		for i, one := range to.Many {
			if err := in.assign(one, items[i], s); err != nil {
				return err
			}
		}
		return nil
	case to.Attr != "":
		of, ok := s.get(to.Name)
		if !ok {
			return undefinedName(to.Name).err()
		}
		ns, ok := of.(*namespace)
		if !ok {
			return fmt.Errorf("%s is no namespace, so its attribute %q can't be set", to.Name, to.Attr)
		}
		return ns.set(in, to.Attr, v)
	}
	if _, known := s.vars[to.Name]; !known {
		if err := in.alloc(64); err != nil {
			return err
		}
	}
	s.vars[to.Name] = v
	return nil
}
