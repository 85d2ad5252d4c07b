package jinja

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/jinja/syntax"
)

// splitMethod implements split, or rsplit if right is set.
func splitMethod(right bool) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 0, "sep", "maxsplit")
		if err != nil {
			return nil, err
		}
		most := int64(-1)
		if given(p[1]) {
			var ok bool
			if most, ok = integer(p[1]); !ok {
				return nil, fmt.Errorf("maxsplit must be a whole number, not %s", typeName(p[1]))
			}
		}
		s, _ := text(self)
		if err := in.work(len(s)); err != nil {
			return nil, err
		}
		var parts []string
		if !given(p[0]) || p[0] == nil {
			parts = splitSpace(s, most, right)
		} else {
			sep, ok := text(p[0])
			if !ok || sep == "" {
				return nil, fmt.Errorf("the separator must be a string with something in it")
			}
			if err := in.allocItems(strings.Count(s, sep)); err != nil {
				return nil, err
			}
			parts = splitAt(s, sep, most, right)
		}
		return in.strings(self, parts)
	}
}

func (in *interp) strings(self any, parts []string) (any, error) {
	if err := in.allocItems(2 * len(parts)); err != nil {
		return nil, err
	}
	items := make([]any, len(parts))
	for i, s := range parts {
		items[i] = like(self, s)
	}
	return &List{items}, nil
}

func splitAt(s, sep string, most int64, right bool) []string {
	if most < 0 {
		return strings.Split(s, sep)
	}
	if !right {
		return strings.SplitN(s, sep, int(min(most, 1<<31))+1)
	}
	var parts []string
	for ; most > 0; most-- {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		parts, s = append(parts, s[i+len(sep):]), s[:i]
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	return parts
}

func splitSpace(s string, most int64, right bool) []string {
	if most < 0 {
		return strings.FieldsFunc(s, syntax.IsSpace)
	}
	var parts []string
	if right {
		for s = strings.TrimRightFunc(s, syntax.IsSpace); s != ""; most-- {
			i := strings.LastIndexFunc(s, syntax.IsSpace)
			if i < 0 || most == 0 {
				parts = append(parts, s)
				break
			}
			_, n := utf8.DecodeRuneInString(s[i:])
			parts, s = append(parts, s[i+n:]), strings.TrimRightFunc(s[:i], syntax.IsSpace)
		}
		slices.Reverse(parts)
		return parts
	}
	for s = strings.TrimLeftFunc(s, syntax.IsSpace); s != ""; most-- {
		i := strings.IndexFunc(s, syntax.IsSpace)
		if i < 0 || most == 0 {
			return append(parts, s)
		}
		parts, s = append(parts, s[:i]), strings.TrimLeftFunc(s[i:], syntax.IsSpace)
	}
	return parts
}

func strSplitLines(in *interp, self any, a args) (any, error) {
	p, err := a.bind("it", 0, "keepends")
	if err != nil {
		return nil, err
	}
	s, _ := text(self)
	if err := in.work(len(s)); err != nil {
		return nil, err
	}
	return in.strings(self, splitLines(s, given(p[0]) && truth(p[0])))
}

// splitLines splits at all the line ends that Python recognizes.
func splitLines(s string, keep bool) []string {
	var lines []string
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool {
			return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
		})
		if i < 0 {
			return append(lines, s)
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		line := s[:i]
		if keep {
			line = s[:i+n]
		}
		lines, s = append(lines, line), s[i+n:]
	}
	return lines
}

func partitionMethod(find func(s, sub string) int, right bool) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 1, "sep")
		if err != nil {
			return nil, err
		}
		s, _ := text(self)
		sep, ok := text(p[0])
		if !ok || sep == "" {
			return nil, fmt.Errorf("the separator must be a string with something in it")
		}
		if err := in.work(len(s) + len(sep)); err != nil {
			return nil, err
		}
		parts := []any{s, "", ""}
		if right {
			parts = []any{"", "", s}
		}
		if i := find(s, sep); i >= 0 {
			parts = []any{s[:i], sep, s[i+len(sep):]}
		}
		for i, part := range parts {
			parts[i] = like(self, part.(string))
		}
		return &Tuple{parts}, nil
	}
}

// padMethod pads to a width; share determines how much goes left and right.
func padMethod(share func(n, width int) (int, int)) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 1, "width", "fillchar")
		if err != nil {
			return nil, err
		}
		width, ok := integer(p[0])
		fill := " "
		if given(p[1]) {
			fill, _ = text(p[1])
		}
		if !ok || utf8.RuneCountInString(fill) != 1 {
			return nil, fmt.Errorf("it needs a width and one character")
		}
		s, err := in.pad(self, width, fill, share)
		return like(self, s), err
	}
}

func (in *interp) pad(self any, width int64, fill string, share func(n, width int) (int, int)) (string, error) {
	s, _ := text(self)
	have, _ := length(self)
	n := int(min(width, 1<<31)) - have
	if n <= 0 {
		return s, in.indexable(self)
	}
	if err := in.alloc(len(s) + n*len(fill)); err != nil {
		return "", err
	}
	left, right := share(n, int(width))
	return strings.Repeat(fill, left) + s + strings.Repeat(fill, right), nil
}

func strZfill(in *interp, self any, a args) (any, error) {
	p, err := a.bind("it", 1, "width")
	if err != nil {
		return nil, err
	}
	width, ok := integer(p[0])
	if !ok {
		return nil, fmt.Errorf("the width must be a whole number, not %s", typeName(p[0]))
	}
	s, _ := text(self)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	out, err := in.pad(s, width-int64(len(sign)), "0", func(n, _ int) (int, int) { return n, 0 })
	return like(self, sign+out), err
}

func strExpandTabs(in *interp, self any, a args) (any, error) {
	p, err := a.bind("it", 0, "tabsize")
	if err != nil {
		return nil, err
	}
	size := int64(8)
	if given(p[0]) {
		var ok bool
		if size, ok = integer(p[0]); !ok {
			return nil, fmt.Errorf("the size must be a whole number, not %s", typeName(p[0]))
		}
	}
	s, _ := text(self)
	size = min(max(size, 0), 1<<20)
	if err := in.alloc(len(s) + strings.Count(s, "\t")*int(size)); err != nil {
		return nil, err
	}
	var b strings.Builder
	column := int64(0)
	for _, r := range s {
		switch r {
		case '\t':
			if size > 0 {
				n := size - column%size
				b.WriteString(strings.Repeat(" ", int(n)))
				column += n
			}
			continue
		case '\n', '\r':
			column = -1
		}
		b.WriteRune(r)
		column++
	}
	return like(self, b.String()), nil
}

// ask returns a method without arguments that returns a boolean.
func ask(f func(s string) bool) method {
	return func(in *interp, self any, a args) (any, error) {
		if _, err := a.bind("it", 0); err != nil {
			return nil, err
		}
		s, _ := text(self)
		return f(s), in.work(len(s))
	}
}

// everyRune is for methods that require at least one character.
func everyRune(ok func(rune) bool) method {
	return ask(func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !ok(r) }) < 0
	})
}

var (
	asciiMethod     = ask(isASCII)
	printableMethod = ask(func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	})
	identifierMethod = ask(func(s string) bool { return s != "" && syntax.NameLength(s) == len(s) })
	titleMethod      = ask(isTitle)
)

// caseMethod requires a letter of the right case and none of the wrong one.
func caseMethod(right, wrong func(rune) bool) method {
	return ask(func(s string) bool { return strings.IndexFunc(s, right) >= 0 && strings.IndexFunc(s, wrong) < 0 })
}

func isTitle(s string) bool {
	cased, any := false, false
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			if cased {
				return false
			}
			cased, any = true, true
		case unicode.IsLower(r):
			if !cased {
				return false
			}
			any = true
		default:
			cased = false
		}
	}
	return any
}
