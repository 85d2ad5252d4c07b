package jinja

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

type testFunc func(in *interp, v any, a args) (bool, error)

// tests maps the names that may follow "is".
var tests = map[string]testFunc{
	"defined":   is(func(v any) bool { _, no := v.(*undefined); return !no }),
	"undefined": is(func(v any) bool { _, yes := v.(*undefined); return yes }),
	"none":      is(func(v any) bool { return v == nil }),
	"boolean":   is(func(v any) bool { _, ok := v.(bool); return ok }),
	"true":      is(func(v any) bool { return v == true }),
	"false":     is(func(v any) bool { return v == false }),
	"integer":   is(func(v any) bool { _, isBool := v.(bool); return typeName(v) == "int" && !isBool }),
	"float":     is(func(v any) bool { _, ok := v.(float64); return ok }),
	"number":    is(isNumber),
	"string":    is(func(v any) bool { _, ok := text(v); return ok }),
	"mapping":   is(func(v any) bool { _, ok := v.(*Dict); return ok }),
	"sequence":  is(isSequence),
	"iterable":  is(isIterable),
	"callable":  is(isCallable),
	"escaped":   is(func(v any) bool { _, ok := v.(Markup); return ok }),
	"lower": isCase(func(s string) bool {
		return strings.IndexFunc(s, unicode.IsUpper) < 0 && strings.IndexFunc(s, unicode.IsLower) >= 0
	}),
	"upper": isCase(func(s string) bool {
		return strings.IndexFunc(s, unicode.IsLower) < 0 && strings.IndexFunc(s, unicode.IsUpper) >= 0
	}),
	"odd":         remainder(2, 1),
	"even":        remainder(2, 0),
	"divisibleby": divisible,
	"sameas":      sameAs,
	"in": func(in *interp, v any, a args) (bool, error) {
		other, err := one("in", a)
		if err != nil {
			return false, err
		}
		return in.contains(v, other)
	},
	"filter": func(in *interp, v any, a args) (bool, error) {
		name, _ := text(v)
		_, ok := in.filters[name]
		return ok, nil
	},
	"eq": compares("=="), "equalto": compares("=="), "==": compares("=="),
	"ne": compares("!="), "!=": compares("!="),
	"lt": compares("<"), "lessthan": compares("<"), "<": compares("<"),
	"le": compares("<="), "<=": compares("<="),
	"gt": compares(">"), "greaterthan": compares(">"), ">": compares(">"),
	"ge": compares(">="), ">=": compares(">="),
}

func is(f func(any) bool) testFunc {
	return func(_ *interp, v any, a args) (bool, error) {
		if len(a.pos)+len(a.names) > 0 {
			return false, fmt.Errorf("this test takes no arguments")
		}
		return f(v), nil
	}
}

func isCase(f func(string) bool) testFunc {
	return func(in *interp, v any, _ args) (bool, error) {
		s, err := in.str(v)
		return f(s), err
	}
}

// isSequence reports whether a value has a length and items by key; a dict and
// an undefined value have both.
func isSequence(v any) bool {
	switch v.(type) {
	case *view:
		return false
	case *undefined:
		return true
	}
	_, ok := length(v)
	return ok
}

// isCallable is true for undefined too, because Python finds its method, which
// fails when called.
func isCallable(v any) bool {
	if _, ok := v.(*undefined); ok {
		return true
	}
	_, ok := v.(callable)
	return ok
}

func isIterable(v any) bool {
	if _, ok := v.(*iterator); ok {
		return true
	}
	_, ok := length(v)
	return ok
}

func one(name string, a args) (any, error) {
	p, err := a.bind("the test "+name, 1, "other")
	if err != nil {
		return nil, err
	}
	return p[0], nil
}

func compares(op string) testFunc {
	return func(in *interp, v any, a args) (bool, error) {
		other, err := one(op, a)
		if err != nil {
			return false, err
		}
		return comparators[op](in, v, other)
	}
}

func remainder(by, want int64) testFunc {
	return func(in *interp, v any, _ args) (bool, error) {
		m, err := in.binary("%", v, by)
		if err != nil {
			return false, err
		}
		return in.equal(m, want)
	}
}

func divisible(in *interp, v any, a args) (bool, error) {
	p, err := a.bind("divisibleby", 1, "num")
	if err != nil {
		return false, err
	}
	m, err := in.binary("%", v, p[0])
	if err != nil {
		return false, err
	}
	return in.equal(m, int64(0))
}

// sameAs implements Python's is, as far as templates can tell.
func sameAs(in *interp, v any, a args) (bool, error) {
	other, err := one("sameas", a)
	if err != nil {
		return false, err
	}
	switch v.(type) {
	case *big.Int:
		return false, nil
	case nil, bool, int64, float64, string, Markup:
		if typeName(v) != typeName(other) {
			return false, nil
		}
		return in.equal(v, other)
	}
	return v == other, nil
}
