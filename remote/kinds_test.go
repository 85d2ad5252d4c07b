package remote

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"inglenook/remote/remotetest"
)

// TestWrongVectors: a model whose vectors are wrong, or do not come, is not taken for one that
// only writes; one that gives vectors and words is for both.
func TestWrongVectors(t *testing.T) {
	ask := func(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) Model {
		d := remotetest.New(t)
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			switch r.URL.Path {
			case "/v1/models":
				fmt.Fprint(w, `{"data":[{"id":"thing"}]}`)
			case "/v1/embeddings":
				answer(w, r)
			case "/v1/chat/completions":
				fmt.Fprint(w, `{"choices":[{"message":{"content":"One"}}]}`)
			default:
				remotetest.Error(w, http.StatusNotFound, "no such route")
			}
			return true
		}
		tuned := quick()
		tuned.quick = 200 * time.Millisecond
		c, err := newClient(address(t, d.URL), Options{}, tuned)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.recognise(t.Context())
		if err != nil || len(found.Models) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		return found.Models[0]
	}
	says := func(text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	status := func(n int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { remotetest.Error(w, n, "it does not work") }
	}
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request){
		"no number": says(`{"data":[{"index":0,"embedding":[1,NaN]}]}`),
		"null":      says(`{"data":[{"index":0,"embedding":[1,null]}]}`),
		"an error":  says(`{"error":{"message":"boom"}}`),
		"a page":    says(`<html>Login</html>`),
		"none":      says(`{"data":[]}`),
		"a failure": status(500),
		"silence":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		if m := ask(t, answer); !m.Guessed || m.Wrong == "" || m.Writes {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for _, n := range []int{400, 404, 405, 501} {
		if m := ask(t, status(n)); m.Kind != Chat || m.Guessed || m.Wrong != "" {
			t.Errorf("status %d: %+v", n, m)
		}
	}
	if m := ask(t, says(`{"data":[{"index":0,"embedding":[1,2,3,4,5,6,7,8]}]}`)); m.Kind != Embedding || !m.Writes || m.Guessed {
		t.Errorf("both: %+v", m)
	}
}

// TestBothKinds: a model that embeds and writes is known as one by what its server says of it, and by
// an answer that comes in events although it is asked for a single word.
func TestBothKinds(t *testing.T) {
	for name, c := range map[string]struct{ list, show string }{
		"capabilities":        {list: `{"data":[{"id":"thing","capabilities":["completion","embedding"]}]}`},
		"type, capabilities":  {list: `{"data":[{"id":"thing","type":"embedding","capabilities":["embedding","rerank","chat"]}]}`},
		"of Ollama":           {show: `{"capabilities":["completion","embedding"]}`},
		"of Ollama, reversed": {show: `{"capabilities":["embedding","completion"]}`},
		"events":              {list: `{"data":[{"id":"thing"}]}`},
	} {
		d := remotetest.New(t)
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			switch {
			case r.URL.Path == "/v1/models" && c.list != "":
				fmt.Fprint(w, c.list)
			case r.URL.Path == "/api/tags" && c.show != "":
				fmt.Fprint(w, `{"models":[{"name":"thing","model":"thing"}]}`)
			case r.URL.Path == "/api/show":
				fmt.Fprint(w, c.show)
			case r.URL.Path == "/v1/embeddings":
				fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,2,3,4,5,6,7,8]}]}`)
			case r.URL.Path == "/v1/chat/completions":
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, ": hello\n\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\ndata: [DONE]\n\n")
			default:
				remotetest.Error(w, http.StatusNotFound, "no such thing")
			}
			return true
		}
		found, err := Recognise(t.Context(), address(t, d.URL), Options{})
		if err != nil || len(found.Models) != 1 || found.Models[0].Kind != Embedding || !found.Models[0].Writes || found.Models[0].Guessed {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// TestWrongScores: a model that is asked for a score and answers with something else is no language
// model. One that does not know the question may be.
func TestWrongScores(t *testing.T) {
	for answer, want := range map[string]string{
		`{"results":[{"index":0,"relevance_score":NaN}]}`:  Reranker,
		`{"results":[{"index":0,"relevance_score":null}]}`: Reranker,
		`{"error":"Unexpected endpoint or method"}`:        Chat,
		`<html>Login</html>`:                               Chat,
	} {
		d := remotetest.New(t)
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			switch r.URL.Path {
			case "/v1/models":
				fmt.Fprint(w, `{"data":[{"id":"thing"}]}`)
			case "/v1/rerank":
				fmt.Fprint(w, answer)
			default:
				remotetest.Error(w, http.StatusNotFound, "no such route")
			}
			return true
		}
		c, err := newClient(address(t, d.URL), Options{}, quick())
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.recognise(t.Context())
		if err != nil || len(found.Models) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		if m := found.Models[0]; m.Kind != want || m.Guessed || (m.Wrong != "") != strings.Contains(answer, "NaN") {
			t.Errorf("%s: %+v", answer, m)
		}
	}
}
