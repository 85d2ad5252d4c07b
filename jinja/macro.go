package jinja

import (
	"fmt"
	"slices"

	"inglenook/jinja/syntax"
)

// macro is a macro with the scope in which it was defined.
type macro struct {
	def   *syntax.MacroDef
	scope *scope
}

func (in *interp) execMacro(m *syntax.MacroStmt, s *scope, _ *output) error {
	return syntax.At(m.Def.Line, in.assign(syntax.Target{Name: m.Def.Name}, &macro{m.Def, s}, s))
}

func (in *interp) execCall(c *syntax.CallStmt, s *scope, out *output) error {
	v, err := in.callWith(c.Call, s, &macro{c.Body, s})
	if err != nil {
		return err
	}
	text, err := in.str(v)
	if err != nil {
		return syntax.At(c.Call.Line, err)
	}
	return syntax.At(c.Call.Line, out.write(text))
}

// call binds the arguments like a Python function and returns the text.
func (m *macro) call(in *interp, a args) (any, error) {
	def := m.def
	s := newScope(m.scope)
	if err := in.alloc(64 * (2 + len(def.Params) + len(a.names))); err != nil {
		return nil, err
	}
	n := min(len(a.pos), len(def.Params))
	for i, name := range def.Params[:n] {
		s.vars[name] = a.pos[i]
	}
	if len(a.pos) > n && !def.Varargs {
		return nil, fmt.Errorf("the macro %s takes at most %d arguments, not %d", def.Name, n, len(a.pos))
	}
	if def.Varargs {
		s.vars["varargs"] = &Tuple{a.pos[n:]}
	}
	var caller any = &undefined{"there is no caller"}
	more := NewDict()
	for i, name := range a.names {
		_, twice := s.vars[name]
		switch known := slices.Contains(def.Params, name); {
		case known && twice:
			return nil, fmt.Errorf("the macro %s got the argument %q twice", def.Name, name)
		case known:
			s.vars[name] = a.named[i]
		case name == "caller" && def.Caller:
			caller = a.named[i]
		case def.Kwargs:
			more.Set(name, a.named[i])
		default:
			return nil, fmt.Errorf("the macro %s has no argument %q", def.Name, name)
		}
	}
	if def.Kwargs {
		s.vars["kwargs"] = more
	}
	if def.Caller && !slices.Contains(def.Params, "caller") {
		s.vars["caller"] = caller
	}
	if err := m.defaults(in, s); err != nil {
		return nil, err
	}
	return in.capture(def.Body, s)
}

// defaults sets the parameters that were not passed, in order: a default may
// use the parameters before it.
func (m *macro) defaults(in *interp, s *scope) error {
	first := len(m.def.Params) - len(m.def.Defaults)
	for i, name := range m.def.Params {
		if _, ok := s.vars[name]; ok {
			continue
		}
		if i < first {
			s.vars[name] = &undefined{fmt.Sprintf("the parameter %q was not given", name)}
			continue
		}
		v, err := in.eval(m.def.Defaults[i-first], s)
		if err != nil {
			return err
		}
		s.vars[name] = v
	}
	return nil
}
