package jinja

import (
	"fmt"
	"time"
)

// globals are the functions that every template has.
var globals = map[string]callable{
	"range":           &builtin{"range", globalRange},
	"dict":            &builtin{"dict", globalDict},
	"namespace":       &builtin{"namespace", globalNamespace},
	"cycler":          &builtin{"cycler", globalCycler},
	"joiner":          &builtin{"joiner", globalJoiner},
	"raise_exception": &builtin{"raise_exception", globalRaise},
	"strftime_now":    &builtin{"strftime_now", globalNow},
}

func globalRange(_ *interp, a args) (any, error) {
	if len(a.names) > 0 || len(a.pos) < 1 || len(a.pos) > 3 {
		return nil, fmt.Errorf("range takes one to three numbers")
	}
	var n [3]int64
	for i, v := range a.pos {
		var ok bool
		if n[i], ok = integer(v); !ok {
			if u, isUndefined := v.(*undefined); isUndefined {
				return nil, u.err()
			}
			return nil, fmt.Errorf("range needs whole numbers, not %s", typeName(v))
		}
	}
	switch len(a.pos) {
	case 1:
		return newRange(0, n[0], 1)
	case 2:
		return newRange(n[0], n[1], 1)
	}
	return newRange(n[0], n[1], n[2])
}

// globalDict implements dict(pairs, name=value).
func globalDict(in *interp, a args) (any, error) {
	d := NewDict()
	if len(a.pos) > 1 {
		return nil, fmt.Errorf("dict takes at most one argument without a name")
	}
	if len(a.pos) == 1 {
		from, err := in.asDict(a.pos[0])
		if err != nil {
			return nil, err
		}
		d = from
	}
	if err := in.allocItems(6 + 4*len(a.names)); err != nil {
		return nil, err
	}
	for i, name := range a.names {
		d.Set(name, a.named[i])
	}
	return d, nil
}

// asDict returns a new dict from a dict or from pairs.
func (in *interp) asDict(v any) (*Dict, error) {
	if from, ok := v.(*Dict); ok {
		return in.copyDict(from)
	}
	pairs, err := in.pairs(v)
	if err != nil {
		return nil, err
	}
	d := NewDict()
	for _, pair := range pairs {
		if err := d.put(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// pairs returns the entries of a dict, or items that are two values each.
func (in *interp) pairs(v any) ([][2]any, error) {
	var items []any
	if d, ok := v.(*Dict); ok {
		items = d.pairs()
	} else {
		var err error
		if items, err = in.iterate(v); err != nil {
			return nil, err
		}
	}
	if err := in.allocItems(6 + 5*len(items)); err != nil {
		return nil, err
	}
	out := make([][2]any, len(items))
	for i, item := range items {
		two, err := in.iterate(item)
		if err != nil {
			return nil, err
		}
		if len(two) != 2 {
			return nil, fmt.Errorf("pairs are needed here, not %d values", len(two))
		}
		out[i] = [2]any{two[0], two[1]}
	}
	return out, nil
}

func globalNamespace(in *interp, a args) (any, error) {
	d, err := globalDict(in, a)
	if err != nil {
		return nil, err
	}
	ns := &namespace{NewDict()}
	for _, e := range d.(*Dict).entries {
		name, ok := text(e.key)
		if !ok {
			return nil, fmt.Errorf("a namespace needs names, not %s", typeName(e.key))
		}
		if err := ns.set(in, name, e.value); err != nil {
			return nil, err
		}
	}
	return ns, nil
}

// cycler returns its items in turn.
type cycler struct {
	items []any
	pos   int
}

func globalCycler(_ *interp, a args) (any, error) {
	if len(a.pos) == 0 || len(a.names) > 0 {
		return nil, fmt.Errorf("cycler needs items")
	}
	return &cycler{items: a.pos}, nil
}

func (c *cycler) attr(name string) (any, bool) {
	switch name {
	case "current":
		return c.items[c.pos], true
	case "next":
		return &builtin{"next", func(*interp, args) (any, error) {
			v := c.items[c.pos]
			c.pos = (c.pos + 1) % len(c.items)
			return v, nil
		}}, true
	case "reset":
		return &builtin{"reset", func(*interp, args) (any, error) {
			c.pos = 0
			return nil, nil
		}}, true
	}
	return nil, false
}

// globalJoiner returns a function that returns "" on its first call and then the
// separator.
func globalJoiner(_ *interp, a args) (any, error) {
	p, err := a.bind("joiner", 0, "sep")
	if err != nil {
		return nil, err
	}
	var sep any = ", "
	if given(p[0]) {
		sep = p[0]
	}
	used := false
	return &builtin{"joiner", func(*interp, args) (any, error) {
		if !used {
			used = true
			return "", nil
		}
		return sep, nil
	}}, nil
}

func globalRaise(in *interp, a args) (any, error) {
	p, err := a.bind("raise_exception", 1, "message")
	if err != nil {
		return nil, err
	}
	message, err := in.str(p[0])
	if err != nil {
		return nil, err
	}
	return nil, &Error{clipRunes(message, 500)}
}

func globalNow(in *interp, a args) (any, error) {
	p, err := a.bind("strftime_now", 1, "format")
	if err != nil {
		return nil, err
	}
	format, ok := text(p[0])
	if !ok {
		return nil, fmt.Errorf("strftime_now needs a string, not %s", typeName(p[0]))
	}
	if err := in.alloc(20 * len(format)); err != nil {
		return nil, err
	}
	clock := in.clock
	if clock == nil {
		clock = time.Now
	}
	return strftime(clock(), format), nil
}
