package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/library"
	samplers "inglenook/sampling"
)

// lineRead is what Ollama's clients read of a line.
type lineRead struct {
	Model    string
	Created  time.Time `json:"created_at"`
	Message  struct{ Role, Content, Thinking string }
	Response string
	Done     *bool
	Reason   string        `json:"done_reason"`
	Prompt   int           `json:"prompt_eval_count"`
	Tokens   int           `json:"eval_count"`
	Total    time.Duration `json:"total_duration"`
	Truth    *truth        `json:"inglenook"`
	Context  []int32
}

// lines are those of a stream, of which the last one alone is the end.
func lines(t testing.TB, body string) (list []lineRead) {
	t.Helper()
	for _, line := range strings.SplitAfter(body, "\n") {
		if line == "" {
			continue
		}
		x := read[lineRead](t, line)
		if !strings.HasSuffix(line, "\n") || x.Done == nil || len(list) > 0 && *list[len(list)-1].Done {
			t.Fatalf("a line is %q in %q", line, body)
		}
		list = append(list, x)
	}
	return list
}

const (
	ollamaAsked = `"model":"starter-chat:latest","messages":[{"role":"user","content":"How do I add a model?"}],"options":{"temperature":0,"num_predict":20,"num_ctx":2048},"keep_alive":"5m"`
	ollamaText  = `"model":"starter-chat","prompt":"How do I add a model?","options":{"temperature":0,"num_predict":20}`
)

// Chats and texts in Ollama's form say what they say in OpenAI's, whole and as lines.
func TestOllamaWrites(t *testing.T) {
	s := start(t, Options{})
	_, _, body := s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":20}`)
	want := read[whole](t, body)
	_, _, body = s.post(t, "/v1/completions", `{"model":"starter-chat","prompt":"The lamp","max_tokens":20,"temperature":0}`)
	text := read[whole](t, body).Choices[0].Text
	for _, c := range []struct {
		path, body, want string
		of               func(lineRead) string
	}{
		{"/api/chat", ollamaAsked, want.Choices[0].Message.Content, func(x lineRead) string { return x.Message.Content }},
		{"/api/generate", ollamaText, want.Choices[0].Message.Content, func(x lineRead) string { return x.Response }},
		{"/api/generate", strings.Replace(ollamaText, "How do I add a model?", "The lamp", 1) + `,"raw":true`, text, func(x lineRead) string { return x.Response }},
	} {
		status, header, body := s.post(t, c.path, `{`+c.body+`,"stream":false}`)
		one := read[lineRead](t, body)
		if status != 200 || c.of(one) != c.want || !*one.Done || header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s; want %q", c.path, status, body, c.want)
		}
		status, header, body = s.post(t, c.path, `{`+c.body+`}`)
		list, said := lines(t, body), ""
		for _, x := range list {
			said += c.of(x)
		}
		last := list[len(list)-1]
		if status != 200 || header.Get("Content-Type") != "application/x-ndjson" || header.Get(headerDevice) != "cpu" || said != c.want || len(list) < 5 {
			t.Errorf("%s: %d %v %s; want %q", c.path, status, header, body, c.want)
		}
		if !*last.Done || last.Reason != one.Reason || last.Tokens != one.Tokens || last.Tokens != 20 || last.Reason != "length" || last.Prompt != one.Prompt || last.Prompt == 0 || last.Total <= 0 || last.Truth == nil || last.Truth.Device != "cpu" {
			t.Errorf("%s: the last line is %+v; as a whole %+v", c.path, last, one)
		}
		if last.Model != chatModel || time.Since(last.Created) > time.Minute {
			t.Errorf("%s: %+v", c.path, last)
		}
	}
}

// Each field changes the answer as it says.
func TestOllamaFields(t *testing.T) {
	s := start(t, Options{})
	answer := func(path, fields string) lineRead {
		t.Helper()
		status, _, body := s.post(t, path, `{"model":"starter-chat","stream":false,`+fields+`}`)
		if status != 200 {
			t.Fatalf("%s: %d %s", fields, status, body)
		}
		return read[lineRead](t, body)
	}
	const ask = `"messages":[{"role":"user","content":"a"}]`
	if got := answer("/api/chat", ask+`,"options":{"temperature":2,"seed":7,"num_predict":16}`); got.Message.Content != answer("/api/chat", ask+`,"options":{"temperature":2,"seed":7,"num_predict":16}`).Message.Content || got.Message.Role != "assistant" {
		t.Errorf("a seed gave two texts: %+v", got)
	}
	full := answer("/api/chat", ask+`,"options":{"temperature":0,"num_predict":16}`).Message.Content
	stop, _ := json.Marshal(full[4:7])
	if got := answer("/api/chat", ask+`,"options":{"temperature":0,"stop":[`+string(stop)+`]}`); got.Message.Content != full[:strings.Index(full, full[4:7])] || got.Reason != "stop" {
		t.Errorf("stopped before %s: %+v", stop, got)
	}
	schema := `{"type":"object","properties":{"count":{"type":"integer","minimum":0,"maximum":9}},"required":["count"],"additionalProperties":false}`
	if got := answer("/api/chat", ask+`,"format":`+schema); len(read[map[string]int](t, got.Message.Content)) != 1 {
		t.Errorf("%+v does not follow the schema", got)
	}
	if got := answer("/api/generate", `"prompt":"a","format":"json","options":{"num_predict":400}`); read[map[string]any](t, got.Response) == nil {
		t.Errorf("%+v is no JSON object", got)
	}
	if got := answer("/api/generate", `"prompt":"a","think":true,"options":{"num_predict":2}`); len(got.Truth.Notes) != 1 {
		t.Errorf("nothing says that thinking cannot be chosen: %+v", got.Truth)
	}
	one, two := answer("/api/generate", `"system":"Answer in rhymes.","prompt":"a","options":{"num_predict":1}`), answer("/api/generate", `"prompt":"a","options":{"num_predict":1}`)
	if one.Prompt <= two.Prompt {
		t.Errorf("a system prompt makes %d tokens of %d", one.Prompt, two.Prompt)
	}
	goesOn(t, s, answer)
	if _, _, body := s.post(t, "/api/chat", `{"model":"starter-chat"}`); !strings.Contains(body, `"done_reason":"load"`) || len(s.app.OpenModels()) != 1 {
		t.Errorf("loaded: %s, %+v", body, s.app.OpenModels())
	}
	if _, _, body := s.post(t, "/api/generate", `{"model":"starter-chat","keep_alive":0}`); !strings.Contains(body, `"done_reason":"unload"`) || len(s.app.OpenModels()) != 0 {
		t.Errorf("closed: %s, %+v", body, s.app.OpenModels())
	}
}

// goesOn checks that a text goes on from the tokens of an earlier answer, whole and as a stream, as the
// conversation of both does.
func goesOn(t *testing.T, s *running, answer func(path, more string) lineRead) {
	t.Helper()
	const few = `"options":{"temperature":0,"num_predict":6}`
	first := answer("/api/generate", `"prompt":"How do I add a model?",`+few)
	if len(first.Context) != first.Prompt+first.Tokens {
		t.Fatalf("%d tokens are kept of %d and %d", len(first.Context), first.Prompt, first.Tokens)
	}
	before, _ := json.Marshal(first.Context)
	next := answer("/api/generate", `"prompt":"And then?",`+few+`,"context":`+string(before))
	if !slices.Equal(next.Context[:len(first.Context)], first.Context) || next.Prompt <= first.Prompt+first.Tokens || next.Response == "" {
		t.Errorf("%+v goes on from %+v", next, first)
	}
	_, _, body := s.post(t, "/api/generate", `{"model":"starter-chat","prompt":"And then?",`+few+`,"context":`+string(before)+`}`)
	list := lines(t, body)
	text := ""
	for _, x := range list {
		text += x.Response
	}
	if last := list[len(list)-1]; text != next.Response || !slices.Equal(last.Context, next.Context) {
		t.Errorf("streamed %q with %d tokens, whole %q with %d", text, len(last.Context), next.Response, len(next.Context))
	}
	if raw := answer("/api/generate", `"prompt":"The lamp","raw":true,`+few); raw.Context != nil {
		t.Errorf("a raw text has %d tokens", len(raw.Context))
	}
}

// The list, what is open, what a model is, and vectors.
func TestOllamaModels(t *testing.T) {
	s := start(t, Options{})
	get := func(path string) string {
		t.Helper()
		status, _, body := do(t, request(t, "GET", s.url+path, ""))
		if status != 200 {
			t.Fatalf("%s: %d %s", path, status, body)
		}
		return body
	}
	if v := read[map[string]string](t, get("/api/version"))["version"]; !numbered.MatchString(v) {
		t.Errorf("the version is %q", v)
	}
	type listed struct {
		Models []struct {
			ollamaModel
			Expires time.Time `json:"expires_at"`
		}
	}
	all := read[listed](t, get("/api/tags")).Models
	if len(all) != 2 || all[0].Model != embedModel || all[1].Name != chatModel || all[0].Digest == all[1].Digest || len(all[0].Digest) != 64 || all[0].Modified.IsZero() || all[0].Details.Parameters == "" {
		t.Errorf("%+v", all)
	}
	if open := read[listed](t, get("/api/ps")).Models; len(open) != 0 {
		t.Errorf("%+v is open", open)
	}
	_, _, body := s.post(t, "/v1/embeddings", `{"model":"starter-embed","input":["a cat sleeps","rates rose"]}`)
	want := read[embedded](t, body)
	_, _, body = s.post(t, "/api/embed", `{"model":"starter-embed:latest","input":["a cat sleeps","rates rose"]}`)
	got := read[struct {
		Embeddings [][]float32
		Prompt     int   `json:"prompt_eval_count"`
		Truth      truth `json:"inglenook"`
	}](t, body)
	_, _, body = s.post(t, "/api/embeddings", `{"model":"starter-embed","prompt":"rates rose"}`)
	older := read[struct{ Embedding []float32 }](t, body)
	for i, x := range want.Data {
		v := read[[]float32](t, string(x.Embedding))
		if !slices.Equal(v, got.Embeddings[i]) || i == 1 && !slices.Equal(v, older.Embedding) {
			t.Errorf("vector %d differs", i)
		}
	}
	if got.Prompt != want.Usage.Prompt || got.Truth.Device != "cpu" {
		t.Errorf("%+v", got)
	}
	open := read[listed](t, get("/api/ps")).Models
	if len(open) != 1 || open[0].Model != embedModel || open[0].Size <= 0 || *open[0].VRAM != 0 || time.Until(open[0].Expires) < time.Hour {
		t.Errorf("open are %+v", open)
	}
	for model, can := range map[string]string{chatModel: "[completion]", embedModel: "[embedding]"} {
		_, _, body := s.post(t, "/api/show", `{"model":"`+model+`"}`)
		x := read[struct {
			Capabilities []string
			Info         map[string]any `json:"model_info"`
			Template     string
		}](t, body)
		if (x.Template != "") != (model == chatModel) {
			t.Errorf("%s has the template %q", model, x.Template)
		}
		if fmt.Sprint(x.Capabilities) != can || x.Info[fmt.Sprint(x.Info["general.architecture"], ".context_length")].(float64) <= 0 {
			t.Errorf("%s: %s", model, body)
		}
	}
}

// TestOllamaRefusals sends what is wrong in one way each; the errors have Ollama's form.
func TestOllamaRefusals(t *testing.T) {
	s := start(t, Options{})
	long := strings.Repeat("word ", 20000)
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/api/chat", ``, 400, "the body is empty"},
		{"/api/chat", `{"model":"nobody"}`, 404, "there is no model “nobody”"},
		{"/api/show", `{"name":"nobody"}`, 404, "there is no model “nobody”"},
		{"/api/chat", `{"model":"starter-embed"}`, 400, "cannot write text"},
		{"/api/chat", `{"model":"starter-chat","messages":[{"role":"king","content":"a"}]}`, 400, "a role has to be"},
		{"/api/chat", `{"model":"starter-chat","messages":[{"role":"user","content":"a","images":["aaaa"]}]}`, 400, "images"},
		{"/api/chat", `{` + ollamaAsked + `,"tools":[{"type":"function"}]}`, 400, "needs a name"},
		{"/api/chat", `{` + ollamaAsked + `,"format":"xml"}`, 400, "format has to be"},
		{"/api/chat", `{"model":"starter-chat","messages":[{"role":"user","content":"` + long + `"}]}`, 400, "context"},
		{"/api/generate", `{"model":"starter-chat","prompt":"` + long + `"}`, 400, "context"},
		{"/api/generate", `{` + ollamaText + `,"suffix":"b"}`, 400, "suffix is not supported"},
		{"/api/generate", `{` + ollamaText + `,"context":[1,999999]}`, 400, "token id 999999"},
		{"/api/generate", `{` + ollamaText + `,"context":"before"}`, 400, "context"},
		{"/api/generate", `{"model":"starter-chat","prompt":"a","options":{"num_predict":0}}`, 400, "num_predict is 0"},
		{"/api/generate", `{"model":"starter-chat","prompt":"a","options":{"temperature":"hot"}}`, 400, "temperature"},
		{"/api/embed", `{"model":"starter-chat","input":"a"}`, 400, "choose an embedder"},
		{"/api/embed", `{"model":"starter-embed","input":7}`, 400, "number"},
		{"/api/embed", `{"model":"starter-embed","input":["a","` + long + `"],"truncate":false}`, 400, "text 2: the input length exceeds"},
		{"/api/pull", `{}`, 404, "nothing at this address"},
	} {
		status, _, body := s.post(t, c.path, c.body)
		got := read[map[string]string](t, body)
		if status != c.status || len(got) != 1 || !strings.Contains(got["error"], c.want) {
			t.Errorf("%s %.120s: %d %.300s; want %d %q", c.path, c.body, status, body, c.status, c.want)
		}
	}
}

// num_ctx says how much of a text is read, as Ollama's own tests have it.
func TestOllamaEmbedContext(t *testing.T) {
	s := start(t, Options{})
	vector := func(input, more string) (int, []float32, string) {
		t.Helper()
		status, _, body := s.post(t, "/api/embed", `{"model":"starter-embed","input":"`+input+`"`+more+`}`)
		if status != 200 {
			return status, nil, body
		}
		return status, read[struct{ Embeddings [][]float32 }](t, body).Embeddings[0], body
	}
	tokens := read[struct{ Tokens []int }](t, func() string {
		_, _, body := s.post(t, "/tokenize", `{"model":"starter-embed","content":"why","add_special":true}`)
		return body
	}())
	n := len(tokens.Tokens)
	_, want, _ := vector("why", "")
	for _, more := range []string{"", `,"truncate":true`} {
		if _, got, body := vector("why is the sky blue?", fmt.Sprintf(`,"options":{"num_ctx":%d}%s`, n, more)); !slices.Equal(got, want) {
			t.Errorf("%s: %.200s", more, body)
		}
	}
	if _, got, _ := vector("why", fmt.Sprintf(`,"options":{"num_ctx":%d}`, n)); !slices.Equal(got, want) {
		t.Error("a text that fits is another one")
	}
	if status, _, body := vector("why is the sky blue?", fmt.Sprintf(`,"truncate":false,"options":{"num_ctx":%d}`, n)); status != 400 || !strings.Contains(body, "exceeds the context length") {
		t.Errorf("%d %s", status, body)
	}
	for _, few := range []int{-1, 0} {
		if status, _, body := vector("why is the sky blue?", fmt.Sprintf(`,"options":{"num_ctx":%d}`, few)); status != 400 || !strings.Contains(body, "cannot be truncated further") {
			t.Errorf("%d: %d %s", few, status, body)
		}
	}
}

// What is said of sampling is a line for each setting that does something.
func TestOllamaParameters(t *testing.T) {
	if got := parameters(library.About{}); got != "" {
		t.Errorf("without any: %q", got)
	}
	how := samplers.Neutral()
	how.TopK, how.TopP, how.RepeatPenalty = 20, 0.8, 1.05
	for temperature, want := range map[float64][]string{
		0.7: {"temperature 0.7", "top_k 20", "top_p 0.8", "repeat_penalty 1.05"},
		0:   {"temperature 0", "repeat_penalty 1.05"},
	} {
		how.Temperature = temperature
		if file := modelfile("a", library.About{Sampling: &how}); !strings.HasPrefix(file, "FROM a\nPARAMETER temperature ") || strings.Count(file, "\n") != len(want)+1 {
			t.Errorf("the model file is %q", file)
		}
		var got []string
		for _, line := range strings.Split(parameters(library.About{Sampling: &how}), "\n") {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
