package syntax

import (
	"fmt"
	"slices"
)

func (p *parser) macroTag() (Stmt, error) {
	def := &MacroDef{Line: p.line()}
	p.next()
	var err error
	if def.Name, err = p.name(); err != nil {
		return nil, err
	}
	if err := p.signature(def); err != nil {
		return nil, err
	}
	return &MacroStmt{def}, p.macroBody(def, "endmacro")
}

func (p *parser) macroBody(def *MacroDef, end string) (err error) {
	p.macros = append(p.macros, def)
	loops := p.loops
	p.loops = 0
	def.Body, _, err = p.inner(end)
	p.loops = loops
	p.macros = p.macros[:len(p.macros)-1]
	return err
}

// signature reads "(a, b=1)".
func (p *parser) signature(def *MacroDef) error {
	if err := p.expect(tokOp, "("); err != nil {
		return err
	}
	for !p.peek().is(tokOp, ")") {
		if len(def.Params) > 0 {
			if err := p.expect(tokOp, ","); err != nil {
				return err
			}
		}
		name, err := p.name()
		if err != nil {
			return err
		}
		if slices.Contains(def.Params, name) {
			return fmt.Errorf("the parameter %q appears twice", name)
		}
		def.Params = append(def.Params, name)
		if p.skip(tokOp, "=") {
			value, err := p.expression()
			if err != nil {
				return err
			}
			def.Defaults = append(def.Defaults, value)
		} else if len(def.Defaults) > 0 {
			return fmt.Errorf("the parameter %q has no default but one before it has", name)
		}
	}
	p.next()
	return nil
}

func (p *parser) callTag() (Stmt, error) {
	def := &MacroDef{Name: "caller", Line: p.line()}
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
	call, ok := e.(*CallExpr)
	if !ok {
		return nil, fmt.Errorf("the tag call needs a call, as in {%% call name() %%}")
	}
	return &CallStmt{call, def}, p.macroBody(def, "endcall")
}
