package sampling

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// allTypes lists the types of JSON Schema; integers are numbers.
var allTypes = []string{"object", "array", "string", "number", "boolean", "null"}

const (
	annotation = "annotation" // says nothing about what is valid
	anyType    = "any type"
)

// keywords maps the known keywords to the type that they constrain.
var keywords = map[string]string{
	"$schema": annotation, "$id": annotation, "$comment": annotation, "$defs": annotation, "definitions": annotation,
	"title": annotation, "description": annotation, "default": annotation, "examples": annotation, "example": annotation,
	"deprecated": annotation, "readOnly": annotation, "writeOnly": annotation,
	"contentEncoding": annotation, "contentMediaType": annotation, "contentSchema": annotation,

	"$ref": anyType, "allOf": anyType, "anyOf": anyType, "oneOf": anyType, "const": anyType, "enum": anyType, "type": anyType,

	"properties": "object", "required": "object", "additionalProperties": "object",
	"items": "array", "prefixItems": "array", "minItems": "array", "maxItems": "array",
	"minLength": "string", "maxLength": "string", "pattern": "string", "format": "string",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number",
}

// neutral maps unsupported keywords to the values with which they have no
// effect.
var neutral = map[string]string{"uniqueItems": "false", "minProperties": "0", "nullable": "false"}

// keywordsOf returns the keywords of a schema that affect validity.
func keywordsOf(v *value) (names []string, err error) {
	if v.kind != "object" {
		return nil, fmt.Errorf("there is %.40s where a schema has to be, which is an object, true or false", v.literal())
	}
	for i, name := range v.names {
		about, known := keywords[name]
		idle, hasIdle := neutral[name]
		switch {
		case known && about != annotation:
			names = append(names, name)
		case !known && !(hasIdle && v.items[i].text == idle):
			return nil, fmt.Errorf("the keyword %.40q is not supported; remove it or say the same in another way", name)
		}
	}
	return names, nil
}

// typesOf returns the types that a schema allows: those that it names, else
// those that its keywords constrain, else all.
func typesOf(v *value) ([]string, error) {
	stated := v.get("type")
	if stated == nil {
		var types []string
		for _, name := range v.names {
			if about := keywords[name]; slices.Contains(allTypes, about) && !slices.Contains(types, about) {
				types = append(types, about)
			}
		}
		if types == nil {
			types = allTypes
		}
		return types, nil
	}
	list := []*value{stated}
	if stated.kind == "array" {
		list = stated.items
	}
	var types []string
	for _, t := range list {
		if t.kind != "string" || t.text != "integer" && !slices.Contains(allTypes, t.text) {
			return nil, fmt.Errorf("the type %.40s is unknown; types are object, array, string, number, integer, boolean and null", t.literal())
		}
		if !slices.Contains(types, t.text) {
			types = append(types, t.text)
		}
	}
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types, nil
}

// maxSize limits the lengths of texts and arrays in a schema.
const maxSize = 100_000

// sizes reads two keywords for the minimum and maximum size; -1 means no limit.
func (v *value) sizes(least, greatest string) (low, high int32, err error) {
	read := func(name string, without int32) (int32, error) {
		k := v.get(name)
		if k == nil {
			return without, nil
		}
		n, err := strconv.ParseFloat(k.text, 64)
		if k.kind != "number" || err != nil || n < 0 || n != math.Trunc(n) {
			return 0, fmt.Errorf("%q has to be a whole number; it is %.40s", name, k.literal())
		}
		if n > maxSize {
			if name == least {
				return 0, fmt.Errorf("%q is more than %d; ask for less", name, maxSize)
			}
			return -1, nil
		}
		return int32(n), nil
	}
	if low, err = read(least, 0); err != nil {
		return 0, 0, err
	}
	high, err = read(greatest, -1)
	return low, high, err
}

// schemas reads a keyword whose value is a non-empty list of schemas.
func (v *value) schemas(name string) ([]*value, error) {
	k := v.get(name)
	if k.kind != "array" || len(k.items) == 0 {
		return nil, fmt.Errorf("%q has to be a list of schemas", name)
	}
	return k.items, nil
}
