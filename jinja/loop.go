package jinja

import (
	"fmt"

	"inglenook/jinja/syntax"
)

// loopVars is the variable loop of a for block.
type loopVars struct {
	stmt    *syntax.ForStmt
	scope   *scope // around the loop
	items   []any
	index   int // of the current item, from 0
	depth   int // from 0
	changed any // the arguments of the previous call of loop.changed
}

func (in *interp) execFor(f *syntax.ForStmt, s *scope, out *output) error {
	of, err := in.eval(f.Of, s)
	if err != nil {
		return syntax.At(f.Line, err)
	}
	return in.loop(f, s, out, of, 0)
}

func (in *interp) loop(f *syntax.ForStmt, s *scope, out *output, of any, depth int) error {
	if u, ok := of.(*undefined); ok && depth > 0 {
		return syntax.At(f.Line, u.err())
	}
	items, err := in.iterate(of)
	if err != nil {
		return syntax.At(f.Line, err)
	}
	if f.Test != nil {
		if items, err = in.filtered(f, s, items); err != nil {
			return syntax.At(f.Line, err)
		}
	}
	l := &loopVars{stmt: f, scope: s, items: items, depth: depth, changed: missing{}}
	completed := false
	for i, item := range items {
		l.index = i
		inner := newScope(s)
		if err := in.alloc(48); err != nil {
			return syntax.At(f.Line, err)
		}
		inner.vars["loop"] = l
		if err := in.assign(f.Target, item, inner); err != nil {
			return syntax.At(f.Line, err)
		}
		err := in.run(f.Body, inner, out)
		if err == error(syntax.BreakLoop) {
			break
		}
		if err != nil && err != error(syntax.ContinueLoop) {
			return err
		}
		completed = completed || err == nil
	}
	if !completed { // Jinja does not count an iteration that was broken off
		return in.run(f.Otherwise, newScope(s), out)
	}
	return nil
}

func (in *interp) filtered(f *syntax.ForStmt, s *scope, items []any) ([]any, error) {
	var kept []any
	for _, item := range items {
		inner := newScope(s)
		if err := in.assign(f.Target, item, inner); err != nil {
			return nil, err
		}
		v, err := in.eval(f.Test, inner)
		if err != nil {
			return nil, err
		}
		if truth(v) {
			kept = append(kept, item)
		}
	}
	return kept, in.allocItems(len(kept))
}

// loopAttrs are the attributes of loop.
var loopAttrs = map[string]func(l *loopVars) any{
	"index":     func(l *loopVars) any { return int64(l.index + 1) },
	"index0":    func(l *loopVars) any { return int64(l.index) },
	"revindex":  func(l *loopVars) any { return int64(len(l.items) - l.index) },
	"revindex0": func(l *loopVars) any { return int64(len(l.items) - l.index - 1) },
	"first":     func(l *loopVars) any { return l.index == 0 },
	"last":      func(l *loopVars) any { return l.index == len(l.items)-1 },
	"length":    func(l *loopVars) any { return int64(len(l.items)) },
	"depth":     func(l *loopVars) any { return int64(l.depth + 1) },
	"depth0":    func(l *loopVars) any { return int64(l.depth) },
	"previtem":  func(l *loopVars) any { return l.neighbour(-1) },
	"nextitem":  func(l *loopVars) any { return l.neighbour(1) },
	"cycle":     func(l *loopVars) any { return &builtin{"loop.cycle", l.cycle} },
	"changed":   func(l *loopVars) any { return &builtin{"loop.changed", l.hasChanged} },
}

func (l *loopVars) neighbour(by int) any {
	if i := l.index + by; i >= 0 && i < len(l.items) {
		return l.items[i]
	}
	return &undefined{"there is no item there in the loop"}
}

func (l *loopVars) cycle(_ *interp, a args) (any, error) {
	if len(a.pos) == 0 || len(a.names) > 0 {
		return nil, fmt.Errorf("loop.cycle needs items to cycle through")
	}
	return a.pos[l.index%len(a.pos)], nil
}

func (l *loopVars) hasChanged(in *interp, a args) (any, error) {
	now := &Tuple{a.pos}
	same, err := in.equal(l.changed, now)
	if err != nil || same {
		return false, err
	}
	l.changed = now
	return true, nil
}

// call implements loop(items) in a recursive loop: it returns the text of the
// loop over the items.
func (l *loopVars) call(in *interp, a args) (any, error) {
	if !l.stmt.Recursive {
		return nil, fmt.Errorf("this loop is not recursive; it lacks the word")
	}
	of, err := a.bind("loop", 1, "iterable")
	if err != nil {
		return nil, err
	}
	out := &output{in: in}
	if err := in.loop(l.stmt, l.scope, out, of[0], l.depth+1); err != nil {
		return nil, err
	}
	return out.b.String(), nil
}
