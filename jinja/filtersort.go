package jinja

import (
	"fmt"
	"sort"
	"strings"
)

// sortKeys returns the keys by which items are sorted: attributes, with strings
// in lower case unless caseSensitive is true.
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

// sorted returns items in the order of keys; the sort is stable.
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
		less, err := comparators["<"](in, a, b)
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

// extreme implements min (sign -1) and max (sign 1).
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
