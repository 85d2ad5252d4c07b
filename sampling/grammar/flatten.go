package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// flat is a schema without references and without schemas that hold at the same
// place: all parts hold, and of each list of choices at least one schema.
type flat struct {
	c       *compiler
	parts   []*value // with keywords about one value alone
	choices []*value // schemas with anyOf alone
	never   bool     // nothing is valid
	open    map[*value]bool
	done    map[*value]bool
}

// flatten collects what holds of a value that follows a schema.
func (c *compiler) flatten(v *value) (*flat, error) {
	f := &flat{c: c, open: map[*value]bool{}, done: map[*value]bool{}}
	return f, f.add(v)
}

func (f *flat) add(v *value) error {
	switch {
	case v.kind == "boolean":
		f.never = f.never || v.never()
		return nil
	case f.open[v]:
		f.never = true // it refers to itself before any value can come
		return nil
	case f.done[v]:
		return nil
	}
	f.open[v] = true
	err := f.spread(v)
	delete(f.open, v)
	f.done[v] = true
	return err
}

// spread adds a schema that is an object.
func (f *flat) spread(v *value) error {
	names, err := keywordsOf(v)
	if err != nil {
		return err
	}
	for _, name := range names {
		switch name {
		case "$ref":
			target, err := resolve(f.c.root, v.get(name))
			if err != nil {
				return err
			}
			if err := f.add(target); err != nil {
				return fmt.Errorf("%w (in %.200s)", err, target.place())
			}
		case "allOf":
			list, err := v.schemas(name)
			if err != nil {
				return err
			}
			for _, item := range list {
				if err := f.add(item); err != nil {
					return err
				}
			}
		case "anyOf", "oneOf":
			choice, err := f.c.choice(v, name)
			if err != nil {
				return err
			}
			f.choices = append(f.choices, choice)
		case "if":
			f.choices = append(f.choices, f.c.condition(v))
		case "dependentRequired", "dependentSchemas", "dependencies":
			choices, err := f.c.dependent(v, name)
			if err != nil {
				return err
			}
			f.choices = append(f.choices, choices...)
		}
	}
	own, err := f.c.simple(v)
	if err == nil && len(own.names) > 0 {
		f.parts = append(f.parts, own)
	}
	return err
}

// choice returns the schemas of anyOf or oneOf as a schema with anyOf alone. A
// oneOf whose schemas may overlap is checked at the end.
func (c *compiler) choice(v *value, name string) (*value, error) {
	key := variant{v, name}
	if made := c.variants[key]; made != nil {
		return made, nil
	}
	list, err := v.schemas(name)
	if err != nil {
		return nil, err
	}
	if d := v.get("discriminator"); d != nil {
		if list, err = c.discriminate(d, list); err != nil {
			return nil, err
		}
	}
	if name == "oneOf" && !c.allApart(list) {
		c.later("oneOf")
	}
	made := v.made("object")
	made.add("anyOf", v.get(name).list(list...))
	c.variants[key] = made
	return made, nil
}

// variant names a schema that was made of another.
type variant struct {
	of   *value
	name string
}

// condition returns the two outcomes of if: what follows if and then, and what
// follows else. That the second does not follow if is checked at the end.
func (c *compiler) condition(v *value) *value {
	key := variant{v, "if"}
	if made := c.variants[key]; made != nil {
		return made
	}
	c.later("if")
	then, otherwise := v.get("then"), v.get("else")
	if then == nil {
		then = c.anything
	}
	if otherwise == nil {
		otherwise = c.anything
	}
	made := v.made("object")
	made.add("anyOf", v.list(c.join(v.get("if"), then), otherwise))
	c.variants[key] = made
	return made
}

// maxDependent limits the properties of a schema that others depend on; each one
// doubles the ways to write an object.
const maxDependent = 4

// dependent returns a choice for each property that others depend on: it is not
// there, or what depends on it holds.
func (c *compiler) dependent(v *value, name string) (choices []*value, err error) {
	rules := v.get(name)
	if rules.kind != "object" {
		return nil, fmt.Errorf("%q has to be an object; it is %.40s", name, rules.literal())
	}
	if len(rules.names) > maxDependent {
		c.later(name)
		return nil, nil
	}
	for i, property := range rules.names {
		key := variant{rules, property}
		if c.variants[key] == nil {
			absent, rule := rules.made("object"), rules.items[i]
			absent.add("properties", rules.made("object"))
			absent.get("properties").add(property, c.nowhere)
			if rule.kind == "array" || name == "dependentRequired" {
				rule = rules.made("object")
				rule.add("required", rules.items[i])
			}
			made := rules.made("object")
			made.add("anyOf", rules.list(absent, rule))
			c.variants[key] = made
		}
		choices = append(choices, c.variants[key])
	}
	return choices, nil
}

// discriminate adds to each choice the value of the property that identifies it, as OpenAPI
// defines it: the name in the mapping, else that of the schema. Choices that have it
// already, or are no references, stay unchanged.
func (c *compiler) discriminate(d *value, list []*value) ([]*value, error) {
	property := d.get("propertyName")
	if property == nil || property.kind != "string" {
		return nil, fmt.Errorf(`"discriminator" has to be an object with "propertyName"; it is %.80s`, d.literal())
	}
	mapping := d.get("mapping")
	marked := make([]*value, len(list))
	for i, choice := range list {
		marked[i] = choice
		ref := choice.get("$ref")
		if ref == nil || ref.kind != "string" || c.pinned(choice, property.text, 0) {
			continue
		}
		own := ref.text[strings.LastIndexByte(ref.text, '/')+1:]
		var names []*value
		if mapping != nil {
			for j, to := range mapping.items {
				if j < len(mapping.names) && (to.text == ref.text || to.text == own) {
					names = append(names, d.string(mapping.names[j]))
				}
			}
		}
		if names == nil {
			names = append(names, d.string(own))
		}
		mark := d.made("object")
		mark.add("enum", d.list(names...))
		properties := d.made("object")
		properties.add(property.text, mark)
		named := d.made("object")
		named.add("properties", properties)
		named.add("required", d.list(property))
		marked[i] = c.join(choice, named)
	}
	return marked, nil
}

// pinned reports whether a schema says which values a property may have.
func (c *compiler) pinned(v *value, name string, depth int) bool {
	v = c.target(v)
	if v == nil || depth > 8 {
		return false
	}
	p := v.get("properties").get(name)
	if p.get("const") != nil || p.get("enum") != nil {
		return true
	}
	all := v.get("allOf")
	return all != nil && slices.ContainsFunc(all.items, func(part *value) bool { return c.pinned(part, name, depth+1) })
}

// simple returns a schema without the keywords that add schemas at the same
// place, in the words of draft 2020-12: bounds that are numbers, prefixItems, a
// list of types.
func (c *compiler) simple(v *value) (*value, error) {
	key := variant{v, "simple"}
	if made := c.variants[key]; made != nil {
		return made, nil
	}
	own := v.made("object")
	for i, name := range v.names {
		item := v.items[i]
		switch name {
		case "$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "discriminator", "nullable",
			"dependentRequired", "dependentSchemas", "dependencies":
			continue
		case "type":
			types, err := typesOf(v)
			if err != nil {
				return nil, err
			}
			item = v.list()
			for _, name := range types {
				item.items = append(item.items, v.string(name))
			}
		case "minimum", "maximum":
			if flag := v.get(exclusive(name)); flag != nil && flag.kind == "boolean" && flag.text == "true" {
				name = exclusive(name)
			}
		case "exclusiveMinimum", "exclusiveMaximum":
			if item.kind == "boolean" {
				continue
			}
		case "items":
			if item.kind == "array" {
				name = "prefixItems"
			}
		case "additionalItems":
			if items := v.get("items"); items == nil || items.kind != "array" {
				continue // it has no effect
			}
			name = "items"
		default:
			if keywords[name].treatment < written {
				continue
			}
		}
		own.add(name, item)
	}
	c.variants[key] = own
	return own, nil
}

// exclusive returns the keyword for a bound that is not itself allowed.
func exclusive(bound string) string {
	return "exclusive" + strings.ToUpper(bound[:1]) + bound[1:]
}
