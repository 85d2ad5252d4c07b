package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// faultJSON is an error as OpenAI's clients read it.
type faultJSON struct {
	Error struct {
		Message string
		Type    string
		Code    string
		Param   string
	}
}

// TestRefusals sends requests that are wrong in one way each.
func TestRefusals(t *testing.T) {
	s := start(t, Options{})
	const ask = `"model":"starter-chat","messages":[{"role":"user","content":"a"}]`
	cases := []struct {
		path, body string
		status     int
		want       string // in the message, or the code
	}{
		{"/v1/chat/completions", ``, 400, "the body is empty"},
		{"/v1/chat/completions", `[]`, 400, "has to be a JSON object"},
		{"/v1/chat/completions", `{`, 400, "is not JSON"},
		{"/v1/chat/completions", "{\"a\":\"\xff\"}", 400, "not UTF-8"},
		{"/v1/chat/completions", `{"a":` + strings.Repeat("[", 1e6), 400, "nested more than 100"},
		{"/v1/chat/completions", `{}`, 400, "no model is named"},
		{"/v1/chat/completions", `{"model":"nobody"}`, 404, "model_not_found"},
		{"/v1/chat/completions", `{"model":"../../../etc"}`, 404, "model_not_found"},
		{"/v1/chat/completions", `{"model":"` + strings.Repeat("x", 1e5) + `"}`, 404, "model_not_found"},
		{"/v1/chat/completions", `{"model":7}`, 400, `"model" cannot be a number here`},
		{"/v1/chat/completions", `{"model":"starter-chat","temperature":"hot"}`, 400, `"temperature" cannot be a string here`},
		{"/v1/completions", `{"model":"starter-chat","seed":[]}`, 400, `"seed" cannot be an array here`},
		{"/api/chat", `{"model":"starter-chat","options":{"temperature":"hot"}}`, 400, `"options.temperature" cannot be a string here`},
		{"/api/chat", `{"model":"starter-chat","keep_alive":"forever"}`, 400, `"keep_alive" has to be a time such as "5m"`},
		{"/api/generate", `{"model":"starter-chat","keep_alive":{}}`, 400, `"keep_alive" has to be a time such as "5m"`},
		{"/v1/chat/completions", `{"model":"starter-embed","messages":[{"role":"user","content":"a"}]}`, 400, "cannot write text"},
		{"/v1/chat/completions", `{"model":"starter-chat"}`, 400, "messages has to be a list"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":"hello"}`, 400, `"messages" cannot be a string here`},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"king","content":"a"}]}`, 400, "a role has to be"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"tool","content":"a"}]}`, 400, "unsupported"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://127.0.0.1:1/x"}}]}]}`, 400, "nothing is fetched"},
		{"/v1/chat/completions", `{` + ask + `,"tools":[{"type":"function"}]}`, 400, "needs a name"},
		{"/v1/chat/completions", `{` + ask + `,"temperature":1e308}`, 400, "temperature is 1e+308; give a number from 0 to 100"},
		{"/v1/embeddings", `{"model":"starter-embed","input":""}`, 400, "text 1 of input is empty"},
		{"/v1/embeddings", `{"model":"starter-embed","input":["a",""]}`, 400, "text 2 of input is empty"},
		{"/v1/embeddings", `{"model":"starter-embed","input":"a","task":"x"}`, 400, "no tasks to choose from"},
		{"/v1/completions", `{"model":"starter-chat","prompt":true}`, 400, "prompt"},
		{"/v1/chat/completions", `{"model":"starter-chat","max_tokens":true}`, 400, `"max_tokens" cannot be true or false here`},
		{"/v1/chat/completions", `{"model":" "}`, 404, "there is no model “”"},
		{"/v1/chat/completions", `{` + ask + `,"logprobs":1}`, 400, "logprobs"},
		{"/v1/chat/completions", `{` + ask + `,"continue_final_message":true,"add_generation_prompt":true}`, 400, "contradict each other"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"assistant","content":"c"}]}`, 400, "two messages of the assistant"},
		{"/v1/chat/completions", `{` + ask + `,"top_logprobs":3}`, 400, "top_logprobs needs logprobs to be true"},
		{"/v1/chat/completions", `{` + ask + `,"logprobs":true,"top_logprobs":21}`, 400, "a number from 0 to 20"},
		{"/v1/chat/completions", `{` + ask + `,"logprobs":true,"top_logprobs":-1}`, 400, "a number from 0 to 20"},
		{"/v1/chat/completions", `{` + ask + `,"n":0}`, 400, "n has to be"},
		{"/v1/chat/completions", `{` + ask + `,"n":1000000000}`, 400, "n has to be"},
		{"/v1/chat/completions", `{` + ask + `,"max_tokens":0}`, 400, "max_tokens is 0"},
		{"/v1/chat/completions", `{` + ask + `,"max_tokens":1e400}`, 400, "max_tokens"},
		{"/v1/chat/completions", `{` + ask + `,"temperature":-1}`, 400, "temperature is -1"},
		{"/v1/chat/completions", `{` + ask + `,"top_p":2}`, 400, "top-p is 2"},
		{"/v1/chat/completions", `{` + ask + `,"logit_bias":{"x":1}}`, 400, "not a token id"},
		{"/v1/chat/completions", `{` + ask + `,"stop":""}`, 400, "stop can be"},
		{"/v1/chat/completions", `{` + ask + `,"response_format":{"type":"yaml"}}`, 400, "response_format"},
		{"/v1/chat/completions", `{` + ask + `,"response_format":{"type":"json_schema"}}`, 400, "has no schema"},
		{"/v1/chat/completions", `{` + ask + `,"response_format":{"type":"json_schema","json_schema":{"schema":{"type":"banana"}}}}`, 400, "schema"},
		{"/v1/chat/completions", `{` + ask + `,"stream":true,"response_format":{"type":"json_schema","json_schema":{"schema":7}}}`, 400, "schema"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[{"role":"user","content":"` + strings.Repeat("word ", 20000) + `"}]}`, 400, "context_length_exceeded"},
		{"/v1/chat/completions", `{"model":"starter-chat","messages":[` + strings.Repeat(`{"role":"user","content":"`+strings.Repeat("word ", 300)+`"},{"role":"assistant","content":"yes"},`, 30) + `{"role":"user","content":"a"}]}`, 400, "context_length_exceeded"},
		{"/v1/completions", `{"model":"starter-chat"}`, 400, "prompt has to be"},
		{"/v1/completions", `{"model":"starter-chat","prompt":"a","suffix":"b"}`, 400, "suffix is not supported"},
		{"/v1/completions", `{"model":"starter-chat","prompt":{}}`, 400, "prompt"},
		{"/v1/embeddings", `{"model":"starter-chat","input":"a"}`, 400, "choose an embedder"},
		{"/v1/embeddings", `{"model":"starter-embed"}`, 400, "input has to be"},
		{"/v1/embeddings", `{"model":"starter-embed","input":[]}`, 400, "input has to be"},
		{"/v1/embeddings", `{"model":"starter-embed","input":["a",7]}`, 400, "input"},
		{"/v1/embeddings", `{"model":"starter-embed","input":[-1]}`, 400, "token ids"},
		{"/v1/embeddings", `{"model":"starter-embed","input":[[]]}`, 400, "token ids"},
		{"/v1/embeddings", `{"model":"starter-embed","input":"a","encoding_format":"hex"}`, 400, "encoding_format"},
		{"/v1/embeddings", `{"model":"starter-embed","input":"a","dimensions":100000}`, 400, "dimensions"},
		{"/v1/rerank", `{"model":"starter-embed","query":" ","documents":["a"]}`, 400, "query is missing"},
		{"/v1/rerank", `{"model":"starter-embed","query":"a","documents":[{"url":"http://x"}]}`, 400, "has no text"},
		{"/v1/rerank", `{"model":"starter-embed","query":"a"}`, 400, "documents has to be"},
		{"/nowhere", `{}`, 404, "unknown_url"},
		{"/v1/models", `{}`, 405, "GET alone"},
		{"/tokenize", `{"model":"starter-chat","content":` + `"a"`, 400, "is not JSON"},
	}
	for _, c := range cases {
		status, _, body := s.post(t, c.path, c.body)
		if strings.HasPrefix(c.path, "/api/") {
			if said := read[map[string]string](t, body)["error"]; status != c.status || !strings.Contains(said, c.want) {
				t.Errorf("%s %.120s: %d %.400s; want %d %q", c.path, c.body, status, body, c.status, c.want)
			}
			continue
		}
		got := read[faultJSON](t, body).Error
		if status != c.status || !strings.Contains(got.Message+" "+got.Code, c.want) || got.Type == "" || len(body) > 3000 {
			t.Errorf("%s %.120s: %d %.400s; want %d %q", c.path, c.body, status, body, c.status, c.want)
		}
	}
}

// TestHealthIsAlwaysAsked: where as many requests are under way as there may be, further ones are
// refused, and whether all is well can still be asked.
func TestHealthIsAlwaysAsked(t *testing.T) {
	s := start(t, Options{})
	for range maxRequests {
		s.server.places <- struct{}{}
	}
	for path, want := range map[string]int{"/health": 200, "/metrics": 200, "/v1/models": 200, "/api/tags": 200} {
		if answer, err := http.Get(s.url + path); err != nil || answer.StatusCode != want {
			t.Errorf("%s: %v, %v", path, answer, err)
		} else {
			answer.Body.Close()
		}
	}
	if status, _, body := s.post(t, "/tokenize", `{"model":"starter-embed","content":"a"}`); status != 503 || !strings.Contains(body, "requests are under way") {
		t.Errorf("one more: %d %s", status, body)
	}
	for range maxRequests {
		<-s.server.places
	}
}

// TestKeepAlive: a time of nothing closes the model, in each form in which clients write it.
func TestKeepAlive(t *testing.T) {
	for text, now := range map[string]bool{`0`: true, `"0"`: true, `"0s"`: true, `"0m"`: true, `0.0`: true, `null`: false, `""`: false, `-1`: false, `"-1"`: false, `"-1m"`: false, `"5m"`: false, `300`: false, `"300"`: false} {
		var k keepAlive
		if err := json.Unmarshal([]byte(text), &k); err != nil || k.now != now {
			t.Errorf("%s: %v, %v", text, k.now, err)
		}
	}
	for _, text := range []string{`"forever"`, `{}`, `[]`, `true`, `"5"x`, `"5 minutes"`} {
		if err := json.Unmarshal([]byte(text), new(keepAlive)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// TestMutatedBodies changes good requests at random: each is answered in the form that its
// clients read, and the server goes on.
func TestMutatedBodies(t *testing.T) {
	s := start(t, Options{})
	good := map[string]string{
		"/v1/chat/completions": `{"model":"starter-chat","messages":[{"role":"user","content":"a"}],"max_tokens":2,"seed":1,"stop":["x"],"response_format":{"type":"json_schema","json_schema":{"schema":{"type":"integer"}}},"logit_bias":{"5":1}}`,
		"/chat/completions":    `{"model":"starter-chat","messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"b","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"c"}],"tools":[{"type":"function","function":{"name":"b","parameters":{"type":"object"}}}],"tool_choice":{"type":"function","function":{"name":"b"}}}`,
		"/messages":            `{"model":"starter-chat","max_tokens":2,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"c"}]}],"tools":[{"name":"b","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}}`,
		"/v1/responses":        `{"model":"starter-chat","instructions":"b","input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"reasoning","summary":[]}],"max_output_tokens":2,"text":{"format":{"type":"text"}},"tool_choice":"auto","metadata":{"a":"b"}}`,
		"/v1/messages":         `{"model":"starter-chat","system":[{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"max_tokens":2,"stop_sequences":["x"],"top_k":3,"thinking":{"type":"disabled"}}`,
		"/api/chat":            `{"model":"starter-chat","messages":[{"role":"user","content":"a"}],"stream":false,"think":false,"format":"","keep_alive":"5m","options":{"num_predict":2,"stop":["x"],"top_k":3}}`,
		"/api/generate":        `{"model":"starter-chat","prompt":"a","system":"b","raw":false,"format":{"type":"integer"},"options":{"num_predict":2,"seed":1}}`,
		"/api/embed":           `{"model":"starter-embed","input":["a","b"],"truncate":true,"dimensions":4}`,
		"/v1/completions":      `{"model":"starter-chat","prompt":["a","b"],"max_tokens":2,"temperature":0.5,"n":1}`,
		"/v1/embeddings":       `{"model":"starter-embed","input":["a","b"],"dimensions":4,"encoding_format":"base64"}`,
		"/v1/rerank":           `{"model":"starter-embed","query":"a","documents":["b",{"text":"c"}],"top_n":1}`,
		"/tokenize":            `{"model":"starter-embed","content":"a b","with_pieces":true}`,
	}
	bits := []string{`null`, `{}`, `[]`, `""`, `-1`, `1e999`, `true`, `"\u0000"`, `"\ud800"`, `[[[]]]`, `:`, `,`, `"`, "\x00", "9999999999999999999", `{"a":{"a":{}}}`}
	random := rand.New(rand.NewPCG(1, 2))
	sent, refused := 0, 0
	for path, body := range good {
		for range 420 {
			b := []byte(body)
			for range 1 + random.IntN(3) {
				at, to := random.IntN(len(b)), 0
				switch random.IntN(4) {
				case 0:
					b[at] ^= 1 << random.IntN(8)
				case 1:
					b = b[:max(at, 1)]
				case 2:
					to = min(at+random.IntN(12), len(b))
					b = append(append(append([]byte{}, b[:at]...), bits[random.IntN(len(bits))]...), b[to:]...)
				case 3:
					b = append(append(append([]byte{}, b[:at]...), b[random.IntN(len(b)):]...), b[at:]...)
				}
			}
			status, _, answer := s.post(t, path, string(b))
			sent++
			if status == 200 {
				continue
			}
			refused++
			if status < 400 || status >= 500 || !isFault(t, path, answer) {
				t.Errorf("%s %q: %d %s", path, b, status, answer)
			}
		}
	}
	t.Logf("%d bodies, %d refused", sent, refused)
	if refused < sent/2 {
		t.Errorf("only %d of %d bodies were refused", refused, sent)
	}
}

// isFault reports whether an answer is an error in the form of a route.
func isFault(t *testing.T, path, answer string) bool {
	if strings.HasPrefix(path, "/api/") {
		return read[map[string]string](t, answer)["error"] != ""
	}
	f := read[faultJSON](t, answer)
	return f.Error.Message != "" && f.Error.Type != ""
}

// FuzzBodies looks for a body that breaks the reading of a request.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{`{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"stop":"x"}`, `{"system":[{"type":"text","text":"a"}],"messages":[{"role":"user","content":"b"}],"output_config":{"format":{"type":"json_schema","schema":{}}}}`, `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{}}],"tool_calls":[{"id":"a","function":{"name":"b","arguments":"{}"}}]}],"tools":[{"name":"b","function":{"name":"b","parameters":{}}}],"tool_choice":"required"}`, `{"input":[{"type":"function_call","call_id":"a","name":"b","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"c"}],"tools":[{"type":"function","name":"b"}]}`, `{"prompt":[[1,2]],"input":["a"]}`, `{"documents":[{"text":"a"},"b"]}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if depth(data) > maxDepth {
			return
		}
		var r chatRequest
		if json.Unmarshal(data, &r) == nil {
			_, _ = r.ask()
		}
		var m messagesRequest
		if json.Unmarshal(data, &m) == nil {
			_, _ = m.ask()
		}
		var x responsesRequest
		if json.Unmarshal(data, &x) == nil {
			_, _ = x.ask()
		}
		var o ollamaRequest
		if json.Unmarshal(data, &o) == nil {
			_, _ = o.ask(true)
			_, _ = o.ask(false)
		}
		for _, v := range []any{new(completionRequest), new(embeddingRequest), new(rerankRequest)} {
			if err := jsonFault(json.Unmarshal(data, v)); err != nil && faultOf(err).status != 400 {
				t.Errorf("%q: %v", data, err)
			}
		}
	})
}

// raw sends bytes past the client of the library and returns the first line of the answer.
func raw(t *testing.T, s *running, text string) string {
	t.Helper()
	line, _ := bufio.NewReader(dial(t, s, text)).ReadString('\n')
	return line
}

// allOf sends a text as it is and returns all that comes until the connection is closed.
func allOf(t *testing.T, s *running, text string) string {
	t.Helper()
	all, err := io.ReadAll(dial(t, s, text))
	if err != nil {
		t.Error(err)
	}
	return string(all)
}

// dial sends a text as it is.
func dial(t *testing.T, s *running, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(c, text)
	return c
}

// TestRawRequests sends headers that are too large, and lengths that contradict each other.
func TestRawRequests(t *testing.T) {
	s := start(t, Options{})
	for name, c := range map[string]struct{ text, want string }{
		"huge header":     {"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", "431"},
		"two lengths":     {"POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n{\"a\":1}", "400"},
		"length, chunked": {"POST /tokenize HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "501"},
		"two hosts":       {"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", "400"},
		"no host":         {"GET /health HTTP/1.0\r\n\r\n", "403"},
		"odd method":      {"BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"},
	} {
		if got := raw(t, s, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %s", name, got, c.want)
		}
	}
	smuggled := allOf(t, s, "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if strings.Count(smuggled, "HTTP/1.1 ") != 1 || !strings.Contains(smuggled, "400") {
		t.Errorf("what came behind two ends of a body is answered: %q", smuggled)
	}
	for _, r := range s.requests(t, 3) { // the others do not get so far
		if r.Method == "BREW" {
			t.Error("a method of a request is told as it is")
		}
	}
}

// A body that does not come in time is refused as such.
func TestSlowBody(t *testing.T) {
	s := start(t, Options{})
	s.server.bodyTime = 50 * time.Millisecond
	text := "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
	if got := raw(t, s, text); !strings.Contains(got, "408") {
		t.Errorf("%q", got)
	}
	if r := s.requests(t, 1)[0]; r.Status != 408 {
		t.Errorf("%+v", r)
	}
}

// A server that is told to end does so at once, with answers and slow bodies under way.
func TestEndsAtOnce(t *testing.T) {
	s := start(t, Options{})
	got, err := http.DefaultClient.Do(request(t, "POST", s.url+"/v1/completions", endless))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /tokenize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	time.Sleep(50 * time.Millisecond)
	begun := time.Now()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > closePatience+soon {
		t.Errorf("it took %v", took)
	}
	rest, _ := io.ReadAll(got.Body)
	if !strings.Contains(string(rest), `"code":"cancelled"`) || strings.Contains(string(rest), "[DONE]") {
		t.Errorf("the stream ended with %q", rest[max(0, len(rest)-200):])
	}
}

// Turns come in the order of the requests, and whoever leaves loses nothing but their own.
func TestQueue(t *testing.T) {
	var q queues
	leave, err := q.enter(context.Background(), "m", 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := q.enter(context.Background(), "n", 1) // does not wait for m
	if err != nil {
		t.Fatal(err)
	}
	other()
	order := make(chan int, 10)
	quit, leaveEarly := context.WithCancel(context.Background())
	for i := range 5 {
		ctx := context.Background()
		if i == 2 {
			ctx = quit
		}
		go func() {
			leave, err := q.enter(ctx, "m", 1)
			if err != nil {
				order <- -1
				return
			}
			order <- i
			leave()
		}()
		for q.waiting() != i+1 {
			time.Sleep(time.Millisecond)
		}
	}
	leaveEarly()
	if got := <-order; got != -1 {
		t.Fatalf("%d came first", got)
	}
	leave()
	for _, want := range []int{0, 1, 3, 4} {
		if got := <-order; got != want {
			t.Errorf("%d came where %d was due", got, want)
		}
	}
	if n := q.waiting(); n != 0 {
		t.Errorf("%d wait", n)
	}
}

// So many as a model serves at once do not wait; the next one comes when one of them leaves.
func TestQueueOfSeveral(t *testing.T) {
	var q queues
	var leave []func()
	for range 3 {
		l, err := q.enter(context.Background(), "m", 3)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	inside := make(chan func())
	go func() {
		l, err := q.enter(context.Background(), "m", 3)
		if err != nil {
			t.Error(err)
		}
		inside <- l
	}()
	for q.waiting() != 1 {
		time.Sleep(time.Millisecond)
	}
	leave[1]()
	leave[1] = <-inside
	for _, l := range leave {
		l()
	}
	if len(q.all) != 0 {
		t.Errorf("%d queues are left", len(q.all))
	}
}
