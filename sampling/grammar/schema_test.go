package grammar

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// schemas exercise what is supported, alone and together.
var schemas = []string{
	`true`, `{}`, `{"title":"x","description":"y","default":1,"examples":[2],"$comment":"z","$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/a"}`,
	`{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":130}},"required":["name","age"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"null"},"c":{"const":3}},"required":["b"]}`,
	`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"null"},"c":{"const":3}}}`,
	`{"type":"object","properties":{"ab":{"type":"boolean"},"abc":{"const":"é"},"日":{"const":1},"q\"":{"const":2}},"additionalProperties":{"type":"integer"}}`,
	`{"type":"object","properties":{"":{"const":1}},"additionalProperties":true}`,
	`{"properties":{"a":{"type":"string","maxLength":2}},"required":["a","more"]}`,
	`{"type":"object","required":["x"]}`, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"boolean"}}}`,
	`{"type":"object","properties":{"no":false,"yes":true}}`,
	`{"type":"array"}`, `{"type":"array","maxItems":0}`, `{"type":"array","items":false}`, `{"type":"array","items":{"type":"integer"},"minItems":1}`,
	`{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":4}`, `{"type":"array","items":{"type":"string","maxLength":3},"minItems":3}`,
	`{"type":"array","items":{"type":"array","items":{"type":"boolean"},"maxItems":2},"maxItems":2}`, `{"type":"array","items":{"type":"integer"},"maxItems":1}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false,"minItems":2}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"null"},"minItems":1,"maxItems":5}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]}`, `{"prefixItems":[{"const":1},{"const":2},{"const":3}],"maxItems":2}`,
	`{"type":"string"}`, `{"type":"string","minLength":3}`, `{"type":"string","maxLength":3}`, `{"type":"string","minLength":2,"maxLength":2}`, `{"maxLength":0}`,
	`{"type":"string","pattern":"^[a-c]+-[0-9]{2,3}$"}`, `{"type":"string","pattern":"b|cd"}`, `{"type":"string","pattern":"^a.c$"}`, `{"type":"string","pattern":"^\\w+\\s\\d$","maxLength":6}`,
	`{"type":"string","pattern":"^[^a-z]{1,3}$"}`, `{"type":"string","pattern":"^(?:é|日|😀)*$","minLength":2,"maxLength":5}`, `{"type":"string","pattern":"^\"\\\\\\n$"}`, `{"pattern":"a","minLength":4}`,
	`{"type":"string","pattern":"^[^\\s\"]+$"}`, `{"type":"string","pattern":"^$|^x"}`, `{"type":"string","pattern":"[\\u0041-\\u0043]$"}`, `{"type":"string","pattern":"(^a|b$)+"}`,
	`{"type":"string","format":"date"}`, `{"type":"string","format":"date-time"}`, `{"type":"string","format":"time"}`, `{"type":"string","format":"uuid"}`, `{"type":"string","format":"ipv4"}`, `{"type":"string","format":"email"}`, `{"type":"string","format":"uri"}`,
	`{"type":"number"}`, `{"type":"integer"}`, `{"type":"integer","minimum":-5,"maximum":12}`, `{"type":"integer","exclusiveMinimum":-1,"exclusiveMaximum":1}`, `{"type":"integer","minimum":95,"maximum":1234}`,
	`{"type":"integer","minimum":0.5,"maximum":1.5}`, `{"type":"integer","maximum":-100}`, `{"type":"integer","minimum":1000}`, `{"type":"integer","minimum":10,"maximum":10}`,
	`{"type":"number","minimum":0,"maximum":1}`, `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`, `{"type":"number","minimum":-2.5,"maximum":-0.125}`, `{"type":"number","minimum":0.1,"exclusiveMaximum":0.3}`,
	`{"type":"number","minimum":99.95,"maximum":101.05}`, `{"type":"number","exclusiveMinimum":-0.001,"maximum":0.002}`, `{"type":"number","minimum":1e-9,"maximum":3e-9}`, `{"type":"number","maximum":1e300}`, `{"minimum":12345.678}`,
	`{"type":["string","null"],"maxLength":2}`, `{"type":["integer","number"],"minimum":3,"maximum":4}`,
	`{"enum":["a","ab","abc",1,12,1.5,true,null,{"k":["v"]},[]]}`, `{"const":"tab\tquote\" é"}`, `{"type":"string","enum":["a",1]}`, `{"type":"integer","enum":["a",1,1.0,2.5]}`, `{"const":1,"enum":[1.0,2]}`,
	`{"anyOf":[{"type":"string","maxLength":2},{"type":"integer"},{"type":"array","items":{"type":"null"}}]}`, `{"anyOf":[{"type":"integer"},{"type":"number"}]}`,
	`{"oneOf":[{"type":"string"},{"type":"integer"},{"const":null}]}`, `{"oneOf":[{"const":"a"},{"enum":["b","c"]}]}`,
	`{"oneOf":[{"properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},{"properties":{"kind":{"enum":["square","box"]},"side":{"type":"number"}},"required":["kind","side"]}]}`,
	`{"oneOf":[{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{"b":{}},"required":["b"],"additionalProperties":false}]}`,
	`{"allOf":[{"$ref":"#/$defs/x"}],"title":"one","$defs":{"x":{"type":"boolean"}}}`,
	`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["v","next"],"additionalProperties":false}}}`,
	`{"type":"array","items":{"$ref":"#"},"maxItems":2}`,
	`{"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"type":"string","maxLength":1}},"$ref":"#/definitions/a"}`,
	`{"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#"},"maxItems":2}},"required":["value"]}`,
	`{"type":"array","items":{"anyOf":[{"$ref":"#"},{"$ref":"#"},{"type":"string","maxLength":1}]},"maxItems":3}`,
}

// checkReplies writes replies by a schema and validates them.
func checkReplies(t *testing.T, doc string, v *Vocabulary, r *rand.Rand, replies int) {
	t.Helper()
	g := schema(t, doc)
	judge := validator{decode(t, doc)}
	for range replies {
		text := write(t, g, v, r)
		if !judge.valid(judge.root, decode(t, text)) {
			t.Fatalf("%s\nallows %q", doc, text)
		}
		record(t, doc, text)
	}
}

// record adds a schema and a reply to the file that SAMPLING_REPLIES names, for other
// programs to validate.
func record(t *testing.T, doc, text string) {
	path := os.Getenv("SAMPLING_REPLIES")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line, err := json.Marshal([]string{doc, text})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

func TestSchemas(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(1, 2))
	for _, doc := range schemas {
		checkReplies(t, doc, v, r, 20)
	}
}

// randomSchema makes a schema that has valid values.
func randomSchema(r *rand.Rand, depth int) string {
	kind := r.IntN(13)
	if depth == 0 {
		kind = r.IntN(7)
	}
	sub := func() string { return randomSchema(r, depth-1) }
	bounds := func(least, most string, span int) (s string) {
		low := r.IntN(span)
		if r.IntN(2) == 0 {
			s += fmt.Sprintf(`,%q:%d`, least, low)
		}
		if r.IntN(2) == 0 {
			s += fmt.Sprintf(`,%q:%d`, most, low+r.IntN(span))
		}
		return s
	}
	switch kind {
	case 0:
		return []string{`{"type":"boolean"}`, `{"type":"null"}`, `{"const":"x"}`, `{"enum":["one","once",7,[1]]}`}[r.IntN(4)]
	case 1, 2:
		return `{"type":"string"` + bounds("minLength", "maxLength", 6) + `}`
	case 3, 4:
		low := (r.Float64() - 0.5) * 200
		digits := r.IntN(4)
		s := fmt.Sprintf(`{"type":%q`, []string{"integer", "number"}[r.IntN(2)])
		if r.IntN(3) > 0 {
			s += fmt.Sprintf(`,%q:%.*f`, []string{"minimum", "exclusiveMinimum"}[r.IntN(2)], digits, low)
		}
		if r.IntN(3) > 0 {
			s += fmt.Sprintf(`,%q:%.*f`, []string{"maximum", "exclusiveMaximum"}[r.IntN(2)], digits, low+2.1+r.Float64()*100)
		}
		return s + `}`
	case 5:
		return []string{`{"type":"string","pattern":"^[A-Z][a-z]*$"}`, `{"type":"string","pattern":"x.y","maxLength":5}`, `{"type":"string","format":"date"}`}[r.IntN(3)]
	case 6:
		return `{"type":["string","integer"],"maxLength":2,"minimum":5}`
	case 7:
		return `{"type":"array","items":` + sub() + bounds("minItems", "maxItems", 4) + `}`
	case 8:
		return `{"anyOf":[` + sub() + `,` + sub() + `]}`
	case 9:
		return `{"oneOf":[{"type":"string"},{"type":"array","items":` + sub() + `},{"const":` + fmt.Sprint(r.IntN(9)) + `}]}`
	case 10:
		return `{"type":"array","prefixItems":[` + sub() + `,` + sub() + `],"items":` + []string{"false", sub()}[r.IntN(2)] + bounds("minItems", "maxItems", 2) + `}`
	}
	var names, required []string
	for i := range r.IntN(5) {
		name := fmt.Sprintf("%c%d", 'a'+r.IntN(3), i)
		names = append(names, fmt.Sprintf(`%q:%s`, name, sub()))
		if r.IntN(2) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	s := `{"type":"object","properties":{` + strings.Join(names, ",") + `},"required":[` + strings.Join(required, ",") + `]`
	return s + []string{``, `,"additionalProperties":false`, `,"additionalProperties":` + sub()}[r.IntN(3)] + `}`
}

func TestRandomSchemas(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(3, 4))
	for range 700 {
		checkReplies(t, randomSchema(r, r.IntN(4)), v, r, 4)
	}
}
