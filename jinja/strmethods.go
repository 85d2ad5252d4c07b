package jinja

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/jinja/syntax"
)

// strMethods are the methods of Python's str, except those that return bytes
// (encode) or need tables (translate). format is in strformat.go.
var strMethods = methods{
	"capitalize":   plainMethod(capitalize),
	"casefold":     plainMethod(strings.ToLower),
	"lower":        plainMethod(lower),
	"upper":        plainMethod(upper),
	"title":        plainMethod(titleWords),
	"swapcase":     plainMethod(swapCase),
	"strip":        stripMethod(true, true),
	"lstrip":       stripMethod(true, false),
	"rstrip":       stripMethod(false, true),
	"split":        splitMethod(false),
	"rsplit":       splitMethod(true),
	"splitlines":   strSplitLines,
	"partition":    partitionMethod(strings.Index, false),
	"rpartition":   partitionMethod(strings.LastIndex, true),
	"replace":      strReplace,
	"join":         strJoin,
	"startswith":   affixMethod(strings.HasPrefix),
	"endswith":     affixMethod(strings.HasSuffix),
	"removeprefix": removeMethod(strings.TrimPrefix),
	"removesuffix": removeMethod(strings.TrimSuffix),
	"find":         findMethod(strings.Index, false),
	"rfind":        findMethod(strings.LastIndex, false),
	"index":        findMethod(strings.Index, true),
	"rindex":       findMethod(strings.LastIndex, true),
	"count":        strCount,
	"center":       padMethod(func(n, w int) (int, int) { l := n/2 + n&w&1; return l, n - l }),
	"ljust":        padMethod(func(n, _ int) (int, int) { return 0, n }),
	"rjust":        padMethod(func(n, _ int) (int, int) { return n, 0 }),
	"zfill":        strZfill,
	"expandtabs":   strExpandTabs,
	"isalnum": everyRune(func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsNumber(r)
	}),
	"isalpha":      everyRune(unicode.IsLetter),
	"isdecimal":    everyRune(unicode.IsDigit),
	"isdigit":      everyRune(func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune(raisedDigits, r) }),
	"isnumeric":    everyRune(unicode.IsNumber),
	"isspace":      everyRune(syntax.IsSpace),
	"isascii":      asciiMethod,
	"isprintable":  printableMethod,
	"isidentifier": identifierMethod,
	"islower":      caseMethod(unicode.IsLower, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }),
	"isupper":      caseMethod(unicode.IsUpper, func(r rune) bool { return unicode.IsLower(r) || unicode.IsTitle(r) }),
	"istitle":      titleMethod,
}

// raisedDigits are digits in Python, although they form no decimal number.
const raisedDigits = "²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"

type method = func(in *interp, self any, a args) (any, error)

// plainMethod returns a method without arguments that returns a string of the
// same type.
func plainMethod(f func(string) string) method {
	return func(in *interp, self any, a args) (any, error) {
		if _, err := a.bind("it", 0); err != nil {
			return nil, err
		}
		s, _ := text(self)
		if err := in.alloc(3 * len(s)); err != nil {
			return nil, err
		}
		return like(self, f(s)), nil
	}
}

func lower(s string) string { return strings.ToLower(s) }

// upper handles ß, the one letter of western languages that becomes two.
func upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }

func capitalize(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return title(s[:n]) + strings.ToLower(s[n:])
}

func title(s string) string {
	if s == "ß" {
		return "Ss"
	}
	return strings.ToTitle(s)
}

// titleWords implements str.title: each run of letters begins with a capital.
func titleWords(s string) string {
	in := false
	return strings.Map(func(r rune) rune {
		was := in
		if in = unicode.IsLetter(r); in && was {
			return unicode.ToLower(r)
		}
		return unicode.ToTitle(r)
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func strip(s string, chars any, left, right bool) (string, error) {
	drop := syntax.IsSpace
	if given(chars) && chars != nil {
		set, ok := text(chars)
		if !ok {
			return "", fmt.Errorf("what to strip must be a string, not %s", typeName(chars))
		}
		drop = func(r rune) bool { return strings.ContainsRune(set, r) }
	}
	if left {
		s = strings.TrimLeftFunc(s, drop)
	}
	if right {
		s = strings.TrimRightFunc(s, drop)
	}
	return s, nil
}

func stripMethod(left, right bool) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 0, "chars")
		if err != nil {
			return nil, err
		}
		s, _ := text(self)
		set, _ := text(p[0])
		if err := in.work(len(s) * (1 + min(len(set), 1<<16))); err != nil {
			return nil, err
		}
		s, err = strip(s, p[0], left, right)
		return like(self, s), err
	}
}

func strReplace(in *interp, self any, a args) (any, error) {
	p, err := a.bind("it", 2, "old", "new", "count")
	if err != nil {
		return nil, err
	}
	from, ok1 := text(p[0])
	to, ok2 := text(p[1])
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("it needs strings, not %s and %s", typeName(p[0]), typeName(p[1]))
	}
	n := int64(-1)
	if given(p[2]) {
		var ok bool
		if n, ok = integer(p[2]); !ok {
			return nil, fmt.Errorf("the count must be a whole number, not %s", typeName(p[2]))
		}
	}
	s, _ := text(self)
	out, err := in.replace(s, from, to, n)
	return like(self, out), err
}

func (in *interp) replace(s, from, to string, n int64) (string, error) {
	if err := in.work(len(s)); err != nil {
		return "", err
	}
	hits := strings.Count(s, from)
	if n >= 0 {
		hits = int(min(n, int64(hits)))
	}
	if grow := len(to) - len(from); grow > 0 && hits > (math.MaxInt32-len(s))/grow {
		return "", in.alloc(math.MaxInt)
	} else if err := in.alloc(len(s) + hits*grow); err != nil {
		return "", err
	}
	if err := in.step(hits / 4); err != nil {
		return "", err
	}
	return strings.Replace(s, from, to, hits), nil
}

func strJoin(in *interp, self any, a args) (any, error) {
	p, err := a.bind("it", 1, "iterable")
	if err != nil {
		return nil, err
	}
	items, err := in.iterate(p[0])
	if err != nil {
		return nil, err
	}
	sep, _ := text(self)
	s, err := in.joinValues(sep, items, true)
	return like(self, s), err
}

// affixMethod implements startswith and endswith, with a string or a tuple of
// them.
func affixMethod(has func(s, affix string) bool) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 1, "affix", "start", "end")
		if err != nil {
			return nil, err
		}
		s, from, to, err := part(in, self, p[1], p[2])
		if err != nil {
			return nil, err
		}
		options := []any{p[0]}
		if t, ok := p[0].(*Tuple); ok {
			options = t.Items
		}
		for _, o := range options {
			affix, ok := text(o)
			if !ok {
				return nil, fmt.Errorf("it needs a string or a tuple of strings, not %s", typeName(o))
			}
			if err := in.work(len(affix)); err != nil {
				return nil, err
			}
			if from <= to && has(s, affix) {
				return true, nil
			}
		}
		return false, nil
	}
}

// part returns the characters start:end of a string, and the resolved bounds.
func part(in *interp, self, start, end any) (s string, from, to int, err error) {
	s, _ = text(self)
	if !given(start) && !given(end) {
		return s, 0, len(s), nil
	}
	if err := in.indexable(self); err != nil {
		return "", 0, 0, err
	}
	n := utf8.RuneCountInString(s)
	bound := func(v any, usual int) int {
		if !given(v) || v == nil {
			return usual
		}
		i, ok := integer(v)
		if !ok {
			err = fmt.Errorf("a position must be a whole number, not %s", typeName(v))
		}
		if i < 0 {
			i = max(0, i+int64(n))
		}
		return int(min(i, 1<<40))
	}
	from, to = bound(start, 0), min(bound(end, n), n)
	if err != nil || from > to {
		return "", from, to, err
	}
	return cut(s, from, to), from, to, nil
}

func removeMethod(f func(s, affix string) string) method {
	return func(in *interp, self any, a args) (any, error) {
		p, err := a.bind("it", 1, "affix")
		if err != nil {
			return nil, err
		}
		affix, ok := text(p[0])
		if !ok {
			return nil, fmt.Errorf("it needs a string, not %s", typeName(p[0]))
		}
		s, _ := text(self)
		return like(self, f(s, affix)), in.work(len(affix))
	}
}

// wanted reads the arguments of find, index and count: the substring and the
// part of the string to look in.
func wanted(in *interp, self any, a args) (sub, s string, from, to int, err error) {
	p, err := a.bind("it", 1, "sub", "start", "end")
	if err != nil {
		return "", "", 0, 0, err
	}
	sub, ok := text(p[0])
	if !ok {
		return "", "", 0, 0, fmt.Errorf("it needs a string, not %s", typeName(p[0]))
	}
	s, from, to, err = part(in, self, p[1], p[2])
	return sub, s, from, to, err
}

// findMethod returns a method for the position of a substring, in characters; if
// it does not occur, -1, or an error if strict.
func findMethod(find func(s, sub string) int, strict bool) method {
	return func(in *interp, self any, a args) (any, error) {
		sub, s, from, to, err := wanted(in, self, a)
		if err != nil {
			return nil, err
		}
		if err := in.work(len(s) + len(sub)); err != nil {
			return nil, err
		}
		i := -1
		if from <= to {
			i = find(s, sub)
		}
		if i >= 0 {
			return int64(from + utf8.RuneCountInString(s[:i])), nil
		}
		if strict {
			return nil, fmt.Errorf("the substring is not there")
		}
		return int64(-1), nil
	}
}

func strCount(in *interp, self any, a args) (any, error) {
	sub, s, from, to, err := wanted(in, self, a)
	if err != nil {
		return nil, err
	}
	if from > to {
		return int64(0), nil
	}
	return int64(strings.Count(s, sub)), in.work(len(s) + len(sub))
}
