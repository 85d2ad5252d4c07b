package jinja

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxDataDepth limits the nesting of the variables.
const maxDataDepth = 200

// FromJSON decodes one JSON value and keeps what a template can observe: the
// order of keys ([*Dict]), lists ([*List]), and whether a number is an integer.
func FromJSON(r io.Reader) (any, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	v, err := fromJSON(d, 0)
	if err == io.EOF {
		return nil, errors.New("there is no JSON")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("the JSON ends in the middle")
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after the JSON")
	}
	return v, nil
}

func fromJSON(d *json.Decoder, depth int) (any, error) {
	if depth > maxDataDepth {
		return nil, fmt.Errorf("the JSON is nested more than %d deep", maxDataDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Number:
		return jsonNumber(t.String())
	case json.Delim:
		if t == '[' {
			return jsonList(d, depth)
		}
		return jsonDict(d, depth)
	}
	return t, nil // nil, bool, string
}

func jsonNumber(s string) (any, error) {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, fmt.Errorf("%.40s is no number", s)
		}
		return f, nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	n, ok := new(big.Int), len(s) < 5000
	if ok {
		n, ok = n.SetString(s, 10)
	}
	if !ok {
		return nil, fmt.Errorf("the number %.40s… is too large", s)
	}
	return n, nil
}

func jsonList(d *json.Decoder, depth int) (any, error) {
	l := &List{}
	for d.More() {
		item, err := fromJSON(d, depth+1)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		l.Items = append(l.Items, item)
	}
	_, err := d.Token()
	return l, unexpectedEnd(err)
}

func jsonDict(d *json.Decoder, depth int) (any, error) {
	dict := NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		value, err := fromJSON(d, depth+1)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		dict.Set(key.(string), value)
	}
	_, err := d.Token()
	return dict, unexpectedEnd(err)
}

func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// MapStrings returns a copy of v, a value as FromJSON returns it, with f
// applied to every string, including the keys of dicts.
func MapStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case *List:
		out := &List{Items: make([]any, len(v.Items))}
		for i, item := range v.Items {
			out.Items[i] = MapStrings(item, f)
		}
		return out
	case *Dict:
		out := NewDict()
		for _, e := range v.entries {
			_ = out.put(MapStrings(e.key, f), MapStrings(e.value, f)) // a string stays a string
		}
		return out
	}
	return v
}
