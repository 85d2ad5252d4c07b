package grammar

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRefusedSchemas(t *testing.T) {
	for doc, want := range map[string]string{
		``:                     "it is not JSON",
		`{`:                    "it is not JSON",
		`{} {}`:                "it is not JSON",
		"{\"title\":\"\xff\"}": "it is not UTF-8 text",
		`[]`:                   "at #, there is [] where a schema has to be",
		`7`:                    "there is 7 where a schema has to be",
		`{"type":"text"}`:      `the type "text" is unknown`,
		`{"type":7}`:           `the type 7 is unknown`,
		`{"a":1,"a":2}`:        `"a" is there twice at #`,
		`{"maxlength":1}`:      `the keyword "maxlength" is not supported`,
		`{"properties":{"a/b":{"items":{"contain":{}}}}}`:    `at #/properties/a~1b/items, the keyword "contain" is not supported`,
		`{"not":{"maxlength":1}}`:                            `at #, the keyword "maxlength" is not supported`,
		`{"if":{"$ref":"#/x"},"then":{}}`:                    `points to nothing`,
		`{"not":{}}`:                                         "no value can follow it",
		`{"uniqueItems":1}`:                                  `"uniqueItems" has to be true or false; it is 1`,
		`{"minProperties":-1}`:                               `"minProperties" has to be a whole number; it is -1`,
		`{"multipleOf":0}`:                                   `"multipleOf" has to be a number above 0; it is 0`,
		`{"multipleOf":"2"}`:                                 `"multipleOf" has to be a number above 0; it is "2"`,
		`{"patternProperties":1}`:                            `"patternProperties" has to be an object; it is 1`,
		`{"patternProperties":{"(":{}}}`:                     `the pattern "(" is not one that both`,
		`{"patternProperties":{"a":3}}`:                      `there is 3 where a schema has to be`,
		`{"propertyNames":[]}`:                               `there is [] where a schema has to be`,
		`{"dependentRequired":{"a":3}}`:                      `at #/dependentRequired, "required" has to be a list of names; it is 3`,
		`{"contains":3}`:                                     `there is 3 where a schema has to be`,
		`{"discriminator":"a","oneOf":[{}]}`:                 `"discriminator" has to be an object with "propertyName"`,
		`{"nullable":"yes","type":"string"}`:                 `"nullable" has to be true or false`,
		`{"$ref":"#","type":"object"}`:                       "no value can follow it",
		`{"allOf":[{"type":"string"},{"type":"integer"}]}`:   "no value can follow it",
		`{"enum":["a"],"minLength":2}`:                       "no value can follow it",
		`{"format":3}`:                                       `"format" has to be a name; it is 3`,
		`{"$dynamicRef":"#x"}`:                               `the keyword "$dynamicRef" is not supported`,
		`{"unevaluatedProperties":false}`:                    `the keyword "unevaluatedProperties" is not supported`,
		`{"type":"integer","minimum":1.2e29}`:                `"minimum" is 1.2e29, but numbers are written with at most 15 digits`,
		`{"type":"integer","exclusiveMaximum":-1e15}`:        `"exclusiveMaximum" is -1e15, but numbers are written with at most 15 digits`,
		`{"type":"number","minimum":1e-30,"maximum":2e-30}`:  `the numbers between 1e-30 and 2e-30 have more than 15 digits`,
		`{"pattern":"^(?=a)b|c"}`:                            `a group that is not supported here`,
		`{"pattern":"^(?<=a)b"}`:                             `a group that is not supported here`,
		`{"properties":[]}`:                                  `"properties" has to be an object`,
		`{"properties":{"a":3}}`:                             `at #/properties/a, there is 3 where`,
		`{"required":"a"}`:                                   `"required" has to be a list`,
		`{"required":[1]}`:                                   `"required" has to be a list of names; one is 1`,
		`{"prefixItems":[]}`:                                 `"prefixItems" has to be a list of schemas`,
		`{"minItems":-1}`:                                    `"minItems" has to be a whole number; it is -1`,
		`{"maxLength":"3"}`:                                  `"maxLength" has to be a whole number; it is "3"`,
		`{"minLength":1.5}`:                                  `"minLength" has to be a whole number; it is 1.5`,
		`{"minLength":1e99}`:                                 `"minLength" is more than 100000`,
		`{"minimum":"3"}`:                                    `"minimum" has to be a number`,
		`{"minimum":1e999}`:                                  `"minimum" has to be a number`,
		`{"enum":[]}`:                                        `"enum" has to be a list of values`,
		`{"enum":3}`:                                         `"enum" has to be a list of values`,
		`{"enum":[1e999]}`:                                   `the number 1e999 is too large`,
		`{"anyOf":[]}`:                                       `"anyOf" has to be a list of schemas`,
		`{"$ref":"#/$defs/x"}`:                               `points to nothing`,
		`{"$ref":"https://example.com/x"}`:                   `does not point into this document`,
		`{"$ref":"#anchor"}`:                                 `does not point into this document`,
		`{"$ref":3}`:                                         `does not point into this document`,
		`{"pattern":3}`:                                      `"pattern" has to be a regular expression`,
		`{"pattern":"("}`:                                    `the pattern "(" is not one that both`,
		`{"pattern":"a(?=b)"}`:                               `has (?=b, a group that is not supported`,
		`{"pattern":"\\bx"}`:                                 `has \b, which is not supported`,
		`{"pattern":"(a)\\1"}`:                               `has \1, which is not supported`,
		`{"pattern":"\\p{L}"}`:                               `has \p, which is not supported`,
		`{"pattern":"x{5000}"}`:                              `is not one that both`,
		`{"pattern":"(((a{1,100}){1,10}b){100}c){10}"}`:      `is`,
		`{"pattern":"a$b"}`:                                  "no value can follow it",
		`{"pattern":"^abc$","maxLength":2}`:                  "no value can follow it",
		`false`:                                              "no value can follow it",
		`{"$ref":"#"}`:                                       "no value can follow it",
		`{"anyOf":[{"$ref":"#"}]}`:                           "no value can follow it",
		`{"properties":{"a":{"$ref":"#"}},"required":["a"]}`: "no value can follow it",
		`{"type":"array","items":{"$ref":"#"},"minItems":1}`: "no value can follow it",
		`{"required":["a"],"additionalProperties":false}`:    "no value can follow it",
		`{"properties":{"a":false},"required":["a"]}`:        "no value can follow it",
		`{"type":"integer","minimum":3,"maximum":2}`:         "no value can follow it",
		`{"type":"integer","exclusiveMinimum":3,"exclusiveMaximum":4}`:                         "no value can follow it",
		`{"minLength":3,"maxLength":2,"type":"string"}`:                                        "no value can follow it",
		`{"minItems":3,"maxItems":2,"type":"array"}`:                                           "no value can follow it",
		`{"prefixItems":[{}],"minItems":2,"items":false}`:                                      "no value can follow it",
		`{"type":"string","enum":[1,2]}`:                                                       "no value can follow it",
		`{"type":[]}`:                                                                          "no value can follow it",
		`{"properties":{"a":{"type":"string","pattern":"` + strings.Repeat("a", 1001) + `"}}}`: `is longer than 1000 bytes`,
	} {
		_, err := CompileSchema([]byte(doc))
		if err == nil || !strings.HasPrefix(err.Error(), "the JSON schema cannot be used: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %q", doc, err, want)
		}
	}
}

// nested returns n times the beginning, the middle, n times the end.
func nested(n int, begin, middle, end string) string {
	return strings.Repeat(begin, n) + middle + strings.Repeat(end, n)
}

// list joins n texts made by f.
func list(n int, f func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = f(i)
	}
	return strings.Join(all, ",")
}

func hostileSchemas() map[string]string {
	chain := func(n int, link string) string { // each definition refers to the next
		return `{"$ref":"#/$defs/0","$defs":{` + list(n, func(i int) string {
			return fmt.Sprintf(`"%d":%s`, i, strings.ReplaceAll(link, "NEXT", fmt.Sprintf(`{"$ref":"#/$defs/%d"}`, i+1)))
		}) + fmt.Sprintf(`,"%d":{"type":"null"}}}`, n)
	}
	return map[string]string{
		"deep":                nested(100_000, `{"items":`, `{}`, `}`),
		"deep list":           nested(100_000, `[`, ``, `]`),
		"too long":            `{"description":"` + strings.Repeat("x", maxDocument) + `"}`,
		"long name":           nested(60, `{"properties":{"`+strings.Repeat("n", 5000)+`":`, `{"not":1}`, `}}`),
		"long reference":      `{"$ref":"#` + strings.Repeat("/$defs", 50_000) + `","$defs":{}}`,
		"huge enum":           `{"enum":[` + list(60_000, func(i int) string { return fmt.Sprint(i) }) + `]}`,
		"huge enum of texts":  `{"enum":[` + list(20_000, func(i int) string { return fmt.Sprintf(`"%x"`, uint64(i)*0x9E3779B97F4A7C15) }) + `]}`,
		"long const":          `{"const":"` + strings.Repeat("c", 450_000) + `"}`,
		"many properties":     `{"properties":{` + list(20_000, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `},"additionalProperties":{}}`,
		"many required":       `{"required":[` + list(50_000, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}`,
		"many numbers":        `{"anyOf":[` + list(10_000, func(i int) string { return fmt.Sprintf(`{"minimum":0.%d1,"maximum":%d.5}`, i, i*7919) }) + `]}`,
		"many sized texts":    `{"anyOf":[` + list(20_000, func(i int) string { return fmt.Sprintf(`{"maxLength":%d}`, i) }) + `]}`,
		"many patterns":       `{"anyOf":[` + list(400, func(i int) string { return `{"pattern":"` + strings.Repeat("(a{90}|b?)", 90) + `"}` }) + `]}`,
		"nested repetition":   `{"pattern":"((((((a{1,9}){1,9}){1,9})*)*)*)*$"}`,
		"long sized pattern":  `{"pattern":"^(a|b)*a(a|b){30}$","minLength":90000}`,
		"chain":               chain(5000, `NEXT`),
		"exponential anyOf":   chain(3000, `{"anyOf":[NEXT,NEXT]}`),
		"exponential arrays":  chain(200, `{"anyOf":[{"items":NEXT},{"items":NEXT,"minItems":1},NEXT]}`),
		"exponential objects": chain(2000, `{"properties":{"a":NEXT,"b":NEXT}}`),
		"exponential oneOf":   `{"oneOf":[` + list(600, func(i int) string { return fmt.Sprintf(`{"properties":{"k":{"enum":[%d,"x"]}},"required":["k"]}`, i) }) + `]}`,
		"wide oneOf":          `{"oneOf":[` + list(3000, func(i int) string { return fmt.Sprintf(`{"const":%d}`, i) }) + `]}`,
		"nested oneOf":        chain(20, `{"oneOf":[{"anyOf":[NEXT,NEXT,NEXT]},{"anyOf":[NEXT,NEXT,NEXT]}]}`),
		"recursion":           `{"anyOf":[{"$ref":"#"},{"$ref":"#"},{"type":"array","items":{"$ref":"#"}},{"type":"array","items":{"$ref":"#"}}]}`,
		"deep recursion":      chain(1000, `{"items":NEXT,"minItems":1}`),
		"circle":              `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"beside anyOf":        chain(400, `{"type":["object","null"],"anyOf":[NEXT,NEXT]}`),
		"beside oneOf":        chain(400, `{"type":["object","null"],"oneOf":[NEXT,{"properties":{"a":NEXT}}]}`),
		"two anyOf":           chain(300, `{"allOf":[{"anyOf":[NEXT,{"properties":{"a":NEXT}}]},{"anyOf":[NEXT,{"properties":{"a":NEXT}}]}]}`),
		"nested allOf":        chain(1500, `{"allOf":[NEXT,NEXT,{"type":["null","array"]}]}`),
		"conditions":          chain(60, `{"if":NEXT,"then":NEXT,"else":NEXT}`),
		"nots":                chain(60, `{"not":{"anyOf":[NEXT,{"not":NEXT}]}}`),
		"not a long pattern":  `{"type":"string","not":{"pattern":"^(a|b)*a(a|b){30}$"}}`,
		"nots and patterns":   `{"type":"string","pattern":"^(?!.*a.{12}b)(?!.*c.{12}d)(?=.*e.{12}f)(?=.*g.{12}h).{1,900}$"}`,
		"many names":          `{"propertyNames":{"enum":[` + list(5000, func(i int) string { return fmt.Sprintf(`"n%d"`, i) }) + `]},"maxProperties":3}`,
		"many patterns names": `{"patternProperties":{` + list(60, func(i int) string { return fmt.Sprintf(`"^.*%d.*x":{}`, i) }) + `}}`,
		"many counted":        `{"minProperties":300,"properties":{` + list(900, func(i int) string { return fmt.Sprintf(`"%d":{"type":"null"}`, i) }) + `}}`,
		"many steps":          `{"anyOf":[` + list(500, func(i int) string { return fmt.Sprintf(`{"type":"number","multipleOf":0.0%d}`, 1+i) }) + `]}`,
		"many dependents":     chain(40, `{"properties":{"a":{},"b":{},"c":{},"d":{}},"dependentSchemas":{"a":NEXT,"b":NEXT,"c":NEXT,"d":NEXT}}`),
		"percent":             `{"$ref":"#/%%%/%zz/~2/~"}`,
	}
}

// patience is how much processor time one hostile schema may take on a slow machine with
// the race detector. The aim is 250 ms on an idle machine. The mistakes that this guards
// against take minutes.
const patience = 30 * time.Second

// TestHostileSchemas: each soon becomes a grammar or an error of one sentence. A grammar
// then writes values, and no mask takes long.
func TestHostileSchemas(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(1, 2))
	for name, doc := range hostileSchemas() {
		runtime.GC()
		begin := cpuTime(t)
		g, err := CompileSchema([]byte(doc))
		took := cpuTime(t) - begin
		t.Logf("%s: %d kB in %v: %.160v", name, len(doc)/1000, took, err)
		if took > patience {
			t.Errorf("%s took %v", name, took)
		}
		if err != nil {
			if len(err.Error()) > 500 {
				t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
			}
			continue
		}
		begin = cpuTime(t)
		text, done := draft(t, g, v, r, 100)
		took = cpuTime(t) - begin
		t.Logf("%s: %d bytes written in %v (done: %v): %.60q", name, len(text), took, done, text)
		if took > patience {
			t.Errorf("%s: a hundred tokens took %v", name, took)
		}
	}
}

// cpuTime is what the process has used: unlike time, not that of others.
func cpuTime(t testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func FuzzCompileSchema(f *testing.F) {
	for _, doc := range schemas {
		f.Add([]byte(doc), uint64(1))
	}
	v := toy()
	f.Fuzz(func(t *testing.T, doc []byte, seed uint64) {
		g, err := CompileSchema(doc)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "the JSON schema cannot be used: ") {
				t.Fatalf("not a sentence: %v", err)
			}
			return
		}
		s, r := g.Start(v), rand.New(rand.NewPCG(seed, 0))
		for range 30 {
			if s.Done() {
				return
			}
			allowed := 0
			var chosen int32
			for mask, id := s.Mask(), int32(0); int(id) < v.size; id++ {
				if mask.Has(id) {
					if allowed++; r.IntN(allowed) == 0 {
						chosen = id
					}
				}
			}
			if allowed == 0 {
				t.Fatal("no token may come")
			}
			if err := s.Accept(chosen); err != nil {
				t.Fatal(err)
			}
		}
	})
}
