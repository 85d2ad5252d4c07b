package grammar

import "math/bits"

// array reads a JSON array: the items of prefixItems, each with its own schema,
// then others that match items.
func (c *compiler) array(v *value) (int32, error) {
	low, high, err := v.sizes("minItems", "maxItems")
	if err != nil {
		return 0, err
	}
	unique, err := v.flag("uniqueItems")
	if err != nil {
		return 0, err
	}
	if unique && high != 0 && high != 1 {
		if at, ok := c.different(v, low, high); ok {
			return at, c.err
		}
		c.later("uniqueItems")
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

// maxDifferent limits the values of items that all have to be different.
const maxDifferent = 7

// different reads an array of different items where these are few listed values:
// its nodes are the sets of values that were there.
func (c *compiler) different(v *value, low, high int32) (at int32, ok bool) {
	items := c.target(v.get("items"))
	if v.get("prefixItems") != nil || items == nil || items.kind != "object" {
		return 0, false
	}
	f, err := c.flatten(items)
	if err != nil || f.never || len(f.choices) > 0 || len(f.parts) != 1 {
		return 0, false
	}
	list, err := listed(f.parts[0])
	if err != nil || len(list) == 0 || len(list) > maxDifferent {
		return 0, false
	}
	var values []int32 // the rules of different values that the schema of an item allows
	seen := map[string]bool{}
	for _, item := range list {
		if key := item.canonical(); !seen[key] {
			seen[key] = true
			values = append(values, c.rule(c.join(items, item.constant())))
		}
	}
	after := make([]int32, 1<<len(values))
	next := func(set int) (alts []int32) {
		for i, value := range values {
			if set>>i&1 == 0 {
				alts = append(alts, c.call(value, c.spaceThen(after[set|1<<i])))
			}
		}
		return alts
	}
	for set := len(after) - 1; set > 0; set-- {
		var edges []edge
		n := int32(bits.OnesCount(uint(set)))
		if n >= low && (high < 0 || n <= high) {
			edges = append(edges, edge{']', ']', c.finish})
		}
		if high < 0 || n < high {
			edges = append(edges, edge{',', ',', c.spaceThen(c.split(next(set)...))})
		}
		after[set] = c.bytes(edges...)
	}
	first := next(0)
	if low == 0 {
		first = append(first, c.byte(']', c.finish))
	}
	return c.byte('[', c.spaceThen(c.split(first...))), true
}

// constant returns a schema that allows the value alone.
func (v *value) constant() *value {
	s := v.made("object")
	s.add("const", v)
	return s
}
