package sampling

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	maxDocument = 512 << 10
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

// readDocument reads a JSON document.
func readDocument(doc []byte) (*value, error) {
	if len(doc) > maxDocument {
		return nil, fmt.Errorf("it has %d KiB; the most is %d KiB", len(doc)>>10, maxDocument>>10)
	}
	if !utf8.Valid(doc) {
		return nil, errors.New("it is not UTF-8 text; save it as UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(doc, &whole); err != nil {
		return nil, fmt.Errorf("it is not JSON (%w); check it with a JSON editor", err)
	}
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	return readValue(d, nil, "", 0)
}

func readValue(d *json.Decoder, parent *value, name string, depth int) (*value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep, at %.200s; use $defs and $ref", maxDepth, parent.place())
	}
	token, err := d.Token()
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
		if err := v.readItems(d, depth); err != nil {
			return nil, err
		}
		if _, err := d.Token(); err != nil { // the bracket that ends it
			return nil, fmt.Errorf("it cannot be read: %w", err)
		}
	}
	return v, nil
}

// readItems reads the items of an array or the properties of an object.
func (v *value) readItems(d *json.Decoder, depth int) error {
	if v.kind == "object" {
		v.at = map[string]int{}
	}
	for d.More() {
		name := strconv.Itoa(len(v.items))
		if v.kind == "object" {
			token, err := d.Token()
			if err != nil {
				return fmt.Errorf("it cannot be read: %w", err)
			}
			name = token.(string)
			if v.get(name) != nil {
				return fmt.Errorf("%.40q is there twice at %.200s; leave one of them out", name, v.place())
			}
			v.at[name] = len(v.names)
			v.names = append(v.names, name)
		}
		item, err := readValue(d, v, name, depth+1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	return nil
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
