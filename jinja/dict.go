package jinja

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Dict is a Python dict: it keeps its keys in the order in which they were
// first set.
type Dict struct {
	entries []entry
	index   map[dictKey]int
}

type entry struct{ key, value any }

// dictKey is equal for two keys exactly if Python considers them equal: 1, 1.0
// and True are one key.
type dictKey struct {
	kind byte
	num  int64
	text string
}

// NewDict returns an empty dict.
func NewDict() *Dict { return &Dict{index: map[dictKey]int{}} }

// Len returns the number of keys.
func (d *Dict) Len() int { return len(d.entries) }

// Set sets the value of a key.
func (d *Dict) Set(key string, value any) { _ = d.put(key, value) } // a string can always be a key

// Get returns the value of a key and reports whether the key exists.
func (d *Dict) Get(key string) (any, bool) {
	v, ok, _ := d.lookup(key)
	return v, ok
}

// Keys returns the keys that are strings, in order.
func (d *Dict) Keys() []string {
	var names []string
	for _, e := range d.entries {
		if s, ok := e.key.(string); ok {
			names = append(names, s)
		}
	}
	return names
}

func (d *Dict) put(key, value any) error {
	k, err := hash(key)
	if err != nil {
		return err
	}
	if i, ok := d.index[k]; ok {
		d.entries[i].value = value
		return nil
	}
	d.index[k] = len(d.entries)
	d.entries = append(d.entries, entry{key, value})
	return nil
}

func (d *Dict) lookup(key any) (any, bool, error) {
	k, err := hash(key)
	if err != nil {
		return nil, false, err
	}
	i, ok := d.index[k]
	if !ok {
		return nil, false, nil
	}
	return d.entries[i].value, true, nil
}

func (d *Dict) keys() []any {
	out := make([]any, len(d.entries))
	for i, e := range d.entries {
		out[i] = e.key
	}
	return out
}

func (d *Dict) values() []any {
	out := make([]any, len(d.entries))
	for i, e := range d.entries {
		out[i] = e.value
	}
	return out
}

func (d *Dict) pairs() []any {
	out := make([]any, len(d.entries))
	for i, e := range d.entries {
		out[i] = &Tuple{[]any{e.key, e.value}}
	}
	return out
}

// hash returns the key for a value, or an error for lists and dicts.
func hash(v any) (dictKey, error) { return hashDeep(v, 0) }

func hashDeep(v any, depth int) (dictKey, error) {
	switch v := v.(type) {
	case nil:
		return dictKey{kind: 'n'}, nil
	case *undefined:
		return dictKey{kind: 'u'}, nil
	case string:
		return dictKey{kind: 's', text: v}, nil
	case Markup:
		return dictKey{kind: 's', text: string(v)}, nil
	case *big.Int:
		return dictKey{kind: 'b', text: v.String()}, nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return dictKey{kind: 'i', num: int64(v)}, nil
		}
		return dictKey{kind: 'f', num: int64(math.Float64bits(v))}, nil
	case bool, int64:
		n, _ := integer(v)
		return dictKey{kind: 'i', num: n}, nil
	case *Tuple:
		if depth > 20 {
			return dictKey{}, fmt.Errorf("%w: a key nested more than 20 deep", ErrLimit)
		}
		var b strings.Builder
		for _, item := range v.Items {
			k, err := hashDeep(item, depth+1)
			if err != nil {
				return k, err
			}
			fmt.Fprintf(&b, "%c%d:%d:%s,", k.kind, k.num, len(k.text), k.text)
			if b.Len() > 64_000 {
				return k, fmt.Errorf("%w: a key of more than 64 kB", ErrLimit)
			}
		}
		return dictKey{kind: 't', text: b.String()}, nil
	case *namespace, callable:
		return dictKey{kind: 'p', text: fmt.Sprintf("%p", v)}, nil
	}
	return dictKey{}, fmt.Errorf("%s can't be a key", typeName(v))
}
