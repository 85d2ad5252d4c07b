package grammar

import (
	"errors"
	"fmt"
	"net/url"
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

// CompileSchema allows the JSON values that follow a JSON Schema (draft 4 to
// 2020-12) or a schema of OpenAPI (3.0 and 3.1). Not every text that follows the
// schema is allowed:
//
//   - Properties come in the order in which the schema lists them; those that
//     it does not require may be left out. Others come last, and only if
//     additionalProperties or patternProperties is given and not false, or no
//     properties are listed.
//   - A schema without a type means the types that its keywords are about.
//   - Numbers have at most 15 digits, with bounds no exponent.
//   - Where it matters, text comes without needless escapes.
//   - Between two JSON tokens there are at most two line breaks and twenty
//     spaces; there is nothing after the value.
//
// What a grammar cannot enforce is left to [Grammar.Check], which judges the
// complete text: if and contains; oneOf whose choices may overlap; dependencies
// of more than a few properties; uniqueItems, unless the items are one of a few
// values; not, unless it excludes types, listed texts, a pattern or a property;
// of multipleOf, uncommonly large or fine steps; whatever would make the
// grammar too large.
//
// Formats of texts that have a pattern (see formats) and of whole numbers, such
// as int32, are enforced; all others are annotations. As the specification has
// it, keywords say nothing about types that they are not for.
//
// A keyword that could change what is valid and is none of these is an error
// that names it: unknown ones that do not begin with "x-",
// unevaluatedProperties, $dynamicRef; references out of the document; of
// patterns, what RE2 and ECMA-262 do not have in common, other than look-aheads
// at the beginning.
func CompileSchema(doc []byte) (*Grammar, error) {
	root, err := readSchema(doc)
	if err == nil {
		var g *Grammar
		if g, err = newCompiler(root).compile(); err == nil {
			return g, nil
		}
	}
	return nil, fmt.Errorf("the JSON schema cannot be used: %w", err)
}

// Follows returns an error, one sentence, if a complete text is no JSON value that a schema allows,
// whoever wrote it. judged is false where the schema cannot be used for that.
func Follows(doc []byte, text string) (judged bool, err error) {
	root, err := readSchema(doc)
	if err != nil {
		return false, fmt.Errorf("the JSON schema cannot be used: %w", err)
	}
	k := newChecker(root)
	if err := k.vet(root); err != nil {
		return false, fmt.Errorf("the JSON schema cannot be used: %w", err)
	}
	return true, k.judge(text)
}

// compiler turns the schemas of a document into rules, each schema once.
type compiler struct {
	*builder
	root      *value
	anything  *value // the schema true
	nowhere   *value // the schema false
	rules     map[*value]int32
	waiting   []*value // rules that are not yet filled
	intervals map[interval]int32
	patience  int // for comparing the choices of oneOf

	checker  *checker
	rest     map[string]bool    // keywords that are left to the checker
	variants map[variant]*value // schemas made of others, see flatten.go
	joined   map[string]*value  // schemas made of several, see join.go
	numbers  map[*value]int     // of schemas, for keys of joined
}

func newCompiler(root *value) *compiler {
	return &compiler{
		builder: newBuilder(), root: root,
		anything: &value{kind: "boolean", text: "true"}, nowhere: &value{kind: "boolean", text: "false"},
		rules: map[*value]int32{}, intervals: map[interval]int32{},
		patience: 100_000,
		checker:  newChecker(root), rest: map[string]bool{},
		variants: map[variant]*value{}, joined: map[string]*value{}, numbers: map[*value]int{},
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
	if err := c.checker.vet(c.root); err != nil { // what no value can reach has to be right, too
		return nil, err
	}
	if len(c.rest) > 0 {
		g.checker, g.rest = c.checker, c.rest
	}
	return g, nil
}

// later leaves a keyword to the checker.
func (c *compiler) later(keyword string) { c.rest[keyword] = true }

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
	if v.kind == "object" && c.pureRef(v) {
		target, err := resolve(c.root, v.get("$ref"))
		if err != nil {
			return 0, err
		}
		return c.rule(target), nil
	}
	f, err := c.flatten(v)
	switch {
	case err != nil:
		return 0, err
	case v.kind != "boolean" && v.kind != "object":
		_, err := keywordsOf(v)
		return 0, err
	case f.never:
		return c.nothing(), nil
	case len(f.choices) > 0:
		return c.anyOf(f)
	case len(f.parts) == 0:
		return c.types(c.anything, allTypes)
	}
	merged, err := c.merge(f.parts)
	if err != nil {
		return 0, err
	}
	if merged.get("const") != nil || merged.get("enum") != nil {
		return c.values(f.parts)
	}
	for _, name := range merged.names {
		if keywords[name].treatment == checked {
			c.later(name)
		}
	}
	types, err := typesOf(merged)
	if err != nil {
		return 0, err
	}
	if types, err = c.excludeTypes(merged, types); err != nil {
		return 0, err
	}
	return c.types(merged, types)
}

// anyOf reads a value that follows all parts of a schema and one of the schemas
// of each of its choices.
func (c *compiler) anyOf(f *flat) (int32, error) {
	others := append(f.parts, f.choices[1:]...)
	var alts []int32
	for _, choice := range f.choices[0].get("anyOf").items {
		if choice.kind != "boolean" && choice.kind != "object" {
			_, err := keywordsOf(choice)
			return 0, err
		}
		alts = append(alts, c.rule(c.join(append(others[:len(others):len(others)], choice)...)))
	}
	return c.split(alts...), c.err
}

// resolve returns the target of a reference into a document.
func resolve(root, ref *value) (*value, error) {
	path, local := strings.CutPrefix(ref.text, "#")
	if ref.kind != "string" || !local || path != "" && path[0] != '/' {
		return nil, fmt.Errorf("the reference %.80s does not point into this document; references begin with #/, such as #/$defs/name", ref.literal())
	}
	at := root
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

// string reads a text that follows a schema.
func (c *compiler) string(v *value) (int32, error) {
	rule, err := c.textRule(v)
	if err != nil {
		return 0, err
	}
	return c.fitting(rule)
}

// textRule returns what a schema says about texts.
func (c *compiler) textRule(v *value) (r textRule, err error) {
	if r.low, r.high, err = v.sizes("minLength", "maxLength"); err != nil {
		return r, err
	}
	for _, k := range v.all("pattern") {
		m, err := k.pattern()
		if err != nil {
			return r, err
		}
		r.all, r.none = append(r.all, m.all...), append(r.none, m.none...)
	}
	for _, k := range v.all("format") {
		if k.kind != "string" {
			return r, fmt.Errorf(`"format" has to be a name; it is %.40s`, k.literal())
		}
		if expression := formats()[k.text]; expression != "" {
			r.all = append(r.all, expression)
		}
	}
	for _, k := range v.all("not") {
		if excluded, ok := excludedText(k); ok {
			r.none = append(r.none, excluded)
		}
	}
	return r, nil
}

// pattern reads the value of the keyword.
func (v *value) pattern() (matcher, error) {
	if v.kind != "string" {
		return matcher{}, errors.New(`"pattern" has to be a regular expression as a text`)
	}
	m, err := newMatcher(v.text)
	if err == nil {
		if _, err = programs(m.all); err == nil {
			_, err = programs(m.none)
		}
	}
	if err != nil {
		return m, fmt.Errorf("the pattern %.80q %w", v.text, err)
	}
	return m, nil
}

// fitting makes the nodes of a text. A length that would make too many of them is
// left to the checker, and if that does not help, all patterns but the first.
func (c *compiler) fitting(r textRule) (int32, error) {
	if r.plain() {
		return c.sizedText(r.low, r.high), nil
	}
	exact := r
	for _, expression := range r.all {
		least, most := widths(expression)
		if least >= int(exact.low) {
			exact.low = 0
		}
		if 0 <= most && most <= int(exact.high) {
			exact.high = -1
		}
	}
	loose := exact
	loose.low, loose.high = 0, -1
	first := textRule{matcher: matcher{all: r.all[:min(1, len(r.all))]}, high: -1}
	for _, try := range []textRule{exact, loose, first} {
		made := len(c.nodes)
		at, err := c.matching(try)
		if err != nil || c.err == nil {
			return at, err
		}
		if c.err != errTooLarge || made > maxNodes/2 {
			return 0, c.err
		}
		c.nodes, c.err = c.nodes[:made], nil
		for _, name := range []string{"minLength", "maxLength", "pattern", "not"} {
			c.later(name)
		}
	}
	return 0, errTooLarge
}
