package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// everyField are requests with each field that their routes heed.
var everyField = map[string]string{
	"/v1/chat/completions":      `{"model":"starter-chat","messages":[{"role":"system","content":"b"},{"role":"user","content":[{"type":"text","text":"a"}]}],"stream":false,"stream_options":{"include_usage":true},"max_tokens":1,"max_completion_tokens":1,"temperature":0.5,"top_p":0.9,"top_k":4,"min_p":0.1,"repeat_penalty":1.1,"frequency_penalty":0.1,"presence_penalty":0.1,"logit_bias":{"5":1},"seed":1,"stop":["x"],"n":1,"logprobs":true,"top_logprobs":1,"response_format":{"type":"text"},"tools":[{"type":"function","function":{"name":"b","description":"c","parameters":{"type":"object"}}}],"tool_choice":"auto","parallel_tool_calls":true,"reasoning_effort":"low"}`,
	"/v1/completions":           `{"model":"starter-chat","prompt":["a"],"stream":false,"max_tokens":1,"temperature":0.5,"seed":1,"stop":"x","n":1,"logprobs":1,"echo":false,"suffix":null}`,
	"/v1/responses":             `{"model":"starter-chat","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}],"instructions":"b","stream":false,"max_output_tokens":1,"temperature":0.5,"top_p":0.9,"include":["message.output_text.logprobs"],"top_logprobs":1,"text":{"format":{"type":"text"}},"reasoning":{"effort":"low"},"tools":[{"type":"function","name":"b","parameters":{"type":"object"}}],"tool_choice":"auto","parallel_tool_calls":true,"metadata":{"a":"b"}}`,
	"/v1/messages":              `{"model":"starter-chat","system":[{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"max_tokens":1,"stream":false,"stop_sequences":["x"],"temperature":0.5,"top_p":0.9,"top_k":4,"thinking":{"type":"disabled"},"tools":[{"name":"b","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},"output_config":{"effort":"low"}}`,
	"/v1/messages/count_tokens": `{"model":"starter-chat","system":"b","messages":[{"role":"user","content":"a"}]}`,
	"/api/chat":                 `{"model":"starter-chat","messages":[{"role":"user","content":"a"}],"stream":false,"think":false,"format":"json","keep_alive":"5m","logprobs":true,"top_logprobs":1,"options":{"num_predict":1,"stop":["x"],"seed":1,"temperature":0.5,"top_k":4,"num_ctx":64},"tools":[{"type":"function","function":{"name":"b"}}]}`,
	"/api/generate":             `{"model":"starter-chat","prompt":"a","system":"b","raw":false,"stream":false,"context":[5,6],"think":false,"format":{"type":"integer"},"options":{"num_predict":1},"keep_alive":1}`,
	"/api/embed":                `{"model":"starter-embed","input":["a","b"],"truncate":true,"dimensions":4,"keep_alive":1}`,
	"/api/embeddings":           `{"model":"starter-embed","prompt":"a"}`,
	"/api/show":                 `{"model":"starter-chat","verbose":false}`,
	"/v1/embeddings":            `{"model":"starter-embed","input":["a",  "b"],"dimensions":4,"encoding_format":"base64"}`,
	"/v1/rerank":                `{"model":"starter-embed","query":"a","documents":["b",{"text":"c"}],"top_n":1,"return_documents":true}`,
	"/v2/rerank":                `{"model":"starter-embed","query":"a","documents":["b"],"top_n":1}`,
	"/rerank":                   `{"query":"a","texts":["b","c"],"return_text":true,"truncate":false,"raw_scores":false,"truncation_direction":"Right"}`,
	"/tokenize":                 `{"model":"starter-embed","content":"a b","add_special":true,"with_pieces":true}`,
	"/detokenize":               `{"model":"starter-embed","tokens":[5,6]}`,
}

// TestEveryFieldOfEveryType puts a value of each type into each place of each request: each is
// answered, or refused in the form that its clients read.
func TestEveryFieldOfEveryType(t *testing.T) {
	s := start(t, Options{AnyName: true})
	sent := 0
	for _, path := range slices.Sorted(maps.Keys(everyField)) {
		if status, _, answer := s.post(t, path, everyField[path]); status >= 500 {
			t.Errorf("%s as it is: %d %s", path, status, answer)
		}
		for place, body := range changedBodies(t, everyField[path]) {
			status, _, answer := s.post(t, path, body)
			sent++
			if status != 200 && (status < 400 || status >= 500 || !isFault(t, path, answer)) {
				t.Errorf("%s with %s: %d %.300s", path, place, status, answer)
			}
		}
	}
	t.Logf("%d bodies", sent)
}

// changedBodies yields a JSON text with each of its values replaced by one of each type.
func changedBodies(t *testing.T, text string) func(func(place, body string) bool) {
	values := []string{`null`, `true`, `-1`, `1.5`, `9007199254740993`, `1e308`, `"x"`, `""`, `[]`, `{}`, `[null]`, `[[{}]]`, `{"a":[1]}`}
	return func(yield func(place, body string) bool) {
		var walk func(place string, v any, put func(any) any) bool
		walk = func(place string, v any, put func(any) any) bool {
			for _, x := range values {
				body, err := json.Marshal(put(json.RawMessage(x)))
				if err != nil {
					t.Fatal(err)
				}
				if !yield(place+" = "+x, string(body)) {
					return false
				}
			}
			switch v := v.(type) {
			case map[string]any:
				for _, name := range slices.Sorted(maps.Keys(v)) {
					with := func(x any) any {
						changed := maps.Clone(v)
						changed[name] = x
						return put(changed)
					}
					if !walk(place+"."+name, v[name], with) {
						return false
					}
				}
			case []any:
				for i := range v {
					with := func(x any) any {
						changed := slices.Clone(v)
						changed[i] = x
						return put(changed)
					}
					if !walk(fmt.Sprintf("%s[%d]", place, i), v[i], with) {
						return false
					}
				}
			}
			return true
		}
		walk("body", read[any](t, text), func(x any) any { return x })
	}
}

// TestEveryCutOfEveryStream leaves each stream after each of its lines: the turn is free again,
// and a whole answer is the one that it was before.
func TestEveryCutOfEveryStream(t *testing.T) {
	s := start(t, Options{})
	const how = `"model":"starter-chat","stream":true,"temperature":0,"max_tokens":6,`
	const chat = `"messages":[{"role":"user","content":"How do I add a model?"}]`
	for path, body := range map[string]string{
		"/v1/chat/completions": `{` + how + `"stream_options":{"include_usage":true},` + chat + `}`,
		"/v1/completions":      `{` + how + `"prompt":"The lamp"}`,
		"/v1/responses":        `{"model":"starter-chat","stream":true,"temperature":0,"max_output_tokens":6,"input":"How do I add a model?"}`,
		"/v1/messages":         `{` + how + chat + `}`,
		"/api/chat":            `{"model":"starter-chat","options":{"temperature":0,"num_predict":6},` + chat + `}`,
		"/api/generate":        `{"model":"starter-chat","options":{"temperature":0,"num_predict":6},"prompt":"The lamp"}`,
	} {
		whole := s.lines(t, path, body, -1)
		for cut := range whole {
			if n := s.lines(t, path, body, cut); n != cut {
				t.Fatalf("%s: %d of %d lines", path, n, cut)
			}
		}
		if !s.idle(10 * time.Second) {
			t.Fatalf("%s: requests are under way after all were left", path)
		}
		if n := s.lines(t, path, body, -1); n != whole {
			t.Errorf("%s: %d lines after the cuts, and %d before", path, n, whole)
		}
	}
}

// lines reads so many lines of a stream and leaves it, below 0: all of them. It returns how many they were.
func (r *running) lines(t *testing.T, path, body string, most int) (n int) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	got, err := http.DefaultClient.Do(request(t, http.MethodPost, r.url+path, body).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	from := bufio.NewReader(got.Body)
	for most < 0 || n < most {
		line, err := from.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
