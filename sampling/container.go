package sampling

import (
	"errors"
	"fmt"
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
	properties, err := c.properties(v)
	if err != nil {
		return 0, err
	}
	last := len(properties)
	for last > 0 && !properties[last-1].required {
		last-- // the object may end after this many properties
	}
	colon := func(next int32) int32 { return c.spaceThen(c.byte(':', c.spaceThen(next))) }

	// after[i] follows a value, when the properties from i on may come; their
	// names begin at name, which is after a comma or the first bracket.
	after := make([]int32, len(properties)+1)
	for i := range after {
		after[i] = c.bytes()
	}
	name, err := c.others(v, properties, func(value int32) int32 { return colon(c.call(value, c.spaceThen(after[len(properties)]))) })
	if err != nil {
		return 0, err
	}
	for i := len(properties); ; i-- {
		edges := []edge{{',', ',', c.spaceThen(name)}}
		if i >= last {
			edges = append(edges, edge{'}', '}', c.finish})
		}
		c.lead(after[i], edges...)
		if i == 0 {
			break
		}
		p := properties[i-1]
		this := c.literal(quote(p.name), colon(c.call(p.rule, c.spaceThen(after[i]))))
		if p.required {
			name = this
		} else {
			name = c.split(this, name)
		}
		if c.err != nil {
			return 0, c.err
		}
	}
	if last == 0 {
		name = c.split(name, c.byte('}', c.finish))
	}
	return c.byte('{', c.spaceThen(name)), nil
}

// properties returns the properties that a schema lists, followed by those that
// it only requires.
func (c *compiler) properties(v *value) ([]property, error) {
	var all []property
	listed := v.get("properties")
	if listed != nil {
		if listed.kind != "object" {
			return nil, fmt.Errorf(`"properties" has to be an object; it is %.40s`, listed.literal())
		}
		for i, name := range listed.names {
			all = append(all, property{name: name, rule: c.rule(listed.items[i])})
		}
	}
	required := v.get("required")
	if required == nil {
		return all, nil
	}
	if required.kind != "array" {
		return nil, fmt.Errorf(`"required" has to be a list of names; it is %.40s`, required.literal())
	}
	extra := map[string]bool{}
	for _, name := range required.items {
		if name.kind != "string" {
			return nil, fmt.Errorf(`"required" has to be a list of names; one is %.40s`, name.literal())
		}
		if listed.get(name.text) != nil {
			all[listed.at[name.text]].required = true
		} else if !extra[name.text] {
			extra[name.text] = true
			all = append(all, property{name: name.text, rule: c.rule(c.besides(v, true)), required: true})
		}
	}
	return all, nil
}

// besides returns the schema of unlisted properties. If a schema does not say,
// such a property may have any value, but it is generated only if it is
// required or no properties are listed.
func (c *compiler) besides(v *value, has bool) *value {
	if additional := v.get("additionalProperties"); additional != nil {
		return additional
	}
	if has || v.get("properties") == nil {
		return c.anything
	}
	return nil
}

// others reads the name of an unlisted property, if any is allowed, and then
// what follows returns for the rule of its value.
func (c *compiler) others(v *value, listed []property, follows func(value int32) int32) (int32, error) {
	additional := c.besides(v, false)
	if additional == nil || additional.kind == "boolean" && additional.text == "false" {
		return c.nothing(), nil
	}
	value := follows(c.rule(additional))
	if len(listed) == 0 {
		return c.call(c.text, value), nil
	}
	var names []string
	for _, p := range listed {
		names = append(names, p.name)
	}
	return c.otherName(names, value), c.err
}

// array reads a JSON array: the items of prefixItems, each with its own schema,
// then others that match items.
func (c *compiler) array(v *value) (int32, error) {
	low, high, err := v.sizes("minItems", "maxItems")
	if err != nil {
		return 0, err
	}
	var rules []int32 // of the items by position
	if v.get("prefixItems") != nil {
		prefix, err := v.schemas("prefixItems")
		if err != nil {
			return 0, err
		}
		for _, item := range prefix {
			rules = append(rules, c.rule(item))
		}
	}
	items := v.get("items")
	if items != nil && items.kind == "array" {
		return 0, errors.New(`"items" is a list; use "prefixItems" for items each with its own schema`)
	}
	if items == nil && len(rules) == 0 {
		items = c.anything
	}
	rest := items != nil
	if rest && len(rules) == 0 {
		rules = []int32{c.rule(items)} // the first has no comma before it
	}
	if high >= 0 && int(high) <= len(rules) {
		rules, rest = rules[:high], false
	}

	end := func(behind int, edges ...edge) []edge { // may the array end after this many items?
		if behind >= int(low) {
			edges = append(edges, edge{']', ']', c.finish})
		}
		return edges
	}
	next := int32(0) // continues after items and white space
	switch behind := int32(len(rules)); {
	case !rest:
		next = c.bytes(end(len(rules))...)
	case low <= behind && high < 0:
		next = c.bytes()
		item := c.call(c.rule(items), c.spaceThen(next))
		c.lead(next, end(len(rules), edge{',', ',', c.spaceThen(item)})...)
	default:
		most := int32(-1)
		if high >= 0 {
			most = high - behind
		}
		next = c.repeat(max(0, low-behind), most, func(again int32) int32 {
			return c.byte(',', c.spaceThen(c.call(c.rule(items), c.spaceThen(again))))
		}, c.byte(']', c.finish))
	}
	for i := len(rules) - 1; i >= 0; i-- {
		next = c.call(rules[i], c.spaceThen(next))
		if i > 0 {
			next = c.bytes(end(i, edge{',', ',', c.spaceThen(next)})...)
		} else if low == 0 {
			next = c.split(next, c.byte(']', c.finish))
		}
	}
	return c.byte('[', c.spaceThen(next)), c.err
}
