package grammar

import "slices"

// What a grammar excludes while it writes are types, texts that are listed or
// match a pattern, and properties. Other forms of not are left to the checker.

// excludeTypes removes from the types of a schema those that its nots exclude.
func (c *compiler) excludeTypes(v *value, types []string) ([]string, error) {
	for _, not := range v.all("not") {
		names, err := keywordsOf(not)
		if err != nil {
			return nil, err
		}
		_, text := excludedText(not)
		_, property := excludedProperty(not)
		switch {
		case not.never():
		case len(names) == 0:
			types = nil // everything is excluded
		case len(names) == 1 && names[0] == "type":
			excluded, err := typesOf(not)
			if err != nil {
				return nil, err
			}
			if slices.Contains(excluded, "integer") {
				c.later("not") // of numbers, those with a fraction stay
			}
			types = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
				return slices.Contains(excluded, t) || t == "integer" && slices.Contains(excluded, "number")
			})
		case text && not.get("pattern") != nil && not.get("type") == nil:
			types = intersect(types, "string") // whatever has no pattern is excluded
		case property && not.get("type") == nil:
			types = intersect(types, "object")
		case !text && !property:
			c.later("not")
		}
	}
	return types, nil
}

func intersect(types []string, only string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t != only })
}

// excludedText returns an expression for the texts that a schema under not
// allows; false if it is about more than listed texts or a pattern.
func excludedText(not *value) (expression string, ok bool) {
	names, err := keywordsOf(not)
	if err != nil || len(names) == 0 {
		return "", false
	}
	if t := not.get("type"); t != nil {
		if t.text != "string" {
			return "", false
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == "type" })
	}
	if len(names) != 1 {
		return "", false
	}
	list := []*value{not.get(names[0])}
	switch names[0] {
	case "pattern":
		m, err := list[0].pattern()
		if err != nil || len(m.all) != 1 || len(m.none) > 0 {
			return "", false
		}
		wide, err := translate(list[0].text, true)
		return wide, err == nil
	case "enum":
		list = list[0].items
	case "const":
	default:
		return "", false
	}
	var texts []string
	for _, item := range list {
		if item.kind != "string" {
			return "", false
		}
		texts = append(texts, item.text)
	}
	return literals(texts), texts != nil
}

// excludedProperty returns the name if a schema under not is about objects with
// one property.
func excludedProperty(not *value) (name string, ok bool) {
	names, err := keywordsOf(not)
	if err != nil || not.kind != "object" {
		return "", false
	}
	for _, name := range names {
		if name != "required" && (name != "type" || not.get("type").text != "object") {
			return "", false
		}
	}
	required := not.strings("required")
	if len(required) != 1 {
		return "", false
	}
	return required[0], true
}
