package grammar

import (
	"encoding/binary"
	"slices"
)

// maxJoined limits the schemas that are made of several.
const maxJoined = 20_000

// join returns a schema whose values follow all of several.
func (c *compiler) join(list ...*value) *value {
	var all []*value
	for _, v := range list {
		if to := c.target(v); to != nil && c.pureRef(v) {
			v = to // different references to one schema are the same
		}
		if !v.open() && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	switch len(all) {
	case 0:
		return c.anything
	case 1:
		return all[0]
	}
	key := c.keyOf(all)
	if made := c.joined[key]; made != nil {
		return made
	}
	if len(c.joined) >= maxJoined && c.err == nil {
		c.err = errTooLarge
	}
	made := all[0].made("object")
	made.add("allOf", all[0].list(all...))
	c.joined[key] = made
	return made
}

// keyOf returns a text that is the same for the same schemas alone.
func (c *compiler) keyOf(all []*value) string {
	var key []byte
	for _, v := range all {
		number, ok := c.numbers[v]
		if !ok {
			number = len(c.numbers)
			c.numbers[v] = number
		}
		key = binary.AppendUvarint(key, uint64(number))
	}
	return string(key)
}

// pureRef reports whether a schema is a reference and nothing else.
func (c *compiler) pureRef(v *value) bool {
	names, err := keywordsOf(v)
	return err == nil && len(names) == 1 && names[0] == "$ref"
}

// merge makes one schema of several that all hold, each without references and
// choices. Keywords that cannot be merged are there several times, and all of
// them hold; see value.all.
func (c *compiler) merge(parts []*value) (*value, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	m := parts[0].made("object")
	if err := mergeTypes(m, parts); err != nil {
		return nil, err
	}
	c.mergeProperties(m, parts)
	c.mergeItems(m, parts)
	for _, p := range parts {
		for i, name := range p.names {
			switch name {
			case "type", "properties", "patternProperties", "additionalProperties", "items", "prefixItems":
			default:
				m.append(name, p.items[i])
			}
		}
	}
	return m, nil
}

// mergeTypes sets the types that all parts allow.
func mergeTypes(m *value, parts []*value) error {
	var types []string
	stated := false
	for _, p := range parts {
		if p.get("type") == nil {
			continue
		}
		own, err := typesOf(p)
		if err != nil {
			return err
		}
		if !stated {
			types, stated = own, true
			continue
		}
		if slices.Contains(types, "number") && slices.Contains(own, "integer") {
			types = append(slices.Clone(types), "integer")
		}
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
			return !slices.Contains(own, t) && !(t == "integer" && slices.Contains(own, "number"))
		})
	}
	if stated {
		list := m.list()
		for _, t := range types {
			list.items = append(list.items, m.string(t))
		}
		m.add("type", list)
	}
	return nil
}

// mergeProperties joins the schemas of properties by name. What one part says
// about its additional properties holds for those that only other parts list.
func (c *compiler) mergeProperties(m *value, parts []*value) {
	listed, patterns := m.made("object"), m.made("object")
	var additional []*value
	for _, p := range parts {
		if k := p.get("properties"); k != nil {
			for _, name := range k.names {
				listed.add(name, c.joinProperty(parts, name))
			}
		}
		if k := p.get("patternProperties"); k != nil {
			for i, pattern := range k.names {
				schema := k.items[i]
				if twice := patterns.get(pattern); twice != nil {
					schema = c.join(twice, schema)
				}
				patterns.add(pattern, schema)
			}
		}
		if k := p.get("additionalProperties"); k != nil {
			additional = append(additional, k)
		}
	}
	for i, pattern := range patterns.names {
		for _, p := range parts {
			more := p.get("additionalProperties")
			if more != nil && p.get("patternProperties").get(pattern) == nil {
				patterns.items[i] = c.join(patterns.items[i], more)
			}
		}
	}
	if len(listed.names) > 0 {
		m.add("properties", listed)
	}
	if len(patterns.names) > 0 {
		m.add("patternProperties", patterns)
	}
	if additional != nil {
		m.add("additionalProperties", c.join(additional...))
	}
}

// joinProperty returns the schema of a property by all parts.
func (c *compiler) joinProperty(parts []*value, name string) *value {
	var all []*value
	for _, p := range parts {
		if own := p.get("properties").get(name); own != nil {
			all = append(all, own)
		} else if more := p.get("additionalProperties"); more != nil && !matchesAny(p.get("patternProperties"), name) {
			all = append(all, more)
		}
	}
	return c.join(all...)
}

// matchesAny reports whether a name matches a pattern of patternProperties. One
// that cannot be read is found elsewhere.
func matchesAny(patterns *value, name string) bool {
	return patterns != nil && slices.ContainsFunc(patterns.names, func(pattern string) bool {
		m, err := newMatcher(pattern)
		return err == nil && m.match(name)
	})
}

// mergeItems joins the schemas of items by position.
func (c *compiler) mergeItems(m *value, parts []*value) {
	longest, said := 0, false
	for _, p := range parts {
		if prefix := p.get("prefixItems"); prefix != nil {
			longest = max(longest, len(prefix.items))
		}
		said = said || p.get("items") != nil
	}
	at := func(i int) *value { // the schema of the item with number i
		var all []*value
		for _, p := range parts {
			if prefix := p.get("prefixItems"); prefix != nil && i < len(prefix.items) {
				all = append(all, prefix.items[i])
			} else if items := p.get("items"); items != nil {
				all = append(all, items)
			}
		}
		return c.join(all...)
	}
	if longest > 0 {
		list := m.list()
		for i := range longest {
			list.items = append(list.items, at(i))
		}
		m.add("prefixItems", list)
	}
	if said {
		m.add("items", at(longest))
	}
}
