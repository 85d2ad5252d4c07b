package jinja

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
	"unicode/utf8"
)

// The values of a template are nil, bool, int64, *big.Int (only printed),
// float64, string, Markup, *List, *Tuple, *Dict and the types below.

// List is a Python list. Templates cannot change it.
type List struct{ Items []any }

// Tuple is a Python tuple.
type Tuple struct{ Items []any }

// Markup is text marked as safe: text added to it is escaped.
type Markup string

// undefined is the value of a missing name, key or attribute. It prints as
// nothing and counts as false and empty; any other use fails with why.
type undefined struct{ why string }

func (u *undefined) err() error { return fmt.Errorf("%s", u.why) }

func undefinedName(name string) *undefined {
	return &undefined{fmt.Sprintf("%q is undefined", name)}
}

// namespace is the only value that a template can change.
type namespace struct{ attrs *Dict }

// view is the result of dict.keys(), values() and items().
type view struct {
	kind  string // "keys", "values", "items"
	items []any
}

// iterator yields its items once. Python's filters return generators, which
// allow other operations than lists.
type iterator struct {
	kind  string // "generator", …
	items []any
}

func (i *iterator) take() []any {
	items := i.items
	i.items = nil
	return items
}

// rangeValue is range(start, stop, step).
type rangeValue struct{ start, stop, step, length int64 }

// callable is anything that can be called.
type callable interface {
	call(in *interp, a args) (any, error)
}

// builtin is a function or bound method.
type builtin struct {
	name string
	fn   func(in *interp, a args) (any, error)
}

func (b *builtin) call(in *interp, a args) (any, error) { return b.fn(in, a) }

// args are the evaluated arguments of a call.
type args struct {
	pos   []any
	names []string
	named []any
}

// missing marks an argument that was not passed.
type missing struct{}

// bind assigns arguments to the parameters: the first required ones must be
// present, the others are missing{} if not passed.
func (a args) bind(what string, required int, params ...string) ([]any, error) {
	if len(a.pos) > len(params) {
		return nil, fmt.Errorf("%s takes at most %d arguments, not %d", what, len(params), len(a.pos))
	}
	out := make([]any, len(params))
	for i := range out {
		out[i] = missing{}
		if i < len(a.pos) {
			out[i] = a.pos[i]
		}
	}
next:
	for j, name := range a.names {
		for i, p := range params {
			if p != name {
				continue
			}
			if out[i] != any(missing{}) {
				return nil, fmt.Errorf("%s got the argument %q twice", what, name)
			}
			out[i] = a.named[j]
			continue next
		}
		return nil, fmt.Errorf("%s has no argument %q", what, name)
	}
	for i := range required {
		if out[i] == any(missing{}) {
			return nil, fmt.Errorf("%s needs the argument %q", what, params[i])
		}
	}
	return out, nil
}

func given(v any) bool {
	_, none := v.(missing)
	return !none
}

// typeName returns Python's name of a value's type.
func typeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case Markup:
		return "Markup"
	case *List:
		return "list"
	case *Tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case *undefined:
		return "Undefined"
	case *namespace:
		return "Namespace"
	case *view:
		return "dict_" + v.kind
	case *iterator:
		return v.kind
	case *rangeValue:
		return "range"
	}
	return "function"
}

// text returns the string in a string or Markup.
func text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case Markup:
		return string(v), true
	}
	return "", false
}

// like returns a string as the type of v: string or Markup.
func like(v any, s string) any {
	if _, ok := v.(Markup); ok {
		return Markup(s)
	}
	return s
}

// integer returns the number in an int or bool.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// number returns the value of any number as a float.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	}
	n, ok := integer(v)
	return float64(n), ok
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case *undefined:
		return false
	case *iterator:
		return true
	}
	if n, ok := length(v); ok {
		return n > 0
	}
	return true
}

// length implements Python's len.
func length(v any) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case Markup:
		return utf8.RuneCountInString(string(v)), true
	case *List:
		return len(v.Items), true
	case *Tuple:
		return len(v.Items), true
	case *Dict:
		return v.Len(), true
	case *view:
		return len(v.items), true
	case *rangeValue:
		return int(v.length), true
	case *undefined:
		return 0, true
	}
	return 0, false
}

// iterate returns the items of anything that a for loop accepts.
func (in *interp) iterate(v any) ([]any, error) {
	switch v := v.(type) {
	case *List:
		return v.Items, in.work(len(v.Items))
	case *Tuple:
		return v.Items, in.work(len(v.Items))
	case *Dict:
		if err := in.allocItems(v.Len()); err != nil {
			return nil, err
		}
		return v.keys(), nil
	case *view:
		return v.items, nil
	case *iterator:
		return v.take(), nil
	case *undefined:
		return nil, nil
	case *rangeValue:
		if err := in.allocItems(int(v.length)); err != nil {
			return nil, err
		}
		items := make([]any, v.length)
		for i := range items {
			items[i] = v.start + int64(i)*v.step
		}
		return items, nil
	}
	s, ok := text(v)
	if !ok {
		return nil, fmt.Errorf("%s can't be iterated over", typeName(v))
	}
	if err := in.allocItems(2 * len(s)); err != nil {
		return nil, err
	}
	items := make([]any, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		items, s = append(items, s[:n]), s[n:]
	}
	return items, nil
}

// convert converts a value passed to Render to a template's value, and counts
// its bytes.
func (in *interp) convert(v any, depth int) (any, error) {
	if depth > maxDataDepth {
		return nil, fmt.Errorf("is nested more than %d deep", maxDataDepth)
	}
	in.given += 16
	switch v := v.(type) {
	case string:
		in.given += len(v)
		return strings.ToValidUTF8(v, "\uFFFD"), nil
	case nil, bool, int64, float64, *big.Int:
		return v, nil
	case int:
		return int64(v), nil
	case callable:
		return v, nil
	case *List:
		items, err := in.convertAll(v.Items, depth)
		return &List{items}, err
	case []any:
		items, err := in.convertAll(v, depth)
		return &List{items}, err
	case *Tuple:
		items, err := in.convertAll(v.Items, depth)
		return &Tuple{items}, err
	case *Dict:
		d := NewDict()
		for _, e := range v.entries {
			item, err := in.convert(e.value, depth+1)
			if err != nil {
				return nil, err
			}
			if s, ok := e.key.(string); ok {
				in.given += len(s)
			}
			if err := d.put(e.key, item); err != nil {
				return nil, err
			}
		}
		return d, nil
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		d := NewDict()
		for _, name := range names {
			d.Set(name, v[name])
		}
		return in.convert(d, depth)
	}
	return nil, fmt.Errorf("holds a Go value of the type %T, which templates don't know", v)
}

func (in *interp) convertAll(items []any, depth int) ([]any, error) {
	in.turns = max(in.turns, len(items))
	out := make([]any, len(items))
	for i, item := range items {
		var err error
		if out[i], err = in.convert(item, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// newRange checks what Jinja's sandbox checks.
func newRange(start, stop, step int64) (*rangeValue, error) {
	const most = 100_000
	if step == 0 {
		return nil, fmt.Errorf("range with a step of 0")
	}
	n := math.Ceil((float64(stop) - float64(start)) / float64(step))
	if n > most {
		return nil, fmt.Errorf("%w: a range of more than %d numbers", ErrLimit, most)
	}
	return &rangeValue{start, stop, step, int64(max(n, 0))}, nil
}
