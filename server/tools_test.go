package server

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/assets"
)

// toolTemplate teaches calls as Hermes does.
const toolTemplate = `{{ '<|endoftext|>' }}{% if tools %}{{ '<|system|>\n' + (tools | tojson) + ' <tool_call>{"name": …, "arguments": …}</tool_call><|end|>\n' }}{% endif %}` +
	`{% for m in messages %}{{ '<|' + m.role + '|>\n' + m.content }}{% for c in m.tool_calls or [] %}{{ '<tool_call>' + (c.function | tojson) + '</tool_call>' + c.id }}{% endfor %}` +
	`{{ (m.tool_call_id or '') + '<|end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}`

// toolModel writes the bundled chat model with a template that teaches tools, and returns its path. It was not trained
// for them: only a call that is forced comes from it for certain.
func toolModel(t testing.TB) string {
	t.Helper()
	data, err := fs.ReadFile(assets.StarterChat(), "starter-chat.gguf")
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("tokenizer.chat_template\x08\x00\x00\x00")
	head, tail, ok := bytes.Cut(data, key)
	if !ok {
		t.Fatal("the bundled model has no chat template")
	}
	old := int(binary.LittleEndian.Uint64(tail))
	longer := (len(toolTemplate) + 4 - old + 31) / 32 * 32 // so that the tensors stay aligned
	template := toolTemplate + "{#" + strings.Repeat(" ", old+longer-len(toolTemplate)-4) + "#}"
	out := binary.LittleEndian.AppendUint64(slices.Concat(head, key), uint64(len(template)))
	path := filepath.Join(t.TempDir(), "tools.gguf")
	if err := os.WriteFile(path, slices.Concat(out, []byte(template), tail[8+old:]), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	lampSchema = `{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"],"additionalProperties":false}`
	lampTool   = `"tools":[{"type":"function","function":{"name":"lamp","description":"Lights it.","parameters":` + lampSchema + `}}]`
	lampAsk    = `"messages":[{"role":"user","content":"Light it."}]`
)

// Calls in OpenAI's form: whole, and as deltas of which the first alone names the call.
func TestChatTools(t *testing.T) {
	s := start(t, Options{Models: []string{toolModel(t)}})
	for _, choice := range []string{`"required"`, `{"type":"function","function":{"name":"lamp"}}`} {
		body := `{` + lampAsk + `,` + lampTool + `,"tool_choice":` + choice + `,"seed":1`
		status, header, got := s.post(t, "/v1/chat/completions", body+`}`)
		x := read[struct {
			Choices []struct {
				Message struct {
					Content *string
					Calls   []toolCallJSON `json:"tool_calls"`
				}
				Finish string `json:"finish_reason"`
			}
		}](t, got)
		if status != 200 || header.Get(headerDevice) != "cpu" || len(x.Choices[0].Message.Calls) != 1 || x.Choices[0].Finish != "tool_calls" || x.Choices[0].Message.Content != nil {
			t.Fatalf("%d %s", status, got)
		}
		call := x.Choices[0].Message.Calls[0]
		if call.Index != nil || call.Type != "function" || call.Function.Name != "lamp" || len(read[map[string]bool](t, call.Function.Arguments)) != 1 || len(call.ID) != 9 {
			t.Errorf("%s", got)
		}
		_, _, got = s.post(t, "/v1/chat/completions", body+`,"stream":true}`)
		var deltas []string
		for _, e := range events(t, got) {
			if e == "[DONE]" {
				break
			}
			c := read[struct {
				Choices []struct {
					Delta  json.RawMessage
					Finish *string `json:"finish_reason"`
				}
			}](t, e).Choices[0]
			deltas = append(deltas, string(c.Delta))
			if c.Finish != nil && *c.Finish != "tool_calls" {
				t.Errorf("ended by %s", *c.Finish)
			}
		}
		if len(deltas) != 4 || deltas[0] != `{"role":"assistant","content":null}` || deltas[3] != `{}` ||
			!regexp.MustCompile(`^\{"tool_calls":\[\{"index":0,"id":"[a-z0-9]{9}","type":"function","function":\{"name":"lamp"\}\}\]\}$`).MatchString(deltas[1]) ||
			!regexp.MustCompile(`^\{"tool_calls":\[\{"index":0,"function":\{"arguments":"\{\\"on\\":(true|false)\}"\}\}\]\}$`).MatchString(deltas[2]) {
			t.Errorf("%q", deltas)
		}
	}
	demanded := `{` + lampAsk + `,` + lampTool + `,"tool_choice":"required","seed":1`
	if _, _, got := s.post(t, "/v1/chat/completions", demanded+`,"stop":["name","{"]}`); !strings.Contains(got, `"finish_reason":"tool_calls"`) {
		t.Errorf("a stop text within a call: %s", got)
	}
	if _, _, got := s.post(t, "/v1/chat/completions", demanded+`,"max_tokens":3}`); !strings.Contains(got, `"finish_reason":"length"`) || strings.Contains(got, "tool_calls") || read[whole](t, got).Choices[0].Message.Content != "" {
		t.Errorf("a call that was cut short: %s", got)
	}
	if _, _, got := s.post(t, "/v1/chat/completions", `{`+lampAsk+`,`+lampTool+`,"max_tokens":4}`); read[whole](t, got).Choices[0].Message.Content == "" {
		t.Errorf("a model that need not call a tool says nothing: %s", got)
	}
}

// The same call in Anthropic's form and in Ollama's.
func TestOtherTools(t *testing.T) {
	s := start(t, Options{Models: []string{toolModel(t)}})
	body := `{"max_tokens":100,` + lampAsk + `,"tools":[{"name":"lamp","description":"Lights it.","input_schema":` + lampSchema + `}],"tool_choice":{"type":"any"}`
	_, _, got := s.post(t, "/v1/messages", body+`}`)
	m := read[messageRead](t, got)
	if len(m.Content) != 1 || m.Content[0]["type"] != "tool_use" || m.Content[0]["name"] != "lamp" || len(m.Content[0]["input"].(map[string]any)) != 1 || m.Content[0]["id"] == "" || *m.Reason != "tool_use" {
		t.Errorf("%s", got)
	}
	_, _, got = s.post(t, "/v1/messages", body+`,"stream":true}`)
	order := ""
	for _, e := range namedEvents(t, got) {
		order += e["type"].(string) + " "
		if d, ok := e["delta"].(map[string]any); ok && e["type"] == "content_block_delta" && (d["type"] != "input_json_delta" || len(read[map[string]bool](t, d["partial_json"].(string))) != 1) {
			t.Errorf("%v", e)
		}
	}
	if order != "message_start content_block_start content_block_delta content_block_stop message_delta message_stop " {
		t.Errorf("%s", order)
	}
	_, _, openai := s.post(t, "/v1/chat/completions", `{`+lampAsk+`,`+lampTool+`,"temperature":0,"max_tokens":8}`)
	want := read[whole](t, openai)
	_, _, got = s.post(t, "/api/chat", `{`+lampAsk+`,`+lampTool+`,"stream":false,"options":{"temperature":0,"num_predict":8}}`)
	if x := read[lineRead](t, got); x.Message.Content != want.Choices[0].Message.Content || x.Prompt != want.Usage.Prompt {
		t.Errorf("%s; want %+v", got, want)
	}
	line := (&ollamaAnswer{chats: true}).calls(ollamaPiece{Message: &ollamaMessage{Role: "assistant"}}, chat.ToolCall{ID: "x", Name: "lamp", Arguments: `{"on":true}`})
	if data, _ := json.Marshal(line.Message); string(data) != `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"lamp","arguments":{"on":true}}}]}` {
		t.Errorf("%s", data)
	}
}

// What was called, and what came of it, is the same conversation in each form.
func TestToolResults(t *testing.T) {
	s := start(t, Options{Models: []string{toolModel(t)}})
	anthropicTools := `"tools":[{"name":"lamp","description":"Lights it.","input_schema":` + lampSchema + `}]`
	_, _, body := s.post(t, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Light it."},{"role":"assistant","content":null,"tool_calls":[{"id":"call0","type":"function","function":{"name":"lamp","arguments":"{\"on\":true}"}}]},{"role":"tool","tool_call_id":"call0","content":"lit"}],`+lampTool+`,"temperature":0,"max_tokens":8}`)
	want := read[whole](t, body)
	if len(want.Choices) != 1 || want.Choices[0].Message.Content == "" {
		t.Fatalf("%s", body)
	}
	_, _, body = s.post(t, "/v1/messages", `{"max_tokens":8,"temperature":0,`+anthropicTools+`,"messages":[{"role":"user","content":"Light it."},{"role":"assistant","content":[{"type":"tool_use","id":"call0","name":"lamp","input":{"on":true}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call0","content":[{"type":"text","text":"lit"}]}]}]}`)
	if got := read[messageRead](t, body); got.Usage.Input+got.Usage.Cached != want.Usage.Prompt || got.Content[0]["text"] != want.Choices[0].Message.Content {
		t.Errorf("%s; want %+v", body, want)
	}
	_, _, body = s.post(t, "/api/chat", `{"stream":false,"options":{"temperature":0,"num_predict":8},`+lampTool+`,"messages":[{"role":"user","content":"Light it."},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"lamp","arguments":{"on":true}}}]},{"role":"tool","tool_name":"lamp","content":"lit"}]}`)
	if got := read[lineRead](t, body); got.Prompt != want.Usage.Prompt || got.Message.Content != want.Choices[0].Message.Content {
		t.Errorf("%s; want %+v", body, want)
	}
}

// A request that names no model is for the first one that can answer it.
func TestUnnamedModel(t *testing.T) {
	s := start(t, Options{Models: []string{chatModel, embedModel}})
	for path, body := range map[string]string{
		"/v1/chat/completions": `{` + lampAsk + `,"max_tokens":1}`, "/v1/embeddings": `{"input":"a"}`, "/rerank": `{"query":"a","texts":["b"]}`,
	} {
		if status, _, got := s.post(t, path, body); status != 200 {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	alone := start(t, Options{Models: []string{chatModel}})
	if status, _, got := alone.post(t, "/v1/embeddings", `{"input":"a"}`); status != 400 || !strings.Contains(got, "choose an embedder") {
		t.Errorf("%d %s", status, got)
	}
}

// TestToolRefusals sends what is wrong with tools in one way each.
func TestToolRefusals(t *testing.T) {
	s := start(t, Options{Models: []string{toolModel(t), chatModel}})
	for _, c := range []struct{ path, body, want string }{
		{"/v1/chat/completions", `{"model":"starter-chat",` + lampAsk + `,` + lampTool + `,"tool_choice":"required"}`, "teaches no calls of tools"},
		{"/v1/messages", `{"model":"starter-chat","max_tokens":5,` + lampAsk + `,"tools":[{"name":"lamp"}],"tool_choice":{"type":"any"}}`, "teaches no calls of tools"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"tool","content":"x"}]}`, "teaches no calls of tools"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"web_search"}]}`, "another type"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"function","function":{"name":""}}]}`, "needs a name"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"a"}}]}`, "two tools have the name"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"function","function":{"name":"a","parameters":7}}]}`, "JSON schema"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"banana"}}}],"tool_choice":"required"}`, "cannot be enforced"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"string"}}}]}`, "schema of an object"},
		{"/v1/chat/completions", `{` + lampAsk + `,` + lampTool + `,"tool_choice":"sometimes"}`, "tool_choice has to be"},
		{"/v1/chat/completions", `{` + lampAsk + `,` + lampTool + `,"tool_choice":{"type":"function","function":{"name":"b"}}}`, "not among the tools"},
		{"/v1/chat/completions", `{` + lampAsk + `,"tool_choice":"required"}`, "not among the tools"},
		{"/v1/chat/completions", `{` + lampAsk + `,` + lampTool + `,"response_format":{"type":"json_object"}}`, "leave one of them out"},
		{"/v1/chat/completions", `{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"lamp","arguments":"[]"}}]}]}`, "arguments that are a JSON object"},
		{"/v1/messages", `{"max_tokens":5,` + lampAsk + `,"tools":[{"type":"web_search_20250305","name":"web_search"}]}`, "a server of Anthropic runs"},
		{"/v1/messages", `{"max_tokens":5,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"lamp","input":[]}]}]}`, "an input that is an object"},
		{"/v1/messages", `{"max_tokens":5,` + lampAsk + `,"tools":[{"name":"lamp"}],"tool_choice":{"type":"maybe"}}`, "tool_choice has to be"},
	} {
		if status, _, body := s.post(t, c.path, c.body); status != 400 || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s; want %q", c.body, status, body, c.want)
		}
	}
}

// Lists tell which models can be offered tools.
func TestToolCapability(t *testing.T) {
	path := toolModel(t)
	s := start(t, Options{Models: []string{path, chatModel}})
	for name, want := range map[string]bool{path: true, chatModel: false} {
		_, _, body := s.post(t, "/api/show", `{"model":"`+name+`"}`)
		if got := strings.Contains(body, `["completion","tools"]`); got != want {
			t.Errorf("%s: %s", name, body)
		}
		if _, _, body = do(t, request(t, "GET", s.url+"/v1/models/"+name, "")); strings.Contains(body, `"tools"`) != want {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// Ids are those that every template takes, and stay the same.
func TestCallIDs(t *testing.T) {
	if a := callID("call_0123456789"); len(a) != 9 || a != callID("call_0123456789") || a == callID("call_012345678") || callID("abcDEF123") != "abcDEF123" || callID("") != "" {
		t.Errorf("%q", a)
	}
	if first, second := newCallID(), newCallID(); first == second || callID(first) == "" {
		t.Errorf("two calls have the ids %q and %q", first, second)
	}
}

// A model that knows no tools answers without those that it may use, and says so: clients offer
// tools to every model.
func TestToolsAreLeftOut(t *testing.T) {
	s := start(t, Options{})
	for path, body := range map[string]string{
		"/v1/chat/completions": `{"model":"starter-chat","max_tokens":5,` + lampAsk + `,` + lampTool + `}`,
		"/v1/messages":         `{"model":"starter-chat","max_tokens":5,` + lampAsk + `,"tools":[{"name":"lamp","input_schema":{"type":"object"}}]}`,
		"/v1/responses":        `{"model":"starter-chat","max_output_tokens":5,"input":"Is it lit?","tools":[{"type":"function","name":"lamp"}]}`,
		"/api/chat":            `{"model":"starter-chat","stream":false,"options":{"num_predict":5},` + lampAsk + `,` + lampTool + `}`,
	} {
		status, _, got := s.post(t, path, body)
		if status != 200 || !strings.Contains(got, "the tools were left out") {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
}
