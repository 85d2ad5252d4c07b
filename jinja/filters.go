package jinja

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/jinja/syntax"
)

type filterFunc func(in *interp, v any, a args) (any, error)

// filters are Jinja's, except random, urlize and others for which no chat
// template has a use. Filters of lists are in filterlist.go.
var filters = map[string]filterFunc{
	"abs":         filterAbs,
	"attr":        filterAttr,
	"batch":       filterBatch,
	"capitalize":  textFilter(capitalize),
	"center":      filterCenter,
	"count":       filterLength,
	"d":           filterDefault,
	"default":     filterDefault,
	"dictsort":    filterDictSort,
	"e":           filterEscape,
	"escape":      filterEscape,
	"first":       filterFirst,
	"float":       filterFloat,
	"forceescape": filterForceEscape,
	"format":      filterFormat,
	"groupby":     filterGroupBy,
	"indent":      filterIndent,
	"int":         filterInt,
	"items":       filterItems,
	"join":        filterJoin,
	"last":        filterLast,
	"length":      filterLength,
	"list":        filterList,
	"lower":       textFilter(lower),
	"map":         filterMap,
	"max":         extreme(1),
	"min":         extreme(-1),
	"reject":      selection(false, false),
	"rejectattr":  selection(true, false),
	"replace":     filterReplace,
	"reverse":     filterReverse,
	"round":       filterRound,
	"safe":        filterSafe,
	"select":      selection(false, true),
	"selectattr":  selection(true, true),
	"slice":       filterSlice,
	"sort":        filterSort,
	"string":      filterString,
	"striptags":   filterStripTags,
	"sum":         filterSum,
	"title":       textFilter(filterTitle),
	"tojson":      filterToJSON,
	"trim":        filterTrim,
	"truncate":    filterTruncate,
	"unique":      filterUnique,
	"upper":       textFilter(upper),
	"urlencode":   filterURLEncode,
	"wordcount":   filterWordCount,
}

// soft returns a value as text; Markup stays Markup.
func (in *interp) soft(v any) (any, string, error) {
	if s, ok := text(v); ok {
		return v, s, nil
	}
	s, err := in.str(v)
	return s, s, err
}

func textFilter(f func(string) string) filterFunc {
	return func(in *interp, v any, a args) (any, error) {
		if _, err := a.bind("this filter", 0); err != nil {
			return nil, err
		}
		self, s, err := in.soft(v)
		if err != nil {
			return nil, err
		}
		return like(self, f(s)), in.alloc(3 * len(s))
	}
}

// filterTitle differs from str.title: words begin after white space and
// brackets.
func filterTitle(s string) string {
	start := true
	return strings.Map(func(r rune) rune {
		was := start
		start = syntax.IsSpace(r) || strings.ContainsRune("-({[<", r)
		if was {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func filterString(in *interp, v any, a args) (any, error) {
	if _, err := a.bind("string", 0); err != nil {
		return nil, err
	}
	self, _, err := in.soft(v)
	return self, err
}

func filterSafe(in *interp, v any, _ args) (any, error) {
	s, err := in.str(v)
	return Markup(s), err
}

func filterEscape(in *interp, v any, _ args) (any, error) {
	if m, ok := v.(Markup); ok {
		return m, nil
	}
	return filterForceEscape(in, v, args{})
}

func filterForceEscape(in *interp, v any, _ args) (any, error) {
	s, err := in.str(v)
	if err != nil {
		return nil, err
	}
	if err := in.alloc(6 * len(s)); err != nil {
		return nil, err
	}
	return Markup(escape(s)), nil
}

// filterStripTags removes what looks like HTML tags and collapses white space
// to single spaces.
func filterStripTags(in *interp, v any, _ args) (any, error) {
	s, err := in.str(v)
	if err != nil {
		return nil, err
	}
	if err := in.alloc(2 * len(s)); err != nil {
		return nil, err
	}
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			break
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 {
			break
		}
		b.WriteString(s[:open])
		s = s[open+end+1:]
	}
	b.WriteString(s)
	return strings.Join(strings.FieldsFunc(b.String(), syntax.IsSpace), " "), nil
}

func filterTrim(in *interp, v any, a args) (any, error) {
	p, err := a.bind("trim", 0, "chars")
	if err != nil {
		return nil, err
	}
	self, s, err := in.soft(v)
	if err != nil {
		return nil, err
	}
	set, _ := text(p[0])
	if err := in.work(len(s) * (1 + min(len(set), 1<<16))); err != nil {
		return nil, err
	}
	s, err = strip(s, p[0], true, true)
	return like(self, s), err
}

func filterReplace(in *interp, v any, a args) (any, error) {
	p, err := a.bind("replace", 2, "old", "new", "count")
	if err != nil {
		return nil, err
	}
	var s [3]string
	for i, x := range []any{v, p[0], p[1]} {
		if s[i], err = in.str(x); err != nil {
			return nil, err
		}
	}
	n := int64(-1)
	if given(p[2]) && p[2] != nil {
		var ok bool
		if n, ok = integer(p[2]); !ok {
			return nil, fmt.Errorf("replace: the count must be a whole number, not %s", typeName(p[2]))
		}
	}
	return in.replace(s[0], s[1], s[2], n)
}

func filterIndent(in *interp, v any, a args) (any, error) {
	p, err := a.bind("indent", 0, "width", "first", "blank")
	if err != nil {
		return nil, err
	}
	s, ok := text(v)
	if !ok {
		if u, isUndefined := v.(*undefined); isUndefined {
			return nil, u.err()
		}
		return nil, fmt.Errorf("indent: only strings can be indented, not %s", typeName(v))
	}
	indent := "    "
	if given(p[0]) {
		if n, ok := integer(p[0]); ok {
			if err := in.alloc(int(min(max(n, 0), math.MaxInt32))); err != nil {
				return nil, err
			}
			indent = strings.Repeat(" ", int(max(n, 0)))
		} else if indent, ok = text(p[0]); !ok {
			return nil, fmt.Errorf("indent: the width must be a number or a string, not %s", typeName(p[0]))
		}
	}
	lines := splitLines(s+"\n", false)
	if err := in.allocItems(3 * len(lines)); err != nil {
		return nil, err
	}
	for i, line := range lines {
		if i > 0 && (line != "" || given(p[2]) && truth(p[2])) || i == 0 && given(p[1]) && truth(p[1]) {
			if err := in.alloc(len(indent) + len(line)); err != nil {
				return nil, err
			}
			lines[i] = indent + line
		}
	}
	out, err := in.join("\n", lines)
	return like(v, out), err
}

func filterCenter(in *interp, v any, a args) (any, error) {
	p, err := a.bind("center", 0, "width")
	if err != nil {
		return nil, err
	}
	if !given(p[0]) {
		p[0] = int64(80)
	}
	self, _, err := in.soft(v)
	if err != nil {
		return nil, err
	}
	return strMethods["center"](in, self, args{pos: p})
}

func filterTruncate(in *interp, v any, a args) (any, error) {
	p, err := a.bind("truncate", 0, "length", "killwords", "end", "leeway")
	if err != nil {
		return nil, err
	}
	s, ok := text(v)
	most, leeway, end := int64(255), int64(5), "..."
	if given(p[0]) {
		most, _ = integer(p[0])
	}
	if given(p[2]) {
		end, _ = text(p[2])
	}
	if given(p[3]) && p[3] != nil {
		leeway, _ = integer(p[3])
	}
	room := most - int64(utf8.RuneCountInString(end))
	n, hasLength := length(v)
	if hasLength && room >= 0 && leeway >= 0 && int64(n) <= most+leeway {
		return v, in.work(len(s))
	}
	if !ok || room < 0 || leeway < 0 {
		return nil, fmt.Errorf("truncate needs a string and a length that its end %.20q fits into", end)
	}
	if err := in.alloc(len(s) + len(end)); err != nil {
		return nil, err
	}
	s = cut(s, 0, int(room))
	if !given(p[1]) || !truth(p[1]) {
		if i := strings.LastIndexByte(s, ' '); i >= 0 {
			s = s[:i]
		}
	}
	return like(v, s+end), nil
}

func filterFormat(in *interp, v any, a args) (any, error) {
	self, s, err := in.soft(v)
	if err != nil {
		return nil, err
	}
	var arg any = &Tuple{a.pos}
	if len(a.names) > 0 {
		if len(a.pos) > 0 {
			return nil, fmt.Errorf("format takes arguments with or without names, not both")
		}
		d := NewDict()
		for i, name := range a.names {
			d.Set(name, a.named[i])
		}
		arg = d
	}
	out, err := in.percent(s, arg)
	return like(self, out), err
}

func filterWordCount(in *interp, v any, _ args) (any, error) {
	_, s, err := in.soft(v)
	if err != nil {
		return nil, err
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return int64(len(words)), in.allocItems(len(words))
}

func filterLength(_ *interp, v any, a args) (any, error) {
	if _, err := a.bind("length", 0); err != nil {
		return nil, err
	}
	n, ok := length(v)
	if !ok {
		return nil, fmt.Errorf("%s has no length", typeName(v))
	}
	return int64(n), nil
}

func filterDefault(_ *interp, v any, a args) (any, error) {
	p, err := a.bind("default", 0, "default_value", "boolean")
	if err != nil {
		return nil, err
	}
	if !given(p[0]) {
		p[0] = ""
	}
	_, isUndefined := v.(*undefined)
	if isUndefined || given(p[1]) && truth(p[1]) && !truth(v) {
		return p[0], nil
	}
	return v, nil
}

// filterURLEncode encodes a text for a path, or pairs for a query.
func filterURLEncode(in *interp, v any, _ args) (any, error) {
	_, isText := text(v)
	if !isText && isIterable(v) {
		pairs, err := in.pairs(v)
		if err != nil {
			return nil, err
		}
		parts := make([]string, len(pairs))
		for i, pair := range pairs {
			var quoted [2]string
			for j, x := range pair {
				s, err := in.str(x)
				if err != nil {
					return nil, err
				}
				if err := in.alloc(3 * len(s)); err != nil {
					return nil, err
				}
				quoted[j] = url.QueryEscape(s)
			}
			parts[i] = quoted[0] + "=" + quoted[1]
		}
		return in.join("&", parts)
	}
	s, err := in.str(v)
	if err != nil {
		return nil, err
	}
	if err := in.alloc(3 * len(s)); err != nil {
		return nil, err
	}
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(s)), nil
}
