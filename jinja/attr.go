package jinja

import (
	"fmt"
	"slices"
	"strings"
)

// methods of a type, by name.
type methods map[string]func(in *interp, self any, a args) (any, error)

// mutators lists the methods that the sandbox hides from templates. Naming one
// returns undefined, calling it fails.
var mutators = map[string][]string{
	"list": {"append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"},
	"dict": {"clear", "pop", "popitem", "setdefault", "update"},
}

// attr returns "of.name": a method of the type, else the item of that name.
func (in *interp) attr(of any, name string) (any, error) {
	if u, ok := of.(*undefined); ok {
		return nil, u.err()
	}
	if v, ok := in.method(of, name); ok {
		return v, nil
	}
	if d, ok := of.(*Dict); ok {
		if v, ok := d.Get(name); ok {
			return v, nil
		}
	}
	return noAttr(of, name), nil
}

func noAttr(of any, name string) *undefined {
	return &undefined{fmt.Sprintf("%s has no attribute %q", typeName(of), name)}
}

// method returns what Python's getattr finds.
func (in *interp) method(of any, name string) (any, bool) {
	var table methods
	switch v := of.(type) {
	case string, Markup:
		if name == "format" || name == "format_map" {
			s, _ := text(v)
			return &builtin{name, func(in *interp, a args) (any, error) {
				out, err := in.formatMethod(name, s, a)
				return like(v, out), err
			}}, true
		}
		table = strMethods
	case *Dict:
		table = dictMethods
	case *List, *Tuple:
		table = seqMethods
	case *namespace:
		if strings.HasPrefix(name, "_") {
			return noAttr(of, name), true
		}
		return v.attrs.Get(name)
	case *loopVars:
		get, ok := loopAttrs[name]
		if !ok {
			return nil, false
		}
		return get(v), true
	case *macro:
		switch name {
		case "name":
			return v.def.Name, true
		case "arguments":
			var names []any
			for _, p := range v.def.Params {
				names = append(names, p)
			}
			return &Tuple{names}, true
		}
		return nil, false
	case *cycler:
		return v.attr(name)
	}
	if slices.Contains(mutators[typeName(of)], name) || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && table != nil {
		return &undefined{fmt.Sprintf("access to the attribute %q of %s is unsafe", name, typeName(of))}, true
	}
	fn, ok := table[name]
	if !ok {
		return nil, false
	}
	return &builtin{name, func(in *interp, a args) (any, error) {
		v, err := fn(in, of, a)
		if err != nil {
			err = fmt.Errorf("%s.%s: %w", typeName(of), name, err)
		}
		return v, err
	}}, true
}

// item returns "of[key]": the item, else the method of that name.
func (in *interp) item(of, key any) (any, error) {
	switch v := of.(type) {
	case *undefined:
		return nil, v.err()
	case *Dict:
		if item, ok, err := v.lookup(key); err == nil && ok {
			return item, nil
		}
	case *List:
		if i, ok := position(key, len(v.Items)); ok {
			return v.Items[i], nil
		}
	case *Tuple:
		if i, ok := position(key, len(v.Items)); ok {
			return v.Items[i], nil
		}
	case *rangeValue:
		if i, ok := position(key, int(v.length)); ok {
			return v.start + int64(i)*v.step, nil
		}
	case string, Markup:
		if err := in.indexable(v); err != nil {
			return nil, err
		}
		s, _ := text(v)
		n, _ := length(v)
		if i, ok := position(key, n); ok {
			return like(v, cut(s, i, i+1)), nil
		}
	}
	name, ok := text(key)
	if ok {
		if v, ok := in.method(of, name); ok {
			return v, nil
		}
	}
	return &undefined{fmt.Sprintf("%s has no item %.60s", typeName(of), briefly(key))}, nil
}

func briefly(key any) string {
	switch key := key.(type) {
	case string:
		return fmt.Sprintf("%q", key)
	case int64, float64, bool, nil:
		return fmt.Sprint(key)
	}
	return "of the type " + typeName(key)
}

// indexable accounts for counting the characters of a string.
func (in *interp) indexable(v any) error {
	s, _ := text(v)
	return in.work(len(s))
}

// position converts an index, which may be negative, to one counted from the
// front.
func position(key any, n int) (int, bool) {
	i, ok := integer(key)
	if ok && i < 0 {
		i += int64(n)
	}
	return int(i), ok && i >= 0 && i < int64(n)
}

// cut returns the characters from:to of a string.
func cut(s string, from, to int) string {
	if isASCII(s) {
		return s[from:to]
	}
	start, end, n := len(s), len(s), 0
	for i := range s {
		if n == from {
			start = i
		}
		if n == to {
			end = i
			break
		}
		n++
	}
	return s[start:end]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// slice returns "of[from:to:step]"; omitted bounds are nil.
func (in *interp) slice(of any, bounds [3]any) (any, error) {
	if u, ok := of.(*undefined); ok {
		return nil, u.err()
	}
	n, ok := length(of)
	switch of.(type) {
	case string, Markup, *List, *Tuple, *rangeValue:
	default:
		ok = false
	}
	if !ok {
		return nil, fmt.Errorf("%s has no slices", typeName(of))
	}
	from, step, count, err := sliceBounds(bounds, n)
	if err != nil {
		return nil, err
	}
	if s, ok := text(of); ok {
		if err := in.indexable(of); err != nil {
			return nil, err
		}
		if step == 1 {
			return like(of, cut(s, from, from+count)), nil
		}
		if err := in.alloc(5 * len(s)); err != nil {
			return nil, err
		}
		runes := []rune(s)
		out := make([]rune, count)
		for i := range out {
			out[i] = runes[from+i*step]
		}
		return like(of, string(out)), nil
	}
	if r, ok := of.(*rangeValue); ok {
		start := r.start + int64(from)*r.step
		return &rangeValue{start, start + int64(count*step)*r.step, r.step * int64(step), int64(count)}, nil
	}
	if err := in.allocItems(count); err != nil {
		return nil, err
	}
	list, isList := of.(*List)
	var all []any
	if isList {
		all = list.Items
	} else {
		all = of.(*Tuple).Items
	}
	items := make([]any, count)
	for i := range items {
		items[i] = all[from+i*step]
	}
	if isList {
		return &List{items}, nil
	}
	return &Tuple{items}, nil
}

// sliceBounds applies Python's rules for the indices of a slice of n items.
func sliceBounds(bounds [3]any, n int) (from, step, count int, err error) {
	var given [3]int64
	for i, b := range bounds {
		if b == nil {
			continue
		}
		v, ok := integer(b)
		if !ok {
			return 0, 0, 0, fmt.Errorf("a slice needs whole numbers, not %s", typeName(b))
		}
		given[i] = max(min(v, 1<<40), -1<<40)
	}
	step = 1
	if bounds[2] != nil {
		if step = int(given[2]); step == 0 {
			return 0, 0, 0, fmt.Errorf("a slice with a step of 0")
		}
	}
	least, most := 0, n
	if step < 0 {
		least, most = -1, n-1
	}
	bound := func(i, usual int) int {
		if bounds[i] == nil {
			return usual
		}
		v := int(given[i])
		if v < 0 {
			v += n
		}
		return max(least, min(v, most))
	}
	var to int
	if step > 0 {
		from, to = bound(0, 0), bound(1, n)
		count = max(0, (to-from+step-1)/step)
	} else {
		from, to = bound(0, n-1), bound(1, -1)
		count = max(0, (from-to-step-1)/-step)
	}
	return from, step, count, nil
}
