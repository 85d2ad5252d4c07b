package grammar

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
)

// checker judges values by a schema, keyword by keyword as the specification has
// them. It knows nothing of grammars. Once its root is vetted, many goroutines
// may let it judge.
type checker struct {
	root     *value
	patterns map[string]*compiledPattern
	vetted   map[*value]bool
	work     int // schemas that may still be compared with values
}

// compiledPattern is a matcher that is ready for use.
type compiledPattern struct{ all, none []*regexp.Regexp }

func newChecker(root *value) *checker {
	return &checker{root: root, patterns: map[string]*compiledPattern{}, vetted: map[*value]bool{}}
}

// UnmetError reports that a complete answer does not follow its schema.
type UnmetError struct{ err error }

func (e *UnmetError) Error() string {
	return fmt.Sprintf("the answer does not follow the JSON schema: %v; ask again, or say in the prompt what it has to be", e.err)
}

func (e *UnmetError) Unwrap() error { return e.err }

// judge returns an [UnmetError] if a text does not follow the schema.
func (k *checker) judge(text string) error {
	v, err := readAnswer([]byte(text))
	if err == nil {
		err = k.try(k.root, v)
	}
	if err != nil {
		return &UnmetError{err}
	}
	return nil
}

// try checks a value by a schema, with an end even if the schema is hostile.
func (k *checker) try(s, v *value) error {
	own := *k // maps are only read
	own.work = maxChecks
	if err := own.check(s, v, 0); own.work >= 0 {
		return err
	}
	return errors.New("it has too many rules to compare with this value")
}

// vet checks schemas and all schemas in them that a checker may come to.
func (k *checker) vet(list ...*value) error {
	list = slices.Clone(list)
	for len(list) > 0 {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		if k.vetted[v] {
			continue
		}
		k.vetted[v] = true
		inside, err := k.inside(v)
		if err != nil {
			return fmt.Errorf("at %.200s, %w", v.place(), err)
		}
		list = append(list, inside...)
	}
	return nil
}

// inside checks the keywords of one schema and returns the schemas in it.
func (k *checker) inside(v *value) (schemas []*value, err error) {
	names, err := keywordsOf(v)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		item := v.get(name)
		switch name {
		case "$ref":
			item, err = resolve(k.root, item)
			schemas = append(schemas, item)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			item.items, err = v.schemas(name)
			schemas = append(schemas, item.items...)
		case "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "additionalItems":
			schemas = append(schemas, item)
		case "items":
			if item.kind == "array" {
				schemas = append(schemas, item.items...)
			} else {
				schemas = append(schemas, item)
			}
		case "properties", "patternProperties", "dependentSchemas", "dependentRequired", "dependencies":
			if item.kind != "object" {
				return nil, fmt.Errorf("%q has to be an object; it is %.40s", name, item.literal())
			}
			for i, part := range item.items {
				switch {
				case name == "patternProperties":
					err = errors.Join(err, k.compile(item.string(item.names[i])))
				case name == "dependentRequired" || name == "dependencies" && part.kind == "array":
					err = errors.Join(err, part.namesOnly(name))
					continue
				}
				schemas = append(schemas, part)
			}
		case "required":
			err = item.namesOnly(name)
		case "type":
			_, err = typesOf(v)
		case "enum", "const":
			_, err = listed(v)
		case "pattern":
			err = k.compile(item)
		case "format":
			if item.kind != "string" {
				err = fmt.Errorf(`"format" has to be a name; it is %.40s`, item.literal())
			}
		case "uniqueItems", "nullable":
			_, err = v.flag(name)
		case "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minContains", "maxContains":
			if _, err = item.size(); err != nil {
				err = fmt.Errorf("%q %w", name, err)
			}
		case "exclusiveMinimum", "exclusiveMaximum":
			if item.kind != "boolean" {
				err = item.number(name)
			}
		case "minimum", "maximum", "multipleOf":
			err = item.number(name)
		}
		if err != nil {
			return nil, err
		}
	}
	return schemas, nil
}

// namesOnly returns an error if the value of a keyword is not a list of texts.
func (v *value) namesOnly(name string) error {
	if v.kind != "array" {
		return fmt.Errorf(`%q has to be a list of names; it is %.40s`, name, v.literal())
	}
	for _, item := range v.items {
		if item.kind != "string" {
			return fmt.Errorf(`%q has to be a list of names; one is %.40s`, name, item.literal())
		}
	}
	return nil
}

// number returns an error if the value of a keyword is not a number.
func (v *value) number(name string) error {
	if _, ok := v.exact(); !ok {
		return fmt.Errorf("%q has to be a number; it is %.40s", name, v.literal())
	}
	return nil
}

// compile makes a pattern ready.
func (k *checker) compile(pattern *value) error {
	m, err := pattern.pattern()
	if err != nil {
		return err
	}
	p := &compiledPattern{}
	for _, expression := range m.all {
		p.all = append(p.all, regexp.MustCompile(expression)) // pattern has tried it
	}
	for _, expression := range m.none {
		p.none = append(p.none, regexp.MustCompile(expression))
	}
	k.patterns[pattern.text] = p
	return nil
}

// matches reports whether a text follows a pattern that was made ready.
func (k *checker) matches(pattern, text string) bool {
	p := k.patterns[pattern]
	if p == nil {
		return true
	}
	has := func(r *regexp.Regexp) bool { return r.MatchString(text) }
	return !slices.ContainsFunc(p.all, func(r *regexp.Regexp) bool { return !has(r) }) && !slices.ContainsFunc(p.none, has)
}

const (
	maxChecks     = 1 << 20 // schemas compared with values, for one answer
	maxReferences = 5000    // schemas within each other, for one value
)

// check returns what is wrong with a value by a schema, nil if nothing is.
func (k *checker) check(s, v *value, depth int) error {
	k.work--
	switch {
	case s.kind == "boolean" && s.never():
		return fmt.Errorf("at %.200s, no value is allowed", v.place())
	case s.kind != "object":
		return nil
	case depth > maxReferences || k.work < 0:
		return errors.New("its rules refer to each other without end")
	}
	if err := k.checkSchemas(s, v, depth+1); err != nil {
		return err
	}
	if err := k.checkValue(s, v); err != nil {
		return fmt.Errorf("at %.200s, %w", v.place(), err)
	}
	switch v.kind {
	case "object":
		return k.checkObject(s, v, depth+1)
	case "array":
		return k.checkArray(s, v, depth+1)
	}
	return nil
}

// follows reports whether a value follows a schema.
func (k *checker) follows(s, v *value, depth int) bool { return k.check(s, v, depth) == nil }

// checkSchemas checks the keywords that add schemas at the same place.
func (k *checker) checkSchemas(s, v *value, depth int) error {
	if ref := s.get("$ref"); ref != nil {
		target, err := resolve(k.root, ref)
		if err == nil {
			err = k.check(target, v, depth)
		}
		if err != nil {
			return err
		}
	}
	if all := s.get("allOf"); all != nil {
		for _, part := range all.items {
			if err := k.check(part, v, depth); err != nil {
				return err
			}
		}
	}
	wrong := func(format string, rest ...any) error {
		return fmt.Errorf("at %.200s, "+format, append([]any{v.place()}, rest...)...)
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		choices := s.get(name)
		if choices == nil {
			continue
		}
		valid := 0
		for _, choice := range choices.items {
			if k.follows(choice, v, depth) {
				valid++
			}
		}
		if valid == 0 {
			return wrong("it follows none of the schemas of %q", name)
		} else if valid > 1 && name == "oneOf" {
			return wrong(`it follows %d of the schemas of "oneOf", and only one may be followed`, valid)
		}
	}
	if not := s.get("not"); not != nil && k.follows(not, v, depth) {
		return wrong(`it is what "not" excludes`)
	}
	if condition := s.get("if"); condition != nil {
		name := "else"
		if k.follows(condition, v, depth) {
			name = "then"
		}
		if outcome := s.get(name); outcome != nil {
			if err := k.check(outcome, v, depth); err != nil {
				return fmt.Errorf("%w, by %q", err, name)
			}
		}
	}
	return nil
}

// checkValue checks the keywords about types and about what is in a value. The
// error completes a sentence that names the place.
func (k *checker) checkValue(s, v *value) error {
	if s.get("type") != nil {
		types, err := typesOf(s)
		if err != nil || !slices.Contains(types, v.kind) && !(v.whole() && slices.Contains(types, "integer")) {
			return fmt.Errorf("the %s is of another type than %q allows", v.kind, "type")
		}
	}
	for _, name := range []string{"const", "enum"} {
		if allowed := s.get(name); allowed != nil {
			list := []*value{allowed}
			if name == "enum" {
				list = allowed.items
			}
			if own := v.canonical(); !slices.ContainsFunc(list, func(item *value) bool { return item.canonical() == own }) {
				return fmt.Errorf("the value is not what %q allows", name)
			}
		}
	}
	switch v.kind {
	case "string":
		return k.checkText(s, v)
	case "number":
		return checkNumber(s, v)
	}
	return nil
}

func (k *checker) checkText(s, v *value) error {
	if err := s.sized("minLength", "maxLength", len([]rune(v.text)), "characters"); err != nil {
		return err
	}
	if pattern := s.get("pattern"); pattern != nil && !k.matches(pattern.text, v.text) {
		return fmt.Errorf(`%.80q does not match the "pattern" %.80q`, v.text, pattern.text)
	}
	if format := s.get("format"); format != nil && !hasFormat(format.text, v.text) {
		return fmt.Errorf("%.80q does not have the format %.40q", v.text, format.text)
	}
	return nil
}

func checkNumber(s, v *value) error {
	x, ok := v.exact()
	if !ok {
		return nil // not a number that is written here
	}
	for _, b := range []struct {
		name string
		sign int  // what a number outside compares as
		open bool // the bound itself is outside
	}{{"minimum", -1, false}, {"exclusiveMinimum", -1, true}, {"maximum", 1, false}, {"exclusiveMaximum", 1, true}} {
		limit, ok := s.bound(b.name)
		if !ok {
			continue
		}
		open := b.open
		if flag := s.get(exclusive(b.name)); !open && flag != nil && flag.text == "true" {
			open = true
		}
		if compared := x.Cmp(limit); compared == b.sign || compared == 0 && open {
			return fmt.Errorf("%.40s is outside of %q", v.text, b.name)
		}
	}
	if step, ok := s.bound("multipleOf"); ok && step.Sign() > 0 && !new(big.Rat).Quo(x, step).IsInt() {
		return fmt.Errorf("%.40s is not a multiple of %.40s, as %q demands", v.text, s.get("multipleOf").text, "multipleOf")
	}
	if format := s.get("format"); format != nil {
		if limits, ok := numberFormats[format.text]; ok {
			low, high := new(big.Rat).SetFloat64(limits[0]), new(big.Rat).SetFloat64(limits[1])
			if !x.IsInt() || x.Cmp(low) < 0 || x.Cmp(high) > 0 {
				return fmt.Errorf("%.40s does not have the format %q", v.text, format.text)
			}
		}
	}
	return nil
}

// bound returns the number of a keyword, if it has one.
func (v *value) bound(name string) (*big.Rat, bool) {
	if k := v.get(name); k != nil {
		return k.exact()
	}
	return nil, false
}

// sized checks a number of characters, items or properties.
func (v *value) sized(least, most string, n int, what string) error {
	if k := v.get(least); k != nil {
		if limit, err := k.size(); err == nil && float64(n) < limit {
			return fmt.Errorf("there are %d %s, fewer than %q demands", n, what, least)
		}
	}
	if k := v.get(most); k != nil {
		if limit, err := k.size(); err == nil && float64(n) > limit {
			return fmt.Errorf("there are %d %s, more than %q allows", n, what, most)
		}
	}
	return nil
}
