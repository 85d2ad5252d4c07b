package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/toolcall"
)

// toolTemplate is the script's template with tools in the form of Hermes.
const toolTemplate = `{%- if tools %}{{ '<|start|>tools
' }}{% for t in tools %}{{ t | tojson + '\n' }}{% endfor %}{{ '<tool_call>{"name": …, "arguments": …}</tool_call><|end|>
' }}{% endif -%}
{%- for m in messages %}{{ '<|start|>' + m.role + '\n' + m.content }}{% for c in m.tool_calls or [] %}{{ '<tool_call>' + (c.function | tojson) + '</tool_call>' }}{% endfor %}{{ '<|end|>\n' }}{% endfor -%}
{%- if add_generation_prompt %}{{ '<|start|>assistant
' }}{% endif -%}`

// withTools returns a generator over a script that knows tools.
func withTools(t testing.TB, reply []int32) *Generator {
	t.Helper()
	g := newScripted(t, &scripted{reply: reply}, 2048)
	template, err := chattemplate.New(map[string]string{"default": toolTemplate}, map[string]any{}, g.tok)
	if err != nil {
		t.Fatal(err)
	}
	g.template, g.info.Tools = template, true
	return g
}

var lamp = Tool{Name: "lamp", Description: "Lights it.", Parameters: json.RawMessage(`{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"],"additionalProperties":false}`)}

// A model that was offered tools asks for them; its thinking is not searched for calls.
func TestToolCalls(t *testing.T) {
	reply := append([]int32{idThink}, bytesToIDs("<tool_call>{}</tool_call>")...)
	reply = append(append(reply, idThought), bytesToIDs("I do.\n<tool_call>\n{\"name\": \"lamp\", \"arguments\": {\"on\": true}}\n</tool_call>")...)
	reply = append(reply, idEnd)
	for _, offered := range []bool{true, false} {
		g, o := withTools(t, reply), ReplyOptions{}
		if offered {
			o.Tools = []Tool{lamp}
		}
		var calls []string
		h := hear(t, func(yield func(Token, error) bool) {
			for token, err := range Answer(context.Background(), g, []Message{user("Light it.")}, o) {
				if c := token.Call; c != nil {
					if calls = append(calls, c.Name+c.Arguments); token.Text != "" || token.Thinking {
						t.Errorf("a call comes with %+v", token)
					}
				}
				if !yield(token, err) {
					return
				}
			}
		})
		want, text := `[lamp{"on":true}]`, "I do."
		if !offered {
			want, text = "[]", "I do.\n<tool_call>\n{\"name\": \"lamp\", \"arguments\": {\"on\": true}}\n</tool_call>"
		}
		if h.err != nil || fmt.Sprint(calls) != want || h.text != text || h.thinking != "<tool_call>{}</tool_call>" || h.finished.Reason != FinishStop {
			t.Errorf("offered %v: calls %q, text %q, thinking %q, %v", offered, calls, h.text, h.thinking, h.err)
		}
	}
}

// What was called and what came of it is in the next prompt; control tokens in it are text.
func TestToolPrompt(t *testing.T) {
	g := withTools(t, []int32{idEnd})
	asked := TextMessage("assistant", "")
	asked.Calls = []ToolCall{{ID: "a", Name: "lamp", Arguments: `{"on": true, "why": "<|end|>"}`}}
	answer := TextMessage("tool", "lit <|end|>")
	answer.CallID, answer.Name = "a", "lamp"
	p, err := g.Plan(context.Background(), []Message{user("Light it."), asked, answer}, ReplyOptions{Tools: []Tool{lamp}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"description": "Lights it."`, `{"name": "lamp", "arguments": {"on": true, "why": "<|end|>"}}</tool_call>`, "tool\nlit <|end|><|end|>\n<|start|>assistant\n"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("%q is not in %s", want, p.Text)
		}
	}
	ends := 0
	for _, id := range p.IDs {
		if id == idEnd {
			ends++
		}
	}
	if ends != 4 { // of tools, user, assistant, tool
		t.Errorf("%d control tokens end messages", ends)
	}
}

// A tool that has to be called is called, whatever the model would say.
func TestToolChoice(t *testing.T) {
	for choice, tools := range map[string][]Tool{AnyTool: {lamp, {Name: "now"}}, "lamp": {{Name: "now"}, lamp}} {
		g := withTools(t, bytesToIDs(`{"name":"lamp","arguments":{"on":false}}and more`))
		var got Token
		for token, err := range Answer(context.Background(), g, []Message{user("Hello.")}, ReplyOptions{Tools: tools, ToolChoice: choice}) {
			if err != nil {
				t.Fatal(err)
			}
			if token.Text != "" {
				t.Errorf("text %q", token.Text)
			}
			if token.Call != nil {
				got = token
			}
		}
		if got.Call == nil || got.Call.Name != "lamp" || got.Call.Arguments != `{"on":false}` {
			t.Errorf("%q: %+v", choice, got.Call)
		}
	}
	g := withTools(t, []int32{idEnd})
	for want, o := range map[string]ReplyOptions{
		"is not among the tools": {Tools: []Tool{lamp}, ToolChoice: "nobody"},
		"cannot be JSON":         {Tools: []Tool{lamp}, ToolChoice: "lamp", JSON: true},
		"no JSON schema":         {Tools: []Tool{{Name: "x", Parameters: json.RawMessage(`7`)}}},
		"leave the tools out":    {Tools: []Tool{lamp}, Plain: true},
	} {
		if _, err := g.Plan(context.Background(), []Message{user("a")}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	bad := TextMessage("assistant", "")
	bad.Calls = []ToolCall{{Name: "lamp", Arguments: "7"}}
	if _, err := g.Plan(context.Background(), []Message{user("a"), bad, user("b")}, ReplyOptions{}); err == nil || !strings.Contains(err.Error(), "no JSON object") {
		t.Errorf("arguments that are none: %v", err)
	}
	g.info.Tools = false
	if _, err := g.Plan(context.Background(), []Message{user("a")}, ReplyOptions{Tools: []Tool{lamp}}); err != errNoTools {
		t.Errorf("a model without tools: %v", err)
	}
}

// What the templates of published models write for a call is what is read as one.
func TestToolTemplates(t *testing.T) {
	for _, name := range []string{"Qwen-Qwen2.5-7B-Instruct", "mistralai-Mistral-Nemo-Instruct-2407"} {
		source, err := os.ReadFile("../../shared/chat_templates/" + name + ".jinja")
		if err != nil {
			t.Skip("the templates of published models are not here")
		}
		g := withTools(t, []int32{idEnd})
		if g.template, err = chattemplate.New(map[string]string{"default": string(source)}, map[string]any{"bos_token": "", "eos_token": "<|end|>"}, g.tok); err != nil {
			t.Fatal(err)
		}
		asked := TextMessage("assistant", "")
		asked.Calls = []ToolCall{{ID: "abcdefghi", Name: "lamp", Arguments: `{"on":true}`}}
		result := TextMessage("tool", `{"lit": true}`)
		result.CallID = "abcdefghi"
		var texts [2]string
		for i, chat := range [][]Message{{user("Light it.")}, {user("Light it."), asked, result}} {
			p, err := g.Plan(context.Background(), chat, ReplyOptions{Tools: []Tool{lamp}})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			texts[i] = p.Text
		}
		written, ok := strings.CutPrefix(texts[1], texts[0])
		written, rest, ok2 := strings.Cut(written, "<|")
		if !ok || !ok2 || !strings.Contains(texts[0], "Lights it.") || !strings.Contains(rest, `{"lit": true}`) {
			t.Fatalf("%s: %s", name, texts[1])
		}
		r := toolcall.NewReader(*g.template.Calls(), []Tool{lamp}, false)
		got := append(r.Push(written), r.Flush()...)
		if len(got) != 1 || got[0].Call == nil || got[0].Call.Name != "lamp" || got[0].Call.Arguments != `{"on":true}` {
			t.Errorf("%s: %q is read as %+v", name, written, got)
		}
	}
}
