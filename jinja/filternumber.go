package jinja

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"inglenook/jinja/syntax"
)

func filterAbs(_ *interp, v any, _ args) (any, error) {
	switch v := v.(type) {
	case float64:
		return math.Abs(v), nil
	case *big.Int:
		return new(big.Int).Abs(v), nil
	}
	n, ok := integer(v)
	if !ok {
		return negate(v, true)
	}
	if n < 0 {
		return negate(n, true)
	}
	return n, nil
}

func filterInt(_ *interp, v any, a args) (any, error) {
	p, err := a.bind("int", 0, "default", "base")
	if err != nil {
		return nil, err
	}
	base := int64(10)
	if given(p[1]) {
		base, _ = integer(p[1])
	}
	if u, ok := v.(*undefined); ok {
		return nil, u.err()
	}
	if z, ok := v.(*big.Int); ok {
		return z, nil
	}
	if n, ok := integer(v); ok {
		return n, nil
	}
	if s, ok := text(v); ok {
		if n, ok := parseInt(s, base); ok {
			return n, nil
		}
	}
	if f, ok := parseFloat(v); ok && math.Abs(f) < 1<<63 {
		return int64(f), nil
	} else if ok && !math.IsInf(f, 0) && !math.IsNaN(f) {
		z, _ := big.NewFloat(f).Int(nil)
		return z, nil
	}
	if given(p[0]) {
		return p[0], nil
	}
	return int64(0), nil
}

func parseInt(s string, base int64) (int64, bool) {
	s = strings.ToLower(strings.TrimFunc(s, syntax.IsSpace))
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	prefix := map[int64]string{16: "0x", 8: "0o", 2: "0b"}[base]
	s = strings.TrimPrefix(s, prefix)
	if strings.HasPrefix(s, "_") && prefix == "" || strings.HasSuffix(s, "_") || strings.Contains(s, "__") || base < 2 || base > 36 {
		return 0, false
	}
	n, err := strconv.ParseInt(sign+strings.ReplaceAll(s, "_", ""), int(base), 64)
	return n, err == nil && s != "" && s[0] != '-' && s[0] != '+'
}

// parseFloat implements Python's float().
func parseFloat(v any) (float64, bool) {
	if f, ok := number(v); ok {
		return f, true
	}
	s, ok := text(v)
	if !ok {
		return 0, false
	}
	s = strings.TrimFunc(s, syntax.IsSpace)
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || math.IsInf(f, 0)
}

func filterFloat(_ *interp, v any, a args) (any, error) {
	p, err := a.bind("float", 0, "default")
	if err != nil {
		return nil, err
	}
	if u, ok := v.(*undefined); ok {
		return nil, u.err()
	}
	if f, ok := parseFloat(v); ok {
		return f, nil
	}
	if given(p[0]) {
		return p[0], nil
	}
	return 0.0, nil
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
	if z, ok := v.(*big.Int); ok && digits >= 0 {
		return z, nil
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
