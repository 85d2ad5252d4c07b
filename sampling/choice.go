package sampling

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// allOf supports a single schema, as some generators write it.
func (c *compiler) allOf(v *value, rest []string) (int32, error) {
	list, err := v.schemas("allOf")
	if err == nil {
		err = alone("allOf", rest)
	}
	if err == nil && len(list) > 1 {
		err = errors.New(`"allOf" of several schemas is not supported; put their rules into one`)
	}
	if err != nil {
		return 0, err
	}
	return c.rule(list[0]), nil
}

func (c *compiler) anyOf(v *value, rest []string) (int32, error) {
	list, err := v.schemas("anyOf")
	if err == nil {
		err = alone("anyOf", rest)
	}
	if err != nil {
		return 0, err
	}
	var alts []int32
	for _, item := range list {
		alts = append(alts, c.rule(item))
	}
	return c.split(alts...), nil
}

// oneOf is like anyOf, provided that no value is valid under two of the
// schemas.
func (c *compiler) oneOf(v *value, rest []string) (int32, error) {
	list, err := v.schemas("oneOf")
	if err == nil {
		err = alone("oneOf", rest)
	}
	if err != nil {
		return 0, err
	}
	var alts []int32
	for i, item := range list {
		for j, other := range list[:i] {
			if apart := c.apart(item, other, 0); c.patience < 0 {
				return 0, errors.New(`"oneOf" has too many choices to compare each with every other; use "anyOf"`)
			} else if !apart {
				return 0, fmt.Errorf(`"oneOf" is supported only if its choices plainly exclude each other (by type, or by a required property with a "const" of its own), unlike numbers %d and %d; use "anyOf"`, j, i)
			}
		}
		alts = append(alts, c.rule(item))
	}
	return c.split(alts...), nil
}

// values reads one of the values that enum and const list.
func (c *compiler) values(v *value, rest []string) (int32, error) {
	name := "enum"
	if v.get("const") != nil {
		name = "const"
	}
	if err := alone(name, rest, "type", "enum"); err != nil {
		return 0, err
	}
	list, err := listed(v)
	if err != nil {
		return 0, err
	}
	types := append(slices.Clone(allTypes), "integer")
	if v.get("type") != nil {
		if types, err = typesOf(v); err != nil {
			return 0, err
		}
	}
	var all []string
	for _, item := range list {
		if !slices.Contains(types, item.kind) && !(item.whole() && slices.Contains(types, "integer")) {
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
	return v.kind == "number" && err == nil && f == float64(int64(f))
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
