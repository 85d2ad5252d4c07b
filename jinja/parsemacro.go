package jinja

import (
	"fmt"
	"slices"
)

func (p *parser) macroTag() (stmt, error) {
	def := &macroDef{line: p.line()}
	p.next()
	var err error
	if def.name, err = p.name(); err != nil {
		return nil, err
	}
	if err := p.signature(def); err != nil {
		return nil, err
	}
	return &macroStmt{def}, p.macroBody(def, "endmacro")
}

func (p *parser) macroBody(def *macroDef, end string) (err error) {
	p.macros = append(p.macros, def)
	loops := p.loops
	p.loops = 0
	def.body, _, err = p.inner(end)
	p.loops = loops
	p.macros = p.macros[:len(p.macros)-1]
	return err
}

// signature reads "(a, b=1)".
func (p *parser) signature(def *macroDef) error {
	if err := p.expect(tokOp, "("); err != nil {
		return err
	}
	for !p.peek().is(tokOp, ")") {
		if len(def.params) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return err
			}
		}
		name, err := p.name()
		if err != nil {
			return err
		}
		if slices.Contains(def.params, name) {
			return fmt.Errorf("the parameter %q appears twice", name)
		}
		def.params = append(def.params, name)
		if p.skip(tokOp, "=") {
			value, err := p.expression()
			if err != nil {
				return err
			}
			def.defaults = append(def.defaults, value)
		} else if len(def.defaults) > 0 {
			return fmt.Errorf("the parameter %q has no default but one before it has", name)
		}
	}
	p.next()
	return nil
}

func (p *parser) callTag() (stmt, error) {
	def := &macroDef{name: "caller", line: p.line()}
	p.next()
	if p.peek().is(tokOp, "(") {
		if err := p.signature(def); err != nil {
			return nil, err
		}
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	call, ok := e.(*callExpr)
	if !ok {
		return nil, fmt.Errorf("the tag call needs a call, as in {%% call name() %%}")
	}
	return &callStmt{call, def}, p.macroBody(def, "endcall")
}
