package jinja

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
	"unicode/utf16"
)

// toJSON writes JSON like Python's json.dumps.
type toJSON struct {
	in       *interp
	b        strings.Builder
	ascii    bool
	sorted   bool
	pretty   bool
	indent   string
	item     string // between items
	key      string // between key and value
	newlines int    // the indentation of the current line
}

func filterToJSON(in *interp, v any, a args) (any, error) {
	p, err := a.bind("tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys")
	if err != nil {
		return nil, err
	}
	j := &toJSON{in: in, item: ", ", key: ": "}
	j.ascii = given(p[0]) && truth(p[0])
	j.sorted = given(p[3]) && truth(p[3])
	if given(p[1]) && p[1] != nil {
		j.pretty, j.item = true, ","
		if n, ok := integer(p[1]); ok {
			if err := in.alloc(int(min(max(n, 0), math.MaxInt32))); err != nil {
				return nil, err
			}
			j.indent = strings.Repeat(" ", int(max(n, 0)))
		} else if j.indent, ok = text(p[1]); !ok {
			return nil, fmt.Errorf("tojson: indent must be a number or a string, not %s", typeName(p[1]))
		}
	}
	if given(p[2]) && p[2] != nil {
		items, err := in.iterate(p[2])
		if err != nil || len(items) != 2 {
			return nil, fmt.Errorf("tojson: separators must be two strings")
		}
		var ok1, ok2 bool
		j.item, ok1 = text(items[0])
		j.key, ok2 = text(items[1])
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("tojson: separators must be two strings")
		}
	}
	if err := j.write(v); err != nil {
		return nil, err
	}
	return j.b.String(), nil
}

func (j *toJSON) put(s string) error {
	if err := j.in.alloc(2 * len(s)); err != nil {
		return err
	}
	j.b.WriteString(s)
	return nil
}

func (j *toJSON) write(v any) error {
	if err := j.in.enter(); err != nil {
		return err
	}
	defer j.in.leave()
	switch v := v.(type) {
	case string, Markup:
		s, _ := text(v)
		return j.str(s)
	case *List:
		return j.list(v.Items)
	case *Tuple:
		return j.list(v.Items)
	case *Dict:
		return j.dict(v)
	}
	s, ok := jsonScalar(v)
	if !ok {
		return fmt.Errorf("tojson: %s can't be written as JSON", typeName(v))
	}
	return j.put(s)
}

func jsonScalar(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		if v {
			return "true", true
		}
		return "false", true
	case int64:
		return fmt.Sprint(v), true
	case *big.Int:
		return v.String(), true
	case float64:
		switch {
		case math.IsNaN(v):
			return "NaN", true
		case math.IsInf(v, 1):
			return "Infinity", true
		case math.IsInf(v, -1):
			return "-Infinity", true
		}
		return floatText(v), true
	}
	return "", false
}

// newline starts a line in the pretty form.
func (j *toJSON) newline() error {
	if !j.pretty {
		return nil
	}
	if err := j.put("\n"); err != nil {
		return err
	}
	for range j.newlines {
		if err := j.put(j.indent); err != nil {
			return err
		}
	}
	return nil
}

func (j *toJSON) list(items []any) error {
	if len(items) == 0 {
		return j.put("[]")
	}
	return j.group("[", "]", len(items), func(i int) error { return j.write(items[i]) })
}

func (j *toJSON) dict(d *Dict) error {
	if d.Len() == 0 {
		return j.put("{}")
	}
	entries := d.entries
	if j.sorted {
		if err := j.in.allocItems(2 * len(entries)); err != nil {
			return err
		}
		entries = append([]entry(nil), entries...)
		var failed error
		sort.SliceStable(entries, func(a, b int) bool {
			if failed != nil {
				return false
			}
			c, err := j.in.compare(entries[a].key, entries[b].key)
			failed = err
			return c < 0
		})
		if failed != nil {
			return failed
		}
	}
	return j.group("{", "}", len(entries), func(i int) error {
		key, ok := text(entries[i].key)
		if !ok {
			if key, ok = jsonScalar(entries[i].key); !ok {
				return fmt.Errorf("tojson: %s can't be a key in JSON", typeName(entries[i].key))
			}
		}
		if err := j.str(key); err != nil {
			return err
		}
		if err := j.put(j.key); err != nil {
			return err
		}
		return j.write(entries[i].value)
	})
}

func (j *toJSON) group(open, close string, n int, one func(int) error) error {
	if err := j.put(open); err != nil {
		return err
	}
	j.newlines++
	for i := range n {
		if i > 0 {
			if err := j.put(j.item); err != nil {
				return err
			}
		}
		if err := j.newline(); err != nil {
			return err
		}
		if err := one(i); err != nil {
			return err
		}
	}
	j.newlines--
	if err := j.newline(); err != nil {
		return err
	}
	return j.put(close)
}

var jsonEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\f': `\f`, '\b': `\b`,
}

func (j *toJSON) str(s string) error {
	if err := j.in.alloc(2*len(s) + 4); err != nil {
		return err
	}
	from := j.b.Len()
	j.b.WriteByte('"')
	for _, r := range s {
		switch e, ok := jsonEscapes[r]; {
		case ok:
			j.b.WriteString(e)
		case r < 0x20, r > 0x7f && r < 0x10000 && j.ascii:
			fmt.Fprintf(&j.b, `\u%04x`, r)
		case r >= 0x10000 && j.ascii:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&j.b, `\u%04x\u%04x`, hi, lo)
		default:
			j.b.WriteRune(r)
		}
	}
	j.b.WriteByte('"')
	return j.in.alloc(max(0, j.b.Len()-from-len(s)))
}
