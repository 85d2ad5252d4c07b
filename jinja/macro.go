package jinja

import (
	"fmt"
	"slices"
)

// macro is a macro with the scope in which it was defined.
type macro struct {
	def   *macroDef
	scope *scope
}

func (in *interp) execMacro(m *macroStmt, s *scope, _ *output) error {
	return at(m.def.line, in.assign(target{name: m.def.name}, &macro{m.def, s}, s))
}

func (in *interp) execCall(c *callStmt, s *scope, out *output) error {
	v, err := in.callWith(c.call, s, &macro{c.body, s})
	if err != nil {
		return err
	}
	text, err := in.str(v)
	if err != nil {
		return at(c.call.line, err)
	}
	return at(c.call.line, out.write(text))
}

// call binds the arguments like a Python function and returns the text.
func (m *macro) call(in *interp, a args) (any, error) {
	def := m.def
	s := newScope(m.scope)
	if err := in.alloc(64 * (2 + len(def.params) + len(a.names))); err != nil {
		return nil, err
	}
	n := min(len(a.pos), len(def.params))
	for i, name := range def.params[:n] {
		s.vars[name] = a.pos[i]
	}
	if len(a.pos) > n && !def.varargs {
		return nil, fmt.Errorf("the macro %s takes at most %d arguments, not %d", def.name, n, len(a.pos))
	}
	if def.varargs {
		s.vars["varargs"] = &Tuple{a.pos[n:]}
	}
	var caller any = &undefined{"there is no caller"}
	more := NewDict()
	for i, name := range a.names {
		_, twice := s.vars[name]
		switch known := slices.Contains(def.params, name); {
		case known && twice:
			return nil, fmt.Errorf("the macro %s got the argument %q twice", def.name, name)
		case known:
			s.vars[name] = a.named[i]
		case name == "caller" && def.caller:
			caller = a.named[i]
		case def.kwargs:
			more.Set(name, a.named[i])
		default:
			return nil, fmt.Errorf("the macro %s has no argument %q", def.name, name)
		}
	}
	if def.kwargs {
		s.vars["kwargs"] = more
	}
	if def.caller && !slices.Contains(def.params, "caller") {
		s.vars["caller"] = caller
	}
	if err := m.defaults(in, s); err != nil {
		return nil, err
	}
	return in.capture(def.body, s)
}

// defaults sets the parameters that were not passed, in order: a default may
// use the parameters before it.
func (m *macro) defaults(in *interp, s *scope) error {
	first := len(m.def.params) - len(m.def.defaults)
	for i, name := range m.def.params {
		if _, ok := s.vars[name]; ok {
			continue
		}
		if i < first {
			s.vars[name] = &undefined{fmt.Sprintf("the parameter %q was not given", name)}
			continue
		}
		v, err := in.eval(m.def.defaults[i-first], s)
		if err != nil {
			return err
		}
		s.vars[name] = v
	}
	return nil
}
