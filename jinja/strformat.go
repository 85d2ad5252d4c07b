package jinja

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formatMethod implements str.format and str.format_map: "{0}
// {name.attr[key]!r:>8}".
func (in *interp) formatMethod(name, format string, a args) (string, error) {
	f := &formatter{in: in, args: a}
	if name == "format_map" {
		d, ok := (*Dict)(nil), len(a.pos) == 1 && len(a.names) == 0
		if ok {
			d, ok = a.pos[0].(*Dict)
		}
		if !ok {
			return "", fmt.Errorf("str.format_map needs one dict")
		}
		f.args = args{}
		for _, key := range d.Keys() {
			v, _ := d.Get(key)
			f.args.names, f.args.named = append(f.args.names, key), append(f.args.named, v)
		}
	}
	s, err := f.format(format, 2)
	if err != nil {
		return "", fmt.Errorf("str.format: %w", err)
	}
	return s, nil
}

type formatter struct {
	in   *interp
	args args
	auto int // the next "{}"
}

// format resolves the fields of a text; depth is how often fields may be nested
// in specifications.
func (f *formatter) format(s string, depth int) (string, error) {
	if depth == 0 {
		return "", fmt.Errorf("fields in fields in fields")
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		if i+1 < len(s) && s[i+1] == s[i] { // {{ and }}
			b.WriteByte(s[i])
			s = s[i+2:]
			continue
		}
		if s[i] == '}' {
			return "", fmt.Errorf("a single } in the format")
		}
		end := fieldEnd(s[i+1:])
		if end < 0 {
			return "", fmt.Errorf("a { that is not closed")
		}
		out, err := f.field(s[i+1:i+1+end], depth)
		if err != nil {
			return "", err
		}
		if err := f.in.alloc(2 * (i + len(out))); err != nil {
			return "", err
		}
		b.WriteString(out)
		s = s[i+end+2:]
	}
	b.WriteString(s)
	return b.String(), f.in.alloc(2 * len(s))
}

func fieldEnd(s string) int {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			open++
		case '}':
			if open == 0 {
				return i
			}
			open--
		}
	}
	return -1
}

func (f *formatter) field(field string, depth int) (string, error) {
	name, format := field, ""
	if i := fieldColon(field); i >= 0 {
		name, format = field[:i], field[i+1:]
	}
	name, conversion, converted := strings.Cut(name, "!")
	v, err := f.value(name)
	if err != nil {
		return "", err
	}
	if converted {
		show := map[string]func(any) (string, error){"s": f.in.str, "r": f.in.repr, "a": f.in.repr}[conversion]
		if show == nil {
			return "", fmt.Errorf("the conversion !%.20s is unknown", conversion)
		}
		if v, err = show(v); err != nil {
			return "", err
		}
	}
	if format != "" {
		if format, err = f.format(format, depth-1); err != nil {
			return "", err
		}
	}
	return f.in.formatValue(v, format)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fieldColon finds the colon before the specification, outside of brackets.
func fieldColon(s string) int {
	bracket := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case ':':
			if !bracket {
				return i
			}
		}
	}
	return -1
}

// value looks up "0", "", "name", followed by attributes and items.
func (f *formatter) value(path string) (any, error) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	v, err := f.arg(path[:end])
	for rest := path[end:]; err == nil && rest != ""; {
		if rest[0] == '.' {
			rest = rest[1:]
			if end = strings.IndexAny(rest, ".["); end < 0 {
				end = len(rest)
			}
			v, err = f.in.attr(v, rest[:end])
			rest = rest[end:]
			continue
		}
		end = strings.IndexByte(rest, ']')
		if rest[0] != '[' || end < 2 {
			return nil, fmt.Errorf("the field %.40q can't be read", path)
		}
		var key any = rest[1:end]
		if n, bad := strconv.ParseInt(rest[1:end], 10, 64); bad == nil {
			key = n
		}
		v, err = f.in.item(v, key)
		rest = rest[end+1:]
	}
	return v, err
}

func (f *formatter) arg(name string) (any, error) {
	i, err := strconv.Atoi(name)
	if name == "" {
		i, err = f.auto, nil
		f.auto++
	}
	if err == nil {
		if i < 0 || i >= len(f.args.pos) {
			return nil, fmt.Errorf("there is no value number %d", i)
		}
		return f.args.pos[i], nil
	}
	for i, n := range f.args.names {
		if n == name {
			return f.args.named[i], nil
		}
	}
	return nil, fmt.Errorf("there is no value named %.40q", name)
}

// formatValue implements format(v, spec).
func (in *interp) formatValue(v any, format string) (string, error) {
	if format == "" {
		return in.str(v)
	}
	s, err := parseSpec(format)
	if err != nil {
		return "", err
	}
	if err := in.alloc(len(s.fill)*s.width + max(s.precision, 0)); err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string, Markup:
		t, _ := text(v)
		if s.verb != 0 && s.verb != 's' || s.sign != 0 || s.align == '=' || s.group != 0 {
			return "", fmt.Errorf("a string has no format %.40q", format)
		}
		if s.align == 0 {
			s.align = '<'
		}
		return s.pad("", clipRunes(t, s.precision)), nil
	case int64, bool, *big.Int:
		if b, ok := v.(bool); ok && s.verb == 0 && s.width == 0 {
			return map[bool]string{true: "True", false: "False"}[b], nil
		}
		if strings.IndexByte("eEfFgG%", s.verb) >= 0 {
			f, _ := number(v)
			return s.float(f), nil
		}
		if s.verb == 'c' {
			n, ok := integer(v)
			if !ok || n < 0 || n > utf8.MaxRune {
				return "", fmt.Errorf("the number is no character")
			}
			return s.pad("", string(rune(n))), nil
		}
		if s.verb == 0 {
			s.verb = 'd'
		}
		if s.precision >= 0 {
			return "", fmt.Errorf("a whole number has no precision")
		}
		return s.integer(v)
	case float64:
		if s.verb == 0 && s.precision < 0 {
			sign, digits := s.signOf(v < 0), strings.TrimPrefix(floatText(v), "-")
			if s.group != 0 {
				digits = grouped(digits, s.group, 10)
			}
			return s.pad(sign, digits), nil
		}
		if s.verb == 0 {
			s.verb = 'g'
		}
		if strings.IndexByte("eEfFgGn%", s.verb) < 0 {
			return "", fmt.Errorf("a float has no format %q", s.verb)
		}
		return s.float(v), nil
	case *undefined:
		return "", v.err()
	}
	return "", fmt.Errorf("%s has no format %.40q", typeName(v), format)
}

// parseSpec reads [[fill]align][sign][#][0][width][,_][.precision][type].
func parseSpec(f string) (s spec, err error) {
	s = spec{fill: " ", precision: -1}
	whole := f
	_, n := utf8.DecodeRuneInString(f)
	const aligns = "<>^="
	switch {
	case n < len(f) && strings.IndexByte(aligns, f[n]) >= 0:
		s.fill, s.align, f = f[:n], f[n], f[n+1:]
	case strings.IndexByte(aligns, f[0]) >= 0:
		s.align, f = f[0], f[1:]
	}
	if f != "" && strings.IndexByte("+- ", f[0]) >= 0 {
		if f[0] != '-' {
			s.sign = f[0]
		}
		f = f[1:]
	}
	if strings.HasPrefix(f, "#") {
		s.alternate, f = true, f[1:]
	}
	if strings.HasPrefix(f, "0") && s.align == 0 {
		s.fill, s.align, f = "0", '=', f[1:]
	}
	if s.width, f, err = digits(f); err != nil {
		return s, err
	}
	if f != "" && (f[0] == ',' || f[0] == '_') {
		s.group, f = f[0], f[1:]
	}
	if strings.HasPrefix(f, ".") {
		if s.precision, f, err = digits(f[1:]); err != nil {
			return s, err
		}
	}
	if len(f) > 1 {
		return s, fmt.Errorf("the format %.40q can't be read", whole)
	}
	if f != "" {
		s.verb = f[0]
	}
	return s, nil
}
