package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"inglenook/app/chat"
	"inglenook/app/pool"
)

// whole is what a client reads of a whole answer.
type whole struct {
	ID, Object, Model string
	Choices           []struct {
		Index   int
		Text    string
		Message struct{ Role, Content string }
		Finish  string `json:"finish_reason"`
	}
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
	Truth truth `json:"inglenook"`
}

const question = `"model":"starter-chat","messages":[{"role":"user","content":"How do I add a model?"}],"temperature":0`

// The server's answer is the one that the application gives without it.
func TestChatIsTheApplications(t *testing.T) {
	s := start(t, Options{})
	w, err := s.app.OpenChat(context.Background(), pool.WriterOptions{Model: chatModel}, nil)
	if err != nil {
		t.Fatal(err)
	}
	how := w.Info().Sampling
	how.Temperature = 0
	want, err := chat.Collect(w.Answer(context.Background(), []chat.PromptMessage{chat.TextMessage("user", "How do I add a model?")}, chat.ReplyOptions{MaxTokens: 24, Sampling: &how}), nil)
	w.Close()
	if err != nil || want.Text == "" {
		t.Fatalf("%+v, %v", want, err)
	}
	status, header, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":24}`)
	got := read[whole](t, body)
	if status != 200 || len(got.Choices) != 1 || got.Choices[0].Message.Content != want.Text || got.Choices[0].Message.Role != "assistant" || got.Object != "chat.completion" || got.Model != chatModel {
		t.Fatalf("%d %s; want the text %q", status, body, want.Text)
	}
	if got.Usage.Prompt != want.Started.PromptTokens || got.Usage.Completion != want.Finished.Tokens || got.Usage.Total != got.Usage.Prompt+got.Usage.Completion {
		t.Errorf("usage %+v", got.Usage)
	}
	if header.Get(headerDevice) != "cpu" || header.Get(headerFallbacks) != "0" || got.Truth.Device != "cpu" || got.Truth.Fallbacks == nil {
		t.Errorf("header %v, field %+v", header, got.Truth)
	}
	if got.Choices[0].Finish != finish(want) {
		t.Errorf("ended by %q, and %q without the server", got.Choices[0].Finish, want.Finished.Reason)
	}
	if told := s.requests(t, 1); told[0].Tokens != want.Finished.Tokens || told[0].Status != 200 || told[0].Route != "/v1/chat/completions" {
		t.Errorf("told %+v", told)
	}
	_, _, again := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":24}`)
	if got := read[whole](t, again); got.Usage.Details.Cached == 0 || got.Choices[0].Message.Content != want.Text {
		t.Errorf("the same question again: %s", again)
	}
}

type chunk struct {
	ID, Object string
	Choices    []struct {
		Index  int
		Delta  map[string]string
		Finish *string `json:"finish_reason"`
	}
	Usage *struct {
		Completion int `json:"completion_tokens"`
	}
	Truth *truth `json:"inglenook"`
}

// A stream says the same as a whole answer, piece by piece, for each of n answers.
func TestChatStream(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":20,"n":2}`)
	want := read[whole](t, body)
	status, header, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":20,"n":2,"stream":true,"stream_options":{"include_usage":true}}`)
	list := events(t, body)
	if status != 200 || header.Get("Content-Type") != "text/event-stream" || header.Get(headerDevice) != "cpu" || list[len(list)-1] != "[DONE]" {
		t.Fatalf("%d %v %s", status, header, body)
	}
	said, ends := map[int]string{}, map[int]string{}
	var used, id string
	for i, e := range list[:len(list)-1] {
		x := read[chunk](t, e)
		if id == "" {
			id = x.ID
		}
		if x.ID != id || x.Object != "chat.completion.chunk" {
			t.Fatalf("event %d is %s", i, e)
		}
		if len(x.Choices) == 0 {
			used = e
			continue
		}
		c := x.Choices[0]
		if _, begun := said[c.Index]; begun == (c.Delta["role"] == "assistant") {
			t.Errorf("event %d: the role comes once, at first: %s", i, e)
		}
		said[c.Index] += c.Delta["content"]
		if c.Finish != nil {
			if ends[c.Index] = *c.Finish; x.Truth == nil || x.Truth.Device != "cpu" {
				t.Errorf("the end does not tell the device: %s", e)
			}
		}
	}
	for i := range 2 {
		if said[i] != want.Choices[i].Message.Content || ends[i] != want.Choices[i].Finish {
			t.Errorf("answer %d is %q, ended by %q; as a whole %+v", i, said[i], ends[i], want.Choices[i])
		}
	}
	if x := read[chunk](t, used); x.Usage == nil || x.Usage.Completion != want.Usage.Completion {
		t.Errorf("usage %s; want %+v", used, want.Usage)
	}
}

// Each field changes the answer as it says.
func TestChatFields(t *testing.T) {
	s := start(t, Options{})
	answer := func(fields string) whole {
		t.Helper()
		status, _, body := s.post(t, "/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"What is"},{"type":"text","text":" Rerank?"}]}]`+fields+`}`)
		if status != 200 {
			t.Fatalf("%s: %d %s", fields, status, body)
		}
		return read[whole](t, body)
	}
	text := func(w whole) string { return w.Choices[0].Message.Content }
	if got := answer(`,"max_tokens":3`); got.Usage.Completion != 3 || got.Choices[0].Finish != "length" {
		t.Errorf("%+v", got)
	}
	for _, seed := range []string{"0", "7", "-3"} {
		a, b := answer(`,"seed":`+seed+`,"temperature":1.5,"max_tokens":16`), answer(`,"seed":`+seed+`,"temperature":1.5,"max_tokens":16`)
		if text(a) != text(b) {
			t.Errorf("seed %s gave %q, then %q", seed, text(a), text(b))
		}
	}
	if text(answer(`,"seed":1,"temperature":2,"max_tokens":16`)) == text(answer(`,"seed":2,"temperature":2,"max_tokens":16`)) {
		t.Error("two seeds gave one text")
	}
	full := text(answer(`,"temperature":0,"max_tokens":16`))
	if len(full) < 10 {
		t.Fatalf("the answer is %q", full)
	}
	stop, _ := json.Marshal(full[4:7])
	if got := answer(`,"temperature":0,"max_tokens":16,"stop":` + string(stop)); text(got) != full[:strings.Index(full, full[4:7])] || got.Choices[0].Finish != "stop" {
		t.Errorf("stopped before %s: %q of %q", stop, text(got), full)
	}
	schema := `{"type":"object","properties":{"name":{"type":"string","maxLength":8},"count":{"type":"integer","minimum":0,"maximum":9}},"required":["name","count"],"additionalProperties":false}`
	got := answer(`,"seed":1,"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":` + schema + `}}`)
	var fits struct {
		Name  *string
		Count *int
	}
	if err := json.Unmarshal([]byte(text(got)), &fits); err != nil || fits.Name == nil || fits.Count == nil {
		t.Errorf("%q does not follow the schema: %v", text(got), err)
	}
}

// What a chat has read is read for a text too, because both routes share the model.
func TestPrefixHoldsAcrossRoutes(t *testing.T) {
	s := start(t, Options{})
	long := strings.Repeat("The kettle sang on the hearth. ", 8)
	status, _, body := s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"`+long+`","max_tokens":4,"temperature":0}`)
	first := read[whole](t, body)
	if status != 200 || first.Choices[0].Text == "" || first.Usage.Completion != 4 {
		t.Fatalf("%d %s", status, body)
	}
	_, _, body = s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":["`+long+`","`+long+`And"],"max_tokens":4,"temperature":0,"stream":false}`)
	if again := read[whole](t, body); len(again.Choices) != 2 || again.Choices[0].Text != first.Choices[0].Text || again.Usage.Details.Cached < first.Usage.Prompt {
		t.Errorf("%s", body)
	}
	_, _, stream := s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"`+long+`","max_tokens":4,"temperature":0,"stream":true}`)
	said := ""
	for _, e := range events(t, stream) {
		if e != "[DONE]" {
			said += read[whole](t, e).Choices[0].Text
		}
	}
	if said != first.Choices[0].Text {
		t.Errorf("as a stream %q, as a whole %q", said, first.Choices[0].Text)
	}
}

// endless asks for an answer that is long enough to be cut off: no control token may end it.
const endless = `{"model":"starter-chat","prompt":"one two three","max_tokens":4000,"temperature":2,"top_p":1,"min_p":0,"top_k":0,"logit_bias":{"0":-100,"1":-100,"2":-100,"3":-100,"4":-100,"5":-100},"stream":true}`

// A client that leaves, after any number of bytes, ends its answer: within 200 ms, and much more
// on a busy machine.
func TestDisconnects(t *testing.T) {
	s := start(t, Options{})
	s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"a","max_tokens":1}`) // open
	for cut := 0; cut < 4000; cut += 173 {
		ctx, cancel := context.WithCancel(context.Background())
		got, err := http.DefaultClient.Do(request(t, "POST", s.url+"/v1/completions", endless).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, got.Body, int64(cut)); err != nil || s.idle(time.Millisecond) {
			t.Fatalf("the answer ended by itself before %d bytes: %v", cut, err)
		}
		cancel()
		got.Body.Close()
		if !s.idle(soon) {
			t.Fatalf("after %d bytes the answer went on", cut)
		}
	}
}

// How long to think cannot be chosen of a model that does not think: a note says so, as in the other forms.
func TestChatEffort(t *testing.T) {
	s := start(t, Options{})
	for _, stream := range []string{"false", "true"} {
		if status, _, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":1,"reasoning_effort":"low","stream":`+stream+`}`); status != 200 || !strings.Contains(body, "lets nobody choose") {
			t.Errorf("%d %s", status, body)
		}
	}
}
