package jinja

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"inglenook/jinja/syntax"
)

// spec is a format specification: of "%-5.2f" or of "{:<5.2f}".
type spec struct {
	fill      string
	align     byte // '<', '>', '^', '='; 0: the type's default
	sign      byte // '+', ' ' or 0
	alternate bool
	group     byte // ',', '_' or 0
	width     int
	precision int // -1: none
	verb      byte
}

// maxWidth limits widths and precisions.
const maxWidth = 1 << 20

var errWidth = fmt.Errorf("%w: a format that is %d characters wide", ErrLimit, maxWidth)

// percent implements "format % arg".
func (in *interp) percent(format string, arg any) (string, error) {
	var list []any
	if t, ok := arg.(*Tuple); ok {
		list = t.Items
	} else {
		list = []any{arg}
	}
	dict, _ := arg.(*Dict)
	used := 0
	next := func() (any, error) {
		if used >= len(list) {
			return nil, fmt.Errorf("there are not enough values for the format")
		}
		used++
		return list[used-1], nil
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			break
		}
		b.WriteString(format[:i])
		format = format[i+1:]
		var v any
		named := false
		if strings.HasPrefix(format, "(") {
			end := strings.IndexByte(format, ')')
			if end < 0 || dict == nil {
				return "", fmt.Errorf("a format with names needs a dict")
			}
			var ok bool
			if v, ok = dict.Get(format[1:end]); !ok {
				return "", fmt.Errorf("the format names %q, which is not there", format[1:end])
			}
			format, named, used = format[end+1:], true, len(list)
		}
		s, rest, err := percentSpec(format, next)
		if err != nil {
			return "", err
		}
		format = rest
		if s.verb == '%' {
			b.WriteByte('%')
			continue
		}
		if !named {
			if v, err = next(); err != nil {
				return "", err
			}
		}
		out, err := in.percentOne(s, v)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
		if err := in.alloc(2 * (i + len(out))); err != nil {
			return "", err
		}
	}
	if used < len(list) && !hasItems(arg) {
		return "", fmt.Errorf("not all values were used by the format")
	}
	b.WriteString(format)
	return b.String(), in.alloc(2 * len(format))
}

// hasItems reports whether Python accepts this single value for a format that
// does not use it.
func hasItems(v any) bool {
	switch v.(type) {
	case *Dict, *List, *rangeValue, *undefined:
		return true
	}
	return false
}

func percentSpec(f string, next func() (any, error)) (s spec, rest string, err error) {
	s = spec{fill: " ", precision: -1}
flags:
	for ; f != ""; f = f[1:] {
		switch f[0] {
		case '-':
			s.align = '<'
		case '0':
			if s.align != '<' {
				s.fill, s.align = "0", '='
			}
		case '+':
			s.sign = '+'
		case ' ':
			if s.sign == 0 {
				s.sign = ' '
			}
		case '#':
			s.alternate = true
		default:
			break flags
		}
	}
	number := func(into *int) error {
		if strings.HasPrefix(f, "*") {
			v, err := next()
			if err != nil {
				return err
			}
			n, ok := integer(v)
			if !ok || n > maxWidth || n < -maxWidth {
				return fmt.Errorf("a width must be a small whole number")
			}
			if f = f[1:]; n < 0 {
				s.align, n = '<', -n
			}
			*into = int(n)
			return nil
		}
		*into, f, err = digits(f)
		return err
	}
	if err = number(&s.width); err != nil {
		return s, "", err
	}
	if strings.HasPrefix(f, ".") {
		f = f[1:]
		if err = number(&s.precision); err != nil {
			return s, "", err
		}
	}
	f = strings.TrimLeft(f, "hlL")
	if f == "" {
		return s, "", fmt.Errorf("the format ends in the middle")
	}
	s.verb = f[0]
	return s, f[1:], nil
}

// digits reads a number, 0 if there is none.
func digits(f string) (n int, rest string, err error) {
	for f != "" && syntax.IsDigit(f[0]) {
		if n = n*10 + int(f[0]-'0'); n > maxWidth {
			return 0, "", errWidth
		}
		f = f[1:]
	}
	return n, f, nil
}

func (in *interp) percentOne(s spec, v any) (string, error) {
	if err := in.alloc(s.width + max(s.precision, 0)); err != nil {
		return "", err
	}
	switch s.verb {
	case 's', 'r', 'a':
		show := in.str
		if s.verb != 's' {
			show = in.repr
		}
		text, err := show(v)
		if err != nil {
			return "", err
		}
		if s.align == 0 || s.align == '=' {
			s.align = '>'
		}
		s.fill, s.sign = " ", 0
		return s.pad("", clipRunes(text, s.precision)), nil
	case 'c':
		if n, ok := integer(v); ok && n >= 0 && n <= utf8.MaxRune {
			return s.pad("", string(rune(n))), nil
		}
		if text, ok := text(v); ok && utf8.RuneCountInString(text) == 1 {
			return s.pad("", text), nil
		}
		return "", fmt.Errorf("%%c needs one character, not %s", typeName(v))
	case 'd', 'i', 'u', 'x', 'X', 'o':
		if f, ok := v.(float64); ok && strings.IndexByte("diu", s.verb) >= 0 && math.Abs(f) < 1<<62 {
			v = int64(f)
		}
		if strings.IndexByte("diu", s.verb) >= 0 {
			s.verb = 'd'
		}
		if u, ok := v.(*undefined); ok {
			return "", u.err()
		}
		if _, ok := integer(v); !ok {
			if _, ok := v.(*big.Int); !ok {
				return "", fmt.Errorf("%%%c needs a whole number, not %s", s.verb, typeName(v))
			}
		}
		return s.integer(v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if u, ok := v.(*undefined); ok {
			return "", u.err()
		}
		f, ok := number(v)
		if !ok {
			return "", fmt.Errorf("%%%c needs a number, not %s", s.verb, typeName(v))
		}
		return s.float(f), nil
	}
	return "", fmt.Errorf("the format has the unknown letter %q", s.verb)
}

func clipRunes(s string, n int) string {
	if n < 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	return cut(s, 0, n)
}

// pad pads sign and text to the width.
func (s spec) pad(sign, text string) string {
	n := s.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(text)
	if n <= 0 {
		return sign + text
	}
	fill := func(n int) string { return strings.Repeat(s.fill, n) }
	switch s.align {
	case '<':
		return sign + text + fill(n)
	case '^':
		return fill(n/2) + sign + text + fill(n-n/2)
	case '=':
		return sign + fill(n) + text
	}
	return fill(n) + sign + text
}

func (s spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign != 0:
		return string(s.sign)
	}
	return ""
}

var bases = map[byte]int{'d': 10, 'n': 10, 'x': 16, 'X': 16, 'o': 8, 'b': 2}

func (s spec) integer(v any) (string, error) {
	z, ok := v.(*big.Int)
	if !ok {
		n, _ := integer(v)
		z = big.NewInt(n)
	}
	base, ok := bases[s.verb]
	if !ok {
		return "", fmt.Errorf("whole numbers have no format %q", s.verb)
	}
	digits := new(big.Int).Abs(z).Text(base)
	if s.precision > len(digits) {
		digits = strings.Repeat("0", s.precision-len(digits)) + digits
	}
	if s.group != 0 {
		digits = grouped(digits, s.group, base)
	}
	sign := s.signOf(z.Sign() < 0)
	if s.alternate && base != 10 {
		sign += "0" + string(s.verb)
	}
	if s.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	return s.pad(sign, digits), nil
}

// grouped puts a mark between every three digits, or four if not decimal.
func grouped(digits string, mark byte, base int) string {
	size := 3
	if base != 10 {
		size = 4
	}
	whole, fraction := digits, ""
	if i := strings.IndexAny(digits, ".e"); i >= 0 {
		whole, fraction = digits[:i], digits[i:]
	}
	var b strings.Builder
	for i, c := range []byte(whole) {
		if i > 0 && (len(whole)-i)%size == 0 {
			b.WriteByte(mark)
		}
		b.WriteByte(c)
	}
	return b.String() + fraction
}

func (s spec) float(f float64) string {
	sign := s.signOf(math.Signbit(f) && !math.IsNaN(f))
	f = math.Abs(f)
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	var out string
	switch {
	case math.IsInf(f, 0):
		out = "inf"
	case math.IsNaN(f):
		out = "nan"
	case s.verb == 'e' || s.verb == 'E':
		out = strconv.FormatFloat(f, 'e', precision, 64)
	case s.verb == 'g' || s.verb == 'G' || s.verb == 'n':
		out = general(f, max(precision, 1), s.alternate)
	case s.verb == '%':
		out = strconv.FormatFloat(f*100, 'f', precision, 64) + "%"
	default:
		out = strconv.FormatFloat(f, 'f', precision, 64)
	}
	if s.group != 0 {
		out = grouped(out, s.group, 10)
	}
	if s.verb == 'E' || s.verb == 'G' || s.verb == 'F' {
		out = strings.ToUpper(out)
	}
	return s.pad(sign, out)
}

// general implements C's %g: precision digits, with an exponent for small or
// large numbers, without trailing zeros.
func general(f float64, precision int, zeros bool) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', precision-1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	if n >= -4 && n < precision {
		mantissa, exponent = strconv.FormatFloat(f, 'f', precision-1-n, 64), ""
	} else {
		exponent = "e" + exponent
	}
	if !zeros && strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + exponent
}
