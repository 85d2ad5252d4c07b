package grammar

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// allApart reports whether no value is valid under two of the schemas.
func (c *compiler) allApart(list []*value) bool {
	for i, item := range list {
		for _, other := range list[:i] {
			if !c.apart(item, other, 0) || c.patience < 0 {
				return false
			}
		}
	}
	return true
}

// values reads one of the values that const and enum list. What else holds there
// leaves out some of them.
func (c *compiler) values(parts []*value) (int32, error) {
	var list []*value
	for i, p := range parts {
		own, err := listed(p)
		if err != nil {
			return 0, err
		}
		if own != nil && list == nil {
			list = own
			parts = append(slices.Clone(parts[:i]), parts[i+1:]...)
			rest := p.made("object")
			for j, name := range p.names {
				if name != "const" && name != "enum" {
					rest.add(name, p.items[j])
				}
			}
			if len(rest.names) > 0 {
				parts = append(parts, rest)
			}
			break
		}
	}
	if len(parts) > 0 {
		if err := c.checker.vet(parts...); err != nil {
			return 0, err
		}
	}
	var all []string
	for _, item := range list {
		if slices.ContainsFunc(parts, func(p *value) bool { return c.checker.try(p, item) != nil }) {
			continue
		}
		if err := item.readable(); err != nil {
			return 0, err
		}
		all = append(all, item.literal())
	}
	return c.texts(all, c.finish), nil
}

// listed returns the values of a schema that lists them, or nil.
func listed(v *value) ([]*value, error) {
	only, all := v.get("const"), v.get("enum")
	if all == nil && only == nil {
		return nil, nil
	}
	list := []*value{only}
	if all != nil {
		if all.kind != "array" || len(all.items) == 0 {
			return nil, fmt.Errorf(`"enum" has to be a list of values; it is %.40s`, all.literal())
		}
		list = all.items
	}
	if only != nil {
		want := only.canonical()
		list = slices.DeleteFunc(slices.Clone(list), func(v *value) bool { return v.canonical() != want })
	}
	return list, nil
}

// whole reports whether the value is a number without a fraction.
func (v *value) whole() bool {
	f, err := strconv.ParseFloat(v.text, 64)
	return v.kind == "number" && err == nil && f == math.Trunc(f)
}

// readable reports whether the numbers in the value can be read as float64.
func (v *value) readable() error {
	if v.kind == "number" {
		if _, err := strconv.ParseFloat(v.text, 64); err != nil {
			return fmt.Errorf("the number %.40s is too large to be read by most programs", v.text)
		}
	}
	for _, item := range v.items {
		if err := item.readable(); err != nil {
			return err
		}
	}
	return nil
}
