package jinja

import "fmt"

func filterAttr(in *interp, v any, a args) (any, error) {
	p, err := a.bind("attr", 1, "name")
	if err != nil {
		return nil, err
	}
	name, ok := text(p[0])
	if !ok {
		return nil, fmt.Errorf("attr: the name must be a string, not %s", typeName(p[0]))
	}
	if found, ok := in.method(v, name); ok {
		return found, nil
	}
	return noAttr(v, name), nil
}

// portions holds the arguments of batch and slice: items, a number and an
// optional fill value for short lists.
type portions struct {
	items []any
	n     int
	fill  any
}

func (in *interp) portions(v any, a args, filter, number, want string) (portions, error) {
	p, err := a.bind(filter, 1, number, "fill_with")
	if err != nil {
		return portions{}, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return portions{}, err
	}
	n, ok := integer(p[0])
	if !ok || n < 1 {
		return portions{}, fmt.Errorf("%s needs how many %s", filter, want)
	}
	out := portions{items: items, n: int(min(n, 1<<31))}
	if given(p[1]) {
		out.fill = p[1]
	}
	return out, nil
}

// filterBatch cuts into lists of n items, the last filled up.
func filterBatch(in *interp, v any, a args) (any, error) {
	p, err := in.portions(v, a, "batch", "linecount", "items make a line")
	if err != nil {
		return nil, err
	}
	if p.fill != nil {
		if err := in.allocItems(p.n); err != nil {
			return nil, err
		}
	}
	var out []any
	for items := p.items; len(items) > 0; {
		size := min(p.n, len(items))
		line := append([]any(nil), items[:size]...)
		for p.fill != nil && len(line) < p.n {
			line = append(line, p.fill)
		}
		out, items = append(out, &List{line}), items[size:]
		if err := in.allocItems(size + 2); err != nil {
			return nil, err
		}
	}
	return in.generator(out), nil
}

// filterSlice cuts into n lists of about the same length.
func filterSlice(in *interp, v any, a args) (any, error) {
	p, err := in.portions(v, a, "slice", "slices", "slices to make")
	if err != nil {
		return nil, err
	}
	if err := in.allocItems(min(3*p.n, 1<<31) + len(p.items)); err != nil {
		return nil, err
	}
	size, extra := len(p.items)/p.n, len(p.items)%p.n
	var out []any
	items := p.items
	for i := range p.n {
		take := size + btoi(i < extra)
		part := append([]any(nil), items[:take]...)
		if p.fill != nil && i >= extra {
			part = append(part, p.fill)
		}
		out, items = append(out, &List{part}), items[take:]
	}
	return in.generator(out), nil
}

// filterGroupBy returns (key, items) for each value of an attribute, sorted.
func filterGroupBy(in *interp, v any, a args) (any, error) {
	p, err := a.bind("groupby", 1, "attribute", "default", "case_sensitive")
	if err != nil {
		return nil, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	names, err := in.attributes(items, p[0])
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if _, no := name.(*undefined); no && given(p[1]) && p[1] != nil {
			names[i] = p[1]
		}
	}
	keys, err := in.foldCase(names, p[2])
	if err != nil {
		return nil, err
	}
	if err := in.allocItems(6 * len(items)); err != nil {
		return nil, err
	}
	triples := make([]any, len(items))
	for i := range items {
		triples[i] = &Tuple{[]any{keys[i], names[i], items[i]}}
	}
	if triples, err = in.sorted(triples, keys, false); err != nil {
		return nil, err
	}
	var out []any
	var last any = missing{}
	for _, t := range triples {
		three := t.(*Tuple).Items
		same, err := in.equal(last, three[0])
		if err != nil {
			return nil, err
		}
		if !same {
			out = append(out, &Tuple{[]any{three[1], &List{}}})
			last = three[0]
		}
		group := out[len(out)-1].(*Tuple).Items[1].(*List)
		group.Items = append(group.Items, three[2])
	}
	return &List{out}, nil
}
