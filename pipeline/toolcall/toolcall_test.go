package toolcall

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

var offered = []Tool{
	{Name: "weather", Description: "The weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`)},
	{Name: "now"},
}

// The marks of each form, as templates have them.
const (
	hermes  = "{{ tools }}<tool_call></tool_call>"
	phi     = "{{ tools }}<|tool_call|><|/tool_call|>"
	command = "{{ tools }}<|START_ACTION|>"
	mistral = "{{ tools }}[TOOL_CALLS]"
	llama   = `{{ tools }}{"name": function name, "parameters": dictionary of argument name and its value}<|python_tag|>`
)

// read reads an answer in pieces of a size and writes calls as NAME(ARGUMENTS).
func read(t testing.TB, template, answer string, size int, forced bool) string {
	t.Helper()
	f, ok := FormOf(template)
	if !ok {
		t.Fatalf("%s has no form", template)
	}
	r, out := NewReader(f, offered, forced), ""
	note := func(pieces []Piece) {
		for _, p := range pieces {
			if (p.Call == nil) == (p.Text == "") {
				t.Errorf("%q: a piece is %+v", answer, p)
			}
			if out += p.Text; p.Call != nil {
				out += fmt.Sprintf("|%s%s(%s)|", p.Call.Name, p.Call.ID, p.Call.Arguments)
			}
		}
	}
	for rest := answer; rest != ""; {
		n := min(size, len(rest))
		note(r.Push(rest[:n]))
		rest = rest[n:]
	}
	note(r.Flush())
	if n := strings.Count(out, ")|"); !strings.Contains(answer, ")|") && r.Calls() != n {
		t.Errorf("%q: %d calls are counted and %d were read", answer, r.Calls(), n)
	}
	return out
}

// TestReader: calls of every family, wherever the pieces of an answer are split.
func TestReader(t *testing.T) {
	for _, c := range []struct{ template, answer, want string }{
		{hermes, "Hello.\n", "Hello.\n"},
		{hermes, "a < b <tool", "a < b <tool"},
		{hermes, "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Turku\"}}\n</tool_call>", `|weather({"city":"Turku"})|`},
		{hermes, "I look.\n\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"weather\",\"arguments\":{\"city\":\"</tool\"}}</tool_call>\n", `I look.|now({})||weather({"city":"</tool"})|`},
		{hermes, "<tool_call>{\"name\":\"now\"}</tool_call>\n\nDone.", `|now({})|Done.`},
		{hermes, `<tool_call>{"name":"now","arguments":"{\"a\": 1}"}</tool_call>`, `|now({"a":1})|`},
		{hermes, `<tool_call>{"name":"now","arguments":{}}`, `|now({})|`},
		{hermes, `<tool_call>{"name":"now","arguments":[]}</tool_call>`, `<tool_call>{"name":"now","arguments":[]}</tool_call>`},
		{hermes, `<tool_call>{"name":"rm","arguments":{}}</tool_call> x`, `<tool_call>{"name":"rm","arguments":{}}</tool_call> x`},
		{hermes, `<tool_call>{"name":"now","argum`, `<tool_call>{"name":"now","argum`},
		{hermes, `{"name":"now","arguments":{}}`, `{"name":"now","arguments":{}}`},
		{hermes, "<tool_call>\n<function=weather>\n<parameter=city>\n12\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>", `|weather({"city":"12","days":3})|`},
		{hermes, "<tool_call>\n<function=weather>\n<parameter=city>\nÅbo \"x\"\nand more\n</parameter>\n</function>\n</tool_call>", `|weather({"city":"Åbo \"x\"\nand more"})|`},
		{hermes, "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Turku</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>", `|weather({"city":"Turku","days":3})|`},
		{hermes, "<tool_call>now</tool_call>", `|now({})|`},
		{hermes, "<tool_call><function=weather><parameter=city></function></tool_call>", "<tool_call><function=weather><parameter=city></function></tool_call>"},
		{phi, `<|tool_call|>[{"name":"weather","arguments":{"city":"a"}},{"name":"now","parameters":{}}]<|/tool_call|>`, `|weather({"city":"a"})||now({})|`},
		{phi, `<|tool_call|>[{"name":"now","arguments":{}}]`, `|now({})|`},
		{command, `<|START_ACTION|>[{"tool_call_id":"0","tool_name":"weather","parameters":{"city":"a"}}]<|END_ACTION|>`, `|weather({"city":"a"})|`},
		{mistral, `[TOOL_CALLS][{"name": "weather", "arguments": {"city": "a"}, "id": "123456789"}]`, `|weather123456789({"city":"a"})|`},
		{mistral, `Well. [TOOL_CALLS]weather[ARGS]{"city": "a"}[TOOL_CALLS]now[CALL_ID]abc[ARGS]{}`, `Well.|weather({"city":"a"})||nowabc({})|`},
		{mistral, `[TOOL_CALLS]weather[ARGS]{"city": `, `[TOOL_CALLS]weather[ARGS]{"city": `},
		{llama, `{"name": "weather", "parameters": {"city": "a"}}`, `|weather({"city":"a"})|`},
		{llama, "\n<|python_tag|>{\"name\": \"now\", \"parameters\": {}}; {\"name\": \"weather\", \"parameters\": {\"city\": \"a\"}}", `|now({})||weather({"city":"a"})|`},
		{llama, `{"type": "function", "function": {"name": "now", "parameters": null}}`, `|now({})|`},
		{llama, `{"name": "nobody", "parameters": {}}`, `{"name": "nobody", "parameters": {}}`},
		{llama, `Use {"name": "now", "parameters": {}}`, `Use {"name": "now", "parameters": {}}`},
		{llama, `{1, 2} is a set`, `{1, 2} is a set`},
	} {
		for size := 1; size <= len(c.answer); size++ {
			if got := read(t, c.template, c.answer, size, false); got != c.want {
				t.Errorf("%q in pieces of %d: %q; want %q", c.answer, size, got, c.want)
				break
			}
		}
	}
	for _, template := range []string{hermes, llama} {
		if got := read(t, template, ` {"name":"now","arguments":{}} `, 3, true); got != `|now({})|` {
			t.Errorf("a forced call: %q", got)
		}
		if got := read(t, template, ` {"name":"now","argu`, 3, true); got != "" {
			t.Errorf("a forced call that was cut short: %q", got)
		}
	}
}

// Templates that teach no calls, or in a form that nobody here reads, have no form.
func TestFormOf(t *testing.T) {
	for _, template := range []string{"", "{{ messages }}", "<tool_call>", "{{ tools }}<|other_form|>"} {
		if _, ok := FormOf(template); ok {
			t.Errorf("%q has a form", template)
		}
	}
	if f, _ := FormOf(hermes); strings.Join(f.Marks(), " ") != "[ARGS] [CALL_ID] <tool_call> </tool_call>" {
		t.Errorf("%q", f.Marks())
	}
	for file, want := range map[string]bool{
		"Qwen-Qwen2.5-7B-Instruct": true, "mistralai-Mistral-Nemo-Instruct-2407": true,
		"microsoft-Phi-3.5-mini-instruct": false, "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": false,
	} {
		source, err := os.ReadFile("../../../shared/chat_templates/" + file + ".jinja")
		if err != nil {
			t.Skip("the templates of published models are not here")
		}
		if _, ok := FormOf(string(source)); ok != want {
			t.Errorf("%s has a form: %v", file, ok)
		}
	}
}

// A schema that forces calls holds the tools' own, with their references.
func TestSchema(t *testing.T) {
	tools := append([]Tool{{Name: "tree", Parameters: json.RawMessage(`{ "type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "$defs": {"node": {"type": "object"}}}`)}}, offered...)
	var got struct {
		AnyOf []struct {
			Properties struct {
				Name      struct{ Const string }
				Arguments struct {
					Properties map[string]map[string]any
				}
			}
		}
	}
	if err := json.Unmarshal(Schema(tools, ""), &got); err != nil || len(got.AnyOf) != 3 {
		t.Fatalf("%s, %v", Schema(tools, ""), err)
	}
	if ref := got.AnyOf[0].Properties.Arguments.Properties["root"]["$ref"]; ref != "#/anyOf/0/properties/arguments/$defs/node" {
		t.Errorf("the reference is %v", ref)
	}
	if one := string(Schema(tools, "now")); strings.Count(one, `"const"`) != 1 || !strings.Contains(one, `"const":"now"`) {
		t.Errorf("%s", one)
	}
	if Schema(tools, "nobody") != nil || Schema(nil, "") != nil {
		t.Error("there is a schema without a tool")
	}
}

// FuzzReader: no answer breaks a reader, how it is split changes nothing, and without a call nothing of it is lost.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"a <tool_call>{\"name\":\"now\"}</tool_call> b", "<tool_call><function=now><parameter=a>1</parameter></function></tool_call>", "[TOOL_CALLS]now[ARGS]{}", `{"name":"now"};{}`, "<|tool_call|>[{}]", "<tool_call>now\n<arg_key>a</arg_key><arg_value>b</arg_value>"} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, answer string, size uint8) {
		for _, template := range []string{hermes, phi, mistral, llama} {
			whole := read(t, template, answer, len(answer)+1, false)
			if got := read(t, template, answer, 1+int(size), false); got != whole {
				t.Errorf("%q in pieces of %d: %q; at once %q", answer, 1+int(size), got, whole)
			}
			plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if !strings.Contains(whole, ")|") && plain(whole) != plain(answer) {
				t.Errorf("%q became %q", answer, whole)
			}
		}
	})
}
