package sampling

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// CompileObject returns a grammar of any JSON object, which is what "JSON mode"
// usually means.
func CompileObject() *Grammar { return mustCompile(`{"type":"object"}`) }

// mustCompile compiles a built-in schema, which a test checks.
func mustCompile(schema string) *Grammar {
	g, _ := CompileSchema([]byte(schema))
	return g
}

// CompileSchema allows the JSON values that follow a JSON Schema (draft
// 2020-12, and what drafts 6 to 2019-09 have in common with it). Every text it
// allows follows the schema, but not every text that follows the schema is
// allowed:
//
//   - Properties come in the order in which the schema lists them; those that
//     it does not require may be left out. Others come last, and only if
//     additionalProperties is given and not false, or no properties are listed.
//   - A schema without a type means the types that its keywords are about.
//   - Numbers have at most 15 digits, with bounds no exponent.
//   - Where it matters, text comes without needless escapes.
//   - Between two JSON tokens there are at most two line breaks and twenty
//     spaces; there is nothing after the value.
//
// A keyword that would change what is valid and is not supported is an error
// that names it: among them not, if, dependentRequired, patternProperties,
// propertyNames, minProperties, maxProperties, contains, uniqueItems and
// multipleOf; oneOf whose choices may overlap; references out of the document;
// of patterns, what RE2 and ECMA-262 do not have in common. Formats other than
// date, time, date-time, uuid, email, uri and ipv4 are errors, too. As the
// specification has it, keywords say nothing about types that they are not for,
// such as a format about numbers.
func CompileSchema(doc []byte) (*Grammar, error) {
	root, err := readDocument(doc)
	if err == nil {
		var g *Grammar
		if g, err = newCompiler(root).compile(); err == nil {
			return g, nil
		}
	}
	return nil, fmt.Errorf("the JSON schema cannot be used: %w", err)
}

// compiler turns the schemas of a document into rules, each schema once.
type compiler struct {
	*builder
	root      *value
	anything  *value // the schema true
	rules     map[*value]int32
	waiting   []*value // rules that are not yet filled
	intervals map[interval]int32
	patience  int // for comparing the choices of oneOf
}

func newCompiler(root *value) *compiler {
	return &compiler{
		builder: newBuilder(), root: root,
		anything: &value{kind: "boolean", text: "true"},
		rules:    map[*value]int32{}, intervals: map[interval]int32{},
		patience: 100_000,
	}
}

func (c *compiler) compile() (*Grammar, error) {
	start := c.spaceThen(c.rule(c.root))
	for len(c.waiting) > 0 {
		v := c.waiting[0]
		c.waiting = c.waiting[1:]
		at, err := c.schema(v)
		if err == nil {
			err = c.err
		}
		if err != nil {
			return nil, fmt.Errorf("at %.200s, %w", v.place(), err)
		}
		c.nodes[c.rules[v]].alts = []int32{at}
	}
	g := &Grammar{nodes: c.nodes, start: start}
	g.measure()
	if g.need[start] > maxFrames {
		return nil, errors.New("no value can follow it, or only one without end; see whether its rules contradict each other")
	}
	return g, nil
}

// rule returns the rule of a schema, to be filled later.
func (c *compiler) rule(v *value) int32 {
	if at, ok := c.rules[v]; ok {
		return at
	}
	c.rules[v] = c.split()
	c.waiting = append(c.waiting, v)
	return c.rules[v]
}

// schema makes the nodes of a schema. They end with a return.
func (c *compiler) schema(v *value) (int32, error) {
	if v.kind == "boolean" {
		if v.text == "false" {
			return c.nothing(), nil
		}
		return c.types(v, allTypes)
	}
	keywords, err := keywordsOf(v)
	if err != nil {
		return 0, err
	}
	for _, k := range []struct {
		name string
		make func(v *value, rest []string) (int32, error)
	}{
		{"$ref", c.reference},
		{"allOf", c.allOf},
		{"anyOf", c.anyOf},
		{"oneOf", c.oneOf},
		{"const", c.values},
		{"enum", c.values},
	} {
		if i := slices.Index(keywords, k.name); i >= 0 {
			return k.make(v, slices.Delete(slices.Clone(keywords), i, i+1))
		}
	}
	types, err := typesOf(v)
	if err != nil {
		return 0, err
	}
	return c.types(v, types)
}

// alone returns an error if a keyword is combined with others that are not
// supported next to it.
func alone(name string, rest []string, but ...string) error {
	for _, other := range rest {
		if !slices.Contains(but, other) {
			return fmt.Errorf("%q beside %q is not supported; put everything into one of them", other, name)
		}
	}
	return nil
}

func (c *compiler) reference(v *value, rest []string) (int32, error) {
	if err := alone("$ref", rest); err != nil {
		return 0, err
	}
	target, err := c.resolve(v.get("$ref"))
	if err != nil {
		return 0, err
	}
	return c.rule(target), nil
}

// resolve returns the target of a reference into the document.
func (c *compiler) resolve(ref *value) (*value, error) {
	path, local := strings.CutPrefix(ref.text, "#")
	if ref.kind != "string" || !local || path != "" && path[0] != '/' {
		return nil, fmt.Errorf("the reference %.80s does not point into this document; references begin with #/, such as #/$defs/name", ref.literal())
	}
	at := c.root
	if path == "" {
		return at, nil
	}
	for part := range strings.SplitSeq(path[1:], "/") {
		name, err := url.PathUnescape(part)
		if err != nil {
			name = part
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		next := at.get(name)
		if i, err := strconv.Atoi(name); err == nil && at.kind == "array" && 0 <= i && i < len(at.items) {
			next = at.items[i]
		}
		if next == nil {
			return nil, fmt.Errorf("the reference %.80q points to nothing; check its spelling", ref.text)
		}
		at = next
	}
	return at, nil
}

// types reads a value of one of the given types.
func (c *compiler) types(v *value, types []string) (int32, error) {
	var alts []int32
	for _, name := range types {
		var at int32
		var err error
		switch name {
		case "object":
			at, err = c.object(v)
		case "array":
			at, err = c.array(v)
		case "string":
			at, err = c.string(v)
		case "number", "integer":
			at, err = c.bounded(v, name == "integer")
		case "boolean":
			at = c.texts([]string{"true", "false"}, c.finish)
		case "null":
			at = c.literal("null", c.finish)
		}
		if err != nil {
			return 0, err
		}
		alts = append(alts, at)
	}
	return c.split(alts...), nil
}

func (c *compiler) string(v *value) (int32, error) {
	low, high, err := v.sizes("minLength", "maxLength")
	if err != nil {
		return 0, err
	}
	pattern, format := v.get("pattern"), v.get("format")
	switch {
	case pattern != nil && format != nil:
		return 0, errors.New(`"pattern" beside "format" is not supported; use one of them`)
	case pattern != nil && pattern.kind != "string":
		return 0, errors.New(`"pattern" has to be a regular expression as a text`)
	case pattern != nil:
		at, err := c.pattern(pattern.text, low, high)
		if err != nil {
			return 0, fmt.Errorf("the pattern %.80q %w", pattern.text, err)
		}
		return at, nil
	case format != nil:
		expression, ok := formats()[format.text]
		if !ok {
			return 0, fmt.Errorf("the format %.80s is not supported; remove it or use a pattern", format.literal())
		}
		return c.pattern(expression, low, high)
	}
	return c.sizedText(low, high), nil
}

// bounded reads a number within the bounds of a schema.
func (c *compiler) bounded(v *value, integer bool) (int32, error) {
	in := interval{low: math.Inf(-1), high: math.Inf(1), integer: integer}
	for _, name := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		k := v.get(name)
		if k == nil {
			continue
		}
		limit, err := strconv.ParseFloat(k.text, 64)
		if k.kind != "number" || err != nil {
			return 0, fmt.Errorf("%q has to be a number; it is %.40s", name, k.literal())
		}
		limit += 0 // no -0
		open := strings.HasPrefix(name, "exclusive")
		if strings.HasSuffix(strings.ToLower(name), "minimum") {
			if limit > in.low || limit == in.low && open {
				in.low, in.openLow = limit, open
			}
		} else if limit < in.high || limit == in.high && open {
			in.high, in.openHigh = limit, open
		}
	}
	if _, ok := c.intervals[in]; !ok {
		c.intervals[in] = c.number(in)
	}
	return c.intervals[in], nil
}
