package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"localhost:8080":                            "http://localhost:8080",
		"127.0.0.1:8080/v1":                         "http://127.0.0.1:8080",
		"models.example.com":                        "https://models.example.com",
		"http://Box:8000/v1/chat/completions":       "http://box:8000",
		"https://example.com/llm/v1/":               "https://example.com/llm",
		"http://localhost:11434/api/tags":           "http://localhost:11434",
		" http://[::1]:9/v1/models ":                "http://[::1]:9",
		"https://example.com/openai/v1/embeddings/": "https://example.com/openai",
	} {
		at, _, err := ParseAddress(text)
		if err != nil || at.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, at, err, want)
		}
	}
	for _, text := range []string{"", "ftp://host", "http://", "://x", "http://a b", "https://host?x=1", "http://host:port:1", "\x00", "http://0.0.0.0:8080", "[::]:8080"} {
		if at, _, err := ParseAddress(text); err == nil {
			t.Errorf("%q is taken for %s", text, at)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"localhost:8080", "https://user:pw@host/v1?key=x", "[::1]:9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, token, err := ParseAddress(text)
		if err != nil {
			return
		}
		again, none, err := ParseAddress(at.String())
		if err != nil || again.String() != at.String() || none != "" {
			t.Errorf("%q is %s with %q; again %v %q %v", text, at, token, again, none, err)
		}
	})
}

// TestRecognise: each form is known by its answers, with what its models are for.
func TestRecognise(t *testing.T) {
	for _, form := range []string{OpenAI, Ollama, TEI} {
		d := remotetest.New(t)
		d.Form = form
		if form == TEI {
			d.Models = []string{"some-reranker"}
		}
		if form == Ollama {
			d.Models = []string{"talker", "some-embedder"}
		}
		found, err := Recognise(t.Context(), address(t, d.URL), Options{})
		if err != nil || found.Form != form {
			t.Fatalf("%s: %+v, %v", form, found, err)
		}
		var kinds []string
		for _, m := range found.Models {
			kinds = append(kinds, m.ID+" "+m.Kind)
		}
		want := map[string][]string{
			OpenAI: {"talker chat", "some-embedder embedding", "some-reranker reranker"},
			Ollama: {"talker chat", "some-embedder embedding"}, TEI: {"some-reranker reranker"},
		}[form]
		if !slices.Equal(kinds, want) {
			t.Errorf("%s: %v, want %v", form, kinds, want)
		}
	}
}

// TestProbedKinds: a server that has one model and does not say what it is for is asked.
func TestProbedKinds(t *testing.T) {
	for _, c := range []struct {
		kind   string
		scores bool
		length int
		works  []string
	}{
		{Embedding, false, 8, []string{"/v1/embeddings"}},
		{Reranker, false, 8, []string{"/v1/rerank"}},
		{Chat, false, 8, nil},
		{Embedding, true, 8, []string{"/v1/embeddings", "/v1/rerank"}},
		{Reranker, false, 1, []string{"/v1/embeddings", "/v1/rerank"}},
	} {
		d := remotetest.New(t)
		d.Dimension = c.length
		d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			switch {
			case r.URL.Path == "/v1/models":
				fmt.Fprint(w, `{"data":[{"id":"thing","owned_by":"llamacpp","meta":{"n_ctx_train":1024}}],"models":[{"capabilities":["completion"]}]}`)
			case slices.Contains(c.works, r.URL.Path):
				return false
			default:
				remotetest.Error(w, http.StatusNotImplemented, "This server does not support it")
			}
			return true
		}
		found, err := Recognise(t.Context(), address(t, d.URL), Options{})
		if err != nil || found.Models[0].Kind != c.kind || found.Models[0].Scores != c.scores || found.Models[0].Guessed || found.Models[0].Context != 1024 {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
}

// TestHostileLists: names that drive a terminal, repeat or go on without end are left out.
func TestHostileLists(t *testing.T) {
	d := remotetest.New(t)
	d.Models = []string{"good", "good", "", "a b", "x\x1b[31m", strings.Repeat("y", 1000)}
	found, err := Recognise(t.Context(), address(t, d.URL), Options{})
	if err != nil || len(found.Models) != 1 || found.Models[0].ID != "good" {
		t.Errorf("%+v, %v", found, err)
	}
	d.Models = []string{"\n"}
	if _, err := Recognise(t.Context(), address(t, d.URL), Options{}); err == nil || !strings.Contains(err.Error(), "no models") {
		t.Error(err)
	}
}

func TestEmbedInEachForm(t *testing.T) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	for _, form := range []string{OpenAI, Ollama, TEI} {
		d := remotetest.New(t)
		e, err := serve(t, form, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
		if err != nil {
			t.Fatal(form, err)
		}
		last := 0
		got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{Prompt: "query: ", Progress: func(done, total int) { last = max(last, done) }})
		if err != nil {
			t.Fatal(form, err)
		}
		for i, v := range got.Vectors {
			if !reflect.DeepEqual(v, remotetest.Vector("query: "+texts[i], d.Dimension, 0)) {
				t.Fatalf("%s: vector %d is that of another text", form, i)
			}
		}
		sum := 0
		for _, n := range got.Tokens {
			sum += n
		}
		if form != TEI && (sum < 900 || sum > 1000) || // without those of the probe
			last != 100 || got.Device != "lab" || e.Info().Dimension != d.Dimension {
			t.Errorf("%s: %d tokens, %d done on %s, %+v", form, sum, last, got.Device, e.Info())
		}
	}
}

// TestOrder: vectors that come in another order get their places by their index.
func TestOrder(t *testing.T) {
	d := remotetest.New(t)
	e, err := serve(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		a, _ := json.Marshal(remotetest.Vector("a", 8, 0))
		b, _ := json.Marshal(remotetest.Vector("b", 8, 0))
		proof, _ := json.Marshal(remotetest.Vector(probeTexts()[0], 8, 0))
		fmt.Fprintf(w, `{"data":[{"index":2,"embedding":%s},{"index":1,"embedding":%s},{"index":0,"embedding":%s}]}`, proof, b, a)
		return true
	}
	got, err := e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{})
	if err != nil || !reflect.DeepEqual(got.Vectors[0], remotetest.Vector("a", 8, 0)) {
		t.Errorf("%v, %v", got.Vectors, err)
	}
}

func TestScoreInEachForm(t *testing.T) {
	texts := []string{"stones and sand", "the river is long", "how long is the river"}
	for form, model := range map[string]Model{OpenAI: {ID: "some-reranker", Kind: Reranker}, TEI: {ID: "some-reranker", Kind: Reranker}} {
		d := remotetest.New(t)
		r, err := serve(t, form, d).OpenReranker(t.Context(), model)
		if err != nil {
			t.Fatal(form, err)
		}
		if why := r.Info().Untrusted; why != "" {
			t.Errorf("%s is not trusted: %s", form, why)
		}
		got, err := r.Score(t.Context(), "how long is the river", texts, pipeline.RerankRequest{})
		if err != nil {
			t.Fatal(form, err)
		}
		for i, v := range got.Values {
			if v != float32(remotetest.Score("how long is the river", texts[i])) {
				t.Errorf("%s: score %d is %v", form, i, v)
			}
		}
	}
	r, err := serve(t, OpenAI, remotetest.New(t)).OpenReranker(t.Context(), Model{ID: "some-embedder", Kind: Embedding})
	if err != nil || r.Info().Method != pipeline.Cosine {
		t.Fatal(err)
	}
	got, err := r.Score(t.Context(), "same", []string{"other", "same"}, pipeline.RerankRequest{})
	if err != nil || got.Values[1] < 0.999 || got.Values[0] > 0.99 {
		t.Errorf("cosines %v, %v", got.Values, err)
	}
	beside, err := r.Score(t.Context(), "same", []string{"other", "same"}, pipeline.RerankRequest{Beside: []string{"other", "a third"}})
	if err != nil || !slices.Equal(beside.Values, got.Values) || len(beside.Beside) != 2 || beside.Beside[0] < 0.999 || beside.Beside[1] > 0.99 {
		t.Errorf("beside other questions %+v, %v", beside, err)
	}
	if r.Info().Untrusted == "" {
		t.Error("an embedder whose vectors mean nothing is trusted")
	}
}

func TestAnswerInEachForm(t *testing.T) {
	chat := []pipeline.Message{pipeline.TextMessage("system", "Be brief."), pipeline.TextMessage("user", "Count.")}
	for _, form := range []string{OpenAI, Ollama} {
		for _, plain := range []bool{false, true} {
			d := remotetest.New(t)
			w := serve(t, form, d).OpenWriter(Model{ID: "talker", Context: 2048}, 0)
			s := pipeline.Sampling{Temperature: 0.5, TopP: 0.9, TopK: 7, Seed: 3, RepeatPenalty: 1}
			var text string
			var started *pipeline.Started
			var ended *pipeline.Finished
			for token, err := range pipeline.Answer(t.Context(), w, chat, pipeline.ReplyOptions{MaxTokens: 9, Sampling: &s, Stop: []string{"###"}, Plain: plain}) {
				if err != nil {
					t.Fatal(form, err)
				}
				text += token.Text
				if token.Started != nil {
					started = token.Started
				}
				ended = token.Finished
			}
			if text != "One two three." || started == nil || started.PromptTokens != 7 || ended == nil || ended.Reason != pipeline.FinishStop || ended.Tokens != 3 {
				t.Errorf("%s plain=%v: %q %+v %+v", form, plain, text, started, ended)
			}
			sent := d.Bodies()[len(d.Bodies())-1]
			for _, part := range []string{"talker", "0.5", `"top_k":7`, "###", "9", "Be brief."} {
				if !strings.Contains(sent, part) {
					t.Errorf("%s plain=%v: %s was not sent: %s", form, plain, part, sent)
				}
			}
		}
	}
}

// TestToolsAndThinking: calls in pieces, one that cannot be read, thinking in a field of its own or in the text.
func TestToolsAndThinking(t *testing.T) {
	event := func(delta string) string { return event(`{"choices":[{"index":0,"delta":` + delta + `}]}`) }
	sent := event(`{"reasoning_content":"Hm. "}`) +
		event(`{"content":"<think>More."}`) + event(`{"content":"</think>I look"}`) +
		event(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"{\"at\":"}}]}`) +
		event(`{"tool_calls":[{"index":0,"function":{"arguments":"\"x\"}"}},{"index":1,"id":"c2","function":{"name":"wait","arguments":""}}]}`) +
		event(`{"tool_calls":[{"index":2,"id":"c3","function":{"name":"look","arguments":"{\"at\": and then"}}]}`) +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	d := remotetest.New(t)
	d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool { fmt.Fprint(w, sent); return true }
	w := serve(t, OpenAI, d).OpenWriter(Model{ID: "talker"}, 0)
	chat := []pipeline.Message{
		pipeline.TextMessage("user", "Look."),
		{Role: "assistant", Calls: []pipeline.ToolCall{{Name: "look", Arguments: `{"at":"y"}`}}},
		{Role: "tool", CallID: "call_0", Name: "look", Parts: []pipeline.Part{{Kind: pipeline.PartText, Text: "nothing"}}},
	}
	var text, thought string
	var notices []string
	var calls []pipeline.ToolCall
	for token, err := range pipeline.Answer(t.Context(), w, chat, pipeline.ReplyOptions{Tools: []pipeline.Tool{{Name: "look"}, {Name: "wait"}}, ToolChoice: pipeline.AnyTool}) {
		if err != nil {
			t.Fatal(err)
		}
		if token.Notice != "" {
			notices = append(notices, token.Notice)
		}
		if token.Thinking {
			thought += token.Text
		} else {
			text += token.Text
		}
		if token.Call != nil {
			calls = append(calls, *token.Call)
		}
	}
	want := []pipeline.ToolCall{{ID: "c1", Name: "look", Arguments: `{"at":"x"}`}, {ID: "c2", Name: "wait", Arguments: "{}"}}
	if text != "I look" || len(notices) != 1 || !strings.Contains(notices[0], "cannot be read") || thought != "Hm. More." || !reflect.DeepEqual(calls, want) {
		t.Errorf("text %q, thought %q, calls %+v", text, thought, calls)
	}
	for _, part := range []string{`"tool_call_id":"call_0"`, `"id":"call_0"`, `"tool_choice":"required"`} {
		if !strings.Contains(d.Bodies()[0], part) {
			t.Errorf("%s was not sent: %s", part, d.Bodies()[0])
		}
	}
}

// TestPlan: the oldest turns are left out, the system prompt and the last one stay.
func TestPlan(t *testing.T) {
	w := serve(t, OpenAI, remotetest.New(t)).OpenWriter(Model{ID: "talker", Context: 400}, 0)
	long := strings.Repeat("word ", 60)
	chat := []pipeline.Message{pipeline.TextMessage("system", "Be brief.")}
	for range 5 {
		chat = append(chat, pipeline.TextMessage("user", long), pipeline.TextMessage("assistant", long))
	}
	chat = append(chat, pipeline.TextMessage("user", "And now?"))
	p, err := w.Plan(t.Context(), chat, pipeline.ReplyOptions{})
	if err != nil || len(p.Dropped) == 0 || p.Dropped[0] != 1 || len(p.Dropped)%2 != 0 || p.PromptTokens+100 > 400 || p.AllTokens <= 400 {
		t.Errorf("%+v, %v", p.Plan, err)
	}
	if p.Messages[0].Role != "system" || p.Messages[1].Role != "user" || p.Messages[len(p.Messages)-1].Text() != "And now?" {
		t.Errorf("sent %+v", p.Messages)
	}
}

// TestCountedPlan: what the server counts is what the prompt takes. Turns are left out by
// that, also where the estimate is far too high.
func TestCountedPlan(t *testing.T) {
	long := strings.Repeat("interoperability ", 60)
	turns := func(n int) []pipeline.Message {
		chat := []pipeline.Message{pipeline.TextMessage("system", "Be brief.")}
		for range n {
			chat = append(chat, pipeline.TextMessage("user", long), pipeline.TextMessage("assistant", long))
		}
		return append(chat, pipeline.TextMessage("user", "And now?"))
	}
	for _, program := range []string{"llamacpp", "vllm"} {
		d := remotetest.New(t)
		d.Program = program
		found, err := Recognise(t.Context(), address(t, d.URL), Options{})
		if err != nil || found.Counts == "" {
			t.Fatalf("%+v, %v", found, err)
		}
		s, err := newServer("lab", found, []Address{address(t, d.URL)}, Options{}, quick())
		if err != nil {
			t.Fatal(err)
		}
		w := s.OpenWriter(Model{ID: "talker", Context: 600}, 0)
		p, err := w.Plan(t.Context(), turns(3), pipeline.ReplyOptions{})
		if want := 1 + 3 + 6*61 + 3; err != nil || len(p.Dropped) > 0 || p.PromptTokens != want && p.PromptTokens != want+1 || p.AllTokens != p.PromptTokens {
			t.Errorf("%s: %+v, %v", program, p.Plan, err)
		}
		p, err = w.Plan(t.Context(), turns(8), pipeline.ReplyOptions{})
		if err != nil || len(p.Dropped) != 10 && len(p.Dropped) != 8 || p.PromptTokens > 450 || p.AllTokens < 900 || p.AllTokens > 1100 {
			t.Errorf("%s: %+v, %v", program, p.Plan, err)
		}
		d.Close() // the estimate has to do
		if p, err = w.Plan(t.Context(), turns(1), pipeline.ReplyOptions{}); err != nil || p.PromptTokens <= 2*60 {
			t.Errorf("%s, gone: %+v, %v", program, p.Plan, err)
		}
	}
}

// TestFinerTokens: a model with few words of its own counts more tokens in a text, and the
// estimate follows it.
func TestFinerTokens(t *testing.T) {
	estimate := 0
	for _, text := range probeTexts() {
		estimate += countTokens(text)
	}
	for _, each := range []int{10, 12, 30} {
		d := remotetest.New(t)
		d.Tokens = each
		e, err := serve(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.CountTokens(t.Context(), probeTexts(), pipeline.EmbedRequest{})
		if want := max(estimate, 2*each); err != nil || got[0]+got[1] < want || got[0]+got[1] > want+len(got) {
			t.Errorf("where the server counts %d: %v, %v", each, got, err)
		}
	}
}

// TestPieces: every text is in one piece, and the last pieces are small where several replicas
// share them.
func TestPieces(t *testing.T) {
	for _, n := range []int{1, 2, 15, 16, 17, 100, 1000} {
		for _, replicas := range []int{1, 2, 5} {
			s := &Server{replicas: make([]*replica, replicas)}
			w, at, last := work{s: s, texts: make([]string, n)}, 0, piece{}
			for {
				p, ok := w.take(&hand{replica: &replica{}})
				if !ok {
					break
				}
				if p.from != at || p.to <= p.from || p.to-p.from > requestTexts {
					t.Fatalf("%d texts, %d replicas: piece %+v at %d", n, replicas, p, at)
				}
				at, last = p.to, p
			}
			if at != n || replicas > 1 && last.to-last.from > leastTexts {
				t.Errorf("%d texts, %d replicas: the last piece is %+v", n, replicas, last)
			}
		}
	}
}

// TestReplicas: work is spread, one that dies is done without, and comes back.
func TestReplicas(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	s := serve(t, OpenAI, a, b)
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 40*requestTexts)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	asked := 0
	b.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		b.Lock()
		asked++
		dead := asked > 6
		b.Unlock()
		time.Sleep(time.Millisecond)
		if dead {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	a.Fault = func(http.ResponseWriter, *http.Request, []byte) bool { time.Sleep(time.Millisecond); return false }
	got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	twice := 0
	for i, v := range got.Vectors {
		if !reflect.DeepEqual(v, remotetest.Vector(texts[i], 8, 0)) {
			t.Fatalf("vector %d is wrong", i)
		}
		switch n := a.Embedded(texts[i]) + b.Embedded(texts[i]); {
		case n == 0:
			t.Fatalf("text %d was not embedded", i)
		case n > 1:
			twice++
		}
	}
	if !strings.Contains(strings.Join(got.Notices, " "), "failed, and the others went on") || b.Requests("/v1/embeddings") < 6 || twice > mostDepth*requestTexts {
		t.Errorf("notices %q, %d requests to b, %d texts twice", got.Notices, b.Requests("/v1/embeddings"), twice)
	}
	b.Lock()
	asked = -1000
	b.Unlock()
	time.Sleep(3 * quick().down)
	before := b.Requests("/v1/embeddings")
	if _, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{}); err != nil || b.Requests("/v1/embeddings") < before+5 {
		t.Errorf("b was not used again: %d, %v", b.Requests("/v1/embeddings")-before, err)
	}
}

// TestReplicasOfOtherModels: a replica with another model is not used.
func TestReplicasOfOtherModels(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	b.Seed = 1
	e, err := serve(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 10*requestTexts)
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Vectors {
		if !reflect.DeepEqual(v, remotetest.Vector(texts[i], 8, 0)) {
			t.Fatalf("vector %d is of the other model", i)
		}
	}
	if len(got.Notices) == 0 || !strings.Contains(got.Notices[0], "is left out") || !strings.Contains(got.Notices[0], strings.TrimPrefix(b.URL, "http://")) {
		t.Errorf("notices %q", got.Notices)
	}
}

// TestAllReplicasDown: the error names both, and the next call works when they are back.
func TestAllReplicasDown(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	s := serve(t, OpenAI, a, b)
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	down := func(on bool) {
		for _, d := range []*remotetest.Server{a, b} {
			d.Lock()
			d.Fault = nil
			if on {
				d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
					remotetest.Error(w, 503, "closing")
					return true
				}
			}
			d.Unlock()
		}
	}
	down(true)
	_, err = e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{})
	sentence(t, err, "lab", "none of the 2 addresses")
	states := s.States()
	if states[0].Up || states[1].Up {
		t.Errorf("states %+v", states)
	}
	down(false)
	if _, err := e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{}); err != nil {
		t.Error(err)
	}
}

// TestRetryAfter: the server's wish is heeded, and no more than a minute of it.
func TestRetryAfter(t *testing.T) {
	d := remotetest.New(t)
	e, err := serve(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		d.Lock()
		defer d.Unlock()
		if n++; n > 2 {
			return false
		}
		w.Header().Set("Retry-After", "0.04")
		remotetest.Error(w, 429, "slow down")
		return true
	}
	start := time.Now()
	if _, err := e.Embed(t.Context(), []string{"a"}, pipeline.EmbedRequest{}); err != nil || time.Since(start) < 40*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	now := time.Now()
	for value, want := range map[string]time.Duration{"": 0, "x": 0, "-1": 0, "2": 2 * time.Second, now.Add(time.Hour).UTC().Format(http.TimeFormat): 59 * time.Minute} {
		if got := retryAfter(value, now); got < want || got > want+2*time.Minute && want > 0 {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func TestCountTokens(t *testing.T) {
	for text, most := range map[string]int{"": 2, "a cat sat on the mat": 10, "北京是中国的首都": 12, strings.Repeat("x", 4000): 1100} {
		if n := countTokens(text); n > most || n < 2 {
			t.Errorf("%.20q: %d", text, n)
		}
	}
}
