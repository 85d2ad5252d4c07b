package jinja

import (
	"fmt"
	"strconv"
	"strings"

	"inglenook/jinja/syntax"
)

func (in *interp) generator(items []any) *iterator { return &iterator{"generator", items} }

func filterList(in *interp, v any, a args) (any, error) {
	if _, err := a.bind("list", 0); err != nil {
		return nil, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	return &List{items}, in.allocItems(len(items))
}

func filterItems(in *interp, v any, _ args) (any, error) {
	switch v := v.(type) {
	case *undefined:
		return in.generator(nil), nil
	case *Dict:
		return in.generator(v.pairs()), in.allocItems(3 * v.Len())
	}
	return nil, fmt.Errorf("items: only a dict has items, not %s", typeName(v))
}

func filterFirst(in *interp, v any, _ args) (any, error) {
	if it, ok := v.(*iterator); ok && len(it.items) > 0 {
		first := it.items[0]
		it.items = it.items[1:]
		return first, nil
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return &undefined{"there is no first item, the sequence is empty"}, nil
	}
	return items[0], nil
}

func filterLast(in *interp, v any, _ args) (any, error) {
	items, err := in.reversible(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return &undefined{"there is no last item, the sequence is empty"}, nil
	}
	return items[len(items)-1], nil
}

// reversible returns the items of what Python's reversed takes.
func (in *interp) reversible(v any) ([]any, error) {
	switch v.(type) {
	case *iterator:
		return nil, fmt.Errorf("%s can't be reversed", typeName(v))
	case *undefined:
		return nil, nil
	}
	return in.iterate(v)
}

func filterReverse(in *interp, v any, _ args) (any, error) {
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	if err := in.allocItems(len(items)); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, item := range items {
		out[len(items)-1-i] = item
	}
	if _, ok := text(v); ok {
		s, err := in.joinValues("", out, true)
		return like(v, s), err
	}
	switch v.(type) {
	case *iterator:
		return &List{out}, nil
	case *List:
		return &iterator{"list_reverseiterator", out}, nil
	}
	return &iterator{"reversed", out}, nil
}

func filterJoin(in *interp, v any, a args) (any, error) {
	p, err := a.bind("join", 0, "d", "attribute")
	if err != nil {
		return nil, err
	}
	sep := ""
	if given(p[0]) {
		if sep, err = in.str(p[0]); err != nil {
			return nil, err
		}
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	if given(p[1]) && p[1] != nil {
		if items, err = in.attributes(items, p[1]); err != nil {
			return nil, err
		}
	}
	return in.joinValues(sep, items, false)
}

// attributes returns path of each item, where path is "a.b.0" or a number.
func (in *interp) attributes(items []any, path any) ([]any, error) {
	if err := in.allocItems(len(items)); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, item := range items {
		var err error
		if out[i], err = in.attribute(item, path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (in *interp) attribute(item, path any) (any, error) {
	s, ok := text(path)
	if !ok {
		return in.item(item, path)
	}
	var err error
	for part := range strings.SplitSeq(s, ".") {
		if err := in.step(1); err != nil {
			return nil, err
		}
		var key any = part
		if n, bad := strconv.ParseInt(part, 10, 64); bad == nil && syntax.IsDigit(part[0]) {
			key = n
		}
		if item, err = in.item(item, key); err != nil {
			return nil, err
		}
	}
	return item, nil
}

func filterMap(in *interp, v any, a args) (any, error) {
	if !truth(v) {
		return in.generator(nil), nil
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	if err := in.allocItems(len(items)); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	if len(a.pos) == 0 {
		p, err := a.bind("map", 0, "attribute", "default")
		if err != nil || !given(p[0]) {
			return nil, fmt.Errorf("map needs a filter or attribute=")
		}
		for i, item := range items {
			if out[i], err = in.attribute(item, p[0]); err != nil {
				return nil, err
			}
			if _, no := out[i].(*undefined); no && given(p[1]) && p[1] != nil {
				out[i] = p[1]
			}
		}
		return in.generator(out), nil
	}
	name, _ := text(a.pos[0])
	rest := args{a.pos[1:], a.names, a.named}
	for i, item := range items {
		if out[i], err = in.filter(name, item, rest); err != nil {
			return nil, err
		}
	}
	return in.generator(out), nil
}

// selection implements select, reject, selectattr and rejectattr.
func selection(byAttribute, keep bool) filterFunc {
	return func(in *interp, v any, a args) (any, error) {
		if !truth(v) {
			return in.generator(nil), nil
		}
		items, err := in.iterate(v)
		if err != nil {
			return nil, err
		}
		var path any
		if byAttribute {
			if len(a.pos) == 0 {
				return nil, fmt.Errorf("the name of an attribute is missing")
			}
			path, a.pos = a.pos[0], a.pos[1:]
		}
		check := func(v any) (bool, error) { return truth(v), nil }
		if len(a.pos) > 0 {
			name, _ := text(a.pos[0])
			rest := args{a.pos[1:], a.names, a.named}
			check = func(v any) (bool, error) { return in.test(name, v, rest) }
		}
		var kept []any
		for _, item := range items {
			if err := in.step(1); err != nil {
				return nil, err
			}
			subject := item
			if byAttribute {
				if subject, err = in.attribute(item, path); err != nil {
					return nil, err
				}
			}
			ok, err := check(subject)
			if err != nil {
				return nil, err
			}
			if ok == keep {
				kept = append(kept, item)
			}
		}
		return in.generator(kept), in.allocItems(len(kept))
	}
}
