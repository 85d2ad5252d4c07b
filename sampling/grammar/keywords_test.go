package grammar

import (
	"strings"
	"testing"
)

// vocabularies are the keywords of the specifications, in their order.
var vocabularies = map[string]string{
	"draft 2020-12": `$schema $vocabulary $id $anchor $dynamicAnchor $ref $dynamicRef $defs $comment
		allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties patternProperties additionalProperties propertyNames
		unevaluatedItems unevaluatedProperties
		type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems
		maxContains minContains maxProperties minProperties required dependentRequired
		title description default deprecated readOnly writeOnly examples format contentEncoding contentMediaType contentSchema`,
	"draft 2019-09": `$recursiveRef $recursiveAnchor`,
	"draft 7": `$id $schema $ref $comment title description default readOnly writeOnly examples multipleOf maximum exclusiveMaximum minimum exclusiveMinimum
		maxLength minLength pattern additionalItems items maxItems minItems uniqueItems contains maxProperties minProperties required additionalProperties
		definitions properties patternProperties dependencies propertyNames const enum type format contentMediaType contentEncoding if then else allOf anyOf oneOf not`,
	"draft 4": `id $schema`,
	"OpenAPI 3.0": `title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties
		minProperties required enum type allOf oneOf anyOf not items properties additionalProperties description format default
		nullable discriminator readOnly writeOnly xml externalDocs example deprecated`,
}

// effects has, for each keyword that constrains values, a schema, a text that passes and
// one that the keyword refuses.
var effects = []struct{ keyword, schema, good, bad string }{
	{"$ref", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}`, `null`, `1`},
	{"$ref", `{"$ref":"#/$defs/a","type":["null","string"],"$defs":{"a":{"type":["null","integer"]}}}`, `null`, `""`},
	{"allOf", `{"allOf":[{"minimum":3},{"maximum":5}]}`, `4`, `6`},
	{"allOf", `{"type":"object","required":["a"],"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"minimum":3}}}]}`, `{"a":3}`, `{"a":2}`},
	{"anyOf", `{"anyOf":[{"type":"null"},{"type":"integer"}]}`, `1`, `""`},
	{"anyOf", `{"maxLength":1,"anyOf":[{"type":"null"},{"type":"string"}]}`, `"a"`, `"ab"`},
	{"oneOf", `{"oneOf":[{"type":"integer","multipleOf":2},{"type":"integer","multipleOf":3}]}`, `3`, `6`},
	{"not", `{"type":"string","not":{"const":"a"}}`, `"b"`, `"a"`},
	{"not", `{"type":["string","null"],"not":{"type":"null"}}`, `"b"`, `null`},
	{"not", `{"type":"string","not":{"pattern":"^a"}}`, `"ba"`, `"ab"`},
	{"not", `{"properties":{"a":{"type":"null"},"b":{"type":"null"}},"not":{"required":["a"]}}`, `{"b":null}`, `{"a":null}`},
	{"not", `{"type":"integer","not":{"minimum":3}}`, `2`, `3`},
	{"if", `{"type":"integer","if":{"minimum":5},"then":{"multipleOf":2},"else":{"multipleOf":3}}`, `6`, `7`},
	{"then", `{"type":"integer","if":{"minimum":5},"then":{"multipleOf":2}}`, `6`, `7`},
	{"else", `{"type":"integer","if":{"minimum":5},"else":{"multipleOf":3}}`, `3`, `4`},
	{"dependentSchemas", `{"properties":{"a":{},"b":{"type":"integer"}},"dependentSchemas":{"a":{"properties":{"b":{"minimum":3}}}}}`, `{"a":1,"b":3}`, `{"a":1,"b":2}`},
	{"dependentRequired", `{"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":3}`, `{"a":1}`},
	{"dependencies", `{"properties":{"a":{},"b":{}},"dependencies":{"a":["b"]}}`, `{"b":1}`, `{"a":1}`},
	{"prefixItems", `{"prefixItems":[{"type":"null"}]}`, `[null]`, `[1]`},
	{"items", `{"items":{"type":"null"}}`, `[null,null]`, `[null,1]`},
	{"items", `{"items":[{"type":"null"}]}`, `[null]`, `[1]`},
	{"additionalItems", `{"items":[{"type":"null"}],"additionalItems":{"type":"integer"}}`, `[null,1]`, `[null,null]`},
	{"contains", `{"type":"array","contains":{"const":1}}`, `[2,1]`, `[2]`},
	{"minContains", `{"type":"array","contains":{"const":1},"minContains":2}`, `[1,1]`, `[1]`},
	{"maxContains", `{"type":"array","contains":{"const":1},"maxContains":1}`, `[1,2]`, `[1,1]`},
	{"properties", `{"properties":{"a":{"type":"null"}}}`, `{"a":null}`, `{"a":1}`},
	{"patternProperties", `{"patternProperties":{"^a":{"type":"null"}}}`, `{"ab":null}`, `{"ab":1}`},
	{"patternProperties", `{"properties":{"ab":{"type":["integer","null"]}},"patternProperties":{"^a":{"type":"null"}}}`, `{"ab":null}`, `{"ab":1}`},
	{"additionalProperties", `{"additionalProperties":{"type":"null"}}`, `{"a":null}`, `{"a":1}`},
	{"propertyNames", `{"type":"object","propertyNames":{"maxLength":1}}`, `{"a":1}`, `{"ab":1}`},
	{"propertyNames", `{"properties":{"a":{},"bc":{}},"propertyNames":{"maxLength":1}}`, `{"a":1}`, `{"bc":1}`},
	{"type", `{"type":"null"}`, `null`, `1`},
	{"enum", `{"enum":[1,2]}`, `2`, `3`},
	{"enum", `{"enum":["a","abc"],"maxLength":2}`, `"a"`, `"abc"`},
	{"const", `{"const":1}`, `1`, `2`},
	{"multipleOf", `{"type":"integer","multipleOf":7}`, `-21`, `22`},
	{"multipleOf", `{"type":"number","multipleOf":0.25}`, `1.75`, `1.8`},
	{"multipleOf", `{"type":"integer","multipleOf":4001}`, `8002`, `8001`},
	{"multipleOf", `{"type":"integer","allOf":[{"multipleOf":4},{"multipleOf":6}]}`, `24`, `8`},
	{"maximum", `{"maximum":3}`, `3`, `4`},
	{"exclusiveMaximum", `{"exclusiveMaximum":3}`, `2`, `3`},
	{"exclusiveMaximum", `{"maximum":3,"exclusiveMaximum":true}`, `2`, `3`},
	{"minimum", `{"minimum":3}`, `3`, `2`},
	{"exclusiveMinimum", `{"exclusiveMinimum":3}`, `4`, `3`},
	{"exclusiveMinimum", `{"minimum":3,"exclusiveMinimum":true}`, `4`, `3`},
	{"maxLength", `{"maxLength":1}`, `"a"`, `"ab"`},
	{"maxLength", `{"format":"uri","maxLength":12}`, `"http://a.de"`, `"https://ab.com"`},
	{"minLength", `{"minLength":2}`, `"ab"`, `"a"`},
	{"pattern", `{"pattern":"^a"}`, `"ab"`, `"ba"`},
	{"pattern", `{"pattern":"^(?=.*[0-9])(?!b).{2}$"}`, `"a1"`, `"b1"`},
	{"pattern", `{"pattern":"^[a-z.@]+$","format":"email"}`, `"a@b.de"`, `"a@B.de"`},
	{"format", `{"format":"date"}`, `"2026-01-31"`, `"2026-01-32"`},
	{"format", `{"type":"integer","format":"uint8"}`, `255`, `256`},
	{"format", `{"type":"string","format":"duration"}`, `"P3DT4H"`, `"P"`},
	{"maxItems", `{"maxItems":1}`, `[1]`, `[1,2]`},
	{"minItems", `{"minItems":1}`, `[1]`, `[]`},
	{"uniqueItems", `{"type":"array","uniqueItems":true}`, `[1,2]`, `[1,1.0]`},
	{"uniqueItems", `{"items":{"enum":["a","b"]},"uniqueItems":true}`, `["b","a"]`, `["a","a"]`},
	{"maxProperties", `{"maxProperties":1}`, `{"a":1}`, `{"a":1,"b":2}`},
	{"maxProperties", `{"properties":{"a":{},"b":{},"c":{}},"maxProperties":2}`, `{"a":1,"c":2}`, `{"a":1,"b":1,"c":2}`},
	{"minProperties", `{"minProperties":2}`, `{"a":1,"b":2}`, `{"a":1}`},
	{"minProperties", `{"minProperties":2}`, `{"a":1,"b":2}`, `{"a":1,"a":2}`},
	{"minProperties", `{"properties":{"a":{},"b":{},"c":{}},"minProperties":2}`, `{"a":1,"c":2}`, `{"c":2}`},
	{"required", `{"properties":{"a":{}},"required":["a"]}`, `{"a":1}`, `{}`},
	{"nullable", `{"type":"string","nullable":true}`, `null`, `1`},
	{"nullable", `{"type":"string","nullable":false}`, `""`, `null`},
	{"discriminator", `{"oneOf":[{"$ref":"#/definitions/A"},{"$ref":"#/definitions/B"}],"discriminator":{"propertyName":"k"},"definitions":{"A":{"properties":{"k":{"type":"string"}},"required":["k"]},"B":{"properties":{"k":{"type":"string"}},"required":["k"]}}}`, `{"k":"A"}`, `{"k":"C"}`},
}

// passes reports whether a text passes grammar and Check.
func passes(t *testing.T, doc, text string) bool {
	t.Helper()
	g := schema(t, doc)
	complete, _ := accepts(g, toy(), text)
	return complete && g.Check(text) == nil
}

// TestEveryKeyword: no keyword of a specification is ignored. Each is enforced, which an
// example shows, or refused by its name, or known not to constrain values.
func TestEveryKeyword(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range effects {
		shown[e.keyword] = true
		if !passes(t, e.schema, e.good) {
			g := schema(t, e.schema)
			complete, taken := accepts(g, toy(), e.good)
			t.Errorf("%s: %s does not allow %s (%v after %d; %v)", e.keyword, e.schema, e.good, complete, taken, g.Check(e.good))
		}
		if passes(t, e.schema, e.bad) {
			t.Errorf("%s: %s allows %s", e.keyword, e.schema, e.bad)
		}
	}
	for source, names := range vocabularies {
		for name := range strings.FieldsSeq(names) {
			switch k, known := keywords[name]; {
			case !known:
				t.Errorf("%s of %s is not in the table", name, source)
			case k.treatment == refused:
				_, err := CompileSchema([]byte(`{"` + name + `":{"a":1}}`))
				if err == nil || !strings.Contains(err.Error(), `"`+name+`"`) {
					t.Errorf("%s of %s: %v", name, source, err)
				}
			case k.treatment == annotation:
				if !passes(t, `{"type":"null","`+name+`":{"a":1}}`, `null`) {
					t.Errorf("%s of %s is no annotation", name, source)
				}
			case !shown[name]:
				t.Errorf("%s of %s: no example shows that it is enforced", name, source)
			}
		}
	}
	for name, k := range keywords {
		if (k.treatment == written || k.treatment == checked) && !shown[name] {
			t.Errorf("%s: no example shows that it is enforced", name)
		}
	}
	for _, doc := range []string{`{"type":"null","x-order":[1]}`, `{"type":"null","x-nullable":true}`} {
		if !passes(t, doc, `null`) || passes(t, doc, `1`) {
			t.Errorf("%s", doc)
		}
	}
}

// TestFormats: texts that a format's pattern allows have the format, and formats
// without a pattern are annotations.
func TestFormats(t *testing.T) {
	for name, expression := range formats() {
		if _, err := newMatcher(expression); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"path", "file-path", "directory-path", "password", "binary", "decimal", "regex", "no-such-format"} {
		if !passes(t, `{"type":"string","format":"`+name+`"}`, `"x"`) {
			t.Errorf("%s is no annotation", name)
		}
	}
}
