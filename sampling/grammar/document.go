package grammar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// value is a JSON value whose object keeps the order of its properties.
type value struct {
	kind  string // "object", "array", "string", "number", "boolean" or "null", as in schemas
	text  string // of a string: decoded; of a number or a boolean: as written
	names []string
	items []*value       // of an array; of an object: the values, parallel to names
	at    map[string]int // of an object: where a name is in names

	parent *value
	name   string // in the parent
}

const (
	maxDocument = 512_000
	maxDepth    = 64 // of nested values in a schema
)

// get returns a property of an object; nil if the property does not exist or v
// is not an object.
func (v *value) get(name string) *value {
	if v != nil {
		if i, ok := v.at[name]; ok {
			return v.items[i]
		}
	}
	return nil
}

// place returns the position of the value in its document, as a JSON pointer
// (RFC 6901).
func (v *value) place() string {
	if v.parent == nil {
		return "#"
	}
	return v.parent.place() + "/" + fmt.Sprintf("%.40s", pointer.Replace(v.name))
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

// readSchema reads the JSON document of a schema.
func readSchema(doc []byte) (*value, error) {
	if len(doc) > maxDocument {
		return nil, fmt.Errorf("it has %s; the most is %s", humanize.Bytes(uint64(len(doc))), humanize.Bytes(maxDocument))
	}
	if !utf8.Valid(doc) {
		return nil, errors.New("it is not UTF-8 text; save it as UTF-8")
	}
	return newReader(doc, maxDepth, false).read()
}

// readAnswer reads a JSON value that a grammar allowed. Of two properties with
// the same name the last counts, as for most readers.
func readAnswer(text []byte) (*value, error) {
	return newReader(text, maxFrames, true).read()
}

// reader reads a JSON document.
type reader struct {
	doc    []byte
	tokens *json.Decoder
	depth  int  // of nested values, at most
	last   bool // of two properties with the same name the last counts
}

func newReader(doc []byte, depth int, last bool) *reader {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	return &reader{doc: doc, tokens: d, depth: depth, last: last}
}

func (r *reader) read() (*value, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(r.doc, &whole); err != nil {
		return nil, fmt.Errorf("it is not JSON (%w); check it with a JSON editor", err)
	}
	return r.value(nil, "", 0)
}

func (r *reader) value(parent *value, name string, depth int) (*value, error) {
	if depth > r.depth {
		return nil, fmt.Errorf("it is nested more than %d deep, at %.200s; use $defs and $ref", r.depth, parent.place())
	}
	token, err := r.tokens.Token()
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	v := &value{parent: parent, name: name}
	switch token := token.(type) {
	case string:
		v.kind, v.text = "string", token
	case json.Number:
		v.kind, v.text = "number", token.String()
	case bool:
		v.kind, v.text = "boolean", strconv.FormatBool(token)
	case nil:
		v.kind, v.text = "null", "null"
	case json.Delim:
		if v.kind = "array"; token == '{' {
			v.kind = "object"
		}
		if err := r.items(v, depth); err != nil {
			return nil, err
		}
		if _, err := r.tokens.Token(); err != nil { // the bracket that ends it
			return nil, fmt.Errorf("it cannot be read: %w", err)
		}
	}
	return v, nil
}

// items reads the items of an array or the properties of an object.
func (r *reader) items(v *value, depth int) error {
	if v.kind == "object" {
		v.at = map[string]int{}
	}
	for r.tokens.More() {
		name := strconv.Itoa(len(v.items))
		if v.kind == "object" {
			token, err := r.tokens.Token()
			if err != nil {
				return fmt.Errorf("it cannot be read: %w", err)
			}
			name = token.(string)
			if v.get(name) != nil && !r.last {
				return fmt.Errorf("%.40q is there twice at %.200s; leave one of them out", name, v.place())
			}
		}
		item, err := r.value(v, name, depth+1)
		if err != nil {
			return err
		}
		v.add(name, item)
	}
	return nil
}

// add appends an item to an array, or sets a property of an object.
func (v *value) add(name string, item *value) {
	if v.kind == "object" {
		if i, twice := v.at[name]; twice {
			v.items[i] = item
			return
		}
		v.at[name] = len(v.names)
		v.names = append(v.names, name)
	}
	v.items = append(v.items, item)
}

// literal formats the value as JSON without white space; numbers stay as
// written.
func (v *value) literal() string {
	var w strings.Builder
	v.write(&w, false)
	return w.String()
}

// canonical returns the same text for equal values and different texts for
// others: numbers as float64, properties sorted by name.
func (v *value) canonical() string {
	var w strings.Builder
	v.write(&w, true)
	return w.String()
}

func (v *value) write(w *strings.Builder, canonical bool) {
	switch v.kind {
	case "string":
		w.WriteString(quote(v.text))
	case "number":
		text := v.text
		if f, err := strconv.ParseFloat(text, 64); canonical && err == nil {
			text = strconv.FormatFloat(f+0, 'g', -1, 64)
		}
		w.WriteString(text)
	case "array":
		w.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				w.WriteByte(',')
			}
			item.write(w, canonical)
		}
		w.WriteByte(']')
	case "object":
		names := v.names
		if canonical {
			names = slices.Sorted(slices.Values(names))
		}
		w.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(quote(name) + ":")
			v.get(name).write(w, canonical)
		}
		w.WriteByte('}')
	default:
		w.WriteString(v.text)
	}
}

// all returns the values of every property with a name: joined schemas (see
// join.go) may have several.
func (v *value) all(name string) (all []*value) {
	for i, other := range v.names {
		if other == name {
			all = append(all, v.items[i])
		}
	}
	return all
}

// append adds a property even if there is one with that name.
func (v *value) append(name string, item *value) {
	if _, twice := v.at[name]; !twice {
		v.at[name] = len(v.names)
	}
	v.names = append(v.names, name)
	v.items = append(v.items, item)
}

// made returns an empty value that stands at the same place as v.
func (v *value) made(kind string) *value {
	n := &value{kind: kind, parent: v.parent, name: v.name}
	if kind == "object" {
		n.at = map[string]int{}
	}
	return n
}

// list returns an array of values that stands at the same place as v.
func (v *value) list(items ...*value) *value {
	n := v.made("array")
	n.items = items
	return n
}

// string returns a text that stands at the same place as v.
func (v *value) string(text string) *value {
	n := v.made("string")
	n.text = text
	return n
}
