package jinja

import (
	"fmt"
	"math"
	"net/url"
	"sort"
	"strconv"
	"strings"
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

// reversible gives the items of what Python's reversed takes.
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

// attributes gives path of each item, where path is "a.b.0" or a number.
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
		if n, bad := strconv.ParseInt(part, 10, 64); bad == nil && isDigit(part[0]) {
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

// selection is select, reject, selectattr and rejectattr.
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

// sortKeys gives what items are sorted by: attributes, strings in lower case
// unless the case counts.
func (in *interp) sortKeys(items []any, attribute, caseSensitive any) ([]any, error) {
	keys := items
	if given(attribute) && attribute != nil {
		paths := []any{attribute}
		if s, ok := text(attribute); ok && strings.Contains(s, ",") {
			paths = nil
			for path := range strings.SplitSeq(s, ",") {
				paths = append(paths, path)
			}
		}
		if err := in.allocItems(len(items) * (len(paths) + 1)); err != nil {
			return nil, err
		}
		keys = make([]any, len(items))
		for i, item := range items {
			parts := make([]any, len(paths))
			for j, path := range paths {
				v, err := in.attribute(item, path)
				if err != nil {
					return nil, err
				}
				parts[j] = v
			}
			folded, err := in.foldCase(parts, caseSensitive)
			if err != nil {
				return nil, err
			}
			if keys[i] = folded[0]; len(paths) > 1 {
				keys[i] = &Tuple{folded}
			}
		}
		return keys, nil
	}
	return in.foldCase(keys, caseSensitive)
}

func (in *interp) foldCase(keys []any, caseSensitive any) ([]any, error) {
	if given(caseSensitive) && truth(caseSensitive) {
		return keys, nil
	}
	if err := in.allocItems(len(keys)); err != nil {
		return nil, err
	}
	out := make([]any, len(keys))
	for i, key := range keys {
		out[i] = key
		if s, ok := text(key); ok {
			if err := in.alloc(len(s)); err != nil {
				return nil, err
			}
			out[i] = strings.ToLower(s)
		}
	}
	return out, nil
}

// sorted gives items in the order of keys, equal ones as they were.
func (in *interp) sorted(items, keys []any, reverse bool) ([]any, error) {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	if err := in.allocItems(2 * len(items)); err != nil {
		return nil, err
	}
	var failed error
	sort.SliceStable(order, func(i, j int) bool {
		if failed != nil {
			return false
		}
		a, b := keys[order[i]], keys[order[j]]
		if reverse {
			a, b = b, a
		}
		less, err := comparisons["<"](in, a, b)
		failed = err
		return less
	})
	out := make([]any, len(items))
	for i, n := range order {
		out[i] = items[n]
	}
	return out, failed
}

func filterSort(in *interp, v any, a args) (any, error) {
	p, err := a.bind("sort", 0, "reverse", "case_sensitive", "attribute")
	if err != nil {
		return nil, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	keys, err := in.sortKeys(items, p[2], p[1])
	if err != nil {
		return nil, err
	}
	out, err := in.sorted(items, keys, given(p[0]) && truth(p[0]))
	return &List{out}, err
}

func filterDictSort(in *interp, v any, a args) (any, error) {
	p, err := a.bind("dictsort", 0, "case_sensitive", "by", "reverse")
	if err != nil {
		return nil, err
	}
	d, ok := v.(*Dict)
	if !ok {
		return nil, fmt.Errorf("dictsort: only a dict can be sorted so, not %s", typeName(v))
	}
	keys := d.keys()
	if given(p[1]) && p[1] != "key" {
		if p[1] != "value" {
			return nil, fmt.Errorf("dictsort sorts by \"key\" or \"value\"")
		}
		keys = d.values()
	}
	if err := in.allocItems(5 * d.Len()); err != nil {
		return nil, err
	}
	if keys, err = in.foldCase(keys, p[0]); err != nil {
		return nil, err
	}
	out, err := in.sorted(d.pairs(), keys, given(p[2]) && truth(p[2]))
	return &List{out}, err
}

func filterUnique(in *interp, v any, a args) (any, error) {
	p, err := a.bind("unique", 0, "case_sensitive", "attribute")
	if err != nil {
		return nil, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	keys, err := in.sortKeys(items, p[1], p[0])
	if err != nil {
		return nil, err
	}
	seen := NewDict()
	var out []any
	for i, item := range items {
		_, known, err := seen.lookup(keys[i])
		if err != nil {
			return nil, err
		}
		if !known {
			_ = seen.put(keys[i], true) // lookup has shown that it can be a key
			out = append(out, item)
		}
	}
	return in.generator(out), in.allocItems(6 * len(out))
}

// extreme is min (sign -1) and max (sign 1).
func extreme(sign int) filterFunc {
	return func(in *interp, v any, a args) (any, error) {
		p, err := a.bind("min and max", 0, "case_sensitive", "attribute")
		if err != nil {
			return nil, err
		}
		items, err := in.iterate(v)
		if err != nil {
			return nil, err
		}
		if len(items) == 0 {
			return &undefined{"there is no smallest or largest item, the sequence is empty"}, nil
		}
		keys, err := in.sortKeys(items, p[1], p[0])
		if err != nil {
			return nil, err
		}
		best := 0
		for i := range items {
			c, err := in.compare(keys[i], keys[best])
			if err != nil {
				return nil, err
			}
			if c*sign > 0 {
				best = i
			}
		}
		return items[best], nil
	}
}

func filterSum(in *interp, v any, a args) (any, error) {
	p, err := a.bind("sum", 0, "attribute", "start")
	if err != nil {
		return nil, err
	}
	items, err := in.iterate(v)
	if err != nil {
		return nil, err
	}
	if given(p[0]) && p[0] != nil {
		if items, err = in.attributes(items, p[0]); err != nil {
			return nil, err
		}
	}
	var total any = int64(0)
	if given(p[1]) {
		total = p[1]
	}
	if _, ok := text(total); ok {
		return nil, fmt.Errorf("sum does not join strings; use join")
	}
	for _, item := range items {
		if total, err = in.binary("+", total, item); err != nil {
			return nil, err
		}
	}
	return total, nil
}

func filterRound(_ *interp, v any, a args) (any, error) {
	p, err := a.bind("round", 0, "precision", "method")
	if err != nil {
		return nil, err
	}
	digits := int64(0)
	if given(p[0]) {
		digits, _ = integer(p[0])
	}
	f, ok := number(v)
	if !ok || digits > 300 || digits < -300 {
		return nil, fmt.Errorf("round needs a number, not %s", typeName(v))
	}
	scale := math.Pow(10, float64(digits))
	switch {
	case !given(p[1]) || p[1] == "common":
		if n, ok := integer(v); ok && digits >= 0 {
			return n, nil
		}
		out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(max(digits, 0)), 64), 64)
		if digits < 0 {
			out = math.RoundToEven(f*scale) / scale
			if _, ok := integer(v); ok {
				return int64(out), err
			}
		}
		return out, err
	case p[1] == "ceil":
		return math.Ceil(f*scale) / scale, nil
	case p[1] == "floor":
		return math.Floor(f*scale) / scale, nil
	}
	return nil, fmt.Errorf("round knows the methods common, ceil and floor")
}

func filterURLEncode(in *interp, v any, _ args) (any, error) {
	s, err := in.str(v)
	if err != nil {
		return nil, err
	}
	if err := in.alloc(3 * len(s)); err != nil {
		return nil, err
	}
	return strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), "%2F", "/"), nil
}
