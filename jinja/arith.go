package jinja

import (
	"errors"
	"fmt"
	"html"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// binary returns a op b for numbers, strings and lists, by Python's rules.
func (in *interp) binary(op string, a, b any) (any, error) {
	for _, v := range []any{a, b} {
		if _, format := text(a); format && op == "%" {
			break
		}
		if u, ok := v.(*undefined); ok {
			return nil, u.err()
		}
	}
	switch op {
	case "+":
		if v, ok, err := in.add(a, b); ok {
			return v, err
		}
	case "*":
		if v, ok, err := in.repeat(a, b); ok {
			return v, err
		}
	case "%":
		if s, ok := text(a); ok {
			out, err := in.percent(s, b)
			return like(a, out), err
		}
	}
	x, okX := integer(a)
	y, okY := integer(b)
	if okX && okY {
		return intOps[op](x, y)
	}
	f, okX := number(a)
	g, okY := number(b)
	if okX && okY {
		_, bigA := a.(*big.Int)
		_, bigB := b.(*big.Int)
		if bigA || bigB {
			return nil, errTooLarge
		}
		return floatOps[op](f, g)
	}
	return nil, fmt.Errorf("%q does not work between %s and %s", op, typeName(a), typeName(b))
}

// add joins strings, lists or tuples; ok reports whether the operands are such.
func (in *interp) add(a, b any) (v any, ok bool, err error) {
	switch x := a.(type) {
	case string, Markup:
		s, _ := text(a)
		t, ok := text(b)
		if !ok {
			return nil, false, nil
		}
		_, safeA := a.(Markup)
		_, safeB := b.(Markup)
		if safeA != safeB { // text added to safe text is escaped
			if err := in.alloc(6 * (len(s) + len(t))); err != nil {
				return nil, true, err
			}
			if safeA {
				t = escape(t)
			} else {
				s = escape(s)
			}
		}
		if err := in.alloc(len(s) + len(t)); err != nil {
			return nil, true, err
		}
		if safeA || safeB {
			return Markup(s + t), true, nil
		}
		return s + t, true, nil
	case *List:
		if y, ok := b.(*List); ok {
			items, err := in.appended(x.Items, y.Items)
			return &List{items}, true, err
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			items, err := in.appended(x.Items, y.Items)
			return &Tuple{items}, true, err
		}
	}
	return nil, false, nil
}

func (in *interp) appended(a, b []any) ([]any, error) {
	if err := in.allocItems(len(a) + len(b)); err != nil {
		return nil, err
	}
	return append(append(make([]any, 0, len(a)+len(b)), a...), b...), nil
}

// escape does what markupsafe.escape does.
func escape(s string) string {
	return html.EscapeString(s)
}

// repeat returns a string, list or tuple times a number, in either order; ok
// reports whether the operands are such.
func (in *interp) repeat(a, b any) (v any, ok bool, err error) {
	n, ok := integer(b)
	if !ok {
		if n, ok = integer(a); !ok {
			return nil, false, nil
		}
		a = b
	}
	count := int(max(n, 0))
	if s, ok := text(a); ok {
		hi, size := bits.Mul64(uint64(len(s)), uint64(count))
		if hi > 0 || size > math.MaxInt32 {
			size = math.MaxInt32
		}
		if len(s) == 0 || count == 0 {
			return like(a, ""), true, nil
		}
		if err := in.alloc(int(size)); err != nil {
			return nil, true, err
		}
		return like(a, strings.Repeat(s, count)), true, nil
	}
	repeated := func(items []any) ([]any, error) {
		if len(items) == 0 || count == 0 {
			return nil, nil
		}
		if count > math.MaxInt32 || len(items) > math.MaxInt32/count {
			return nil, in.alloc(math.MaxInt)
		}
		if err := in.allocItems(len(items) * count); err != nil {
			return nil, err
		}
		out := make([]any, 0, len(items)*count)
		for range count {
			out = append(out, items...)
		}
		return out, nil
	}
	switch x := a.(type) {
	case *List:
		items, err := repeated(x.Items)
		return &List{items}, true, err
	case *Tuple:
		items, err := repeated(x.Items)
		return &Tuple{items}, true, err
	}
	return nil, false, nil
}

var (
	errTooLarge = errors.New("a whole number is too large to compute with (it must fit into 64 bits)")
	errByZero   = errors.New("division by zero")
)

var intOps = map[string]func(x, y int64) (any, error){
	"+": func(x, y int64) (any, error) {
		if z := x + y; (z > x) == (y > 0) {
			return z, nil
		}
		return nil, errTooLarge
	},
	"-": func(x, y int64) (any, error) {
		if z := x - y; (z < x) == (y > 0) {
			return z, nil
		}
		return nil, errTooLarge
	},
	"*": multiply,
	"/": func(x, y int64) (any, error) { return floatOps["/"](float64(x), float64(y)) },
	"//": func(x, y int64) (any, error) {
		if y == 0 {
			return nil, errByZero
		}
		if y == -1 {
			return negate(x, true)
		}
		q := x / y
		if x%y != 0 && (x < 0) != (y < 0) {
			q--
		}
		return q, nil
	},
	"%": func(x, y int64) (any, error) {
		if y == 0 {
			return nil, errByZero
		}
		if y == -1 {
			return int64(0), nil
		}
		m := x % y
		if m != 0 && (m < 0) != (y < 0) {
			m += y
		}
		return m, nil
	},
	"**": power,
}

func multiply(x, y int64) (any, error) {
	z := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
	if !z.IsInt64() {
		return nil, errTooLarge
	}
	return z.Int64(), nil
}

func power(x, y int64) (any, error) {
	if y < 0 {
		if x == 0 {
			return nil, errByZero
		}
		return math.Pow(float64(x), float64(y)), nil
	}
	if x == 0 && y > 0 || x == 1 || y == 0 {
		if y == 0 {
			x = 1
		}
		return x, nil
	}
	if x == -1 {
		return 1 - 2*(y%2), nil
	}
	if y > 63 {
		return nil, errTooLarge
	}
	z := new(big.Int).Exp(big.NewInt(x), big.NewInt(y), nil)
	if !z.IsInt64() {
		return nil, errTooLarge
	}
	return z.Int64(), nil
}

var floatOps = map[string]func(x, y float64) (any, error){
	"+": func(x, y float64) (any, error) { return x + y, nil },
	"-": func(x, y float64) (any, error) { return x - y, nil },
	"*": func(x, y float64) (any, error) { return x * y, nil },
	"/": func(x, y float64) (any, error) {
		if y == 0 {
			return nil, errByZero
		}
		return x / y, nil
	},
	"//": func(x, y float64) (any, error) {
		if y == 0 {
			return nil, errByZero
		}
		d := (x - floatMod(x, y)) / y
		whole := math.Floor(d)
		if d-whole > 0.5 { // the subtraction was not exact
			whole++
		}
		return whole, nil
	},
	"%": func(x, y float64) (any, error) {
		if y == 0 {
			return nil, errByZero
		}
		return floatMod(x, y), nil
	},
	"**": func(x, y float64) (any, error) {
		z := math.Pow(x, y)
		if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) || math.IsNaN(z) && x == x && y == y {
			return nil, fmt.Errorf("the power is no number that can be shown")
		}
		return z, nil
	},
}

// floatMod returns the remainder with the sign of y, as in Python.
func floatMod(x, y float64) float64 {
	m := math.Mod(x, y)
	if m == 0 {
		return math.Copysign(0, y)
	}
	if (m < 0) != (y < 0) {
		m += y
	}
	return m
}

func negate(v any, minus bool) (any, error) {
	if u, ok := v.(*undefined); ok {
		return nil, u.err()
	}
	if f, ok := v.(float64); ok {
		if minus {
			f = -f
		}
		return f, nil
	}
	n, ok := integer(v)
	switch {
	case !ok:
		return nil, fmt.Errorf("a sign does not go with %s", typeName(v))
	case !minus:
		return n, nil
	case n == math.MinInt64:
		return nil, errTooLarge
	}
	return -n, nil
}
