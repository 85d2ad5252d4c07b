package grammar

import "fmt"

// checkObject checks the keywords about objects.
func (k *checker) checkObject(s, v *value, depth int) error {
	at := func(format string, rest ...any) error {
		return fmt.Errorf("at %.200s, "+format, append([]any{v.place()}, rest...)...)
	}
	for _, name := range s.strings("required") {
		if v.get(name) == nil {
			return at("the required property %.80q is missing", name)
		}
	}
	if err := s.sized("minProperties", "maxProperties", len(v.names), "properties"); err != nil {
		return at("%w", err)
	}
	listed, patterns := s.get("properties"), s.get("patternProperties")
	more, names := s.get("additionalProperties"), s.get("propertyNames")
	for i, name := range v.names {
		item := v.items[i]
		if names != nil {
			if err := k.check(names, &value{kind: "string", text: name, parent: v, name: name}, depth); err != nil {
				return at("the name %.80q is not what \"propertyNames\" allows", name)
			}
		}
		own, additional := []*value(nil), true
		if p := listed.get(name); p != nil {
			own, additional = append(own, p), false
		}
		if patterns != nil {
			for j, pattern := range patterns.names {
				if k.matches(pattern, name) {
					own, additional = append(own, patterns.items[j]), false
				}
			}
		}
		if additional && more != nil {
			own = append(own, more)
		}
		for _, schema := range own {
			if err := k.check(schema, item, depth); err != nil {
				return err
			}
		}
	}
	return k.checkDependent(s, v, depth)
}

// checkDependent checks what has to hold where a property is there.
func (k *checker) checkDependent(s, v *value, depth int) error {
	for _, name := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		dependent := s.get(name)
		if dependent == nil {
			continue
		}
		for i, property := range dependent.names {
			if v.get(property) == nil {
				continue
			}
			rule := dependent.items[i]
			if rule.kind != "array" {
				if err := k.check(rule, v, depth); err != nil {
					return fmt.Errorf("%w, by %q of %.80q", err, name, property)
				}
				continue
			}
			for _, other := range rule.items {
				if v.get(other.text) == nil {
					return fmt.Errorf("at %.200s, the property %.80q is missing, which %q demands beside %.80q", v.place(), other.text, name, property)
				}
			}
		}
	}
	return nil
}

// checkArray checks the keywords about arrays.
func (k *checker) checkArray(s, v *value, depth int) error {
	at := func(format string, rest ...any) error {
		return fmt.Errorf("at %.200s, "+format, append([]any{v.place()}, rest...)...)
	}
	if err := s.sized("minItems", "maxItems", len(v.items), "items"); err != nil {
		return at("%w", err)
	}
	prefix, items := s.get("prefixItems"), s.get("items")
	if items != nil && items.kind == "array" { // before draft 2020-12
		prefix, items = items, s.get("additionalItems")
	}
	for i, item := range v.items {
		schema := items
		if prefix != nil && i < len(prefix.items) {
			schema = prefix.items[i]
		}
		if schema == nil {
			continue
		}
		if err := k.check(schema, item, depth); err != nil {
			return err
		}
	}
	if unique := s.get("uniqueItems"); unique != nil && unique.text == "true" {
		seen := map[string]int{}
		for i, item := range v.items {
			key := item.canonical()
			if first, twice := seen[key]; twice {
				return at(`items %d and %d are equal, which "uniqueItems" excludes`, first, i)
			}
			seen[key] = i
		}
	}
	wanted := s.get("contains")
	if wanted == nil {
		return nil
	}
	found := 0
	for _, item := range v.items {
		if k.follows(wanted, item, depth) {
			found++
		}
	}
	if s.get("minContains") == nil && found == 0 {
		return at(`no item is what "contains" demands`)
	}
	if err := s.sized("minContains", "maxContains", found, "items as in \"contains\""); err != nil {
		return at("%w", err)
	}
	return nil
}
