package grammar

import "slices"

// apart reports whether certainly no value generated for one of two schemas is
// valid under the other. It may return false even if there is no such value.
func (c *compiler) apart(a, b *value, depth int) bool {
	a, b = c.target(a), c.target(b)
	if c.patience--; c.patience < 0 || depth > 8 || a == nil || b == nil {
		return false
	}
	for _, pair := range [][2]*value{{a, b}, {b, a}} {
		if all := pair[0].get("allOf"); all != nil && slices.ContainsFunc(all.items, func(v *value) bool { return c.apart(v, pair[1], depth+1) }) {
			return true
		}
		for _, name := range []string{"anyOf", "oneOf"} {
			if choices := pair[0].get(name); choices != nil {
				return !slices.ContainsFunc(choices.items, func(v *value) bool { return !c.apart(v, pair[1], depth+1) })
			}
		}
	}
	listA, errA := listed(a)
	listB, errB := listed(b)
	if errA != nil || errB != nil {
		return false
	}
	if listA != nil && listB != nil {
		c.patience -= len(listA) + len(listB)
		seen := map[string]bool{}
		for _, v := range listA {
			seen[v.canonical()] = true
		}
		return !slices.ContainsFunc(listB, func(v *value) bool { return seen[v.canonical()] })
	}
	madeA, validA := kinds(a, listA)
	madeB, validB := kinds(b, listB)
	for _, kind := range allTypes {
		both := slices.Contains(madeA, kind) && slices.Contains(validB, kind) ||
			slices.Contains(madeB, kind) && slices.Contains(validA, kind)
		if both && (kind != "object" || !c.marked(a, b, depth) && !c.marked(b, a, depth)) {
			return false
		}
	}
	return true
}

// target follows references; it returns nil if they lead nowhere.
func (c *compiler) target(v *value) *value {
	for range 8 {
		ref := v.get("$ref")
		if ref == nil {
			return v
		}
		var err error
		if v, err = resolve(c.root, ref); err != nil {
			return nil
		}
	}
	return nil
}

// kinds returns the types of values that are generated for a schema, and those
// of valid values; if the schema states no type, valid has all types.
func kinds(v *value, list []*value) (made, valid []string) {
	if v.kind == "boolean" && v.text == "false" {
		return nil, nil
	}
	if list != nil {
		for _, item := range list {
			made = append(made, item.kind)
		}
		return made, made
	}
	made, err := typesOf(v)
	if err != nil {
		return allTypes, allTypes
	}
	if i := slices.Index(made, "integer"); i >= 0 {
		made = append(slices.Clone(made), "number")
	}
	if v.get("type") != nil {
		return made, made
	}
	return made, allTypes
}

// marked reports whether a requires a property that b forbids, or requires it
// with values apart from those in a.
func (c *compiler) marked(a, b *value, depth int) bool {
	for _, name := range a.strings("required") {
		mine, theirs := a.get("properties").get(name), b.get("properties").get(name)
		if theirs == nil {
			if more := b.get("additionalProperties"); more.never() && b.get("patternProperties") == nil {
				return true
			}
		} else if mine != nil && slices.Contains(b.strings("required"), name) && c.apart(mine, theirs, depth+1) {
			return true
		}
	}
	return false
}

// strings returns the texts in a list.
func (v *value) strings(name string) (all []string) {
	if list := v.get(name); list != nil && list.kind == "array" {
		for _, item := range list.items {
			if item.kind == "string" {
				all = append(all, item.text)
			}
		}
	}
	return all
}
