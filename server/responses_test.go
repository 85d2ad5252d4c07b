package server

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/pipeline"
)

// responseRead is what clients read of an answer.
type responseRead struct {
	ID, Object, Status, Model string
	Output                    []struct {
		Type, Role, Status, Name, Arguments string
		CallID                              string `json:"call_id"`
		Content                             []struct{ Type, Text string }
	}
	Incomplete *reasonJSON `json:"incomplete_details"`
	Usage      *responseUsage
	Truth      *truth `json:"inglenook"`
}

const responsesAsk = `"model":"starter-chat","input":"How do I add a model?","temperature":0`

// An answer of /v1/responses is that of /v1/chat/completions, however the conversation is written.
func TestResponses(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/chat/completions", `{"model":"starter-chat","temperature":0,"max_tokens":24,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello."},{"role":"assistant","content":"Yes?"},{"role":"user","content":"How do I add a model?"}]}`)
	want := read[whole](t, body)
	for _, ask := range []string{
		`"instructions":"Be brief.","input":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Yes?"},{"role":"user","content":"How do I add a model?"}]`,
		`"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be brief."}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]},{"type":"message","role":"assistant","id":"msg_1","content":[{"type":"output_text","text":"Yes?","annotations":[]}]},{"role":"user","content":"How do I add a model?"}],"store":false,"include":["reasoning.encrypted_content"]`,
	} {
		status, header, body := s.post(t, "/v1/responses", `{"model":"starter-chat","temperature":0,"max_output_tokens":24,`+ask+`}`)
		got := read[responseRead](t, body)
		if status != 200 || len(got.Output) != 1 || got.Output[0].Type != "message" || got.Output[0].Content[0].Type != "output_text" || got.Output[0].Content[0].Text != want.Choices[0].Message.Content {
			t.Fatalf("%d %s; want %+v", status, body, want)
		}
		if got.Object != "response" || got.Usage.Input != want.Usage.Prompt || got.Usage.Output != want.Usage.Completion || header.Get(headerDevice) != "cpu" || got.Truth.Device != "cpu" {
			t.Errorf("%s; want %+v", body, want)
		}
		if cut := want.Choices[0].Finish == "length"; cut != (got.Status == "incomplete") || cut != (got.Incomplete != nil && got.Incomplete.Reason == "max_output_tokens") {
			t.Errorf("%s; want %+v", body, want)
		}
	}
}

// A stream has numbered events in the order of the form, and says what a whole answer says.
func TestResponsesStream(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/responses", `{`+responsesAsk+`}`)
	want := read[responseRead](t, body)
	status, header, body := s.post(t, "/v1/responses", `{`+responsesAsk+`,"stream":true}`)
	if status != 200 || header.Get("Content-Type") != "text/event-stream" || want.Status != "completed" {
		t.Fatalf("%d %v %s", status, header, body)
	}
	order, said := "", ""
	for i, e := range namedEvents(t, body) {
		kind := strings.TrimPrefix(e["type"].(string), "response.")
		if kind != "output_text.delta" || !strings.HasSuffix(order, kind+" ") {
			order += kind + " "
		}
		if e["sequence_number"] != float64(i) {
			t.Errorf("event %d is %v", i, e)
		}
		switch kind {
		case "output_text.delta":
			said += e["delta"].(string)
		case "output_text.done":
			if e["text"] != said {
				t.Errorf("the text %q is done as %v", said, e["text"])
			}
		case "completed":
			data, _ := json.Marshal(e["response"])
			if got := read[responseRead](t, string(data)); got.Output[0].Content[0].Text != want.Output[0].Content[0].Text || got.Usage.Output != want.Usage.Output || got.Truth == nil {
				t.Errorf("%s; want %+v", data, want)
			}
		}
	}
	if order != "created in_progress output_item.added content_part.added output_text.delta output_text.done content_part.done output_item.done completed " {
		t.Errorf("the events are %s", order)
	}
	if said != want.Output[0].Content[0].Text {
		t.Errorf("as a stream %q, as a whole %+v", said, want.Output)
	}
}

// Thinking, text and calls are items of their own, each ended before the next one begins.
func TestResponsesItems(t *testing.T) {
	w := httptest.NewRecorder()
	r := responding{stream: stream{&call{Server: new(Server), w: w}}, streams: true}
	for _, x := range []chat.Token{{Started: &pipeline.Started{}}, {Text: "Hm", Thinking: true}, {Text: "Yes"}, {Call: &chat.ToolCall{ID: "a", Name: "lamp", Arguments: `{"on":true}`}}, {Call: &chat.ToolCall{ID: "b", Name: "now", Arguments: `{}`}}} {
		if err := r.token(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.out.Deliver(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, e := range namedEvents(t, w.Body.String()) {
		what := e["delta"]
		if x, ok := e["item"].(map[string]any); ok {
			what = fmt.Sprint(x["type"], x["arguments"], x["status"])
		}
		got += fmt.Sprintf("%v %v %v\n", strings.TrimPrefix(e["type"].(string), "response."), e["output_index"], what)
	}
	const want = `created <nil> <nil>
in_progress <nil> <nil>
output_item.added 0 reasoning<nil>in_progress
content_part.added 0 <nil>
reasoning_text.delta 0 Hm
reasoning_text.done 0 <nil>
content_part.done 0 <nil>
output_item.done 0 reasoning<nil>completed
output_item.added 1 message<nil>in_progress
content_part.added 1 <nil>
output_text.delta 1 Yes
output_text.done 1 <nil>
content_part.done 1 <nil>
output_item.done 1 message<nil>completed
output_item.added 2 function_callin_progress
function_call_arguments.delta 2 {"on":true}
function_call_arguments.done 2 <nil>
output_item.done 2 function_call{"on":true}completed
output_item.added 3 function_callin_progress
function_call_arguments.delta 3 {}
function_call_arguments.done 3 <nil>
output_item.done 3 function_call{}completed
`
	if got != want {
		t.Errorf("%s; want\n%s", got, want)
	}
}

// Calls, and what came of them, go through /v1/responses as through /v1/chat/completions.
func TestResponsesTools(t *testing.T) {
	s := start(t, Options{Models: []string{toolModel(t)}})
	tool := `"tools":[{"type":"function","name":"lamp","description":"Lights it.","parameters":` + lampSchema + `}]`
	for _, choice := range []string{`"required"`, `{"type":"function","name":"lamp"}`} {
		_, _, body := s.post(t, "/v1/responses", `{"input":"Light it.",`+tool+`,"tool_choice":`+choice+`}`)
		got := read[responseRead](t, body)
		if len(got.Output) != 1 || got.Output[0].Type != "function_call" || got.Output[0].Name != "lamp" || len(read[map[string]bool](t, got.Output[0].Arguments)) != 1 || got.Output[0].CallID == "" || got.Status != "completed" {
			t.Errorf("%s", body)
		}
	}
	_, _, body := s.post(t, "/v1/chat/completions", `{"messages":[{"role":"user","content":"Light it."},{"role":"assistant","content":"I do.","tool_calls":[{"id":"call0","type":"function","function":{"name":"lamp","arguments":"{\"on\":true}"}}]},{"role":"tool","tool_call_id":"call0","content":"lit"}],`+lampTool+`,"temperature":0,"max_tokens":8}`)
	want := read[whole](t, body)
	_, _, body = s.post(t, "/v1/responses", `{"input":[{"role":"user","content":"Light it."},{"role":"assistant","content":"I do."},{"type":"function_call","call_id":"call0","name":"lamp","arguments":"{\"on\":true}"},{"type":"function_call_output","call_id":"call0","output":"lit"}],`+tool+`,"temperature":0,"max_output_tokens":8}`)
	if got := read[responseRead](t, body); len(got.Output) != 1 || got.Usage.Input != want.Usage.Prompt || got.Output[0].Content[0].Text != want.Choices[0].Message.Content {
		t.Errorf("%s; want %+v", body, want)
	}
}

// TestResponsesRefusals sends what is wrong in one way each.
func TestResponsesRefusals(t *testing.T) {
	s := start(t, Options{})
	for _, c := range []struct{ body, want string }{
		{`{"model":"starter-chat"}`, "input has to be a text"},
		{`{"model":"starter-chat","input":[]}`, "input has to be a text"},
		{`{"model":"starter-chat","input":7}`, "number"},
		{`{"model":"starter-chat","input":[{"type":"item_reference","id":"x"}]}`, "another type"},
		{`{"model":"starter-chat","input":[{"role":"king","content":"a"}]}`, "a role has to be"},
		{`{"model":"starter-chat","input":[{"role":"user","content":[{"type":"input_image","image_url":"http://127.0.0.1:1/x"}]}]}`, "nothing is fetched"},
		{`{` + responsesAsk + `,"previous_response_id":"resp_1"}`, "nothing is kept here"},
		{`{` + responsesAsk + `,"background":true}`, "nothing is kept here"},
		{`{` + responsesAsk + `,"max_output_tokens":0}`, "max_tokens is 0"},
		{`{` + responsesAsk + `,"text":{"format":{"type":"xml"}}}`, "json_object or json_schema"},
		{`{` + responsesAsk + `,"text":{"format":{"type":"json_schema"}}}`, "has no schema"},
		{`{` + responsesAsk + `,"tools":[{"type":"web_search"}]}`, "another type"},
		{`{` + responsesAsk + `,"tools":[{"type":"function","name":"a"}],"tool_choice":"required"}`, "teaches no calls of tools"},
		{`{` + responsesAsk + `,"stream":true,"input":"` + strings.Repeat("word ", 20000) + `"}`, "context_length_exceeded"},
	} {
		if status, _, body := s.post(t, "/v1/responses", c.body); status != 400 || !strings.Contains(body, c.want) || read[faultJSON](t, body).Error.Type == "" {
			t.Errorf("%.200s: %d %.300s; want %q", c.body, status, body, c.want)
		}
	}
}
