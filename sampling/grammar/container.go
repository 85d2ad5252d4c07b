package grammar

import (
	"fmt"
	"slices"
)

// property is a property that a schema lists.
type property struct {
	name     string
	rule     int32 // of its value
	required bool
}

// object reads a JSON object with the properties that a schema lists, in its
// order, followed by the additional ones that it allows.
func (c *compiler) object(v *value) (int32, error) {
	o := &object{c: c}
	var err error
	if o.listed, err = c.properties(v); err != nil {
		return 0, err
	}
	if o.others, err = c.others(v, o.listed); err != nil {
		return 0, err
	}
	if err := o.setLimits(v); err != nil {
		return 0, err
	}
	return o.make(), c.err
}

// object makes the nodes of an object.
type object struct {
	c         *compiler
	listed    []property
	others    []other
	low, high int // how many properties; a negative high means no limit
}

// maxCounted limits the places of an object at which the number of properties is
// kept.
const maxCounted = 5000

// setLimits reads how many properties there may be. Names that are not listed may
// come twice and count once, so their number is checked at the end.
func (o *object) setLimits(v *value) error {
	low, high, err := v.sizes("minProperties", "maxProperties")
	if err != nil {
		return err
	}
	required := 0
	for _, p := range o.listed {
		if p.required {
			required++
		}
	}
	o.low, o.high = int(low), int(high)
	if len(o.others) > 0 && o.low > required {
		o.c.later("minProperties")
	}
	if o.low <= required {
		o.low = 0
	}
	if len(o.others) == 0 && o.high >= len(o.listed) {
		o.high = -1
	}
	if max(o.low, o.high)*(len(o.listed)+1+len(o.others)) > maxCounted {
		o.low, o.high = 0, -1
		o.c.later("minProperties")
		o.c.later("maxProperties")
	}
	return nil
}

// make returns the node before an object.
func (o *object) make() int32 {
	c := o.c
	last := len(o.listed)
	for last > 0 && !o.listed[last-1].required {
		last-- // the object may end after this many properties
	}
	colon := func(next int32) int32 { return c.spaceThen(c.byte(':', c.spaceThen(next))) }

	// after[i][n] follows a value, when the properties from i on may come and n
	// of them, as far as that matters, are there. Their names begin at name[i][n],
	// which is after a comma or the first bracket.
	most := max(o.low, o.high, 0)
	next := func(n int) int { return min(n+1, most) }
	after, name := make([][]int32, len(o.listed)+1), make([][]int32, len(o.listed)+1)
	for i := range after {
		after[i], name[i] = make([]int32, most+1), make([]int32, most+1)
		for n := range after[i] {
			after[i][n] = c.bytes()
		}
	}
	for i := len(o.listed); i >= 0 && c.err == nil; i-- {
		for n := range after[i] {
			full := o.high >= 0 && n >= o.high
			switch {
			case full && i == len(o.listed):
				name[i][n] = c.nothing()
			case i == len(o.listed):
				var alts []int32
				for _, other := range o.others {
					alts = append(alts, c.call(other.name, colon(c.call(other.value, c.spaceThen(after[i][next(n)])))))
				}
				name[i][n] = c.split(alts...)
			case full && o.listed[i].required:
				name[i][n] = c.nothing()
			case full:
				name[i][n] = name[i+1][n]
			default:
				p := o.listed[i]
				name[i][n] = c.literal(quote(p.name), colon(c.call(p.rule, c.spaceThen(after[i+1][next(n)]))))
				if !p.required {
					name[i][n] = c.split(name[i][n], name[i+1][n])
				}
			}
			edges := []edge{{',', ',', c.spaceThen(name[i][n])}}
			if i >= last && n >= o.low {
				edges = append(edges, edge{'}', '}', c.finish})
			}
			c.lead(after[i][n], edges...)
		}
	}
	first := name[0][0]
	if last == 0 && o.low == 0 {
		first = c.split(first, c.byte('}', c.finish))
	}
	return c.byte('{', c.spaceThen(first))
}

// properties returns the properties that a schema lists, followed by those that
// it only requires, and by those that it excludes.
func (c *compiler) properties(v *value) ([]property, error) {
	var all []property
	at := map[string]int{}
	add := func(name string, schema *value) error {
		schema, err := c.named(v, name, schema)
		at[name] = len(all)
		all = append(all, property{name: name, rule: c.rule(schema)})
		return err
	}
	listed := v.get("properties")
	if listed != nil {
		if listed.kind != "object" {
			return nil, fmt.Errorf(`"properties" has to be an object; it is %.40s`, listed.literal())
		}
		for i, name := range listed.names {
			if err := add(name, listed.items[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, required := range v.all("required") {
		if err := required.namesOnly("required"); err != nil {
			return nil, err
		}
		for _, name := range required.items {
			if _, ok := at[name.text]; !ok {
				schema := c.besides(v, true)
				if matchesAny(v.get("patternProperties"), name.text) {
					schema = c.anything // the patterns say what it is
				}
				if err := add(name.text, schema); err != nil {
					return nil, err
				}
			}
			all[at[name.text]].required = true
		}
	}
	for _, not := range v.all("not") {
		if name, ok := excludedProperty(not); ok {
			if _, twice := at[name]; !twice {
				at[name] = len(all)
				all = append(all, property{name: name})
			}
			all[at[name]].rule = c.nothing()
		}
	}
	return all, nil
}

// named returns the schema of a property with what the patterns and the rules
// for names say about it.
func (c *compiler) named(v *value, name string, schema *value) (*value, error) {
	if patterns := v.get("patternProperties"); patterns != nil {
		for i, pattern := range patterns.names {
			m, err := patterns.string(pattern).pattern()
			if err != nil {
				return schema, err
			}
			if m.match(name) {
				schema = c.join(schema, patterns.items[i])
			}
		}
	}
	for _, names := range v.all("propertyNames") {
		if err := c.checker.vet(names); err != nil {
			return schema, err
		}
		if c.checker.try(names, v.string(name)) != nil {
			schema = c.nowhere
		}
	}
	return schema, nil
}

// besides returns the schema of unlisted properties. If a schema does not say,
// such a property may have any value, but it is generated only if it is
// required or no properties are listed.
func (c *compiler) besides(v *value, has bool) *value {
	if additional := v.get("additionalProperties"); additional != nil {
		return additional
	}
	if has || v.get("properties") == nil && v.get("patternProperties") == nil {
		return c.anything
	}
	return nil
}

// other is a kind of properties that a schema does not list: the rule of a name
// and that of its value.
type other struct{ name, value int32 }

// others returns the kinds of unlisted properties: for each pattern those whose
// names match it and no other one, and those that match none.
func (c *compiler) others(v *value, listed []property) (all []other, err error) {
	names, err := c.names(v)
	if err != nil {
		return nil, err
	}
	patterns, more := v.get("patternProperties"), c.besides(v, false)
	if patterns != nil && patterns.kind != "object" {
		return nil, fmt.Errorf(`"patternProperties" has to be an object; it is %.40s`, patterns.literal())
	}
	if patterns == nil && names.plain() && names.low == 0 && names.high < 0 {
		if more == nil || more.never() {
			return nil, nil
		}
		name := c.text
		if len(listed) > 0 {
			all := make([]string, len(listed))
			for i, p := range listed {
				all[i] = p.name
			}
			name = c.otherName(all, c.finish)
		}
		return []other{{name, c.rule(more)}}, c.err
	}
	if len(listed) > 0 {
		all := make([]string, len(listed))
		for i, p := range listed {
			all[i] = p.name
		}
		names.none = append(names.none, literals(all))
	}
	var matchers []matcher
	if patterns != nil {
		for i, text := range patterns.names {
			m, err := patterns.string(text).pattern()
			if err != nil {
				return nil, err
			}
			matchers = append(matchers, m)
			if len(m.none) > 0 { // it cannot be excluded elsewhere
				c.later("patternProperties")
			}
			if _, err := keywordsOf(patterns.items[i]); err != nil {
				return nil, err
			}
		}
	}
	for i, m := range matchers {
		rule := names
		rule.all = append(slices.Clone(names.all), m.all...)
		rule.none = append(slices.Clone(names.none), m.none...)
		for j, o := range matchers {
			if i != j && len(o.all) == 1 && len(o.none) == 0 {
				rule.none = append(rule.none, o.all...)
			} else if i != j {
				c.later("patternProperties")
			}
		}
		if !patterns.items[i].never() {
			name, err := c.fitting(rule)
			if err != nil {
				return nil, err
			}
			all = append(all, other{name, c.rule(patterns.items[i])})
		}
	}
	if more != nil && !more.never() {
		rule := names
		rule.none = slices.Clone(names.none)
		for _, m := range matchers {
			if len(m.all) == 1 && len(m.none) == 0 {
				rule.none = append(rule.none, m.all...)
			} else {
				c.later("patternProperties")
			}
		}
		name, err := c.fitting(rule)
		if err != nil {
			return nil, err
		}
		all = append(all, other{name, c.rule(more)})
	}
	return all, nil
}

// names returns what a schema says about the names of its properties. What is no
// rule about texts is left to the checker.
func (c *compiler) names(v *value) (textRule, error) {
	all := c.anything
	for _, k := range v.all("propertyNames") {
		if _, err := keywordsOf(k); err != nil {
			return textRule{}, err
		}
		all = c.join(all, k)
	}
	f, err := c.flatten(all)
	if err != nil {
		return textRule{}, err
	}
	if len(f.choices) > 0 {
		c.later("propertyNames")
	}
	if f.never {
		return textRule{matcher: matcher{none: []string{""}}, high: -1}, nil
	}
	if len(f.parts) == 0 {
		return textRule{high: -1}, nil
	}
	merged, err := c.merge(f.parts)
	if err != nil {
		return textRule{}, err
	}
	rule, err := c.textRule(merged)
	for _, name := range []string{"const", "enum"} {
		for _, k := range merged.all(name) {
			items := []*value{k}
			if name == "enum" {
				items = k.items
			}
			var texts []string
			for _, item := range items {
				if item.kind == "string" {
					texts = append(texts, item.text)
				}
			}
			if texts == nil {
				rule.none = append(rule.none, "") // no text at all
			}
			rule.all = append(rule.all, literals(texts))
		}
	}
	for _, name := range merged.names {
		if !slices.Contains([]string{"type", "const", "enum", "minLength", "maxLength", "pattern", "format"}, name) {
			c.later("propertyNames")
		}
	}
	return rule, err
}
