package jinja

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// comparators are the operators of compareExpr.
var comparators = map[string]func(in *interp, a, b any) (bool, error){
	"==": (*interp).equal,
	"!=": func(in *interp, a, b any) (bool, error) {
		eq, err := in.equal(a, b)
		return !eq, err
	},
	"<": func(in *interp, a, b any) (bool, error) {
		return in.ordered(a, b, "<", func(c int) bool { return c < 0 })
	},
	"<=": func(in *interp, a, b any) (bool, error) {
		return in.ordered(a, b, "<=", func(c int) bool { return c <= 0 })
	},
	">": func(in *interp, a, b any) (bool, error) {
		return in.ordered(a, b, ">", func(c int) bool { return c > 0 })
	},
	">=": func(in *interp, a, b any) (bool, error) {
		return in.ordered(a, b, ">=", func(c int) bool { return c >= 0 })
	},
}

// equal implements Python's ==.
func (in *interp) equal(a, b any) (bool, error) {
	if err := in.enter(); err != nil {
		return false, err
	}
	defer in.leave()
	if x, ok := text(a); ok {
		y, ok := text(b)
		return ok && x == y, in.work(min(len(x), len(y)))
	}
	switch x := a.(type) {
	case nil:
		return b == nil, nil
	case *undefined:
		_, ok := b.(*undefined)
		return ok, nil
	case *List:
		y, ok := b.(*List)
		if !ok {
			return false, nil
		}
		return in.equalItems(x.Items, y.Items)
	case *Tuple:
		y, ok := b.(*Tuple)
		if !ok {
			return false, nil
		}
		return in.equalItems(x.Items, y.Items)
	case *Dict:
		y, ok := b.(*Dict)
		if !ok || x.Len() != y.Len() {
			return false, nil
		}
		for _, e := range x.entries {
			other, ok, _ := y.lookup(e.key)
			if !ok {
				return false, nil
			}
			if eq, err := in.equal(e.value, other); err != nil || !eq {
				return false, err
			}
		}
		return true, nil
	case *rangeValue:
		y, ok := b.(*rangeValue)
		return ok && x.length == y.length && (x.length == 0 || x.start == y.start && (x.length == 1 || x.step == y.step)), nil
	}
	if isNumber(a) && isNumber(b) {
		c, err := compareNumbers(a, b)
		return err == nil && c == 0, nil
	}
	if !isNumber(a) && !isNumber(b) {
		_, plainA := a.(callable)
		_, plainB := b.(callable)
		if plainA && plainB {
			return a == b, nil
		}
		x, ok := a.(*namespace)
		y, also := b.(*namespace)
		return ok && also && x == y, nil
	}
	return false, nil
}

func (in *interp) equalItems(a, b []any) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	for i := range a {
		if eq, err := in.equal(a[i], b[i]); err != nil || !eq {
			return false, err
		}
	}
	return true, nil
}

func isNumber(v any) bool {
	switch v.(type) {
	case bool, int64, float64, *big.Int:
		return true
	}
	return false
}

var errNaN = errors.New("not a number")

// compareNumbers returns -1, 0 or 1, exactly; errNaN if the numbers have no
// order.
func compareNumbers(a, b any) (int, error) {
	x, xInt := integer(a)
	y, yInt := integer(b)
	if xInt && yInt {
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		}
		return 0, nil
	}
	f, g := exact(a), exact(b)
	if f == nil || g == nil {
		return 0, errNaN
	}
	return f.Cmp(g), nil
}

func exact(v any) *big.Float {
	switch v := v.(type) {
	case *big.Int:
		return new(big.Float).SetInt(v)
	case float64:
		if v != v {
			return nil
		}
		return new(big.Float).SetFloat64(v)
	}
	n, _ := integer(v)
	return new(big.Float).SetInt64(n)
}

func (in *interp) ordered(a, b any, op string, ok func(int) bool) (bool, error) {
	c, err := in.compare(a, b)
	if errors.Is(err, errNaN) {
		return false, nil
	}
	if err == errNoOrder {
		err = fmt.Errorf("%q does not work between %s and %s", op, typeName(a), typeName(b))
	}
	return err == nil && ok(c), err
}

var errNoOrder = errors.New("these values have no order")

// compare returns the order of two values, as sort needs it.
func (in *interp) compare(a, b any) (int, error) {
	if err := in.enter(); err != nil {
		return 0, err
	}
	defer in.leave()
	for _, v := range []any{a, b} {
		if u, ok := v.(*undefined); ok {
			return 0, u.err()
		}
	}
	if x, ok := text(a); ok {
		y, ok := text(b)
		if !ok {
			return 0, errNoOrder
		}
		return strings.Compare(x, y), in.work(min(len(x), len(y)))
	}
	if isNumber(a) && isNumber(b) {
		return compareNumbers(a, b)
	}
	x, okX := a.(*List)
	y, okY := b.(*List)
	if okX && okY {
		return in.compareItems(x.Items, y.Items)
	}
	t, okX := a.(*Tuple)
	u, okY := b.(*Tuple)
	if okX && okY {
		return in.compareItems(t.Items, u.Items)
	}
	return 0, errNoOrder
}

func (in *interp) compareItems(a, b []any) (int, error) {
	for i := range min(len(a), len(b)) {
		eq, err := in.equal(a[i], b[i])
		if err != nil {
			return 0, err
		}
		if !eq {
			return in.compare(a[i], b[i])
		}
	}
	return len(a) - len(b), nil
}

// contains implements Python's in.
func (in *interp) contains(item, of any) (bool, error) {
	if s, ok := text(of); ok {
		if u, ok := item.(*undefined); ok {
			return false, u.err()
		}
		sub, ok := text(item)
		if !ok {
			return false, fmt.Errorf("only a string can be in a string, not %s", typeName(item))
		}
		return strings.Contains(s, sub), in.work(len(s) + len(sub))
	}
	switch d := of.(type) {
	case *Dict:
		_, ok, err := d.lookup(item)
		return ok, err
	case *view:
	case *rangeValue:
		n, ok := integer(item)
		if !ok {
			f, isFloat := item.(float64)
			if n = int64(f); !isFloat || float64(n) != f {
				return false, nil
			}
		}
		if d.length == 0 {
			return false, nil
		}
		k := (n - d.start) / d.step
		return k >= 0 && k < d.length && d.start+k*d.step == n, nil
	case *List, *Tuple, *iterator, *undefined:
	default:
		return false, fmt.Errorf("%s can't hold anything", typeName(of))
	}
	items, err := in.iterate(of)
	if err != nil {
		return false, err
	}
	for _, other := range items {
		if eq, err := in.equal(item, other); err != nil || eq {
			return eq, err
		}
	}
	return false, nil
}
