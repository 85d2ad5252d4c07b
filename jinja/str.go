package jinja

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// str implements Python's str().
func (in *interp) str(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case Markup:
		return string(v), nil
	case *undefined:
		return "", nil
	}
	return in.repr(v)
}

// repr implements Python's repr().
func (in *interp) repr(v any) (string, error) {
	var b strings.Builder
	if err := in.writeRepr(&b, v); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (in *interp) writeRepr(b *strings.Builder, v any) error {
	if err := in.enter(); err != nil {
		return err
	}
	defer in.leave()
	put := func(s string) error {
		b.WriteString(s)
		return in.alloc(2 * len(s))
	}
	switch v := v.(type) {
	case nil:
		return put("None")
	case bool:
		if v {
			return put("True")
		}
		return put("False")
	case int64:
		return put(strconv.FormatInt(v, 10))
	case *big.Int:
		return put(v.String())
	case float64:
		return put(floatText(v))
	case string:
		if err := in.alloc(2 * len(v)); err != nil {
			return err
		}
		return put(quote(v))
	case Markup:
		return put("Markup(" + quote(string(v)) + ")")
	case *undefined:
		return put("Undefined")
	case *List:
		return in.reprItems(b, "[", v.Items, "]")
	case *Tuple:
		if len(v.Items) == 1 {
			return in.reprItems(b, "(", v.Items, ",)")
		}
		return in.reprItems(b, "(", v.Items, ")")
	case *view:
		return in.reprItems(b, "dict_"+v.kind+"([", v.items, "])")
	case *Dict:
		return in.reprDict(b, v)
	case *namespace:
		b.WriteString("<Namespace ")
		if err := in.reprDict(b, v.attrs); err != nil {
			return err
		}
		return put(">")
	case *rangeValue:
		if v.step == 1 {
			return put(fmt.Sprintf("range(%d, %d)", v.start, v.stop))
		}
		return put(fmt.Sprintf("range(%d, %d, %d)", v.start, v.stop, v.step))
	case *macro:
		if v.def.Name == "caller" {
			return put("<Macro anonymous>")
		}
		return put("<Macro " + quote(v.def.Name) + ">")
	case *loopVars:
		return put(fmt.Sprintf("<LoopContext %d/%d>", v.index+1, len(v.items)))
	}
	return put("<" + typeName(v) + " object>")
}

func (in *interp) reprItems(b *strings.Builder, open string, items []any, close string) error {
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if err := in.writeRepr(b, item); err != nil {
			return err
		}
	}
	b.WriteString(close)
	return in.alloc(4 * len(items))
}

func (in *interp) reprDict(b *strings.Builder, d *Dict) error {
	b.WriteByte('{')
	for i, e := range d.entries {
		if i > 0 {
			b.WriteString(", ")
		}
		if err := in.writeRepr(b, e.key); err != nil {
			return err
		}
		b.WriteString(": ")
		if err := in.writeRepr(b, e.value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return in.alloc(8 * d.Len())
}

// floatText implements Python's repr of a float: the shortest digits that read
// back as the same number, with an exponent below 1e-4 and from 1e16.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote implements Python's repr of a string.
func quote(s string) string {
	mark := '\''
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteRune(mark)
	for _, r := range s {
		switch {
		case r == mark || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}

// join implements sep.join(parts).
func (in *interp) join(sep string, parts []string) (string, error) {
	n := len(sep) * max(0, len(parts)-1)
	if len(sep) > 0 && n/len(sep) != max(0, len(parts)-1) {
		n = math.MaxInt
	}
	for _, p := range parts {
		if n += len(p); n < 0 {
			n = math.MaxInt
			break
		}
	}
	if err := in.alloc(n); err != nil {
		return "", err
	}
	if err := in.step(len(parts) / 4); err != nil {
		return "", err
	}
	return strings.Join(parts, sep), nil
}

// joinValues implements sep.join(str(v) for v in items); if strict, each item
// must be a string.
func (in *interp) joinValues(sep string, items []any, strict bool) (string, error) {
	if err := in.allocItems(len(items)); err != nil {
		return "", err
	}
	parts := make([]string, len(items))
	for i, v := range items {
		s, ok := text(v)
		if !ok {
			if strict {
				return "", fmt.Errorf("item %d is %s, not a string", i, typeName(v))
			}
			var err error
			if s, err = in.str(v); err != nil {
				return "", err
			}
		}
		parts[i] = s
	}
	return in.join(sep, parts)
}
