// Package remotetest has a server on a loopback port that talks in the forms of package
// remote and can misbehave, for tests. Its model is simple arithmetic on the texts, so
// that right answers are known.
package remotetest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is the double. Change its fields before it is asked, or under Lock.
type Server struct {
	*httptest.Server
	sync.Mutex

	Form      string   // "openai", "ollama", "tei"
	Models    []string // ids; the kind follows from the name
	Dimension int
	Tokens    int      // that it counts in each text
	Words     []string // of each answer to a conversation
	Token     string   // that requests need; "": none
	Seed      uint64   // another model under the same name
	Program   string   // that says it runs the models, such as "llamacpp"; "": it says nothing
	// Fault answers a request instead of the server and reports whether it did.
	Fault func(w http.ResponseWriter, r *http.Request, body []byte) bool

	requests map[string]int
	texts    map[string]int // how often each text was embedded
	bodies   []string
}

// New starts a server that talks in OpenAI's form. It ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Form: "openai", Models: []string{"talker", "some-embedder", "some-reranker"}, Dimension: 8, Tokens: 10, Words: []string{"One", " two", " three."}, requests: map[string]int{}, texts: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Requests is how often a route was asked.
func (s *Server) Requests(path string) int {
	s.Lock()
	defer s.Unlock()
	return s.requests[path]
}

// Embedded is how often a text was embedded.
func (s *Server) Embedded(text string) int {
	s.Lock()
	defer s.Unlock()
	return s.texts[text]
}

// Bodies are the requests' bodies.
func (s *Server) Bodies() []string {
	s.Lock()
	defer s.Unlock()
	return append([]string(nil), s.bodies...)
}

// Vector is what a model with a seed makes of a text.
func Vector(text string, dimension int, seed uint64) []float32 {
	v := make([]float32, dimension)
	var sum float64
	for i := range v {
		h := fnv.New64a()
		fmt.Fprint(h, text, i, seed)
		x := float64(h.Sum64()%20001)/10000 - 1
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// Score is how well a text answers a question: the share of the question's words in it.
func Score(query, text string) float64 {
	words := strings.Fields(strings.ToLower(query))
	n := 0
	for _, w := range words {
		if strings.Contains(strings.ToLower(text), strings.Trim(w, "?.,")) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body []byte
	if r.Body != nil {
		var raw json.RawMessage
		if json.NewDecoder(r.Body).Decode(&raw) == nil {
			body = raw
		}
	}
	s.Lock()
	s.requests[r.URL.Path]++
	s.bodies = append(s.bodies, string(body))
	fault := s.Fault
	s.Unlock()
	if s.Token != "" && r.Header.Get("Authorization") != "Bearer "+s.Token {
		Error(w, http.StatusUnauthorized, "no such key")
		return
	}
	if fault != nil && fault(w, r, body) {
		return
	}
	s.Right(w, r, body)
}

// Right answers as a server does that works.
func (s *Server) Right(w http.ResponseWriter, r *http.Request, body []byte) {
	var in struct {
		Model     string          `json:"model"`
		Input     json.RawMessage `json:"input"`
		Inputs    []string        `json:"inputs"`
		Query     string          `json:"query"`
		Texts     []string        `json:"texts"`
		Documents []string        `json:"documents"`
		Content   string          `json:"content"`
		Messages  []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	_ = json.Unmarshal(body, &in)
	texts := in.Inputs
	if len(in.Input) > 0 {
		_ = json.Unmarshal(in.Input, &texts)
	}
	switch s.Form + " " + r.URL.Path {
	case "openai /v1/models":
		var list []any
		for _, id := range s.Models {
			list = append(list, map[string]any{"id": id, "type": kind(id), "context_length": 2048, "owned_by": s.Program})
		}
		reply(w, map[string]any{"object": "list", "data": list})
	case "openai /v1/embeddings":
		var list []any
		for i, v := range s.vectors(texts) {
			list = append(list, map[string]any{"index": i, "embedding": v})
		}
		reply(w, map[string]any{"data": list, "usage": map[string]any{"prompt_tokens": s.Tokens * len(texts)}})
	case "openai /v1/rerank":
		var list []any
		for i := range in.Documents {
			at := len(in.Documents) - 1 - i // the best need not be the first
			list = append(list, map[string]any{"index": at, "relevance_score": Score(in.Query, in.Documents[at])})
		}
		reply(w, map[string]any{"results": list})
	case "openai /v1/chat/completions", "openai /v1/completions":
		s.stream(w, strings.HasSuffix(r.URL.Path, "/chat/completions"))
	case "openai /apply-template":
		var b strings.Builder
		for _, m := range in.Messages {
			fmt.Fprintf(&b, "<%s> %s\n", m.Role, m.Content)
		}
		reply(w, map[string]any{"prompt": b.String()})
	case "openai /tokenize": // words, and the beginning
		tokens := make([]int, 1+len(strings.Fields(in.Content)))
		if s.Program == "vllm" {
			tokens = tokens[:1]
			for _, m := range in.Messages {
				tokens = append(tokens, make([]int, 1+len(strings.Fields(m.Content)))...)
			}
		}
		reply(w, map[string]any{"tokens": tokens, "count": len(tokens)})
	case "tei /info":
		reply(w, map[string]any{"model_id": s.Models[0], "model_type": map[string]any{kind(s.Models[0]): map[string]any{}}, "max_input_length": 512})
	case "tei /embed":
		reply(w, s.vectors(texts))
	case "tei /rerank":
		var list []any
		for i, t := range in.Texts {
			list = append(list, map[string]any{"index": i, "score": Score(in.Query, t)})
		}
		reply(w, list)
	case "ollama /api/tags":
		var list []any
		for _, id := range s.Models {
			list = append(list, map[string]any{"name": id, "model": id})
		}
		reply(w, map[string]any{"models": list})
	case "ollama /api/show":
		capability := "completion"
		if kind(in.Model) == "embedding" {
			capability = "embedding"
		}
		reply(w, map[string]any{"capabilities": []string{capability}, "model_info": map[string]any{"llama.context_length": 4096, "llama.embedding_length": s.Dimension}})
	case "ollama /api/embed":
		reply(w, map[string]any{"embeddings": s.vectors(texts), "prompt_eval_count": s.Tokens * len(texts)})
	case "ollama /api/chat", "ollama /api/generate":
		s.lines(w, r.URL.Path == "/api/chat")
	default:
		Error(w, http.StatusNotFound, "no such route")
	}
}

func kind(id string) string {
	switch {
	case strings.Contains(id, "rerank"):
		return "reranker"
	case strings.Contains(id, "embed"):
		return "embedding"
	}
	return "chat"
}

func (s *Server) vectors(texts []string) (list [][]float32) {
	for _, t := range texts {
		s.Lock()
		s.texts[t]++
		dimension, seed := s.Dimension, s.Seed
		s.Unlock()
		list = append(list, Vector(t, dimension, seed))
	}
	return list
}

// Stream is the answer to a conversation as it goes over the wire, event by event.
func (s *Server) Stream(chat bool) (events []string) {
	add := func(v any) {
		data, _ := json.Marshal(v)
		events = append(events, "data: "+string(data)+"\n\n")
	}
	for i, word := range s.Words {
		c := map[string]any{"index": 0, "text": word}
		if chat {
			c = map[string]any{"index": 0, "delta": map[string]any{"content": word}}
		}
		if i == len(s.Words)-1 {
			c["finish_reason"] = "stop"
		}
		add(map[string]any{"choices": []any{c}})
	}
	add(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 7, "completion_tokens": len(s.Words)}})
	return append(events, "data: [DONE]\n\n")
}

func (s *Server) stream(w http.ResponseWriter, chat bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range s.Stream(chat) {
		fmt.Fprint(w, e)
		w.(http.Flusher).Flush()
	}
}

// Lines is Stream in Ollama's form.
func (s *Server) Lines(chat bool) (lines []string) {
	for i := 0; i <= len(s.Words); i++ {
		x := map[string]any{"done": i == len(s.Words)}
		switch {
		case i == len(s.Words):
			x["done_reason"], x["prompt_eval_count"], x["eval_count"] = "stop", 7, len(s.Words)
		case chat:
			x["message"] = map[string]any{"content": s.Words[i]}
		default:
			x["response"] = s.Words[i]
		}
		data, _ := json.Marshal(x)
		lines = append(lines, string(data)+"\n")
	}
	return lines
}

func (s *Server) lines(w http.ResponseWriter, chat bool) {
	for _, l := range s.Lines(chat) {
		fmt.Fprint(w, l)
		w.(http.Flusher).Flush()
	}
}

// Error answers with an error in OpenAI's form.
func Error(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message}})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
