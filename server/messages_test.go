package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/pipeline"
)

// messageRead is what Anthropic's client reads of an answer.
type messageRead struct {
	ID, Type, Role, Model string
	Content               []map[string]any
	Reason                *string `json:"stop_reason"`
	Stop                  *string `json:"stop_sequence"`
	Usage                 messageUsage
	Truth                 truth `json:"inglenook"`
}

const asked = `"model":"starter-chat","messages":[{"role":"user","content":"How do I add a model?"}],"temperature":0`

// An answer in Anthropic's form is the one in OpenAI's form, and shares what was read for it.
func TestMessages(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":24}`)
	want := read[whole](t, body)
	status, header, body := s.post(t, "/v1/messages", `{`+asked+`,"max_tokens":24}`)
	got := read[messageRead](t, body)
	if status != 200 || len(got.Content) != 1 || got.Content[0]["type"] != "text" || got.Content[0]["text"] != want.Choices[0].Message.Content {
		t.Fatalf("%d %s; want the text %q", status, body, want.Choices[0].Message.Content)
	}
	if got.Type != "message" || got.Role != "assistant" || got.Model != chatModel || !strings.HasPrefix(got.ID, "msg_") || got.Stop != nil {
		t.Errorf("%s", body)
	}
	if reason := map[string]string{"length": "max_tokens", "stop": "end_turn"}[want.Choices[0].Finish]; got.Reason == nil || *got.Reason != reason {
		t.Errorf("ended by %v; want %s", got.Reason, reason)
	}
	if got.Usage.Cached == 0 || got.Usage.Input+got.Usage.Cached != want.Usage.Prompt || got.Usage.Output != want.Usage.Completion {
		t.Errorf("usage %+v; OpenAI's %+v", got.Usage, want.Usage)
	}
	if header.Get(headerDevice) != "cpu" || got.Truth.Device != "cpu" {
		t.Errorf("header %v, field %+v", header, got.Truth)
	}
	_, _, counted := s.post(t, "/v1/messages/count_tokens", `{`+asked+`}`)
	if n := read[map[string]int](t, counted)["input_tokens"]; n != want.Usage.Prompt {
		t.Errorf("counted %s; the prompt has %d", counted, want.Usage.Prompt)
	}
	long := strings.Repeat("word ", 20000)
	_, _, counted = s.post(t, "/v1/messages/count_tokens", `{"model":"starter-chat","messages":[{"role":"user","content":"`+long+`"}]}`)
	if n := read[map[string]int](t, counted)["input_tokens"]; n < 20000 {
		t.Errorf("a prompt that does not fit: %s", counted)
	}
}

// The system prompt, texts and turns may be written in several ways that mean the same.
func TestMessagesForms(t *testing.T) {
	s := start(t, Options{})
	answer := func(body string) messageRead {
		t.Helper()
		status, _, got := s.post(t, "/v1/messages", `{"model":"starter-chat","temperature":0,"max_tokens":12,`+body+`}`)
		if status != 200 {
			t.Fatalf("%s: %d %s", body, status, got)
		}
		return read[messageRead](t, got)
	}
	text := func(m messageRead) string { return fmt.Sprint(m.Content) }
	plain := answer(`"system":"Be\nbrief.","messages":[{"role":"user","content":"What is\nRerank?"}]`)
	for _, body := range []string{
		`"system":[{"type":"text","text":"Be"},{"type":"text","text":"brief.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"What is"},{"type":"text","text":"Rerank?"}]}]`,
		`"system":"Be\nbrief.","messages":[{"role":"user","content":"What is"},{"role":"user","content":"Rerank?"}],"metadata":{"user_id":"x"},"thinking":{"type":"disabled"}`,
	} {
		if got := answer(body); text(got) != text(plain) || got.Usage.Input+got.Usage.Cached != plain.Usage.Input+plain.Usage.Cached {
			t.Errorf("%s: %s; want %s", body, text(got), text(plain))
		}
	}
	if got := answer(`"messages":[{"role":"user","content":"a"}],"thinking":{"type":"enabled","budget_tokens":1024}`); len(got.Truth.Notes) != 1 {
		t.Errorf("nothing says that thinking cannot be chosen: %+v", got.Truth)
	}
	said := plain.Content[0]["text"].(string)
	if len(said) < 12 {
		t.Fatalf("the answer is %q", said)
	}
	stop, _ := json.Marshal(said[6:9])
	got := answer(`"system":"Be\nbrief.","messages":[{"role":"user","content":"What is\nRerank?"}],"stop_sequences":[` + string(stop) + `]`)
	if *got.Reason != "stop_sequence" || got.Stop == nil || *got.Stop != said[6:9] || got.Content[0]["text"] != said[:strings.Index(said, said[6:9])] {
		t.Errorf("stopped at %s: %+v of %q", stop, got, said)
	}
	words := 3 + strings.Index(said[3:], " ") // the answer up to the end of a word
	begun, _ := json.Marshal(said[:words])
	more := answer(`"system":"Be\nbrief.","messages":[{"role":"user","content":"What is\nRerank?"},{"role":"assistant","content":` + string(begun) + `}]`)
	if all := said[:words] + more.Content[0]["text"].(string); !strings.HasPrefix(all, said) && !strings.HasPrefix(said, all) {
		t.Errorf("an answer that began with %s goes on as %q; the whole one is %q", begun, all, said)
	}
	schema := `{"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":9}},"required":["count"],"additionalProperties":false}`
	fits := answer(`"messages":[{"role":"user","content":"a"}],"max_tokens":200,"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`)
	if n := read[map[string]int](t, fits.Content[0]["text"].(string)); len(n) != 1 {
		t.Errorf("%v does not follow the schema", fits.Content)
	}
}

// namedEvents are the events of a stream whose names are in the data as well.
func namedEvents(t testing.TB, body string) (list []map[string]any) {
	t.Helper()
	for _, e := range strings.SplitAfter(body, "\n\n") {
		if e == "" {
			continue
		}
		name, data, ok := strings.Cut(strings.TrimSuffix(e, "\n\n"), "\n")
		data, ok2 := strings.CutPrefix(data, "data: ")
		v := read[map[string]any](t, data)
		if !ok || !ok2 || name != fmt.Sprintf("event: %v", v["type"]) {
			t.Fatalf("an event is %q", e)
		}
		list = append(list, v)
	}
	return list
}

// A stream says the same as a whole answer, in Anthropic's order of events.
func TestMessagesStream(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/messages", `{`+asked+`,"max_tokens":20}`)
	want := read[messageRead](t, body)
	status, header, body := s.post(t, "/v1/messages", `{`+asked+`,"max_tokens":20,"stream":true}`)
	if status != 200 || header.Get("Content-Type") != "text/event-stream" || header.Get(headerDevice) != "cpu" {
		t.Fatalf("%d %v %s", status, header, body)
	}
	said, order := "", ""
	for _, e := range namedEvents(t, body) {
		kind := e["type"].(string)
		if kind != "content_block_delta" || !strings.HasSuffix(order, kind+" ") {
			order += kind + " "
		}
		switch kind {
		case "content_block_delta":
			d := e["delta"].(map[string]any)
			if said += d["text"].(string); d["type"] != "text_delta" || d["text"] == "" || e["index"] != 0.0 {
				t.Errorf("%v", e)
			}
		case "message_delta":
			data, _ := json.Marshal(e["delta"])
			used, _ := json.Marshal(e["usage"])
			if end := read[messageRead](t, string(data)); end.Reason == nil || *end.Reason != *want.Reason || read[messageUsage](t, string(used)).Output != want.Usage.Output {
				t.Errorf("%v; want %+v", e, want)
			}
		}
	}
	if order != "message_start content_block_start content_block_delta content_block_stop message_delta message_stop " {
		t.Errorf("the events are %s", order)
	}
	if said != want.Content[0]["text"] {
		t.Errorf("as a stream %q, as a whole %v", said, want.Content)
	}
}

// Thinking and text are blocks of their own, each ended before the next one begins.
func TestMessagesThinking(t *testing.T) {
	w := httptest.NewRecorder()
	out := messageStream{stream: stream{&call{Server: new(Server), w: w, form: anthropic}}, n: -1}
	for _, x := range []chat.Token{{Started: &pipeline.Started{Plan: pipeline.Plan{PromptTokens: 9}, Reused: 4}}, {Text: "Hm", Thinking: true}, {Text: ".", Thinking: true}, {Text: "Yes"}, {}, {Text: "!"}} {
		if err := out.token(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.shut(), out.out.Deliver(t.Context(), 0)); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, e := range namedEvents(t, w.Body.String()) {
		delete(e, "message")
		data, _ := json.Marshal(e)
		got += string(data) + "\n"
	}
	const want = `{"type":"message_start"}
{"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0,"type":"content_block_start"}
{"delta":{"thinking":"Hm","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
{"delta":{"thinking":".","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
{"index":0,"type":"content_block_stop"}
{"content_block":{"text":"","type":"text"},"index":1,"type":"content_block_start"}
{"delta":{"text":"Yes","type":"text_delta"},"index":1,"type":"content_block_delta"}
{"delta":{"text":"!","type":"text_delta"},"index":1,"type":"content_block_delta"}
{"index":1,"type":"content_block_stop"}
`
	if got != want {
		t.Errorf("%s; want\n%s", got, want)
	}
	if !strings.Contains(w.Body.String(), `"input_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":4`) {
		t.Errorf("%s", w.Body)
	}
	var r messagesRequest
	for body, want := range map[string][3]string{ // for a model with a switch, one with efforts, and one with no choice
		`{}`:                                 {"", "", ""},
		`{"thinking":{"type":"disabled"}}`:   {"none", "low", ""},
		`{"thinking":{"type":"enabled"}}`:    {"medium", "medium", ""},
		`{"output_config":{"effort":"max"}}`: {"high", "high", ""},
	} {
		r = messagesRequest{}
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			t.Fatal(err)
		}
		for i, choice := range []chat.Thinking{chat.ThinkingSwitch, chat.ThinkingEffort, chat.ThinkingFixed} {
			if got, note := r.think(choice); got != want[i] || (note != "") != (body != "{}" && (i == 2 || i == 1 && want[0] == "none")) {
				t.Errorf("%s, choice %d: %q, %q", body, i, got, note)
			}
		}
	}
}

// TestMessagesRefusals sends what is wrong in one way each; the errors have Anthropic's form.
func TestMessagesRefusals(t *testing.T) {
	s := start(t, Options{})
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{``, 400, "the body is empty"},
		{`{"model":"nobody","max_tokens":1}`, 404, "there is no model “nobody”"},
		{`{"model":"starter-embed","max_tokens":1}`, 400, "cannot write text"},
		{`{"model":"starter-chat","max_tokens":1}`, 400, "messages has to be a list"},
		{`{` + asked + `}`, 400, "max_tokens is missing"},
		{`{` + asked + `,"max_tokens":0}`, 400, "max_tokens is 0"},
		{`{` + asked + `,"max_tokens":1,"temperature":"hot"}`, 400, "temperature"},
		{`{` + asked + `,"max_tokens":1,"tools":[{"name":"x"}],"tool_choice":{"type":"any"}}`, 400, "teaches no calls of tools"},
		{`{` + asked + `,"max_tokens":1,"system":7}`, 400, "system"},
		{`{` + asked + `,"max_tokens":1,"stop_sequences":[""]}`, 400, "stop"},
		{`{` + asked + `,"max_tokens":1,"output_config":{"format":{"type":"xml"}}}`, 400, "json_schema"},
		{`{"model":"starter-chat","max_tokens":1,"messages":[{"role":"tool","content":"a"}]}`, 400, "a role has to be user, assistant or system"},
		{`{"model":"starter-chat","max_tokens":1,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"http://127.0.0.1:1/x"}}]}]}`, 400, "nothing is fetched"},
		{`{"model":"starter-chat","max_tokens":1,"messages":[{"role":"user","content":"` + strings.Repeat("word ", 20000) + `"}]}`, 400, "context"},
		{`{"model":"starter-chat","max_tokens":1,"stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("word ", 20000) + `"}]}`, 400, "context"},
	} {
		status, _, body := s.post(t, "/v1/messages", c.body)
		got := read[struct {
			Type  string
			Error struct{ Type, Message string }
		}](t, body)
		if status != c.status || got.Type != "error" || !strings.Contains(got.Error.Type+" "+got.Error.Message, c.want) || !strings.HasSuffix(got.Error.Type, "_error") && c.status != 413 {
			t.Errorf("%.120s: %d %.300s; want %d %q", c.body, status, body, c.status, c.want)
		}
	}
	if status, _, body := do(t, request(t, "GET", s.url+"/v1/messages", "")); status != 405 || read[map[string]any](t, body)["type"] != "error" {
		t.Errorf("%d %s", status, body)
	}
}
