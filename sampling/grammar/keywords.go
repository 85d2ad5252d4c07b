package grammar

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// allTypes lists the types of JSON Schema; integers are numbers.
var allTypes = []string{"object", "array", "string", "number", "boolean", "null"}

const anyType = "any type"

// treatment is what becomes of a keyword.
type treatment uint8

const (
	refused    treatment = iota // the schema is refused, with the keyword's name
	annotation                  // it says nothing about what is valid
	written                     // the grammar allows only what it allows; where it cannot, it is checked
	checked                     // the complete answer is checked
)

// keyword says which type a keyword constrains and how it is handled.
type keyword struct {
	about string
	treatment
}

// keywords are those of JSON Schema (draft 4 to 2020-12) and OpenAPI (3.0 and
// 3.1). Keywords that are not in it are refused, except for those that begin with
// "x-", which are annotations.
var keywords = makeKeywords()

func makeKeywords() map[string]keyword {
	all := map[string]keyword{}
	for _, group := range []struct {
		keyword
		names string
	}{
		{keyword{"", annotation}, `$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary $comment $defs definitions
			title description default examples example deprecated readOnly writeOnly
			contentEncoding contentMediaType contentSchema
			xml externalDocs components markdownDescription errorMessage enumNames enumDescriptions`},
		{keyword{anyType, written}, "$ref allOf anyOf oneOf const enum type nullable discriminator not"},
		{keyword{anyType, checked}, "if then else"},
		{keyword{"object", written}, `properties required additionalProperties patternProperties propertyNames minProperties maxProperties
			dependentRequired dependentSchemas dependencies`},
		{keyword{"array", written}, "items prefixItems additionalItems minItems maxItems uniqueItems"},
		{keyword{"array", checked}, "contains minContains maxContains"},
		{keyword{"string", written}, "minLength maxLength pattern format"},
		{keyword{"number", written}, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
		{keyword{anyType, refused}, "$dynamicRef $recursiveRef unevaluatedItems unevaluatedProperties"},
	} {
		for name := range strings.FieldsSeq(group.names) {
			all[name] = group.keyword
		}
	}
	return all
}

// keywordsOf returns the keywords of a schema that affect validity.
func keywordsOf(v *value) (names []string, err error) {
	if v.kind == "boolean" {
		return nil, nil
	}
	if v.kind != "object" {
		return nil, fmt.Errorf("there is %.40s where a schema has to be, which is an object, true or false", v.literal())
	}
	for i, name := range v.names {
		known, ok := keywords[name]
		switch {
		case strings.HasPrefix(name, "x-"), known.treatment == annotation:
		case ok && known.treatment != refused:
			names = append(names, name)
		case strings.HasPrefix(name, "unevaluated") && v.items[i].open():
		default:
			return nil, fmt.Errorf("the keyword %.40q is not supported; remove it or say the same in another way", name)
		}
	}
	return names, nil
}

// open reports whether the value is a schema that allows everything.
func (v *value) open() bool {
	return v.kind == "boolean" && v.text == "true" || v.kind == "object" && len(v.names) == 0
}

// never reports whether the value is the schema that allows nothing.
func (v *value) never() bool { return v != nil && v.kind == "boolean" && v.text == "false" }

// typesOf returns the types that a schema allows: those that it names, else
// those that its keywords constrain, else all.
func typesOf(v *value) ([]string, error) {
	stated := v.get("type")
	if stated == nil {
		var types []string
		for _, name := range v.names {
			about := keywords[name].about
			if name == "format" && isNumberFormat(v.get("format").text) {
				about = "number"
			}
			if slices.Contains(allTypes, about) && !slices.Contains(types, about) {
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
	if nullable, err := v.flag("nullable"); err != nil {
		return nil, err
	} else if nullable && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types, nil
}

// maxSize limits the lengths of texts and arrays in a schema.
const maxSize = 100_000

// sizes reads two keywords for the minimum and maximum size; -1 means no limit.
// Where a keyword is there several times, all of them hold.
func (v *value) sizes(least, greatest string) (low, high int32, err error) {
	high = -1
	for _, k := range v.all(least) {
		n, err := k.size()
		if err != nil {
			return 0, 0, fmt.Errorf("%q %w", least, err)
		}
		if n > maxSize {
			return 0, 0, fmt.Errorf("%q is more than %d; ask for less", least, maxSize)
		}
		low = max(low, int32(n))
	}
	for _, k := range v.all(greatest) {
		n, err := k.size()
		if err != nil {
			return 0, 0, fmt.Errorf("%q %w", greatest, err)
		}
		if n <= maxSize && (high < 0 || int32(n) < high) {
			high = int32(n)
		}
	}
	return low, high, nil
}

// size returns a number of characters, items or properties. The error completes
// a sentence that begins with the keyword.
func (v *value) size() (float64, error) {
	n, err := strconv.ParseFloat(v.text, 64)
	if v.kind != "number" || err != nil || n < 0 || n != math.Trunc(n) {
		return 0, fmt.Errorf("has to be a whole number; it is %.40s", v.literal())
	}
	return n, nil
}

// flag returns a keyword that is true or false; false where it is not there.
func (v *value) flag(name string) (set bool, err error) {
	for _, k := range v.all(name) {
		if k.kind != "boolean" {
			return false, fmt.Errorf("%q has to be true or false; it is %.40s", name, k.literal())
		}
		set = set || k.text == "true"
	}
	return set, nil
}

// schemas reads a keyword whose value is a non-empty list of schemas.
func (v *value) schemas(name string) ([]*value, error) {
	k := v.get(name)
	if k.kind != "array" || len(k.items) == 0 {
		return nil, fmt.Errorf("%q has to be a list of schemas", name)
	}
	return k.items, nil
}
