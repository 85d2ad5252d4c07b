package grammar

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// schema compiles a schema that has to be good.
func schema(t testing.TB, doc string) *Grammar {
	t.Helper()
	g, err := CompileSchema([]byte(doc))
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return g
}

// validator validates values by the text of the specification, after encoding/json has
// decoded schema and value. It does not use grammars.
type validator struct{ root any }

func decode(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("not JSON: %v: %.300q", err, text)
	}
	return v
}

func (j validator) valid(schema, v any) bool {
	s, ok := schema.(map[string]any)
	if !ok {
		return schema.(bool)
	}
	count := func(name string) (n int) {
		for _, choice := range s[name].([]any) {
			if j.valid(choice, v) {
				n++
			}
		}
		return n
	}
	for name, k := range s {
		good := true
		switch name {
		case "$ref":
			good = j.valid(j.resolve(k.(string)), v)
		case "type":
			if list, ok := k.([]any); ok {
				good = slices.ContainsFunc(list, func(t any) bool { return isType(t.(string), v) })
			} else {
				good = isType(k.(string), v)
			}
		case "const":
			good = reflect.DeepEqual(k, v)
		case "enum":
			good = slices.ContainsFunc(k.([]any), func(e any) bool { return reflect.DeepEqual(e, v) })
		case "anyOf":
			good = count(name) > 0
		case "oneOf":
			good = count(name) == 1
		case "allOf":
			good = count(name) == len(k.([]any))
		}
		if !good {
			return false
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return j.object(s, v)
	case []any:
		return j.array(s, v)
	case string:
		return text(s, v)
	case float64:
		return number(s, v)
	}
	return true
}

func (j validator) resolve(ref string) any {
	at := j.root
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		at = at.(map[string]any)[name]
	}
	return at
}

func isType(name string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	}
	return name == "null"
}

func (j validator) object(s, v map[string]any) bool {
	if required, ok := s["required"]; ok {
		for _, name := range required.([]any) {
			if _, ok := v[name.(string)]; !ok {
				return false
			}
		}
	}
	listed, _ := s["properties"].(map[string]any)
	for name, item := range v {
		if p, ok := listed[name]; ok {
			if !j.valid(p, item) {
				return false
			}
		} else if more, ok := s["additionalProperties"]; ok && !j.valid(more, item) {
			return false
		}
	}
	return true
}

func (j validator) array(s map[string]any, v []any) bool {
	prefix, _ := s["prefixItems"].([]any)
	for i, item := range v {
		if i < len(prefix) {
			if !j.valid(prefix[i], item) {
				return false
			}
		} else if items, ok := s["items"]; ok && !j.valid(items, item) {
			return false
		}
	}
	return sized(s, "minItems", "maxItems", len(v))
}

func sized(s map[string]any, least, most string, n int) bool {
	low, hasLow := s[least].(float64)
	high, hasHigh := s[most].(float64)
	return (!hasLow || float64(n) >= low) && (!hasHigh || float64(n) <= high)
}

func text(s map[string]any, v string) bool {
	if pattern, ok := s["pattern"].(string); ok {
		pattern = strings.ReplaceAll(pattern, `\u00`, `\x`)
		if !regexp.MustCompile(pattern).MatchString(v) {
			return false
		}
	}
	var err error
	switch s["format"] {
	case "date":
		_, err = time.Parse(time.DateOnly, v)
	case "time":
		_, err = time.Parse("15:04:05Z07:00", v)
	case "date-time":
		_, err = time.Parse(time.RFC3339, v)
	case "ipv4":
		_, err = netip.ParseAddr(v)
	}
	return err == nil && utf8.ValidString(v) && sized(s, "minLength", "maxLength", utf8.RuneCountInString(v))
}

func number(s map[string]any, v float64) bool {
	for name, good := range map[string]func(limit float64) bool{
		"minimum":          func(limit float64) bool { return v >= limit },
		"exclusiveMinimum": func(limit float64) bool { return v > limit },
		"maximum":          func(limit float64) bool { return v <= limit },
		"exclusiveMaximum": func(limit float64) bool { return v < limit },
	} {
		if limit, ok := s[name].(float64); ok && !good(limit) {
			return false
		}
	}
	return true
}
